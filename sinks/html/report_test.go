package html

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"

	"golang.org/x/net/html"
)

// world returns a site of n pages of different sizes. Each page is requested twice as /WORD/N,
// and once as /WORD/N?WORD=1. All pages have headers in their sizes, so there is a note.
func world(site, word string, n int) *miner.Machine {
	m := miner.New(site, miner.Options{Table: table.Options{MaxURLs: 10_000}, Envelope: envelope.Defaults(), Tally: true,
		Params: params.Options{MinSupport: 3, Similarity: evidence.Similarity{Tolerance: 0.01}}})
	fold := func(size int, format string, args ...any) {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, format, args...), Class: weblog.SizeTotal.Class(), Min: int64(size), Max: int64(size)})
	}
	for i := range n {
		for range 2 {
			fold(1000*(i+1), "/%s/%d", word, i)
		}
		fold(1000*(i+1), "/%s/%d?%s=1", word, i, word)
	}
	return m
}

// all returns a site with rules of every kind, likely and tried, in which all texts hold a word,
// and the reasons of verdicts are a reason.
func all(m *miner.Machine, word, reason string) *Site {
	likely := func(r rule.Rule) rule.Likely {
		return rule.Likely{Rule: r, Learner: "equal", Support: 3, Weighed: true, Pairs: 20, Alike: 18, Expected: 1.5, Weight: 12}
	}
	drop := rule.Rule{Edit: rule.Drop{Param: word}}
	entry := book.Entry{Rule: drop, State: rule.Undecided, Verdict: rule.Verdict{Positives: 3, Bound: .4, Reason: reason,
		Examples: []rule.Example{{U: "/" + word, V: "/", Outcome: "similar"}, {U: "/" + word + "/x", V: "/", Outcome: reason}}}}
	valid := entry
	valid.State = rule.Valid
	rules := []rule.Rule{drop, {Edit: rule.Set{Param: word, Value: word}}, {Edit: rule.Substring{From: word, To: ""}}, {Edit: rule.Substring{From: word, To: "/"}}, {Edit: rule.Order{}, Scope: rule.Scope{HasPath: true, Path: "/" + word}}}
	s := &Site{Machine: m, All: 20, Hidden: shown.Hidden{Light: 1, Contradicted: 1, OneContent: 1}, Folded: 2, Holding: []rule.Rule{drop}}
	for _, r := range rules {
		s.Findings = append(s.Findings, Finding{Row: shown.Row{Rule: likely(r), Texts: 3, Joined: []rule.Likely{likely(drop)}}})
	}
	said := secret.Veil{}.Mask(word) // pairs have passed a veil
	side := book.Side{URL: "/" + said, Link: "http://www.example/" + said, To: said, Canonical: said, Failed: said}
	opened := []book.Opened{{U: side, V: side, At: 1, Outcome: reason, Compared: true, Words: []book.Words{{Before: said, U: said, V: said, After: said}}}}
	s.Findings = append(s.Findings, Finding{Row: shown.Row{Rule: likely(drop)}, Entry: &entry, Opened: opened}, Finding{Entry: &valid})
	return s
}

func command(format, site string, redirect bool) string {
	return fmt.Sprintf("export %s %t of %s", format, redirect, site)
}

func write(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	must(t, r.Write(&b, Read{Lines: 120, Hits: 90, Refused: []Reason{{"status", 30}}}, Command{"Try:", "dustbuster validate " + strings.Join(r.o.Inputs, " ")}))
	return b.String()
}

// reportOf returns the report of sites.
func reportOf(t *testing.T, o Options, sites ...*Site) string {
	t.Helper()
	o.Export = command
	r := New(o)
	for _, s := range sites {
		r.Add(s)
	}
	return write(t, r)
}

// withRules returns a site with rules that hold.
func withRules(m *miner.Machine, rules ...rule.Rule) *Site {
	s := &Site{Machine: m, Holding: rules}
	for _, r := range rules {
		s.Findings = append(s.Findings, Finding{Row: shown.Row{Rule: rule.Likely{Rule: r}}, Entry: &book.Entry{Rule: r, State: rule.Valid}})
	}
	return s
}

// withLikely returns a site with all rules that are likely.
func withLikely(m *miner.Machine) *Site {
	s := &Site{Machine: m}
	for _, l := range m.AllRules() {
		s.Findings = append(s.Findings, Finding{Row: shown.Row{Rule: l}})
	}
	s.All = len(s.Findings)
	return s
}

