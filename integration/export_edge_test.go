package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/sinks/export"
)

// worker runs a Worker of Cloudflare in Node, with the library in JavaScript. Of each request it prints the URL as the
// runtime parses it, and the URL that the Worker names or redirects to. The Worker must ask for the URL as it is.
const worker = `
import { readFileSync } from "node:fs";
import worker from "./worker.mjs";
let asked;
globalThis.fetch = async (request) => { asked = request.url; return new Response("ok", { status: asked.includes("/gone") ? 404 : 200, headers: { Link: "</style.css>; rel=preload", Server: "origin" } }); };
const answers = [];
for (const { host, url, method } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
	const request = new Request("http://" + host + url, { method });
	const answer = await worker.fetch(request);
	const link = (answer.headers.get("Link") || "").match(/^<\/style.css>; rel=preload(?:, <([^>]*)>; rel="canonical")?$/);
	let is = answer.headers.get("Location");
	if (answer.status !== 301) is = asked === request.url && link && answer.headers.get("Server") === "origin" && await answer.text() === "ok" ? link[1] || asked : "another answer";
	answers.push({ was: request.url, is });
}
console.log(JSON.stringify(answers));
`

// parsing prints URLs as the runtime parses them.
const parsing = `
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map((url) => new URL(url).href)));
`

// edge runs functions of CloudFront in Node: each by itself, in strict mode, with the members of an event that it may
// use. Of each request it prints the path and query that the function names or redirects to.
const edge = `
import { readFileSync } from "node:fs";
const all = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(all.map(({ code, redirects, requests }) => {
	const handler = new Function("\"use strict\";" + code + "\nreturn handler;")();
	return requests.map(({ host, url, method }, n) => {
		const at = url.indexOf("?"), query = at < 0 ? undefined : url.slice(at + 1);
		const request = { method, uri: at < 0 ? url : url.slice(0, at), querystring: {}, headers: { host: { value: host } }, rawQueryString: () => query };
		const response = { statusCode: 200, headers: n % 2 ? { link: { value: "</a>; rel=prev" } } : {} };
		const made = handler(redirects ? { request } : { request, response });
		if (redirects) return { is: made === request ? url : made.statusCode === 301 && made.headers.location.value };
		const link = (made.headers.link || { value: "" }).value.match(n % 2 ? /^<\/a>; rel=prev(?:, <(.*)>; rel="canonical")?$/ : /^(?:<(.*)>; rel="canonical")?$/);
		return { is: made === response && link ? link[1] || url : "another answer" };
	});
})));
`

// asks is a request, and gets what becomes of it.
type (
	asks struct {
		Host   string `json:"host"`
		URL    string `json:"url"`
		Method string `json:"method"`
	}
	gets struct{ Was, Is string }
)

// runNode runs a script in a folder with an argument of JSON, and reads what it prints.
func runNode(t *testing.T, dir, script string, in, out any) {
	t.Helper()
	need(t, "node", "its export is not tried")
	text, err := json.Marshal(in)
	must(t, err)
	input := write(t, "in.json", text)
	writeFile(t, filepath.Join(dir, "run.mjs"), []byte(script))
	cmd := exec.Command("node", "run.mjs", input)
	cmd.Dir = dir
	must(t, json.Unmarshal([]byte(succeed(t, cmd).stdout), out))
}

// runWorker makes requests of a Worker.
func runWorker(t *testing.T, file string, in []asks) (out []gets) {
	t.Helper()
	dir := t.TempDir()
	library, err := filepath.Abs("../sinks/appliers/javascript")
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "node_modules"), 0o755))
	must(t, os.Symlink(library, filepath.Join(dir, "node_modules", "dustbuster-rules")))
	writeFile(t, filepath.Join(dir, "worker.mjs"), readFile(t, file))
	runNode(t, dir, worker, in, &out)
	if len(out) != len(in) {
		t.Fatalf("%d answers to %d requests", len(out), len(in))
	}
	return out
}

// workerSites are the sites for a Worker, which knows all rules, with one for kinds that no expressions have.
func workerSites(t *testing.T, redirect bool) []export.Site {
	t.Helper()
	sites := append(exportSites(), export.Site{Host: "order.a-b.test", Rules: []rule.Rule{{Edit: rule.Order{}}, {Edit: rule.Syntax{Form: rule.Case}}, {Edit: rule.Syntax{Form: rule.Escapes}}}, URLs: exportSample()})
	return expressible(t, "cloudflare", sites, redirect)
}

