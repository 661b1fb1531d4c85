package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"

	"github.com/dunglas/httpsfv"
)

// The oracle of No-Vary-Search, from the draft's text (draft-ietf-httpbis-no-vary-
// search, sections 4 to 6): no engine but those in browsers could be had.

// variance is a URL search variance.
type variance struct {
	standard bool            // the default variance: the query counts as written
	all      bool            // no parameter matters, but those in names; else all but those
	names    map[string]bool // decoded
	unsorted bool            // the order of names does not matter
}

func varianceOf(t *testing.T, header string) variance {
	t.Helper()
	d, err := httpsfv.UnmarshalDictionary([]string{header})
	if err != nil {
		return variance{standard: true}
	}
	v := variance{names: map[string]bool{}}
	for _, key := range d.Names() {
		m, _ := d.Get(key)
		flag, isFlag := boolOf(m)
		names, isList := stringsOf(m)
		switch {
		case key == "key-order" && isFlag:
			v.unsorted = flag
		case key == "params" && isFlag:
			v.all = flag
		case key == "params" && isList:
			v.names = names
		case key == "except" && isList && isTrue(d, "params"):
			v.names = names
		default:
			return variance{standard: true}
		}
	}
	v.standard = !v.all && !v.unsorted && len(v.names) == 0
	return v
}

func isTrue(d *httpsfv.Dictionary, key string) bool {
	m, _ := d.Get(key)
	is, _ := boolOf(m)
	return is
}

func boolOf(m httpsfv.Member) (value, ok bool) {
	item, ok := m.(httpsfv.Item)
	if !ok {
		return false, false
	}
	value, ok = item.Value.(bool)
	return value, ok
}

func stringsOf(m httpsfv.Member) (map[string]bool, bool) {
	list, ok := m.(httpsfv.InnerList)
	names := map[string]bool{}
	for _, item := range list.Items {
		s, is := item.Value.(string)
		ok = ok && is
		names[decoded(s)] = true
	}
	return names, ok
}

