package fetch

import (
	"net/http"
	"testing"
)

func TestCanonicalLink(t *testing.T) {
	for _, c := range []struct {
		fields []string
		want   string
	}{
		{[]string{`</a>; rel="canonical"`}, "/a"},
		{[]string{`</a>;rel=canonical`}, "/a"},
		{[]string{`</a>; REL="prev Canonical"`}, "/a"},
		{[]string{`</n>; rel="next", </a>; rel="canonical"; title="x, y"`}, "/a"},
		{[]string{`</n>; title="a, <b>"; rel=next, </a>; rel=canonical`}, "/a"},
		{[]string{`</n>; rel="next"`, `</a>; rel="canonical"`}, "/a"},
		{[]string{`</a>; rel=canonical`, `</a>; rel=canonical`}, "/a"},
		{[]string{`</a>; rel=canonical`, `</b>; rel=canonical`}, ""},
		{[]string{`</a>; rel=canonical, </b>; rel=canonical`}, ""},
		{[]string{`</a>; rel=next; rel=canonical`}, ""}, // the first rel counts (RFC 8288, section 3.3)
		{[]string{`</a>; rev=canonical`}, ""},
		{[]string{`</a`, `rel=canonical`, ``, `<>;;;"`}, ""},
	} {
		if got := canonicalLink(http.Header{"Link": c.fields}); got != c.want {
			t.Errorf("%q: %q, want %q", c.fields, got, c.want)
		}
	}
}

func TestNoIndex(t *testing.T) {
	for _, c := range []struct {
		field string
		want  bool
	}{
		{"noindex", true}, {"NoArchive, NOINDEX", true}, {"none", true}, {"all", false}, {"", false}, {"index", false},
		{"dustbuster: noindex", true}, {"googlebot: noindex", true}, {"googlebot: noindex, nofollow", true}, {"another: noindex", false},
		{"unavailable_after: 25 Jun 2030 15:00:00 GMT", false}, {"nofollow, unavailable_after: 25 Jun 2030 15:00:00 GMT, noindex", true},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST", true}, {"otherbot: unavailable_after: 2010-06-25", true}, {"unavailable_after: 2010-06-25T15:00:00+00:00", true}, {"unavailable_after: Jun 25, 2010", true}, {"unavailable_after: 2090/06/25", false}, {"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC", true}, {"unavailable_after: soon", false},
	} {
		if got := noIndex(http.Header{"X-Robots-Tag": {c.field}}); got != c.want {
			t.Errorf("%q: %v", c.field, got)
		}
	}
}

// Answers that depend on what tells browsers from this program are heard.
func TestVaries(t *testing.T) {
	for _, c := range []struct {
		fields []string
		want   bool
	}{
		{nil, false},
		{[]string{"Accept-Encoding"}, false},
		{[]string{"accept-encoding, user-agent"}, true},
		{[]string{"Origin", "Accept-Language"}, true},
		{[]string{"Cookie,Accept-Encoding"}, true},
		{[]string{"*"}, true},
		{[]string{"X-User-Agent"}, false},
	} {
		if got := varies(http.Header{"Vary": c.fields}); got != c.want {
			t.Errorf("%q: %v", c.fields, got)
		}
	}
}

// A page is referred to in many ways. Resolve maps all of them to one name.
func TestResolve(t *testing.T) {
	site := Document{place: place{site: "a.example", scheme: "http", host: "a.example", path: "/dir/page?x=1"}}
	whole := Document{place: place{site: "a.example", scheme: "http", host: "www.a.example", path: "/dir/", whole: true}}
	for _, c := range []struct {
		d               Document
		base, ref, want string
	}{
		{site, "", "/a", "/a"}, {site, "", "b?c", "/dir/b?c"}, {site, "", "//a.example/a#top", "/a"}, {site, "", "https://A.example:443/a", "/a"},
		{site, "", "", ""}, {site, "", "mailto:x@a.example", ""}, {site, "", "http://u@a.example/", ""}, {site, "", "http://b.example/a", "//b.example/a"},
		{site, "/other/", "b", "/other/b"}, {site, "http://b.example/x/", "b", "//b.example/x/b"}, {site, ":%", "b", "/dir/b"},
		{whole, "", "a", "www.a.example/dir/a"}, {whole, "", "//a.example/a", "a.example/a"},
		{Document{}, "", "/a", ""},
	} {
		if got := c.d.Resolve(c.base, c.ref); got != c.want {
			t.Errorf("%q with base %q: %q, want %q", c.ref, c.base, got, c.want)
		}
	}
}