// opens reports whether a link leads to a page of a site of the tests.
func opens(link string) bool {
	host, _, _ := strings.Cut(strings.TrimPrefix(link, "http://"), "/")
	return slices.Contains([]string{"www.example", "www.example.org", "word", "bword", "cword", "xn--x", "b{{.data}}", "a.example"}, host) && strings.HasPrefix(link, "http://")
}

// elements returns the elements of a page with the names of their attributes.
func elements(t *testing.T, text string) (names []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	must(t, err)
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			continue
		}
		name := n.Data
		for _, a := range n.Attr {
			name += " " + a.Key
			if a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !opens(a.Val) && a.Val != "data:," {
				t.Errorf("a link leads to %q", a.Val)
			}
		}
		names = append(names, name)
	}
	return names
}

// Whatever the texts of a log hold, the page has the same kinds of elements. Only advice is
// missing, where a text cannot be part of a rule in another format.
func TestHostileText(t *testing.T) {
	page := func(word string) []string {
		o := Options{Veil: secret.Veil{Lifted: true}, Inputs: []string{word}, Version: word, Tried: true}
		return elements(t, reportOf(t, o, all(world(word, word, 60), word, word), all(world("b"+word, word, 60), word, word), &Site{Machine: world("c"+word, word, 60)}))
	}
	want := page("word")
	kinds := map[string]bool{}
	for _, name := range want {
		kinds[name] = true
	}
	bold := func(names []string) int {
		return len(slices.DeleteFunc(names, func(name string) bool { return name != "b" }))
	}
	for _, word := range []string{
		`<script>alert(1)</script>`, `</title></svg></style></pre></code><img src=x onerror=alert(1)>`, `"onload="alert(1)`, `'><b>`, `{{.Data}}`, `<!--`, `--><b>`,
		"\u202etxt.exe", "\x00\x1b[31m\x9b", "&lt;b&gt;", `javascript:alert(1)`, strings.Repeat("<b>", 600), "]]>", "%3Cscript%3E", "%E2%80%AE%E2%80%AE%E2%80%AE",
	} {
		got := page(word)
		for _, name := range got {
			if !kinds[name] {
				t.Errorf("%q: the page has an element %s", word, name)
			}
		}
		if n, most := len(got), len(want); n > most {
			t.Errorf("%q: the page has %d elements, more than %d", word, n, most)
		}
		if n, m := bold(got), bold(slices.Clone(want)); n != m {
			t.Errorf("%q: the page has %d elements b, want %d", word, n, m)
		}
	}
}

// The figures are those of the world: of 60 pages with 180 hits, 60 URLs and 60 hits are duplicates.
func TestFigures(t *testing.T) {
	o := Options{Inputs: []string{"access.log"}, Version: "1"}
	text := reportOf(t, o, withLikely(world("www.example.org", "a", 60)))
	contains(t, text,
		`<title>Duplicate pages of www.example.org</title>`,
		`<dt>Lines read</dt><dd>120</dd>`, `<dt>URLs</dt><dd>120</dd>`,
		`120 of 120 URLs have sizes with headers: equal pages seldom have equal sizes.</b> The headers vary`,
		`URLs: 50 % are duplicates, 60 of 120`, `Requests: 33 % are duplicates, 60 of 180`, `Bytes: 33 % are duplicates, 1.83 MB of 5.49 MB`,
		`One rule explains 100 % of the duplicates</h2>`, `ignore the parameter a</code>`, `merges <b>60 URLs</b>`, `fetched 60 times, 1.83 MB`, `60 of 60 pairs match in size`,
		`/a/0<mark>?a=1</mark></code>`,
		`Test the rules first`, `dustbuster validate`, `<td>status</td><td>no whole page: redirects, errors, parts</td><td class="number">30</td>`, `from access.log`)
	if _, body, _ := strings.Cut(text, "</style>"); strings.Contains(body, `class="chip`) {
		t.Error("a rule without a trial has a verdict")
	}
	for _, advice := range []string{`rel=&#34;canonical`, `Clean-param: a`, `No-Vary-Search: params=(&#34;a&#34;)`, `nginx, apache, htaccess, caddy, haproxy, varnish, cloudflare, cloudfront, nutch`} {
		if strings.Contains(text, advice) {
			t.Errorf("a likely rule leads to the advice %s", advice)
		}
		o.Tried = true
		contains(t, reportOf(t, o, withRules(world("www.example.org", "a", 60), rule.Rule{Edit: rule.Drop{Param: "a"}})), advice)
	}
}

func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing", w)
		}
	}
}