// decoded returns a name or value as read by the form parser of the URL standard.
func decoded(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			c, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b.WriteByte(byte(c))
			i += 2
		case s[i] == '+':
			b.WriteByte(' ')
		default:
			b.WriteByte(s[i])
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// pairsOf returns the parameters of a URL that matter under the variance.
func (v variance) pairsOf(url string) (pairs [][2]string) {
	_, query, _ := strings.Cut(url, "?")
	for _, piece := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(piece, "=")
		if p := [2]string{decoded(name), decoded(value)}; piece != "" && v.names[p[0]] == v.all {
			pairs = append(pairs, p)
		}
	}
	if v.unsorted {
		slices.SortStableFunc(pairs, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	}
	return pairs
}

// equivalent reports whether two paths with queries are equivalent modulo the variance.
func (v variance) equivalent(a, b string) bool {
	pathA, _, _ := strings.Cut(a, "?")
	pathB, _, _ := strings.Cut(b, "?")
	if v.standard {
		return a == b
	}
	return pathA == pathB && slices.Equal(v.pairsOf(a), v.pairsOf(b))
}

// The oracle agrees with the draft's examples.
func TestVariance(t *testing.T) {
	for _, c := range []struct {
		header, a, b string
		want         bool
	}{
		{``, "/?a=1", "/?a=1", true},
		{``, "/?a=1&", "/?a=1", false},
		{`params=("a")`, "/?a=1&b=2", "/?b=2&a=3&a", true},
		{`params=("a")`, "/x?a=1", "/y?a=1", false},
		{`params=("a")`, "/?b=1&c=2", "/?c=2&b=1", false},
		{`key-order`, "/?b=1&c=2&b=3", "/?c=2&b=1&b=3", true},
		{`key-order`, "/?b=1&b=3", "/?b=3&b=1", false},
		{`params`, "/?a=1", "/", true},
		{`params, except=("id")`, "/?id=1&x", "/?y=2&id=1", true},
		{`params, except=("id")`, "/?id=1", "/?id=2", false},
		{`params=("a"), except=("b")`, "/?a=1", "/?a=2", false}, // cannot be read: the default
		{`params=(a)`, "/?a=1", "/?a=2", false},
		{`params=("%C3%A9+%C3%A9")`, "/?%c3%a9%20%c3%a9=1", "/", true},
		{`params=("a")`, "/?%61=1", "/", true},
		{`params=("z")`, "/?a=%20%zz", "/?a=+%zz", true},
		{`params=("z")`, "/?a", "/?a=", true},
	} {
		if got := varianceOf(t, c.header).equivalent(c.a, c.b); got != c.want {
			t.Errorf("%s: %s and %s: %v", c.header, c.a, c.b, got)
		}
	}
	for _, s := range []string{"a+b", "%41%zz", "%e2%82%ac", "%"} {
		if want, err := url.QueryUnescape(s); err == nil && decoded(s) != want {
			t.Errorf("%q is %q, want %q", s, decoded(s), want)
		}
	}
}

// paramSite draws a site whose rules only drop parameters, and URLs of the site. The URLs
// have no needless percent-encoding.
func paramSite(r *rand.Rand, prefixes ...string) (s Site, urls []string) {
	names := []string{"a", "b", "sid", "utm_source", "x.y", "A", "n-1", "~"}
	s = Site{Host: "a.test"}
	for _, n := range names {
		if r.IntN(3) == 0 {
			s.Rules = append(s.Rules, rule.Rule{Edit: rule.Drop{Param: n}, Scope: rule.Scope{Prefix: prefixes[r.IntN(len(prefixes))]}})
		}
	}
	s.Separators = known(len(s.Rules), urlnorm.Ampersand)
	for range 30 {
		var pieces []string
		for range r.IntN(6) {
			pieces = append(pieces, names[r.IntN(len(names))]+[]string{"", "=", "=1", "=2", "=a%20b", "=a+b", "=%C3%A9", "s=1"}[r.IntN(8)])
		}
		u := []string{"/", "/a/", "/a/b", "/a", "/A/", "/x.y/a_-b"}[r.IntN(6)]
		if len(pieces) > 0 {
			u += "?" + strings.Join(pieces, "&")
		}
		urls = append(urls, u)
	}
	return s, urls
}

// told writes a site, and returns the output and a canonizer of the exported rules.
func told(t *testing.T, format string, s Site) (text string, c *canon.Canonizer) {
	t.Helper()
	var b bytes.Buffer
	skipped, err := Write(&b, format, []Site{s}, Options{})
	must(t, err)
	var rules []rule.Rule
	for rank, r := range s.Rules {
		if !slices.ContainsFunc(skipped, func(s Skipped) bool { return s.Rank == rank }) {
			rules = append(rules, r)
		}
	}
	if c, err = canon.Compile(rules); err != nil {
		t.Fatal(err)
	}
	return b.String(), c
}

func form(c *canon.Canonizer, url string) string {
	out, _ := c.Canon(nil, []byte(url))
	return string(out)
}

// A cache with the header takes two URLs for one if, and only if, a cache without the
// header takes their canonical forms for one. "Without" means a header that names none of
// their parameters, since with any header a cache compares decoded pieces, and ignores
// empty pieces.
func TestNoVaryRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	nothing := varianceOf(t, `params=("none-of-these")`)
	cases, merged, changed := 0, 0, 0
	for range 60 {
		s, urls := paramSite(r, "", "", "", "/a/")
		header, c := told(t, "no-vary-search", s)
		v := variance{standard: true}
		if header != "" {
			v = varianceOf(t, strings.TrimSuffix(strings.TrimPrefix(header, "No-Vary-Search: "), "\n"))
		}
		if v.standard != (c.Len() == 0) {
			t.Fatalf("%q for %d rules", header, c.Len())
		}
		if v.standard {
			continue
		}
		urls = append(urls, "/?", "/?&a&&b=1&", "/?sid", "/")
		for _, u := range urls {
			if form(c, u) != u {
				changed++
			}
			if !v.equivalent(u, form(c, u)) {
				t.Errorf("%s%s is not its form %s", header, u, form(c, u))
			}
			for _, w := range urls {
				got := v.equivalent(u, w)
				if want := nothing.equivalent(form(c, u), form(c, w)); got != want {
					t.Errorf("%s%s and %s: %v, want %v", header, u, w, got, want)
				}
				if cases++; got && u != w {
					merged++
				}
			}
		}
	}
	if t.Logf("%d pairs, %d merged; %d URLs change", cases, merged, changed); changed < 500 || merged < 300 {
		t.Error("too few to tell")
	}
}

// cleanLine is a Clean-param line as Yandex documents it: parameters with & between them,
// and a prefix of paths, in which * would be any text. Without a prefix, the line applies
// to all paths.
type cleanLine struct {
	params []string
	prefix string
}

