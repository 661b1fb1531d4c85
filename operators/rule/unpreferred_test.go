package rule_test

import (
	"testing"

	"dustbuster/operators/rule"
)

// Of two forms, the one for paper, small screens or a visit is never tried first as the canonical
// one, however short it is.
func TestUnpreferred(t *testing.T) {
	for _, c := range []struct {
		name, from, to string // in the direction that is tried first
	}{
		{"equal length, first in byte order", "/print/", "/story_"},
		{"shorter", "/print/", "/articles/"},
		{"capitals", "/Print/", "/articles/"},
		{"mobile", "/m/", "/desktop/"},
		{"amp at the end", "/amp", "/full-page"},
		{"old path", "/old/", "/archive/"},
		{"copy", "page-copy", "page-original"},
		{"visit", ";jsessionid", "/a-long-piece-of-text"},
		{"index name", "/index.php", "/welcome.html"},
		{"a part of a word counts as nothing", "/printing-presses/", "/story/"},
		{"both sides: the shorter", "/mobile/", "/m/"},
		{"no word: the shorter", "/articles/", "/a/"},
		{"only a side", "/print", ""},
		{"case alone", "/Test/", "/test/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := rule.Rule{Edit: rule.Substring{From: c.from, To: c.to}}
			other := rule.Rule{Edit: rule.Substring{From: c.to, To: c.from}}
			if got := other.Shrinking(); got != want {
				t.Errorf("%q -> %q is tried first", got.Sides().From, got.Sides().To)
			}
			if got := want.Shrinking(); got != want || want.Grows() || !other.Grows() {
				t.Errorf("%q -> %q is turned", want.Sides().From, want.Sides().To)
			}
			if back, has := want.Reverse(); !has || back != other {
				t.Errorf("no other direction of %q -> %q", want.Sides().From, want.Sides().To)
			}
			if _, has := other.Reverse(); has {
				t.Errorf("%q -> %q has another direction", other.Sides().From, other.Sides().To)
			}
		})
	}
}

func TestUnpreferredWord(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/a/print/1", "print"}, {"/a_print.html", "print"}, {"?view=AMP", "amp"}, {"/m", "m"},
		{"/prints/", ""}, {"/sample", ""}, {"", ""}, {"/caf%C3%A9", ""}, {"/\xc3\xa9m\xff", "m"},
	} {
		if got := rule.Unpreferred(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
