package canon

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

func sites(t testing.TB, list ...Site) *Sites {
	t.Helper()
	s, err := NewSites(list)
	must(t, err)
	return s
}

func trySites(t testing.TB) *Sites {
	return sites(t,
		Site{Name: "h.example", Rules: []rule.Rule{
			{Edit: rule.Drop{Param: "sid"}},
			{Edit: rule.Substring{From: "index.html", AtEnd: true}},
			{Edit: rule.Substring{From: "/astray", AtStart: true}},
			{Edit: rule.Substring{From: "/grow", To: "/grow/grow"}},
			{Edit: rule.Substring{From: "/more", To: "/much/much"}}, {Edit: rule.Substring{From: "/much", To: "/more"}},
			{Edit: rule.Substring{From: "/ab", To: "/%C3%84"}},
		}},
		Site{Name: "h.example:8080", Rules: []rule.Rule{{Edit: rule.Substring{From: "8080", To: "port"}}}},
		Site{Name: "[::1]", Rules: []rule.Rule{{Edit: rule.Substring{From: "six", To: "6"}}}},
		Site{Name: "example.co.uk", ByDomain: true, Rules: []rule.Rule{
			{Edit: rule.Substring{From: "www.", AtStart: true}},
			{Edit: rule.Substring{From: "m.example.co.uk/", To: "example.co.uk:8080/", AtStart: true}},
			{Edit: rule.Substring{From: "example.co.uk/out", To: "example.com/", AtStart: true}},
			{Edit: rule.Substring{From: "example.co.uk/up", To: "co.uk/", AtStart: true}},
			{Edit: rule.Substring{From: "example.co.uk/odd", To: "Example.co.uk/", AtStart: true}},
			{Edit: rule.Substring{From: "example.co.uk/port", To: "example.co.uk:80/", AtStart: true}},
			{Edit: rule.Substring{From: "example.co.uk/user", To: "a@example.co.uk/", AtStart: true}},
			{Edit: rule.Substring{From: "none", To: "empty"}},
		}},
		Site{Name: "shop", ByDomain: true, Hosts: []string{"shop.example", "*.shop.example", "third.example", "a.h.example"}, Rules: []rule.Rule{
			{Edit: rule.Substring{From: "www.shop.example/", To: "third.example/", AtStart: true}},
			{Edit: rule.Substring{From: "third.example/out", To: "h.example/", AtStart: true}},
			{Edit: rule.Substring{From: "third.example/h.", To: "a.h.example/", AtStart: true}},
			{Edit: rule.Substring{From: "/feed"}},
			{Edit: rule.Drop{Param: "sid"}},
		}},
		Site{Name: "amazonaws.com", ByDomain: true, Rules: []rule.Rule{{Edit: rule.Substring{From: "x", To: "y"}}}},
	)
}

