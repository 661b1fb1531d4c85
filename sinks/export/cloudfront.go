package export

import (
	"bufio"
	"fmt"
	"strings"
)

// cloudFrontMost is the greatest number of bytes of a function.
const cloudFrontMost = 10 << 10

// cloudFrontFunction is the function behind the steps. A bare question mark cannot be told from none.
const cloudFrontFunction = `
function handler(event) {
	var request = event.request, query = request.rawQueryString(), answer = %s;
	var asked = query === undefined ? request.uri : request.uri + "?" + query, form = asked;
	if (!/^(?:GET|HEAD)$/.test(request.method) || !/^%s$/.test(asked)%s) return answer;
	for (var i = 0; i < steps.length; i += 2) form = form.replace(steps[i], steps[i + 1]);
	if (form[0] !== "/" || form === asked || form[1] === "/" || form[form.length - 1] === "?") return answer;
%s}
`

const cloudFrontNames = `	var link = answer.headers.link, name = "<" + form + ">; rel=\"canonical\"";
	answer.headers.link = { value: link ? link.value + ", " + name : name };
	return answer;
`

const cloudFrontRedirects = `	return { statusCode: 301, statusDescription: "Moved Permanently", headers: { location: { value: form } } };
`

// writeCloudFront writes a function of CloudFront for a viewer's response, or for its request if it redirects, in the
// JavaScript of the runtime 2.0, whose expressions are those of Perl. An empty form claims nothing.
func writeCloudFront(b *bufio.Writer, d *document) {
	event, answer, act := "response", "event.response", cloudFrontNames
	what := "Each GET or HEAD of a URL that is not its own canonical form is answered with that form in the header Link."
	if d.Redirect {
		event, answer, act = "request", "request", cloudFrontRedirects
		what = "A URL that is not its own canonical form is redirected to it."
	}
	notes := []string{"A function of CloudFront, runtime cloudfront-js-2.0, for the event viewer " + event + ".", what}
	slashed(b, d.head(append(notes, "A URL that a rule would edit in more places than its steps here is left alone.")...)...)
	host := ""
	fmt.Fprint(b, "var steps = [\n")
	for i := range d.sites {
		s := &d.sites[i]
		slashed(b, s.titles()...)
		if s.Host != "" {
			host = fmt.Sprintf(" || !/%s/i.test(request.headers.host ? request.headers.host.value : \"\")", inSlashes(hostPattern(s.Site)))
		}
		for _, e := range s.expressions("") {
			for _, step := range e.inOrder() {
				writeCloudFrontStep(b, step)
			}
			for _, pattern := range e.givesUp() {
				writeCloudFrontStep(b, edit{pattern: pattern + `[^#]*`})
			}
		}
	}
	fmt.Fprint(b, "];\n")
	fmt.Fprintf(b, cloudFrontFunction, answer, inSlashes(shortTarget), host, act)
}

func writeCloudFrontStep(b *bufio.Writer, e edit) {
	fmt.Fprintf(b, "/%s/, %q,\n", inSlashes(inServer(e.pattern)), render(e.to, `$0%d`, func(s string) string { return strings.ReplaceAll(s, "$", "$$") }))
}

// inSlashes writes an expression between slashes.
func inSlashes(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern):
			b.WriteByte(pattern[i])
			i++
		case pattern[i] == '/':
			b.WriteByte('\\')
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}
