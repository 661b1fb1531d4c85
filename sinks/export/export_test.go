package export

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
)

var (
	update = flag.Bool("update", false, "write testdata anew")
	long   = flag.Bool("long", false, "more random rules")
)

func inPath(p string) rule.Scope {
	return rule.Scope{Path: p, HasPath: true}
}

// known returns the same separators for each of n rules.
func known(n int, s urlnorm.Separators) []*urlnorm.Separators {
	return slices.Repeat([]*urlnorm.Separators{&s}, n)
}

func with(m string) rule.Scope { return rule.Scope{Where: rule.With(m)} }

func sample(urls ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, u := range urls {
			if !yield([]byte(u)) {
				return
			}
		}
	}
}

// shop has every kind of rule.
func shop() Site {
	return Site{
		Host: "www.shop.test",
		Rules: []rule.Rule{
			{Edit: rule.Drop{Param: "sid"}},
			{Edit: rule.Drop{Param: "utm_source"}},
			{Edit: rule.Substring{From: "/story_", To: "/story?id="}},
			{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}},
			{Edit: rule.Substring{From: "&view=full"}},
			{Edit: rule.Substring{From: `/$\b`, To: `/x,$1\`, AtStart: true}},
			{Edit: rule.Set{Param: "lang", Value: "en"}},
			{Edit: rule.Drop{Param: "page"}, Scope: inPath("/")},
			{Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Prefix: "/W/"}},
			{Edit: rule.Drop{Param: "n"}, Scope: with("m")},
			{Edit: rule.Drop{Param: "x[]"}},
			{Edit: rule.Substring{From: "a"}},
			{Edit: rule.Drop{}},
		},
		Separators: known(13, urlnorm.Ampersand),
		URLs:       sample("/", "/story_1/story_2"),
	}
}

// The expected output of each format, and the rules left out, are in testdata.
func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			sites := []Site{shop()}
			if !f.OneSite {
				sites = append(sites, Site{Host: "b.test:8080", Rules: []rule.Rule{{Edit: rule.Drop{Param: "q"}}}, Separators: known(1, 0), URLs: sample()})
			}
			var b bytes.Buffer
			skipped, err := Write(&b, f.Name, sites, Options{Version: "1.2", Hash: "abc--d\n", Time: "2026-11-21T10:00:00Z"})
			must(t, err)
			if f.Name != "clearurls" && f.Name != "dud" && f.Name != "no-vary-search" && f.Name != "algolia" {
				if want := fmt.Sprintf("%d skipped", len(skipped)); !strings.Contains(b.String(), want) {
					t.Errorf("no %q at the head", want)
				}
			}
			fmt.Fprintln(&b, "-- skipped --")
			for _, s := range skipped {
				fmt.Fprintf(&b, "%s %d: %s\n", s.Site, s.Rank, s.Reason)
			}
			checkGolden(t, f.Name, b.Bytes())
		})
	}
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		must(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is written (-update writes it anew):\n%s", path, got)
	}
}

// A redirecting server has no header, and the formats of servers alone redirect.
func TestRedirect(t *testing.T) {
	for _, f := range Formats() {
		var b bytes.Buffer
		_, err := Write(&b, f.Name, []Site{shop()}, Options{Redirect: true})
		switch {
		case f.Server != (err == nil):
			t.Errorf("%s: %v", f.Name, err)
		case f.Server && (strings.Contains(b.String(), "canonical\\\"") || strings.Contains(b.String(), "+Link") || !strings.Contains(b.String(), "301")):
			t.Errorf("%s reports, or does not redirect", f.Name)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	one, two := []Site{shop()}, []Site{shop(), shop()}
	for _, c := range []struct {
		format string
		sites  []Site
		o      Options
		want   string
	}{
		{"iis", one, Options{}, `unknown format "iis", want one of nginx, apache, `},
		{"nutch", one, Options{Unroll: 11}, "write nutch: 11 rounds, want 1 to 10"},
		{"nutch", one, Options{Unroll: -1}, "write nutch: -1 rounds, want 1 to 10"},
		{"clean-param", two, Options{}, "write clean-param: a file is of one site, not of 2"},
		{"no-vary-search", two, Options{}, "write no-vary-search: a file is of one site, not of 2"},
	} {
		if _, err := Write(io.Discard, c.format, c.sites, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
}

var errFull = errors.New("full")

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, errFull }

func TestWriterFails(t *testing.T) {
	for _, f := range Formats() {
		if _, err := Write(fullWriter{}, f.Name, []Site{shop()}, Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A site that a format cannot express loses all rules, each with its reason.
func TestRefusedSites(t *testing.T) {
	drop := []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Drop{Param: "m"}}}
	several := Site{Host: "test", Hosts: []string{"a.test", "*.a.test", "b.test", "*.b.test"}, Rules: drop, Separators: known(2, 0)}
	nameless := Site{Rules: drop, Separators: known(2, 0)}
	semicolons := Site{Host: "a.test", Rules: drop, Separators: known(2, urlnorm.Semicolon)}
	both := Site{Host: "a.test", Rules: drop, Separators: known(2, urlnorm.Ampersand|urlnorm.Semicolon)}
	unknown := Site{Host: "a.test", Rules: drop}
	mixed := Site{Host: "a.test", Rules: drop, Separators: append(known(1, urlnorm.Ampersand), known(1, urlnorm.Semicolon)...)}
	ampersand := []string{"dud", "clearurls", "clean-param", "no-vary-search", "algolia"}
	for _, f := range Formats() {
		for _, c := range []struct {
			name    string
			site    Site
			refused []string
		}{
			{"several", several, []string{"nginx", "apache", "htaccess", "caddy", "varnish", "haproxy", "cloudflare", "cloudfront", "dud", "clean-param", "no-vary-search", "algolia"}},
			{"nameless", nameless, []string{"nutch", "stormcrawler", "heritrix", "dud", "clearurls"}},
			{"semicolons", semicolons, ampersand},
			{"both", both, ampersand},
			{"unknown", unknown, ampersand},
			{"mixed", mixed, ampersand},
		} {
			want := 0
			if slices.Contains(c.refused, f.Name) {
				want = len(drop)
			}
			skipped, err := Write(io.Discard, f.Name, []Site{c.site}, Options{})
			if err != nil || len(skipped) != want {
				t.Errorf("%s of a site with %s: %v, %v", f.Name, c.name, skipped, err)
			}
		}
	}
}

// The separators may be known for one rule and unknown for another.
func TestUnknownSeparators(t *testing.T) {
	s := Site{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Drop{Param: "m"}}}, Separators: known(1, 0)}
	for _, f := range Formats() {
		want := 0
		if f.semicolon != "" {
			want = 1
		}
		skipped, err := Write(io.Discard, f.Name, []Site{s}, Options{})
		if err != nil || len(skipped) != want || want == 1 && (skipped[0].Rank != 1 || !strings.Contains(skipped[0].Reason, "member separators")) {
			t.Errorf("%s: %v, %v", f.Name, skipped, err)
		}
	}
}

// The URLs settle after the written number of rounds, and need them all.
func TestRounds(t *testing.T) {
	chain := []rule.Rule{{Edit: rule.Substring{From: "/c", To: "/d"}}, {Edit: rule.Substring{From: "/b", To: "/c"}}, {Edit: rule.Substring{From: "/a", To: "/b"}}}
	for _, c := range []struct {
		urls iter.Seq[[]byte]
		want int
	}{
		{nil, canon.MaxRounds - 1},
		{sample(), 1},
		{sample("/x"), 1},
		{sample("/b", "/c"), 2},
		{sample("/b", "/a"), 3},
	} {
		if got := len(measured(chain, c.urls).rounds); got != c.want {
			t.Errorf("%d rounds, want %d", got, c.want)
		}
	}
	if got, want := measured(chain, sample("/a/c", "/b")).rounds, [][]int{{0, 1, 2}, {0, 1}, {0}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("rounds of the rules %v, want %v", got, want)
	}
	restless := []rule.Rule{{Edit: rule.Substring{From: "", To: "/x", AtStart: true}}}
	if got := len(measured(restless, sample("/")).rounds); got != 1 {
		t.Errorf("%d rounds for what never settles", got)
	}
}

// measured returns a site of rules, measured by its URLs.
func measured(rules []rule.Rule, urls iter.Seq[[]byte]) site {
	s := site{Site: &Site{Host: "a.test", URLs: urls}, rules: rules}
	s.measure(0)
	return s
}

// A rule has as many steps as there are places of a URL that it edits, in the form in which it
// meets the URL.
func TestPlacesOfURLs(t *testing.T) {
	rules := []rule.Rule{
		{Edit: rule.Substring{From: "k", To: "n"}}, {Edit: rule.Drop{Param: "n"}}, {Edit: rule.Set{Param: "m", Value: "1"}}, {Edit: rule.Drop{Param: "n", InPath: true}},
		{Edit: rule.Syntax{Form: rule.Slashes}}, {Edit: rule.Syntax{Form: rule.EmptyValue}}, {Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}}},
	}
	for _, c := range []struct {
		urls iter.Seq[[]byte]
		want []int
	}{
		{nil, []int{7, 7, 7, 7, 7, 7, 7}},
		{sample(), []int{1, 1, 1, 1, 1, 1, 1}},
		{sample("/p?n=1&a=n", "/p?n=1&a=n&n"), []int{1, 2, 1, 1, 1, 1, 1}},
		{sample("/p?k=1&a=n&n"), []int{1, 2, 1, 1, 1, 1, 1}},
		{sample("/p?m=1&m=2&m=3;m", "/p;n;n=1/a;n"), []int{1, 1, 3, 3, 1, 1, 1}},
		{sample("//p//a///?a=//&b=&c=&d="), []int{1, 1, 1, 1, 3, 3, 1}},
		{sample("/p?v1234&a&v12345=1&v1"), []int{1, 1, 1, 1, 1, 1, 2}},
	} {
		if got := measured(rules, c.urls).places; !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// Lists of rules that are said to settle in one round do so for any URL.
func TestSettlesAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	once, edited := 0, 0
	for range 3000 {
		var list []rule.Rule
		url := randomURL(r)
		for len(list) < 4 {
			if made := randomRule(r, url); made.EditsParams() && (made.Except == rule.Except{} || r.IntN(9) == 0) {
				list = append(list, made)
			}
		}
		if !settlesAtOnce(list) {
			continue
		}
		once++
		c, err := canon.Compile(list)
		must(t, err)
		for range 5 {
			if _, end := c.Canon(nil, []byte(url)); end.Rounds > 1 {
				t.Fatalf("%q takes %d rounds with %+v", url, end.Rounds, list)
			} else if end.Changed() {
				edited++
			}
			url = randomURL(r)
		}
	}
	if once < 200 || edited < 200 {
		t.Errorf("%d lists, %d URLs are edited", once, edited)
	}
}

// A file with the number of rounds for unknown URLs is right for all URLs that settle.
func TestRoundsSuffice(t *testing.T) {
	rules := []rule.Rule{{Edit: rule.Substring{From: "/c", To: "/d"}}, {Edit: rule.Substring{From: "/b", To: "/c"}}, {Edit: rule.Substring{From: "/a", To: "/b"}}, {Edit: rule.Drop{Param: "n"}}}
	c, err := canon.Compile(rules)
	must(t, err)
	s := measured(rules, nil)
	for _, url := range []string{"/a/a?n", "/a?n=1&m", "/a/b/c", "/a/b/c/a/a/b"} {
		want, _ := c.Canon(nil, []byte(url))
		got := "http://a.test" + url
		for _, e := range s.expressions(urlHead(s.Site)) {
			got = replaceAll(t, e.tiled, got)
		}
		if got != "http://a.test"+string(want) {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// Expressions for one site match no URL of another site.
func TestOtherSites(t *testing.T) {
	r := rule.Rule{Edit: rule.Drop{Param: "n"}}
	host := urlHead(&Site{Host: "a.test"})
	domain := urlHead(&Site{Host: "a.test", Hosts: []string{"a.test", "*.a.test", "b.test", "*.b.test"}})
	for _, c := range []struct {
		url  string
		want [2]bool
	}{
		{"http://a.test/?n", [2]bool{true, true}},
		{"https://a.test?n", [2]bool{true, true}},
		{"http://www.a.test/?n", [2]bool{false, true}},
		{"http://x.b.test:81/?n", [2]bool{false, true}},
		{"http://a.test:8080/?n", [2]bool{false, true}},
		{"http://a.testing/?n", [2]bool{false, false}},
		{"http://axtest/?n", [2]bool{false, false}},
		{"http://xa.test/?n", [2]bool{false, false}},
		{"ftp://a.test/?n", [2]bool{false, false}},
		{"http://c.test/?n", [2]bool{false, false}},
		{"http://c.test/http://a.test/?n", [2]bool{false, false}},
		{"http://c.test?.a.test/?n", [2]bool{false, false}},
		{"http://a.test@c.test/?n", [2]bool{false, false}},
	} {
		for i, head := range []string{host, domain} {
			e, _ := express(head, &r)
			got := replaceAll(t, e.tiled, c.url)
			if (got != c.url) != c.want[i] || (replaceAll(t, edit{pattern: e.removed}, c.url) != c.url) != c.want[i] {
				t.Errorf("%s becomes %s by %s", c.url, got, head)
			}
		}
	}
}

// For a site of several hosts, rules that could lead to a host of another site are left
// out. The check may leave out more rules than necessary.
func TestStrays(t *testing.T) {
	domain := Site{Host: "a.test", Hosts: []string{"a.test", "*.a.test"}}
	group := Site{Host: "g", Hosts: []string{"g", "a.test", "*.b.test", "www.c.test"}}
	start := func(from, to string) rule.Rule {
		return rule.Rule{Edit: rule.Substring{From: from, To: to, AtStart: true}}
	}
	for _, c := range []struct {
		r             rule.Rule
		domain, group bool // whether the rule is exported
	}{
		{rule.Rule{Edit: rule.Drop{Param: "n"}}, true, true},
		{rule.Rule{Edit: rule.Substring{From: "/x", To: "/y"}}, true, true},
		{rule.Rule{Edit: rule.Substring{From: "?x", To: ".evil.test/"}}, true, true}, // behind the first slash
		{rule.Rule{Edit: rule.Substring{From: "story?id=", To: "story_"}}, true, true},
		{rule.Rule{Edit: rule.Substring{From: "index.html", AtEnd: true}}, true, true},
		{rule.Rule{Edit: rule.Substring{From: "/feed"}}, false, false}, // www.a.test/feedback
		{rule.Rule{Edit: rule.Substring{From: "/x", To: ".evil.test"}}, false, false},
		{rule.Rule{Edit: rule.Substring{From: "en", To: "de"}}, false, false},
		{rule.Rule{Edit: rule.Substring{To: "evil.test/", AtStart: true}}, false, false},
		{start("www.", ""), true, false}, // c.test is not of the group
		{start("www.", "m."), true, false},
		{start("m.www.", "m."), true, true},
		{start("a.", ""), false, false},
		{start("www.a.test/", "a.test/"), true, true},
		{start("a.test/out/", "evil.test/"), false, false},
		{start("a.test/", "A.test/"), false, false},
		{start("a.test/", "a.test:80x/"), false, false},
		{start("x.b.test/", "b.test/"), false, false},
		{start("x.b.test/", "a.test/"), true, true},
	} {
		if got := !strays(&domain, &c.r); got != c.domain {
			t.Errorf("%+v: of a domain %v", c.r, got)
		}
		if got := !strays(&group, &c.r); got != c.group {
			t.Errorf("%+v: of a group %v", c.r, got)
		}
	}
}

// XML and JSON can be read, whatever stands in the rules.
func TestWellFormed(t *testing.T) {
	s := Site{Host: "a.test", Rules: []rule.Rule{
		{Edit: rule.Substring{From: `&amp;`, To: `&lt;'${x}\$1]]`}}, {Edit: rule.Drop{Param: `\'{}[]`}}, {Edit: rule.Set{Param: "n", Value: `$0\`}},
	}, Separators: known(3, 0)}
	for _, f := range Formats() {
		var b bytes.Buffer
		if _, err := Write(&b, f.Name, []Site{s}, Options{Version: "--><x>", Hash: "\x00\xff"}); err != nil {
			t.Fatal(err)
		}
		switch f.Name {
		case "dud", "clearurls":
			if !json.Valid(b.Bytes()) {
				t.Errorf("%s: no JSON\n%s", f.Name, &b)
			}
		case "nutch", "stormcrawler", "heritrix":
			in := xml.NewDecoder(&b)
			var err error
			for err == nil {
				_, err = in.Token()
			}
			if err != io.EOF {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}

func TestQuoting(t *testing.T) {
	const text = `a"b\c$d{e}%f,1`
	to := []part{{group: 1}, {text: text}}
	for _, c := range []struct{ name, got, want string }{
		{"java", javaReplacement(to), `$1a"b\\c\$d\{e}%f,1`},
		{"nginx", nginxResult(to), `${dust_a}a\"b\\c${dust_dollar}d{e}%f,1`},
		{"apache", render(to, "%%%d", apacheText), `%1a\"b\\c\$d\{e\}\%f\,1`},
		{"comment", inComment("a--\n---b\xff"), "a- -?- - -b?"},
		{"nginx names", nginxNamed(`^(a(?:b)\x28(c))(?!d)`), `^(?<dust_a>a(?:b)\x28(?<dust_b>c))(?!d)`},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

// Long lists of parameters take several lines, each within the limit.
func TestCleanParamLines(t *testing.T) {
	s := Site{Host: "a.test"}
	for i := range 200 {
		s.Rules = append(s.Rules, rule.Rule{Edit: rule.Drop{Param: fmt.Sprintf("param%d", i)}, Scope: rule.Scope{Prefix: "/d/"}})
	}
	s.Rules = append(s.Rules, rule.Rule{Edit: rule.Drop{Param: strings.Repeat("n", 490)}})
	s.Separators = known(len(s.Rules), urlnorm.Ampersand)
	var b strings.Builder
	skipped, err := Write(&b, "clean-param", []Site{s}, Options{})
	if err != nil || len(skipped) != 1 {
		t.Fatal(len(skipped), err)
	}
	var names []string
	for line := range strings.Lines(b.String()) {
		if len(line) > cleanParamLine+1 {
			t.Errorf("%d bytes", len(line))
		}
		if f := strings.Fields(line); f[0] == "Clean-param:" {
			if f[2] != "/d/" {
				t.Errorf("prefix %s", f[2])
			}
			names = append(names, strings.Split(f[1], "&")...)
		}
	}
	if len(names) != 200 || names[199] != "param199" {
		t.Errorf("%d names", len(names))
	}
}

// Each format lists the differences of its readers from canon, in lines of their own.
func TestDiffers(t *testing.T) {
	for _, f := range Formats() {
		if len(f.Differs) == 0 {
			t.Errorf("%s: nothing", f.Name)
		}
		for i, d := range f.Differs {
			if d == "" || strings.ContainsAny(string(d), "\n\r") || slices.Contains(f.Differs[:i], d) {
				t.Errorf("%s: %q", f.Name, d)
			}
		}
	}
}

// For formats whose readers are not run here, oracles check the listed differences.
func TestDiffersOfOracles(t *testing.T) {
	s := Site{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}}, Separators: known(1, 0)}
	rest := "m=" + strings.Repeat("x", rule.MaxBytes)
	long, without := "/p?n=1&"+rest, "/p?"+rest

	robots, c := told(t, "clean-param", s)
	if form(c, long) != long || clean(cleanLines(t, robots), long) != without {
		t.Error(CountsLong)
	}

	header, c := told(t, "no-vary-search", s)
	cache := varianceOf(t, strings.TrimSpace(strings.TrimPrefix(header, "No-Vary-Search:")))
	for _, test := range []struct{ name, want string }{{long, without}, {"/?%6E=1", "/"}, {"/?a", "/?a="}, {"/?a&&b", "/?a&b"}, {"/?a=%41", "/?a=A"}} {
		if form(c, test.name) == form(c, test.want) || !cache.equivalent(test.name, test.want) {
			t.Errorf("%.20q and %.20q: canon takes them for one %v, a cache %v", test.name, test.want, form(c, test.name) == form(c, test.want), cache.equivalent(test.name, test.want))
		}
	}

	e, _ := express(urlHead(&s), &s.Rules[0])
	for _, c := range []struct{ url, want string }{
		{"http://a.test" + long, "http://a.test" + long},
		{"http://a.test./p?n=1", "http://a.test./p?n=1"},
		{"http://a.test/p?n=1&m=2#a?n=1&", "http://a.test/p?m=2#a?n=1&"},
	} {
		if got := replaceAll(t, edit{pattern: e.removed}, c.url); got != c.want {
			t.Errorf("%.40q becomes %.40q", c.url, got)
		}
	}
}

// What the needs of a site's URLs cost, three of four of which the rules edit: as a daemon exports.
func BenchmarkURLs(b *testing.B) {
	var urls [][]byte
	for i := range 100_000 {
		url := fmt.Sprintf("/shop/%d/item-%d.html?id=%d", i%97, i/4, i/4)
		urls = append(urls, []byte([]string{url, url + "&sid=7", url + "&sid=8&ref=x", "/index.php" + url + "&utm_source=a"}[i%4]))
	}
	site := Site{Rules: []rule.Rule{{Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "ref"}}, {Edit: rule.Drop{Param: "utm_source"}}, {Edit: rule.Substring{From: "/index.php/", To: "/", AtStart: true}}}, URLs: slices.Values(urls)}
	for b.Loop() {
		if _, err := Write(io.Discard, "nginx", []Site{site}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(urls)), "ns/URL")
}

// A file that redirects holds only rules by which a redirect loses nothing, and names the others.
func TestRedirectLosesNothing(t *testing.T) {
	s := Site{Host: "a.test", Rules: []rule.Rule{
		{Edit: rule.Drop{Param: "utm_source"}}, {Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Syntax{Form: rule.Slashes}},
		{Edit: rule.Substring{From: "/print/", To: "/story_"}}, {Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}, {Edit: rule.Substring{From: "/m/", To: "/"}},
	}, URLs: sample("/")}
	for _, f := range Formats() {
		if !f.Server {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			skipped, err := Write(&b, f.Name, []Site{s}, Options{Redirect: true})
			must(t, err)
			var ranks []int
			for _, s := range skipped {
				ranks = append(ranks, s.Rank)
				if s.Reason != Loses {
					t.Errorf("rule %d: %s", s.Rank, s.Reason)
				}
			}
			if want := []int{0, 1, 3, 5}; !slices.Equal(ranks, want) {
				t.Errorf("left out are %v, want %v", ranks, want)
			}
			for rank := range s.Rules {
				if got := strings.Contains(b.String(), rule.ID("a.test", &s.Rules[rank])); got == slices.Contains(ranks, rank) {
					t.Errorf("the head names rule %d: %v", rank, got)
				}
			}
		})
	}
}

// nginx reads at most 4,096 bytes between two quotes, and gets no longer ones.
func TestNginxLongest(t *testing.T) {
	fits, long := rule.Rule{Edit: rule.Substring{From: strings.Repeat("/a", 500), To: "/b"}}, rule.Rule{Edit: rule.Substring{From: strings.Repeat("/$", 900), To: "/b"}}
	result := rule.Rule{Edit: rule.Substring{From: "/b", To: strings.Repeat("$", 1000)}}
	var b bytes.Buffer
	skipped, err := Write(&b, "nginx", []Site{{Host: "a.test", Rules: []rule.Rule{fits, long, result}, URLs: sample("/")}}, Options{})
	must(t, err)
	if len(skipped) != 2 || skipped[0].Rank != 1 || skipped[1].Rank != 2 || !strings.Contains(skipped[0].Reason, "nginx reads at most") {
		t.Errorf("left out are %v", skipped)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 4096 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// docs/exports.md says what four rules take for nginx, and how many lines one rule more.
func TestSizesOfDocs(t *testing.T) {
	rules := []rule.Rule{{Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "ref"}}, {Edit: rule.Set{Param: "view", Value: "1"}}, {Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}}
	urls := []string{"/p/1?sid=1&ref=a&view=2", "/d/1/index.html", "/p/1"}
	size := func(rules []rule.Rule, urls iter.Seq[[]byte]) (n, lines int) {
		var b strings.Builder
		_, err := Write(&b, "nginx", []Site{{Host: "www.example.org", Rules: rules, URLs: urls}}, Options{})
		must(t, err)
		return b.Len(), strings.Count(b.String(), "\n")
	}
	all, _ := size(rules, nil)
	needed, _ := size(rules, sample(urls...))
	_, one := size(rules[:1], sample(urls...))
	_, two := size(rules[:2], sample(urls...))
	page, err := os.ReadFile("../../docs/exports.md")
	must(t, err)
	words := strings.Join(strings.Fields(string(page)), " ")
	for _, want := range []string{
		fmt.Sprintf("One more rule that drops a parameter is then %d lines for nginx.", two-one),
		fmt.Sprintf("take some %.0f kB without `--urls`, and %.1f kB with it.", float64(all)/1000, float64(needed)/1000),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("%d and %d bytes, %d and %d lines: the page does not say %q", all, needed, one, two, want)
		}
	}
}
