package secret

import (
	"strings"
	"testing"
)

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                     false,
		"/story?id=12":                         false,
		".html?commentlimit=0":                 false,
		"/presentations/logstash-preso-1.0/":   false,
		"internationalization2015":             false,
		"a-very-long-title-of-a-page-of-2015":  false,
		"20150314152653":                       false, // a time, not a key
		"?sid=9f3c":                            false, // too short to be one
		"?sid=9f3c2b7d81e04a6f":                true,
		"PHPSESSID=k7vq2m0c9p4r1t8u3w5x6y":     true,
		"550e8400-e29b-41d4-a716-446655440000": true,
		"me@example.org":                       true,
		"?to=me%40example.org&":                true,
		"@example.org":                         false,
		"name@2x.png":                          true, // looks like one: the safe side
		"a@b":                                  false,
	} {
		if got := Looks(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"/story?id=12&x":                        "/story?id=12&x",
		"/reset/9f3c2b7d81e04a6f/":              "/reset/***/",
		"/a?sid=9f3c2b7d81e04a6f;to=me%40x.org": "/a?sid=***;to=***",
		"/550e8400-e29b-41d4-a716-446655440000": "/***",
		`fetch "/x?9f3c2b7d81e04a6f" of site "a.example": action`: `fetch "/x?***" of site "a.example": action`,
		"//x//": "//x//",
	} {
		if got := Mask(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Names of git's objects are no secrets where a repository is named; all else is, there
// as well.
func TestInURL(t *testing.T) {
	const sha1, sha256 = "4963b66fc955214e5b1099078afcd21f244a191a", "4963b66fc955214e5b1099078afcd21f244a191a4963b66fc955214e5b109907"
	for url, want := range map[string]bool{
		"/gitweb/?p=mux.git;a=blob;h=" + sha1 + ";hb=" + sha256:  false,
		"/cgit/mux.git/commit/?id=" + sha1:                       false,
		"/cgit/mux.git/plain/x?id=" + sha1 + ":a":                false,
		"/gitweb/?p=mux.git;h=" + sha1 + "&sid=9f3c2b7d81e04a6f": true,
		"/gitweb/?p=mux.git;a=search;s=me@example.org;h=" + sha1: true,
		"/gitweb/?p=mux.git;h=" + strings.ToUpper(sha1):          true,
		"/gitweb/?p=mux.git;h=" + sha1 + "0":                     true,
		"/gitweb/?p=mux.git;h=a" + sha1:                          true,
		"/reset/" + sha1:                                         true,
		"/mux.gitx/" + sha1:                                      true,
		"/reset?token=" + sha1 + "&mail=x.git.example":           true,
		"/story?id=12":          false,
		"/x.git?a=" + sha1[:39]: true,
	} {
		if got := InURL(url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
}
