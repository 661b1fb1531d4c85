package fetch

import "testing"

// The user agent is one product with a valid version, and perhaps a comment.
func TestUserAgent(t *testing.T) {
	for _, c := range []struct{ version, contact, want string }{
		{"", "", "dustbuster/devel"},
		{"0.1.0", "", "dustbuster/0.1.0"},
		{"0.1.1-0.20261124160414-20ecb88d8a27+dirty", "https://example.org/bot", "dustbuster/0.1.1-0.20261124160414-20ecb88d8a27+dirty (+https://example.org/bot)"},
		{"(devel)", "", ""},
		{"1 2", "", ""},
		{"1/2", "", ""},
		{"1é", "", ""},
		{"1", "a (b)", ""},
	} {
		got, err := Options{Version: c.version, Contact: c.contact}.userAgent()
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q, %q: %q, %v, want %q", c.version, c.contact, got, err, c.want)
		}
	}
}
