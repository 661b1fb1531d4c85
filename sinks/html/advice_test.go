package html

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"

	"golang.org/x/net/html"
)

// A reference is the whole URL as readers resolve it, or there is none.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		mined  string
		hosted bool
		want   string // "": none
	}{
		{"/a/0", false, "/a/0"},
		{"/", false, "/"},
		{"/a?b=1&copy=2&lt;c='", false, ""},
		{"/a?b=1&copy=2&lt;c", false, "/a?b=1&copy=2&lt;c"},
		{"/it's(1)$[0]*,;:@!~", false, "/it's(1)$[0]*,;:@!~"},
		{"/%22%3Cb%3E%20%E2%80%AE%0A%zz%", false, "/%22%3Cb%3E%20%E2%80%AE%0A%zz%"},
		{"/x//y", false, "/x//y"},
		{"//evil.example/x", false, ""},
		{`/\evil.example/x`, false, ""},
		{`/a\b`, false, ""},
		{"/a/../b", false, ""},
		{"/a/%2E./b", false, ""},
		{"/a/.%2e", false, ""},
		{"/a?../b", false, "/a?../b"},
		{"/{x}", false, ""},
		{"/a|b^`", false, ""},
		{"/" + strings.Repeat("y", 2000), false, "/" + strings.Repeat("y", 2000)},
		{"a/b", false, ""},
		{"www.example.org/a?b", true, "//www.example.org/a?b"},
		{"www.example.org:8080//a", true, "//www.example.org:8080//a"},
		{"[::1]/a", true, "//[::1]/a"},
		{"www.example.org", true, ""},
		{"www.example.org?x/", true, ""},
		{"user@www.example.org/", true, ""},
		{"/a", true, ""},
	} {
		got, ok := reference(c.mined, c.hosted)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.mined, got, ok, c.want)
		}
	}
}

// FuzzReference resolves references as a browser does, but for what only browsers change, and
// finds the URL byte for byte.
func FuzzReference(f *testing.F) {
	f.Add("/a/..//b?c=%2e#d", false)
	f.Add("www.example.org/%zz", true)
	f.Fuzz(func(t *testing.T, mined string, hosted bool) {
		ref, ok := reference(mined, hosted)
		if !ok {
			return
		}
		want, host := mined, "page.example"
		if hosted {
			host, want, _ = strings.Cut(mined, "/")
			want = "/" + want
		}
		if strings.Contains(strings.ReplaceAll(want, "%25", ""), "%") {
			return // net/url knows no broken escapes
		}
		base := &url.URL{Scheme: "http", Host: "page.example", Path: "/x/y"}
		u, err := base.Parse(ref)
		if err != nil {
			t.Fatalf("%q: %v", ref, err)
		}
		if got := u.EscapedPath(); u.Host != host || u.RawQuery != "" && !strings.HasSuffix(want, "?"+u.RawQuery) || !strings.HasPrefix(want, got) {
			t.Fatalf("%q leads to %q and %q", ref, u.Host, u.RequestURI())
		}
	})
}

// links returns the canonical links that a report advises, as a parser reads them from a page.
func links(t *testing.T, report string) (all []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(report))
	must(t, err)
	for n := range root.Descendants() {
		if n.Type != html.TextNode || !strings.HasPrefix(n.Data, "<link ") {
			continue
		}
		pasted, err := html.Parse(strings.NewReader("<head>" + n.Data))
		must(t, err)
		found := false
		for l := range pasted.Descendants() {
			if l.Type == html.ElementNode && l.Data == "link" {
				found = true
				all = append(all, l.Attr[1].Val)
			}
		}
		if !found {
			t.Errorf("no link in %q", n.Data)
		}
	}
	return all
}

var dropSid = rule.Rule{Edit: rule.Drop{Param: "sid"}}

