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
		{side{"a.b_c-d%2fe", false, true}, "a . b _ c - d %2f e <$>"},
		{side{"%E0%B8%81ab", false, false}, "%E0%B8%81ab"},
		{side{"a%2Fb", false, false}, "a %2F b"},
		{side{"%%41", false, false}, "% %41"},
		{side{"%4", false, false}, "% 4"},
		{side{"%4%41", false, false}, "% 4%41"},
		{side{"%25%34", false, false}, "%25 %34"},
		{side{"%2%41x%4g%", false, false}, "% 2%41x % 4g %"},
		{side{"%7f%7F%80%ff%fF", false, false}, "%7f %7F %80%ff%fF"},
		{side{"%2Fa%3a%40%41%5a%5B%60%61%7a%7B%2f", false, false}, "%2F a %3a %40 %41%5a %5B %60 %61%7a %7B %2f"},
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

// TestCutSplitsAgain: a piece cut from a URL on token boundaries has its tokens, whatever stood
// around it.
func TestCutSplitsAgain(t *testing.T) {
	for _, text := range append(Strings("aB./", 5), Strings("%40/", 6)...) {
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