func TestCanonical(t *testing.T) {
	s := trySites(t)
	for _, c := range [][2]string{
		{"http://h.example/a?sid=1&b", "http://h.example/a?b"},
		{"http://h.example/a?b", "http://h.example/a?b"},
		{"HTTPS://H.Example.:443/index.html#top", "HTTPS://H.Example.:443/"},
		{"http://h.example", "http://h.example/"},
		{"http://h.example?sid=2", "http://h.example/"},
		{"http://h.example#x?sid=2", "http://h.example/"},
		{"http://h.example/a#b#c", "http://h.example/a"},
		{"http://h.example/a b\"<\xff>?sid=\x80", "http://h.example/a%20b%22%3C%FF%3E"},
		{"http://h.example/%20?sid", "http://h.example/%20"},
		{"http://h.example/ab", "http://h.example/%C3%84"},
		{"http://h.example/a#\n", "http://h.example/a"},

		{"http://h.example/astray", "http://h.example/astray"},
		{"http://h.example/astray.evil.example/ sid", "http://h.example/astray.evil.example/%20sid"},
		{"http://h.example/grow#x", "http://h.example/grow/grow"},
		{"http://h.example/more#x", "http://h.example/more"},

		{"http://h.example:8080/8080", "http://h.example:8080/port"},
		{"http://h.example.:8080/8080", "http://h.example.:8080/port"},
		{"https://h.example:80/?sid", "https://h.example:80/?sid"}, // not the default port of https
		{"http://[::1]:80/six", "http://[::1]:80/6"},
		{"http://[::1/six", "http://[::1/six"},

		{"http://www.example.co.uk/a", "http://example.co.uk/a"},
		{"http://WWW.example.co.uk:80/ /none", "http://example.co.uk/%20/empty"},
		{"https://A.example.co.uk/none", "https://A.example.co.uk/empty"},
		{"http://m.example.co.uk/?", "http://example.co.uk:8080/?"},
		{"http://example.co.uk", "http://example.co.uk/"},
		{"http://example.co.uk/out", "http://example.co.uk/out"},
		{"http://example.co.uk/up", "http://example.co.uk/up"},
		{"http://example.co.uk/odd", "http://example.co.uk/odd"},
		{"http://example.co.uk/port", "http://example.co.uk/port"},
		{"http://example.co.uk/user", "http://example.co.uk/user"},
		{"http://badexample.co.uk/none", "http://badexample.co.uk/none"},
		{"http://b.amazonaws.com/x", "http://b.amazonaws.com/y"},
		{"http://b.s3.amazonaws.com/x", "http://b.s3.amazonaws.com/x"}, // a domain of its own

		{"https://WWW.shop.example:443/a?sid=1", "https://third.example/a"},
		{"http://x.y.shop.example:81/a?sid=1", "http://x.y.shop.example:81/a"},
		{"http://shop/?sid", "http://shop/"},
		{"http://third.example/out", "http://third.example/out"}, // not a host of the group
		{"http://third.example/h.?sid", "http://a.h.example/"},
		{"http://third.example/feed", "http://third.example/feed"}, // no path would be left
		{"http://third.example/a/feed", "http://third.example/a"},
		{"http://y.h.example/?sid", "http://y.h.example/?sid"},

		{"http://user@h.example/?sid", "http://user@h.example/?sid"},
		{"http://h.example\\@evil.example/?sid", "http://h.example\\@evil.example/?sid"},
		{"http://h.example/\n?sid", "http://h.example/\n?sid"},
		{"http://h.example:/?sid", "http://h.example:/?sid"},
		{"http://h.example:80a/?sid", "http://h.example:80a/?sid"},
		{"http://.h.example/?sid", "http://.h.example/?sid"},
		{"http://./?sid", "http://./?sid"},
		{"http://h%2eexample/?sid", "http://h%2eexample/?sid"},
		{"ftp://h.example/?sid", "ftp://h.example/?sid"},
		{"http:/h.example/?sid", "http:/h.example/?sid"},
		{"http:///?sid", "http:///?sid"},
		{"/?sid", "/?sid"},
		{"http://other.example/?sid#x", "http://other.example/?sid#x"},
		{"http://h.example/?sid=" + strings.Repeat("x", rule.MaxBytes), "http://h.example/?sid=" + strings.Repeat("x", rule.MaxBytes)},
		{"http://h.example/?sid=" + strings.Repeat("x", rule.MaxBytes-6), "http://h.example/"},
		{"http://h.example/?sid=" + strings.Repeat(" ", 681), "http://h.example/?sid=" + strings.Repeat(" ", 681)},
		{"", ""},
		{"http://", "http://"},
	} {
		got, changed := s.Canonical(c[0])
		if got != c[1] || changed != (c[0] != c[1]) {
			t.Errorf("%q: %q (%v), want %q", c[0], got, changed, c[1])
		}
		if !changed && unsafe.StringData(got) != unsafe.StringData(c[0]) {
			t.Errorf("%q: another string", c[0])
		}
		if again, _ := s.Canonical(got); again != got {
			t.Errorf("%q: %q, then %q", c[0], got, again)
		}
	}
}