// visited returns a site of ten pages, requested as FOLDER/N and as FOLDER/N?sid=N.
func visited(site, folder string) *miner.Machine {
	m := world(site, "other", 0)
	for i := range 10 {
		for _, query := range []string{"", fmt.Sprintf("?sid=%d", i)} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "%s/%d%s", folder, i, query), Min: 1000 * int64(i+1), Max: 1000 * int64(i+1)})
		}
	}
	return m
}

// A canonical link is the whole URL of a page, however long the URL is and whatever the URL
// holds, and nothing that hides a secret.
func TestCanonicalLink(t *testing.T) {
	const token = "eyJhbGciOiJIUzI1NiJ9x7Kq2LmZp0"
	for _, c := range []struct {
		word string
		want string // "": none
	}{
		{"a", "/a/0"},
		{strings.Repeat("long/", 150) + "x", "/" + strings.Repeat("long/", 150) + "x/0"},
		{"x&amp;y&copy=2'", "/x&amp;y&copy=2'/0"},
		{"%22%3E%3Cscript%3E", "/%22%3E%3Cscript%3E/0"},
		{"%E0%B8%81", "/%E0%B8%81/0"}, // shown decoded, said as it is
		{"%E2%80%AE%0A", "/%E2%80%AE%0A/0"},
		{"a$1(b)*", "/a$1(b)*/0"},
		{"2.4", "/2.4/0"},
		{token, ""},
		{`a\b`, ""},
		{"../a", ""},
		{"/evil.example", ""},
	} {
		got := links(t, reportOf(t, Options{}, withRules(visited("", "/"+c.word), dropSid)))
		if want := []string{c.want}; c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestHasHead(t *testing.T) {
	for _, c := range []struct {
		url  string
		want bool
	}{
		{"/", true}, {"/a", true}, {"/v2.4/", true}, {"/a.html", true}, {"/a.PHP?x=1.pdf", true}, {"/index.php/", true}, {"www.example.org/a", true},
		{"/a.pdf", false}, {"/a.pdf?x=1", false}, {"/a.jpg", false}, {"/a.html.gz", false},
	} {
		if got := hasHead(c.url); got != c.want {
			t.Errorf("%s: %v, want %v", c.url, got, c.want)
		}
	}
}

// A canonical link leads to a page that no rule of the report changes.
func TestCanonicalLinkIsSettled(t *testing.T) {
	m := visited("", "/a")
	page := func(rules ...rule.Rule) []string { return links(t, reportOf(t, Options{}, withRules(m, rules...))) }
	if got := page(dropSid, rule.Rule{Edit: rule.Substring{From: "0", To: "zero", AtEnd: true}}); !slices.Equal(got, []string{"/a/1"}) {
		t.Errorf("%q, want the second example", got)
	}
	if got := page(dropSid, rule.Rule{Edit: rule.Substring{From: "/a/", To: "/b/"}}); len(got) > 0 {
		t.Errorf("%q, and the rule makes another URL of it", got)
	}
}

// The lines of a format are whole, or a command stands in their place.
func TestWholeLines(t *testing.T) {
	var rules []rule.Rule
	for i := range 40 {
		rules = append(rules, rule.Rule{Edit: rule.Drop{Param: fmt.Sprintf("a%s%d", strings.Repeat("x", 40), i)}})
	}
	text := html.UnescapeString(reportOf(t, Options{Veil: secret.Veil{Lifted: true}}, withRules(world("www.example.org", "a", 60), rules...)))
	contains(t, text, "Clean-param: axx", `No-Vary-Search: params=("axx`)
	for line := range strings.Lines(text) {
		if (strings.Contains(line, "Clean-param: ") || strings.Contains(line, "No-Vary-Search: ")) && strings.Contains(line, "…") {
			t.Errorf("a line is cut: %.60s", line)
		}
	}
}

// Sites of several hosts get no advice that is about one host.
func TestHostsOfASite(t *testing.T) {
	o := Options{Hosts: func(site string) []string { return []string{site, "*." + site} }}
	text := reportOf(t, o, withRules(visited("example.org", "www.example.org"), dropSid, rule.Rule{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}))
	if got := links(t, text); !slices.Equal(got, []string{"//www.example.org/0"}) {
		t.Errorf("links %q", got)
	}
	for _, bad := range []string{"Clean-param: sid", "params=(", "export nginx", "export apache"} {
		if strings.Contains(text, bad) {
			t.Errorf("the report says %q", bad)
		}
	}
}

// The texts of servers have what the URLs of the log need, and are of rules that hold.
func TestTextsToCopy(t *testing.T) {
	rules := []rule.Rule{{Edit: rule.Substring{From: "/a/", To: "/b/"}}, {Edit: rule.Order{}}}
	text := html.UnescapeString(reportOf(t, Options{Tried: true, Time: "2026-11-28T10:00:00Z"}, withRules(visited("", "/a"), rules...)))
	contains(t, text, "<summary>nginx: names the canonical URL in the header Link (1 of 2 rules)</summary>", "add_header Link", "Header always add Link", "header @dust +Link", "sub vcl_recv", "Save it as /etc/nginx/conf.d/dustbuster.conf", "<p>Paste it into the virtual host of the site.", "# time 2026-11-28T10:00:00Z", "# rules "+rule.ID("", &rules[0]), "# 1 rule, 1 skipped, 1 site", "1 round", "<dt>HOST</dt>")
	for _, bad := range []string{"return 301", "R=301", "redir @dust", "synth(301"} {
		if strings.Contains(text, bad) {
			t.Errorf("a text to copy redirects: %s", bad)
		}
	}
	if strings.Contains(text, "1 rules") || strings.Contains(text, "9 rounds") {
		t.Error("the texts are not for the log's URLs")
	}
	likely := withRules(visited("", "/a"), rules...)
	likely.Findings[0].Entry, likely.Findings[1].Entry, likely.Holding = nil, nil, nil
	if text := reportOf(t, Options{}, likely); strings.Contains(text, "Or let your server do it") || strings.Contains(text, "(301)") || strings.Count(text, "Test the rules first") != 1 {
		t.Errorf("of likely rules something else is advised than to prove them\n%s", text)
	}
	var b bytes.Buffer
	if err := New(Options{Export: command}).Write(&b, Read{}); err != nil || strings.Contains(b.String(), "<dt>HOST</dt>") {
		t.Errorf("HOST without a site, %v", err)
	}
}

// A redirect is advised where URLs moved for good, and never where it loses something. No line of
// robots.txt hides duplicates from the crawlers that a canonical link would tell.
func TestAdviceLosesNothing(t *testing.T) {
	const may, not = "for good (301)", "Do not redirect these URLs"
	for _, c := range []struct {
		name     string
		rule     rule.Rule
		redirect bool
	}{
		{"tracking", rule.Rule{Edit: rule.Drop{Param: "utm_source"}}, false},
		{"session", dropSid, false},
		{"language", rule.Rule{Edit: rule.Set{Param: "lang", Value: "en"}}, false},
		{"print", rule.Rule{Edit: rule.Substring{From: "/print/", To: "/story_"}}, false},
		{"amp", rule.Rule{Edit: rule.Substring{From: "/amp/", To: "/"}}, false},
		{"mobile", rule.Rule{Edit: rule.Substring{From: "/m/", To: "/"}}, false},
		{"slashes", rule.Rule{Edit: rule.Syntax{Form: rule.Slashes}}, true},
		{"index", rule.Rule{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}, true},
		{"case", rule.Rule{Edit: rule.Syntax{Form: rule.Case}}, true},
		{"old path", rule.Rule{Edit: rule.Substring{From: "/old/", To: "/news/"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := html.UnescapeString(reportOf(t, Options{Tried: true}, withRules(visited("", "/a"), c.rule)))
			if got := strings.Contains(text, may); got != c.redirect || strings.Contains(text, not) == c.redirect {
				t.Errorf("a redirect is advised: %v, want %v", got, c.redirect)
			}
			if strings.Contains(text, "Disallow") || !strings.Contains(text, "rel=canonical") {
				t.Error("not the canonical form alone is advised")
			}
		})
	}
}