// Rules that had a trial have verdicts, and the duplicates are those of the rules that hold.
func TestTried(t *testing.T) {
	m := world("www.example.org", "a", 60)
	drop := rule.Rule{Edit: rule.Drop{Param: "a"}}
	valid := book.Entry{Rule: drop, State: rule.Valid, Verdict: rule.Verdict{Positives: 59, Skipped: 2, Bound: .0495, Reason: "trial",
		Examples: []rule.Example{{U: "/a/7?a=1", V: "/a/7", Outcome: "similar"}}}}
	refuted := book.Entry{Rule: rule.Rule{Edit: rule.Substring{From: "/a/", To: "/", AtStart: true}}, State: rule.Refuted, Verdict: rule.Verdict{Negatives: 2, Bound: 1, Reason: "trial",
		Examples: []rule.Example{{U: "/a/7", V: "/7", Outcome: "missing"}}}}
	undecided := book.Entry{Rule: rule.Rule{Edit: rule.Order{}}, State: rule.Undecided, Verdict: rule.Verdict{Reason: "unsteady"}}
	page := func(holding ...rule.Rule) string {
		return reportOf(t, Options{Tried: true}, &Site{Machine: m, All: 3, Findings: []Finding{{Entry: &refuted}, {Entry: &undecided}, {Entry: &valid}}, Holding: holding})
	}
	text := page(drop)
	contains(t, text, `URLs: 50 % are duplicates, 60 of 120`, `<dt>Tested rules</dt><dd>3</dd>`,
		`59 pairs of pages match, 0 differ, 2 are inconclusive; at most 4.95 % of its URLs can be wrong.`,
		`<span class="chip good">confirmed</span>`, `<span class="chip bad">not confirmed</span>`, `Undecided: the pages change between two fetches`,
		`same page</span>`, `page missing</span>`, `One rule explains 100 % of the duplicates</h2>`)
	if !regexp.MustCompile(`(?s)What to do</h2>.*leave out the parameters a\..*Clean-param: a.*<h3>1\. .*>confirmed<.*<h3>2\. .*>undecided<.*<h3>3\. .*>not confirmed<`).MatchString(text) {
		t.Error("the rules are not in the order of their states, or there is no advice")
	}
	if strings.Contains(text, `href=&#34;/7&#34;`) {
		t.Error("there is advice for a refuted rule")
	}
	contains(t, page(), `URLs: 0 % are duplicates, 0 of 120`)
}

// Secrets are masked wherever they would be.
func TestVeil(t *testing.T) {
	const token = "eyJhbGciOiJIUzI1NiJ9x7Kq2LmZp0"
	m := world("", token, 60)
	page := func(v secret.Veil) string { return reportOf(t, Options{Veil: v}, all(m, token, "unsteady")) }
	if n := strings.Count(page(secret.Veil{}), token); n > 0 {
		t.Errorf("a secret is shown %d times", n)
	}
	if strings.Count(page(secret.Veil{Lifted: true}), token) < 10 {
		t.Error("nothing is shown without the veil")
	}
}

// Of very many sites, those with the most duplicates have a section, and the others a row.
func TestManySites(t *testing.T) {
	r := New(Options{Export: command})
	for i := range mostSites + mostNamed + 7 {
		s := &Site{Machine: world(fmt.Sprintf("h%04d.example", i), "a", 3), All: 1}
		if i%2 == 0 {
			s.Machine = world(fmt.Sprintf("h%04d.example", i), "a", 4)
		}
		if i < 150 {
			s.Findings = []Finding{{Row: shown.Row{Rule: rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: "a"}}}}}}
		}
		r.Add(s)
	}
	text := write(t, r)
	if n := strings.Count(text, `id="rules-`); n != mostSites {
		t.Errorf("%d sites have a section, want %d", n, mostSites)
	}
	contains(t, text, fmt.Sprintf("of %d,%03d sites", 1, mostSites+mostNamed+7-1000), "7 more sites are not listed", `<h2 id="site-1">h0000.example</h2>`, `<h2 id="site-75">h0148.example</h2>`)
}

func TestNothing(t *testing.T) {
	contains(t, reportOf(t, Options{}), "Duplicate pages", "0 of 0")
	contains(t, reportOf(t, Options{}, &Site{Machine: world("", "a", 2)}), "unnamed site", "<h2 id=\"rest\">Sites</h2>")
}