// A Worker of Cloudflare names the canonical form of each URL, or redirects to it.
func TestExportCloudflare(t *testing.T) {
	t.Parallel()
	for _, redirect := range []bool{false, true} {
		t.Run(fmt.Sprintf("redirect %v", redirect), func(t *testing.T) {
			t.Parallel()
			sites := workerSites(t, redirect)
			var in []asks
			for _, c := range serverSample(t, sites) {
				in = append(in, asks{c.host, c.url, "GET"})
			}
			changed, out := 0, runWorker(t, exported(t, "cloudflare", sites, export.Options{Redirect: redirect}), in)
			var want, parsed []string
			for i, got := range out {
				form := canonForm(t, siteOf(sites, in[i].Host), got.Was)
				if strings.ContainsFunc(form, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"<>`, r) }) {
					form = got.Was // it would need escapes
				}
				want = append(want, form)
			}
			if parsed = want; redirect {
				runNode(t, t.TempDir(), parsing, want, &parsed)
			}
			for i, got := range out {
				if want[i] != got.Was {
					changed++
				}
				if got.Is != parsed[i] {
					t.Errorf("%s: the Worker makes %s, canon %s", got.Was, got.Is, want[i])
				}
			}
			if changed < 20 {
				t.Errorf("%d of %d requests change", changed, len(in))
			}
		})
	}
}

func siteOf(sites []export.Site, host string) []export.Site {
	return slices.DeleteFunc(slices.Clone(sites), func(s export.Site) bool { return s.Host != host })
}

// A Worker leaves other methods, hosts and errors alone, and sites that it cannot tell are left out.
func TestExportCloudflareEdges(t *testing.T) {
	t.Parallel()
	sites := []export.Site{{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}}}}
	in := []asks{{"a.test", "/p?n=1&m", "GET"}, {"A.test:80", "/p?n=1&m", "HEAD"}, {"a.test", "/p?n=1", "POST"}, {"b.test", "/p?n=1", "GET"}, {"a.test:8080", "/p?n=1", "GET"}, {"a.test", "/gone?n=1", "GET"}}
	want := []string{"http://a.test/p?m", "http://a.test/p?m", "http://a.test/p?n=1", "http://b.test/p?n=1", "http://a.test:8080/p?n=1", "http://a.test/gone?n=1"}
	for i, got := range runWorker(t, exported(t, "cloudflare", sites, export.Options{}), in) {
		if got.Is != want[i] {
			t.Errorf("%+v: %s, want %s", in[i], got.Is, want[i])
		}
	}
	nameless := append([]export.Site{{Rules: []rule.Rule{{Edit: rule.Drop{Param: "m"}}}}}, sites...)
	want = []string{"http://a.test/p?m", "http://a.test/p?m", "http://a.test/p?n=1", "http://b.test/p?n=1", "http://a.test:8080/p?n=1", "http://a.test/gone?n=1"}
	in = append(in, asks{"b.test", "//c.test/p?m", "GET"}, asks{"b.test", "/p?m&l", "GET"})
	want = append(want, "http://b.test//c.test/p?m", "http://b.test/p?l")
	for i, got := range runWorker(t, exported(t, "cloudflare", nameless, export.Options{}), in) {
		if got.Is != want[i] {
			t.Errorf("with rules of no host, %+v: %s, want %s", in[i], got.Is, want[i])
		}
	}
	hostile := hostileSites()
	for i := range hostile {
		hostile[i].URLs = nil
	}
	var b bytes.Buffer
	skipped, err := export.Write(&b, "cloudflare", hostile, export.Options{})
	must(t, err)
	if len(skipped) == 0 {
		t.Error("no site without a host is left out")
	}
	runWorker(t, write(t, "worker.mjs", b.Bytes()), []asks{{"a.test", "/", "GET"}}) // it can be read
}

// edgeFunction is a function of CloudFront and its requests.
type edgeFunction struct {
	Code      string `json:"code"`
	Redirects bool   `json:"redirects"`
	Requests  []asks `json:"requests"`
	want      []string
}

