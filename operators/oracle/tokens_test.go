package oracle

import (
	"slices"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		side side
		want string // separated by spaces
	}{
		{side{"", false, false}, ""},
		{side{"", true, false}, "<^>"},
		{side{"", true, true}, "<^> <$>"},
		{side{"/a1B2//c", true, true}, "<^> / a1B2 / / c <$>"},
		{side{"^$", true, true}, "<^> ^ $ <$>"},
		{side{"a.b_c-d%2fe", false, true}, "a . b _ c - d % 2fe <$>"},
		{side{"\xc3\xa4a", false, false}, "\xc3 \xa4 a"},
	} {
		if got := strings.Join(c.side.tokens(), " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.side, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	u := split("/a^") // ^ / a ^ $
	for _, c := range []struct {
		from, to int
		want     side
	}{
		{0, 0, side{"", false, false}},
		{0, 1, side{"", true, false}},
		{0, 3, side{"/a", true, false}},
		{1, 1, side{"", false, false}},
		{1, 4, side{"/a^", false, false}},
		{3, 5, side{"^", false, true}},
		{4, 5, side{"", false, true}},
		{5, 5, side{"", false, false}},
		{0, 5, side{"/a^", true, true}},
	} {
		if got := u.cut(c.from, c.to); got != c.want {
			t.Errorf("cut(%d, %d) = %+v, want %+v", c.from, c.to, got, c.want)
		}
	}
}

// TestCutSplitsAgain: a piece that was cut from a URL on token boundaries has
// the URL's tokens, whatever stood around it.
func TestCutSplitsAgain(t *testing.T) {
	for _, text := range Strings("aB./", 5) {
		u := split(text)
		whole := u.cut(0, u.tokens()).tokens()
		for from := range u.tokens() + 1 {
			for to := from; to <= u.tokens(); to++ {
				if got := u.cut(from, to).tokens(); !slices.Equal(got, whole[from:to]) {
					t.Fatalf("%q: tokens %d to %d are %q, want %q", text, from, to, got, whole[from:to])
				}
			}
		}
	}
}
