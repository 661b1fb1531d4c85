package fetch_test

import (
	"testing"

	"dustbuster/stream/fetch"
)

// The user agent is one product with a valid version, and perhaps a comment.
func TestUserAgent(t *testing.T) {
	for _, c := range []struct{ name, version, contact, want string }{
		{"no version", "", "", "dustbuster/devel"},
		{"a version", "0.1.0", "", "dustbuster/0.1.0"},
		{"the version of a working copy, and a contact", "0.1.1-0.20261124160414-20ecb88d8a27+dirty", "https://example.org/bot", "dustbuster/0.1.1-0.20261124160414-20ecb88d8a27+dirty (+https://example.org/bot)"},
		{"parentheses in the version", "(devel)", "", ""},
		{"a space in the version", "1 2", "", ""},
		{"a slash in the version", "1/2", "", ""},
		{"a letter not in ASCII", "1é", "", ""},
		{"parentheses in the contact", "1", "a (b)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, hello, func(t *testing.T, w *world) {
				o := fetch.Options{Scheme: "http", Version: c.version, Contact: c.contact}
				if c.want == "" {
					if _, err := fetch.New(o); err == nil {
						t.Error("taken")
					}
					return
				}
				get(t, w.fetcher(o), site, "/")
				for _, v := range w.seen(0) {
					if got := v.header.Get("User-Agent"); got != c.want {
						t.Errorf("%s with %q, want %q", v.path, got, c.want)
					}
				}
			})
		})
	}
}
