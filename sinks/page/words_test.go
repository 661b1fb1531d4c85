package page

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dustbuster/operators/window/admit"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"/a?b=<c>", "/a?b=<c>"},
		{"/กข é 中 🙂", "/กข é 中 🙂"},
		{"a\u202eb", `a\u202eb`},
		{"a\u2066b\u2069", `a\u2066b\u2069`},
		{"a\u200b\u200d\ufeff", `a\u200b\u200d\ufeff`},
		{"\x00\n\t\x7f\x9b", `\x00\x0a\x09\x7f\x9b`},
		{"\u0085", `\u0085`},
		{"a\u00a0b\u3000", `a\u00a0b\u3000`},
		{"\u115f\u3164\u034f", `\u115f\u3164\u034f`}, // letters without a form
		{"\U000e0041", `\U000e0041`},
		{"\u2028", `\u2028`},
		{"\ue000", `\ue000`},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("/a\u202e\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		v := Visible(s)
		if !utf8.ValidString(v) {
			t.Fatalf("%q becomes %q", s, v)
		}
		for _, c := range v {
			if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || unicode.Is(unicode.Cf, c) {
				t.Fatalf("%q shows %U", s, c)
			}
		}
		if Visible(v) != v {
			t.Fatalf("%q becomes %q, and that %q", s, v, Visible(v))
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		limit   int
		s, want string
	}{
		{6, "abcdef", "abcdef"},
		{6, "abcdefg", "abcd … 1 more … fg"},
		{6, strings.Repeat("é", 7), "éééé … 1 more … éé"},
		{9, strings.Repeat("a", 2009), "aaaaaa … 2,000 more … aaa"},
	} {
		if got := Cut(c.limit, c.s); got != c.want {
			t.Errorf("%d, %q: %q, want %q", c.limit, c.s, got, c.want)
		}
	}
}

// Sentences are never cut in their middle, unless the first is too long.
func TestSentences(t *testing.T) {
	for _, c := range []struct{ name, s, want string }{
		{"short", "One. Two.", "One. Two."},
		{"the last is left out", "One is here. Two is there. Three is nowhere at all.", "One is here. Two is there. …"},
		{"a dot within a word ends none", "See a.html and b.html. Then see the others, too.", "See a.html and b.html. …"},
		{"a long one", strings.Repeat("a", 40), strings.Repeat("a", 20) + " … 10 more … " + strings.Repeat("a", 10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sentences(30, c.s); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		given int64
		want  string
	}{{0, "0"}, {999, "999"}, {1000, "1,000"}, {-1000, "-1,000"}, {-999, "-999"}, {math.MinInt64, "-9,223,372,036,854,775,808"}} {
		if got := Number(c.given); got != c.want {
			t.Errorf("%d: %s, want %s", c.given, got, c.want)
		}
	}
	if got := Count(1, "rule") + Count(0, "rule") + Count(1200, "rule"); got != "1 rule0 rules1,200 rules" {
		t.Error(got)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, "0 %"}, {.00001, "under 0.1 %"}, {.0512, "5.1 %"}, {.0996, "10 %"}, {.256, "26 %"}, {.99, "99 %"}, {.9999, "over 99 %"}, {1, "100 %"}} {
		if got := Percent(c.share); got != c.want {
			t.Errorf("%v: %s, want %s", c.share, got, c.want)
		}
	}
}

// Every reason for which a line does not count has words.
func TestLineWords(t *testing.T) {
	for r := range int(admit.Reasons) {
		if LineWords[admit.Reason(r).String()] == "" {
			t.Errorf("%v has no words", admit.Reason(r))
		}
	}
}
