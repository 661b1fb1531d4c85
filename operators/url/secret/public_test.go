package secret

import (
	"strings"
	"testing"
)

// The name of a git object is public in rules if some URL names the object and its repository,
// and random text if several clients asked for it.
func TestPublicIn(t *testing.T) {
	a, b, c := strings.Repeat("4963b66f", 5), strings.Repeat("0a1b2c3d", 8), strings.Repeat("77aa88bb", 5)
	const uuid = "550e8400-e29b-41d4-a716-446655440000"
	public := PublicIn(func(yield func([]byte, bool) bool) {
		for _, c := range []struct {
			url     string
			several bool
		}{{"/r.git/x?h=" + a + ";hb=" + b[:63], false}, {"/web/?p=s.git;h=" + b, false}, {"/login?sid=" + c, false},
			{"/up/k7vq2m0c9p.jpg?by=203.0.113.9&id=" + uuid, true}, {"/up/x7k9q3w8", false}} {
			if !yield([]byte(c.url), c.several) {
				return
			}
		}
	})
	for _, c := range []struct {
		run  string
		want bool
	}{{a, true}, {b, true}, {c, false}, {b[:63], false}, {"x", false}, {"", false},
		{"k7vq2m0c9p", true}, {"k7vq2m0c9", false}, {"x7k9q3w8", false}, {uuid, true}, {uuid[1:], false}, {"203.0.113.9", true}} {
		if got := public(c.run); got != c.want {
			t.Errorf("%q: %v, want %v", c.run, got, c.want)
		}
	}
	text := "?hb=" + a + "?hb=HEAD"
	if (Veil{}).HidesBut(text, public) || !(Veil{}).Hides(text) || (Veil{}).HidesValid(text) || !(Veil{}).HidesBut("?sid="+c, public) {
		t.Errorf("%q: %v, %v, %v", text, (Veil{}).HidesBut(text, public), (Veil{}).Hides(text), (Veil{}).HidesValid(text))
	}
}
