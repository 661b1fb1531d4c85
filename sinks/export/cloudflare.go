package export

import (
	"bufio"
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// cloudflareWorker is the script behind the list of rules. Rules of a log without hosts apply to paths alone, of
// whatever host has no other rules.
const cloudflareWorker = `];
const rules = new Rules(list.join("\n"));

function canonical(url) {
	if (!rules.needsHost(url)) return rules.canonical(url);
	const { origin, pathname, search } = new URL(url);
	return origin + rules.canonical(pathname + search);
}

export default {
	async fetch(request) {
		const form = request.method === "GET" || request.method === "HEAD" ? canonical(request.url) : request.url;
		if (form === request.url || !/^[!#-;=?-~]*$/.test(form)) return fetch(request);
%s	},
};
`

const cloudflareNames = "\t\tconst answer = await fetch(request);\n" +
	"\t\tif (!answer.ok) return answer;\n" +
	"\t\tconst named = new Response(answer.body, answer);\n" +
	"\t\tnamed.headers.append(\"Link\", `<${form}>; rel=\"canonical\"`);\n" +
	"\t\treturn named;\n"

const cloudflareRedirects = "\t\treturn Response.redirect(form, 301);\n"

func refuseCloudflare(s *Site) func(*rule.Rule) string {
	switch host, ok := urlnorm.Host(s.Host); {
	case len(s.Hosts) > 0:
		return refuseServer(s)
	case s.Host != "" && (!ok || host != s.Host):
		return always("the site's name is no host in normal form")
	}
	return always("")
}

// writeCloudflare writes a Worker, which applies the rules by the library in JavaScript. So the rules are written as
// they are published, and the library does what canon does.
func writeCloudflare(b *bufio.Writer, d *document) {
	act, what := cloudflareNames, "Each GET or HEAD of a URL that is not its own canonical form is answered with that form in the header Link."
	if d.Redirect {
		act, what = cloudflareRedirects, "A URL that is not its own canonical form is redirected to it."
	}
	slashed(b, d.head("A Worker, for a project of wrangler with the package dustbuster-rules.", what)...)
	fmt.Fprint(b, "import { Rules } from \"dustbuster-rules\";\n\nconst list = [\n")
	for i := range d.sites {
		s := &d.sites[i]
		slashed(b, s.titles()...)
		for n := range s.rules {
			fmt.Fprintf(b, "\t%s,\n", publishedLine(s, n))
		}
	}
	fmt.Fprintf(b, cloudflareWorker, act)
}

// publishedLine returns a rule as a line of a published list, in a text of JavaScript.
func publishedLine(s *site, n int) []byte {
	line := struct {
		Schema int        `json:"schema"`
		Site   string     `json:"site"`
		ID     string     `json:"id"`
		Rank   int        `json:"rank"`
		State  rule.State `json:"state"`
		rule.Wire
	}{Schema: rule.Schema, Site: s.Host, ID: rule.ID(s.Host, &s.rules[n]), Rank: n + 1, State: rule.Valid}
	text, err := json.Marshal(s.rules[n])
	if err == nil {
		err = json.Unmarshal(text, &line.Wire)
	}
	if err == nil {
		text, err = json.Marshal(line)
	}
	if err == nil {
		text, err = json.Marshal(string(text))
	}
	if err != nil {
		panic(err) // a valid rule has a line
	}
	return text
}

func slashed(b *bufio.Writer, lines ...string) {
	for _, line := range lines {
		fmt.Fprintf(b, "// %s\n", line)
	}
}
