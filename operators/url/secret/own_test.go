package secret_test

import (
	"strings"
	"testing"

	"dustbuster/operators/url/secret"
)

// own returns the veil of a site of some URLs; those that begin with + have two clients.
func own(urls ...string) secret.Veil {
	return secret.Veil{Own: secret.OwnIn(func(yield func([]byte, bool) bool) {
		for _, url := range urls {
			text, several := strings.CutPrefix(url, "+")
			if !yield([]byte(text), several) {
				return
			}
		}
	})}
}

// What one client alone has is shown by its name and shape, and what two have as it is.
func TestOwnIsMasked(t *testing.T) {
	veil := own("/order?ref=order-2026a-77", "+/list?by=release2026a", "+/files/manual-v10a.html", "/ticket/A12345678Z", "+/part/abcd1234x-efgh5678y")
	for _, c := range []struct{ name, text, want string }{
		{"value", "/order?ref=order-2026a-77", "/order?ref=***(14-characters)"},
		{"segment", "/ticket/A1234567Z", "/ticket/***(9-letters-and-digits)"},
		{"number", "/x?n=20261128", "/x?n=***(8-digits)"},
		{"value of two clients", "/list?by=release2026a", "/list?by=release2026a"},
		{"segment of two clients", "/files/manual-v10a.html", "/files/manual-v10a.html"},
		{"token cut out of a piece of two clients", "/part/efgh5678y", "/part/efgh5678y"},
		{"words", "/a-long-title-of-words?sort=descending", "/a-long-title-of-words?sort=descending"},
		{"short", "/x?n=12a", "/x?n=12a"},
		{"few digits", "/archive/2026-11-28/", "/archive/2026-11-28/"},
		{"a password has no length", "/x?pass=tr0ub4dor3", "/x?pass=***"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := veil.Mask(c.text); got != c.want {
				t.Errorf("%s: %s, want %s", c.text, got, c.want)
			}
			lifted := veil
			if lifted.Lifted = true; lifted.Mask(c.text) != c.text {
				t.Error("a lifted veil hides")
			}
		})
	}
}

// Two texts that differ by hidden pieces alone do not look alike.
func TestMaskBoth(t *testing.T) {
	for _, c := range []struct{ name, a, b, x, y, differ string }{
		{"values", "/a?token=k7vq2m0c9p", "/a?token=q8j4k6l2m3", "/a?token=***1", "/a?token=***2", "token"},
		{"the second of two", "/a?pin=4711&token=k7vq2m0c9p", "/a?pin=4711&token=q8j4k6l2m3", "/a?pin=***&token=***1", "/a?pin=***&token=***2", "token"},
		{"segments", "/i/k7vq2m0c9p", "/i/q8j4k6l2m3", "/i/***1", "/i/***2", ""},
		{"equal", "/a?token=k7vq2m0c9p", "/a?token=k7vq2m0c9p", "/a?token=***", "/a?token=***", "-"},
		{"another difference", "/a?token=k7vq2m0c9p", "/b?token=q8j4k6l2m3", "/a?token=***", "/b?token=***", "-"},
		{"nothing hidden", "/a", "/b", "/a", "/b", "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := secret.Veil{}.MaskBoth(c.a, c.b)
			if x != c.x || y != c.y {
				t.Errorf("%s and %s, want %s and %s", x, y, c.x, c.y)
			}
			if name, ok := (secret.Veil{}).Difference(c.a, c.b); ok != (c.differ != "-") || ok && name != c.differ {
				t.Errorf("they differ by %q, %v", name, ok)
			}
		})
	}
}