func TestFallback(t *testing.T) {
	s := sites(t, Site{Rules: []rule.Rule{{Edit: rule.Drop{Param: "sid"}}}}, Site{Name: "h.example"})
	if !s.NeedsHost("http://any.example/") || s.NeedsHost("http://h.example/") || s.NeedsHost("/a") || s.NeedsHost("mailto:a") {
		t.Error("a host is needed for other URLs than those of hosts without rules")
	}
	if _, err := s.For("a b"); err == nil || err.Error() != `apply rules to "a b": not a host` {
		t.Error(err)
	}
	of, err := s.For("Any.example.:99")
	must(t, err)
	if of.NeedsHost("http://any.example/") || !s.NeedsHost("http://any.example:99/") {
		t.Error("a host is needed although one is named, or For changed what it was called on")
	}
	for _, c := range [][2]string{
		{"http://any.example:99/?sid", "http://any.example:99/"},
		{"http://any.example/?sid#", "http://any.example/?sid#"},
		{"http://other.example:99/?sid#", "http://other.example:99/?sid#"},
		{"/?sid#", "/"},
		{"//any.example:99/?sid", "//any.example:99/?sid"},
		{"http://h.example/?sid#", "http://h.example/?sid#"}, // no rules
		{"http://u:p@any.example/?sid", "http://u:p@any.example/?sid"},
	} {
		if got, _ := of.Canonical(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

func TestBadSites(t *testing.T) {
	for _, c := range []struct {
		want string
		list []Site
	}{
		{`site "H": not a host in normal form`, []Site{{Name: "H"}}},
		{`site "h.": not a host in normal form`, []Site{{Name: "h."}}},
		{`site "a/b": not a host in normal form`, []Site{{Name: "a/b"}}},
		{`site "": a group or domain without a name`, []Site{{ByDomain: true}}},
		{`site "g": "a b" is not the name of a host`, []Site{{Name: "g", Hosts: []string{"a b"}}}},
		{`site "g": "a:80" is not the name of a host`, []Site{{Name: "g", Hosts: []string{"a:80"}}}},
		{`site "h": host "a" is in group "g" as well`, []Site{{Name: "g", Hosts: []string{"a"}}, {Name: "h", Hosts: []string{"a"}}}},
		{`site "www.h.example": not a registrable domain`, []Site{{Name: "www.h.example", ByDomain: true}}},
		{`site "h.example:80": not a registrable domain`, []Site{{Name: "h.example:80", ByDomain: true}}},
		{`site "h": two lists of rules`, []Site{{Name: "h"}, {Name: "h"}}},
		{`site "w.h.example": its domain is a site too`, []Site{{Name: "w.h.example"}, {Name: "h.example", ByDomain: true}}},
		{`site "h": compile rule 0: a rule without an edit`, []Site{{Name: "h", Rules: []rule.Rule{{}}}}},

		{`site "` + strings.Repeat("H", 100) + `": not a host in normal form`, []Site{{Name: strings.Repeat("H", 9999)}}},
	} {
		if _, err := NewSites(c.list); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// NewSites accepts the sites that Clashes keeps, and earlier sites win over later sites.
func TestClashes(t *testing.T) {
	all := []Site{{Name: "www.a.example"}, {Name: "a.example", ByDomain: true}, {Name: "B"}, {Name: "g", Hosts: []string{"x.example"}}, {Name: "c.example"},
		{Name: "h", Hosts: []string{"y.example", "x.example"}}, {Name: "m.c.example", ByDomain: true}}
	got := Clashes(all)
	var left []int
	for i, err := range got {
		left = append(left, i)
		if err == nil || !strings.Contains(err.Error(), "site ") {
			t.Errorf("%d: %v", i, err)
		}
	}
	slices.Sort(left)
	if !slices.Equal(left, []int{1, 2, 5, 6}) || Clashes([]Site{all[0], all[3], all[4]}) != nil {
		t.Errorf("left out: %v", got)
	}
}

// For any URL, the canonical form is its own canonical form, is on the same host or
// domain for every parser of URLs, and hides nothing.
func FuzzCanonical(f *testing.F) {
	s := trySites(f)
	for _, seed := range []string{"http://h.example/astray?sid=1#x", "https://www.example.co.uk:443/out a", "http://a@b\\c/", "http://[::1]:80/six"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, changed := s.Canonical(in)
		if changed != (got != in) {
			t.Fatalf("%q: %q, %v", in, got, changed)
		}
		if again, more := s.Canonical(got); more {
			t.Fatalf("%q: %q, then %q", in, got, again)
		}
		if !changed {
			return
		}
		text, _, _ := strings.Cut(in, "#")
		before, err := url.Parse(text)
		if err != nil {
			return // cannot be compared
		}
		after, err := url.Parse(got)
		if err != nil || after.Scheme != before.Scheme || after.User != nil || after.Path == "" || after.Fragment != "" {
			t.Fatalf("%q: %q (%v)", in, got, err)
		}
		shop := func(u *url.URL) bool { group, _ := s.groups.Of(strings.ToLower(u.Host)); return group == "shop" }
		if shop(before) != shop(after) || !shop(after) &&
			(domainOf(before) != domainOf(after) || before.Hostname() != after.Hostname() && domainOf(after) != "example.co.uk") {
			t.Fatalf("%q: %q is on another host", in, got)
		}
	})
}

func domainOf(u *url.URL) string {
	return urlnorm.Domain(strings.ToLower(strings.TrimRight(u.Hostname(), ".")))
}

// The last step of a URL that changes is its canonical form.
func TestSteps(t *testing.T) {
	s, err := NewSites([]Site{
		{Name: "a.example", Rules: []rule.Rule{{Edit: rule.Substring{From: "/story?id=", To: "/story_", AtStart: true}}, {Edit: rule.Drop{Param: "sid"}}}},
		{Name: "b.example", ByDomain: true, Rules: []rule.Rule{{Edit: rule.Substring{From: "www.b.example/", To: "b.example/", AtStart: true}}, {Edit: rule.Substring{From: "b.example/out", To: "c.example/", AtStart: true}}}},
		{Name: "d.example", Rules: []rule.Rule{{Edit: rule.Substring{From: "more", To: "much/much"}}, {Edit: rule.Substring{From: "much", To: "more"}}}},
	})
	must(t, err)
	for _, c := range []struct {
		url  string
		want []string
	}{
		{"http://a.example/story?sid=7&id=2#x", []string{"http://a.example/story?id=2", "http://a.example/story_2"}},
		{"http://a.example/story?id=2#!/x", []string{"http://a.example/story_2#!/x"}},
		{"http://a.example/story_2", nil},
		{"http://a.example", nil},
		{"https://www.b.example/x", []string{"https://b.example/x"}},
		{"http://c.example/story?id=2", nil},
		{"http://b.example/out#x", nil}, // the fragment is removed, and no rule applies
		{"http://d.example/more#x", nil},
		{"nonsense", nil},
	} {
		var got []string
		for step := range s.Steps(c.url) {
			got = append(got, step.URL)
		}
		canonical, _ := s.Canonical(c.url)
		if !slices.Equal(got, c.want) || len(got) > 0 && got[len(got)-1] != canonical {
			t.Errorf("%s: %q, want %q; canonical %s", c.url, got, c.want, canonical)
		}
	}
}