// The page of the same log is the same.
func TestSamePage(t *testing.T) {
	page := func() string { return reportOf(t, Options{}, withLikely(world("www.example.org", "a", 60))) }
	if first, second := page(), page(); first != second {
		t.Error("two pages differ")
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if err := New(Options{Export: command}).Write(full{}, Read{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

// must ends a test at an error.
var must = expect.NoError

// marked writes a URL with the marked pieces in brackets.
func marked(all []page.Piece) string {
	var b strings.Builder
	for _, p := range all {
		if p.Mark {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestExample(t *testing.T) {
	b := builder{o: &Options{Hosts: func(string) []string { return nil }}, site: &Site{Machine: world("", "a", 0)}, acts: actionWords()}
	long := strings.Repeat("/folder", 200)
	for _, c := range []struct{ u, v, from, to string }{
		{"/a?id=1", "/a", "/a[?id=1]", "/a"},
		{"/a?x=1&id=2", "/a?x=1", "/a?x=1[&id=2]", "/a?x=1"},
		{"/story?id=12", "/story_12", "/story[?id=]12", "/story[_]12"},
		{"/index.html", "/", "/[index.html]", "/"},
		{"/abc1", "/abd1", "/[abc1]", "/[abd1]"}, // words stay whole
		{"/%41b", "/%42b", "/[%41b]", "/[%42b]"}, // so do escapes
		{"/x%2Fa", "/x%2Fb", "/x%2F[a]", "/x%2F[b]"},
		{"/%E0%B8%81%E0%B8%82/1", "/%E0%B8%81%E0%B8%83/1", "/[กข]/1", "/[กฃ]/1"},
		{"/a//b", "/a/b", "/a/[/]b", "/a/b"},
		{"/a", "/a", "/a", "/a"},
		{"", "/a", "", "[/a]"},
		{long + "?sid=1", long, long[:60] + " … 1,310 more … " + long[1370:] + "[?sid=1]", long[:60] + " … 1,310 more … " + long[1370:]},
	} {
		e := b.example(c.u, c.v)
		if from, to := marked(e.From), marked(e.To); from != c.from || to != c.to {
			t.Errorf("%s and %s:\n%s\n%s, want\n%s\n%s", c.u, c.v, from, to, c.from, c.to)
		}
	}
}

// The first line is the waste of all sites, and a table has its families.
func TestWaste(t *testing.T) {
	a, b := withLikely(world("a.example", "x", 3)), withLikely(world("b.example", "y", 3))
	a.Waste = &page.Waste{Waste: waste.Waste{0: wasted(5, 4, 1), 2: wasted(9000, 7800, 200e6), waste.Union: wasted(9000, 7800, 200e6)}, Likely: 3}
	b.Waste = &page.Waste{Waste: waste.Waste{3: wasted(100, 60, 10e6), waste.Union: wasted(100, 60, 10e6)}, Likely: 4}
	text := reportOf(t, Options{}, a, b)
	for _, want := range []string{
		`<h1>Duplicate pages</h1>
<p class="lead"><b>Search engines and bots fetched 9,100 URLs but saw only about 7,860 different pages. 14 % of the URLs (1,240, 210 MB) were duplicates; Googlebot fetched the most, 1,200. This is an estimate by 7 rules, not tested yet.</b></p>`,
		`<tr><td>bingbot</td><td class="number">100</td><td class="number">60</td><td class="number">40</td><td class="number">10 MB</td></tr>
<tr><td>people</td><td class="number">5</td><td class="number">4</td><td class="number">1</td><td class="number">1 byte</td></tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %s", want)
		}
	}
}

// The waste of all sites is drawn by day, if it is known of two days.
func TestDays(t *testing.T) {
	for _, c := range []struct {
		given int
		want  bool
	}{{1, false}, {2, true}, {500, true}} {
		r := New(Options{Export: command})
		for _, name := range []string{"a.example", "b.example"} {
			s := all(world(name, "w", 9), "w", "")
			for date := range int64(c.given) {
				s.Days = append(s.Days, waste.Day{Date: 20_000 + date, Crawlers: wasted(50, 40, 9000)})
			}
			r.Add(s)
		}
		var out bytes.Buffer
		must(t, r.Write(&out, Read{Lines: 1, Hits: 1}))
		page := out.String()
		if strings.Contains(page, "<summary>Duplicates by day</summary>") != c.want || strings.Contains(page, "URLs that crawlers fetched each day (UTC), 100 on the busiest day.") != c.want || strings.Contains(page, "Published rules</th>") {
			t.Errorf("%d days: shown %v, want %v\n%s", c.given, !c.want, c.want, page)
		}
		if c.given == 500 && (strings.Count(page, "<g><title>") < 400 || strings.Contains(page, "2024-10-04: ")) {
			t.Errorf("of 500 days the newest 400 are not shown")
		}
	}
}

// wasted is the figure of a family.
func wasted(fetched, pages int, bytes int64) waste.Figure {
	return waste.Figure{Fetched: fetched, Pages: pages, Bytes: bytes}
}