func cleanLines(t *testing.T, robots string) (lines []cleanLine) {
	t.Helper()
	for line := range strings.Lines(robots) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		value, ok := strings.CutPrefix(line, "Clean-param:")
		fields := strings.Fields(value)
		if !ok || len(fields) < 1 || len(fields) > 2 || len(line) > 500 {
			t.Fatalf("not a line of Clean-param: %q", line)
		}
		l := cleanLine{params: strings.Split(fields[0], "&")}
		if len(fields) == 2 {
			l.prefix = fields[1]
			if strings.Trim(l.prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/_") != "" {
				t.Fatalf("a path of other bytes: %q", line)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// clean returns a URL without the parameters in lines: Yandex merges all addresses of a
// page into this URL.
func clean(lines []cleanLine, url string) string {
	path, query, _ := strings.Cut(url, "?")
	var kept []string
	for _, piece := range strings.Split(query, "&") {
		name, _, _ := strings.Cut(piece, "=")
		matters := true
		for _, l := range lines {
			for _, p := range l.params {
				matters = matters && (p != name || !strings.HasPrefix(path, l.prefix))
			}
		}
		if matters && piece != "" {
			kept = append(kept, piece)
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}

func TestClean(t *testing.T) {
	lines := cleanLines(t, "# a comment\nClean-param: ref /some_dir/get_book.pl\nClean-param: s&sid\n")
	for _, c := range []struct{ url, want string }{
		{"/some_dir/get_book.pl?ref=site_1&book_id=123", "/some_dir/get_book.pl?book_id=123"},
		{"/get_book.pl?ref=site_1&book_id=123", "/get_book.pl?ref=site_1&book_id=123"},
		{"/forum/?s=68&t=8243&sid", "/forum/?t=8243"},
		{"/?S=1&sids=2", "/?S=1&sids=2"}, // case counts
		{"/?sid=1", "/"},
	} {
		if got := clean(lines, c.url); got != c.want {
			t.Errorf("%s: %s, want %s", c.url, got, c.want)
		}
	}
}

// Yandex takes each URL to its canonical form. (The documentation does not mention queries
// with empty pieces, so the test has none.)
func TestCleanParamRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	cases, changed, said := 0, 0, 0
	for range 60 {
		s, urls := paramSite(r, "", "/a/", "/a", "/x.y/a_-", "/~me/")
		robots, c := told(t, "clean-param", s)
		lines := cleanLines(t, robots)
		said += c.Len()
		for _, u := range urls {
			want := form(c, u)
			if got := clean(lines, u); got != want {
				t.Errorf("%s of %s: %s, want %s", robots, u, got, want)
			}
			if cases++; want != u {
				changed++
			}
		}
	}
	if t.Logf("%d URLs, %d change, %d rules", cases, changed, said); cases < 500 || changed < 300 {
		t.Error("too few to tell")
	}
}

// Algolia's crawler, by its documentation, leaves the named parameters out of each URL. A URL settles at canon's form.
func TestAlgoliaRoundTrip(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := Site{Host: "a.test"}
		for _, name := range []string{"a", "b.c", "d-e", "f*", "%67", "h[]"} {
			if r.IntN(2) == 0 {
				s.Rules = append(s.Rules, rule.Rule{Edit: rule.Drop{Param: name}})
			}
		}
		s.Rules = append(s.Rules, rule.Rule{Edit: rule.DropOf("x", "y"), Scope: rule.Scope{Prefix: "/q"}})
		s.Separators = known(len(s.Rules), urlnorm.Ampersand)
		text, c := told(t, "algolia", s)
		var config struct{ IgnoreQueryParams []string }
		must(t, json.Unmarshal([]byte(text), &config))
		for range 20 {
			path, pieces := []string{"/p", "/q"}[r.IntN(2)], []string{}
			var left []string
			for range 1 + r.IntN(4) {
				name := []string{"a", "b.c", "d-e", "f*", "fx", "%67", "h[]", "x", "y", "A"}[r.IntN(10)]
				pieces = append(pieces, name+"=1")
				if !slices.Contains(config.IgnoreQueryParams, name) {
					left = append(left, name+"=1")
				}
			}
			want := path
			if len(left) > 0 {
				want += "?" + strings.Join(left, "&")
			}
			if url := path + "?" + strings.Join(pieces, "&"); form(c, url) != want {
				t.Fatalf("seed %d: %s becomes %s, canon %s; %q", seed, url, want, form(c, url), config.IgnoreQueryParams)
			}
		}
	}
}
