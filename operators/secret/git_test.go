package secret

import (
	"slices"
	"strings"
	"testing"
)

// The name of a git object is public in rules if some URL names the object and its repository.
// Other runs never are.
func TestPublicIn(t *testing.T) {
	a, b, c := strings.Repeat("4963b66f", 5), strings.Repeat("0a1b2c3d", 8), strings.Repeat("77aa88bb", 5)
	public := PublicIn(slices.Values([][]byte{[]byte("/r.git/x?h=" + a + ";hb=" + b[:63]), []byte("/web/?p=s.git;h=" + b), []byte("/login?sid=" + c)}))
	for run, want := range map[string]bool{a: true, b: true, c: false, b[:63]: false, "x": false, "": false} {
		if got := public(run); got != want {
			t.Errorf("%q: %v, want %v", run, got, want)
		}
	}
	text := "?hb=" + a + "?hb=HEAD"
	if (Veil{}).HidesBut(text, public) || !(Veil{}).Hides(text) || (Veil{}).HidesValid(text) || !(Veil{}).HidesBut("?sid="+c, public) {
		t.Errorf("%q: %v, %v, %v", text, (Veil{}).HidesBut(text, public), (Veil{}).Hides(text), (Veil{}).HidesValid(text))
	}
}