// edgeFunctions are the functions of sites, with all cases of those of their rules that fit.
func edgeFunctions(t *testing.T, redirect bool) (all []edgeFunction) {
	t.Helper()
	left := 0
	for _, s := range exportSites() {
		var b bytes.Buffer
		skipped, err := export.Write(&b, "cloudfront", []export.Site{s}, export.Options{Redirect: redirect})
		must(t, err)
		if b.Len() > 10<<10 {
			t.Errorf("the function of %s has %d bytes", s.Host, b.Len())
		}
		s.Rules = slices.DeleteFunc(slices.Clone(s.Rules), func(r rule.Rule) bool {
			return slices.ContainsFunc(skipped, func(s export.Skipped) bool { return s.Rule == r })
		})
		if left += len(skipped); len(s.Rules) == 0 {
			continue
		}
		c, err := canon.Compile(s.Rules)
		must(t, err)
		f := edgeFunction{Code: b.String(), Redirects: redirect}
		for _, url := range exportURLs {
			out, end := c.Canon(nil, []byte(url))
			if end.End != canon.Settled {
				continue
			}
			want := string(out)
			if strings.HasSuffix(want, "?") || strings.HasPrefix(want, "//") || want == "" || want[0] != '/' {
				want = url // it claims nothing
			}
			f.Requests, f.want = append(f.Requests, asks{s.Host, url, "GET"}), append(f.want, want)
		}
		all = append(all, f)
	}
	if redirect != (left > 60) && left < 20 {
		t.Errorf("%d rules are left out", left)
	}
	return all
}

// A function of CloudFront names the canonical form of each URL, or redirects to it, by the rules that fit.
func TestExportCloudFront(t *testing.T) {
	t.Parallel()
	for _, redirect := range []bool{false, true} {
		t.Run(fmt.Sprintf("redirect %v", redirect), func(t *testing.T) {
			t.Parallel()
			all := edgeFunctions(t, redirect)
			var out [][]gets
			runNode(t, t.TempDir(), edge, all, &out)
			changed := 0
			for i, f := range all {
				for k, r := range f.Requests {
					if f.want[k] != r.URL {
						changed++
					}
					if got := out[i][k].Is; got != f.want[k] {
						t.Errorf("%s%s: the function makes %s, want %s", r.Host, r.URL, got, f.want[k])
					}
				}
			}
			if changed < 60 {
				t.Errorf("%d requests change", changed)
			}
		})
	}
}

// A function leaves other methods, hosts and long or odd URLs alone. Of many rules it has as many as fit, the first ones.
func TestExportCloudFrontEdges(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	site := export.Site{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Substring{From: "_", To: "-"}}}}
	_, err := export.Write(&b, "cloudfront", []export.Site{site}, export.Options{Unroll: 2})
	must(t, err)
	f := edgeFunction{Code: b.String()}
	for _, c := range []struct{ host, url, method, want string }{
		{"a.test", "/p_1?n=1&m", "GET", "/p-1?m"},
		{"A.test.:443", "/p_1?n=1&m", "HEAD", "/p-1?m"},
		{"a.test", "/p?n", "GET", "/p"},
		{"a.test", "/p_1?", "GET", "/p_1?"}, // which cannot be told from none
		{"a.test", "/p_1?n=1", "POST", "/p_1?n=1"},
		{"b.test", "/p_1?n=1", "GET", "/p_1?n=1"},
		{"a.test", "//b.test/p_1?n=1", "GET", "//b.test/p_1?n=1"}, // a browser would take b.test for a host
		{"a.test", "/p\"_1?n=1", "GET", "/p\"_1?n=1"},
		{"a.test", "/p_1?" + strings.Repeat("k&n&", export.Places+1) + "k", "GET", "/p_1?" + strings.Repeat("k&n&", export.Places+1) + "k"},
		{"a.test", "/a_b" + strings.Repeat("x", rule.MaxBytes-3), "GET", "/a_b" + strings.Repeat("x", rule.MaxBytes-3)},
	} {
		f.Requests, f.want = append(f.Requests, asks{c.host, c.url, c.method}), append(f.want, c.want)
	}
	var out [][]gets
	runNode(t, t.TempDir(), edge, []edgeFunction{f}, &out)
	for k, r := range f.Requests {
		if out[0][k].Is != f.want[k] {
			t.Errorf("%+v: %s, want %s", r, out[0][k].Is, f.want[k])
		}
	}
	many := export.Site{Host: "a.test", Rules: manyRules(300)}
	b.Reset()
	skipped, err := export.Write(&b, "cloudfront", []export.Site{many}, export.Options{Unroll: 1})
	must(t, err)
	if n := len(skipped); n < 100 || n > 290 || skipped[0].Rank != 300-n || !strings.Contains(skipped[0].Reason, "more than 10,240 bytes") || b.Len() > 10<<10 || b.Len() < 9<<10 {
		t.Errorf("%d of 300 rules are left out, of %+v, and the function has %d bytes", n, skipped[0], b.Len())
	}
}
