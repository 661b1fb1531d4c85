package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// crowd is a made-up log whose clients can be told apart, and the town that it is of.
type crowd struct {
	*madeup.Crowd
	town *town
}

func newCrowd() *crowd                 { return crowdOf(madeup.NewCrowd()) }
func links(public, private int) *crowd { return crowdOf(madeup.Links(public, private)) }
func crowdOf(c *madeup.Crowd) *crowd   { return &crowd{c, &town{c.Town}} }

// anyKind are options under which kinds of URLs do not count.
var anyKind = &book.Options{Kinds: book.AnyKind}

// A URL requested by one client may be fetched if its pieces are words, small numbers, or
// pieces known from URLs requested by two clients.
func TestLinksForOneClient(t *testing.T) {
	const token = "9f3c2b7d81e04a6f"
	for _, many := range []bool{true, false} {
		c := newCrowd()
		if many {
			c.Many()
		}
		c.Asked("/story/xkqw7922/a-b1-c-d2?id=kjhg2468f&v=a1", 1, 1, 2)
		window := func() *forms.Window { return forms.WindowOf(c.Mined) }
		for _, link := range []struct {
			url  string // which names the case
			want forms.Privacy
		}{
			{"/", forms.Public},
			{"/about", forms.Public},
			{"/about/the-company/index.html", forms.Public},
			{"/story/123456", forms.Public},
			{"/2024/03/15/a-long-title-of-a-story", forms.Public},
			{"/%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F/5", forms.Public},
			{"/a%20b/c%2Fd", forms.Public},
			{"/story/xkqw7922", forms.Public}, // of the story read by two clients
			{"/xkqw7922/kjhg2468f?a-b1-c-d2", forms.Public},
			{"/y?id=kjhg2468f&other=kjhg246", forms.Public}, // the other value is short
			{"/y?a=xkqw792;b=2024-03-15;c", forms.Public},
			{"/story/12345678", forms.OneClient},
			{"/story/xkqw7932", forms.OneClient},
			{"/r/q8j", forms.Public}, // the piece is short
			{"/r/qjkl8462", forms.OneClient},
			{"/story/XKQW7922", forms.OneClient},
			{"/y?id=kjhg2469f", forms.OneClient},
			{"/y?kjhg2469f", forms.OneClient},
			{"/y?a=1;kjhg2469f=", forms.Public}, // the piece is a name
			{"/y?a=1;b=kj24-hg69", forms.OneClient},
			{"/y?number=0123456789", forms.OneClient},
			{"/y?phone=0123456789", forms.Secret},
			{"/story/%61kqw7922", forms.OneClient},
			{"/story/xkqw7922;v=1a", forms.Public}, // a value behind a semicolon is a piece of its own
			{"/story/xkqw7922;v=kj24hg69", forms.OneClient},
			{"/reset/" + token, forms.Secret},
			{"/y?sid=" + token, forms.Secret},
			{"/y?mail=me@example.org", forms.Secret},
		} {
			url, want := link.url, link.want
			if !many && want == forms.OneClient {
				want = forms.Public
			}
			g := forms.NewGuard(window(), anyKind, nil)
			if got := g.Privacy(url); got != want {
				t.Errorf("made of a rule, many clients %v: %s is %v, want %v", many, url, got, want)
			}
			if url == "/" || g.Privacy(url) == forms.Secret {
				continue
			}
			c.Asked(url, 2, 3) // the URL is in the log as well, requested by one client
			if got := forms.NewGuard(window(), anyKind, nil).Privacy(url); got != want {
				t.Errorf("asked for once, many clients %v: %s is %v, want %v", many, url, got, want)
			}
		}
		const letters = "qwzkxjvbpfhgtdlmxr"
		for _, url := range []string{"/reset/" + token, "/reset/" + letters, "/again/kjhg2469z"} {
			c.Asked(url, 2, 3)
			c.Asked(url, 2, 4) // two clients make a link known, but a secret stays a secret
		}
		g := forms.NewGuard(window(), anyKind, nil)
		if g.Privacy("/reset/"+token) != forms.Secret || g.Privacy("/reset/"+letters) != forms.Secret || g.Privacy("/again/kjhg2469z") != forms.Public {
			t.Error("what two clients asked for")
		}
	}
}

func (c *crowd) machine() *lifecycle.Machine {
	o := madeup.Options()
	o.Kinds = book.AnyKind
	m := New("crowd", o)
	m.Load(forms.WindowOf(c.Mined), forms.Candidates(c.Mined.Rules()))
	return m
}

// A rule is tried only on URLs that may be fetched. The trials of rules and of the set and the search
// for the guilty rule fetch no other URL.
func TestPrivateLinksAreNotTried(t *testing.T) {
	c := links(40, 400)
	m := c.machine()
	tests := 0
	c.town.live(m, 1_800_000_000, func(test lifecycle.Look) {
		tests++
		if all := test.U + test.V; strings.Contains(all, "/join/") || strings.Contains(all, "/reset/") {
			t.Fatalf("asked for %s and %s", test.U, test.V)
		}
	})
	if valid := madeup.Words(rulesOf(m)); !strings.Contains(valid, `"op":"drop","params":["sid"]`) || len(m.Published().Records) == 0 {
		t.Errorf("valid: %s; published %v", valid, m.Published().Records)
	}
	if s := m.Published().Sample; s.Skipped > 0 || s.URLs < 800 {
		t.Errorf("the set's trial: %+v", s)
	}
	s := m.Answers.Status().Private
	if s.Alone || s.Secret != 800 || s.OneClient != 800 || s.Pairs < 800 || s.Rules != 0 || s.URLs != forms.WindowOf(c.Mined).Len() {
		t.Errorf("%+v", s)
	}
	if s.FirstOneClient != "/join/***" || s.FirstSecret != "/reset/***" {
		t.Errorf("examples %q, %q", s.FirstOneClient, s.FirstSecret)
	}
	if tests == 0 || tests > 600 {
		t.Errorf("%d tests", tests)
	}
}

// A rule with too few pairs left costs no fetch and gets no verdict. The status counts such
// rules, here the parameter and its text as a substring.
func TestRulesOfPrivateLinksAreNotTried(t *testing.T) {
	c := links(3, 400)
	m := c.machine()
	c.town.live(m, 1_800_000_000, func(test lifecycle.Look) { t.Errorf("asked for %s and %s", test.U, test.V) })
	if tried := entries(m, ""); len(tried) > 0 {
		t.Errorf("%d verdicts", len(tried))
	}
	if s := m.Answers.Status(); s.Open != 0 || s.Private.Rules != 2 || s.Private.FirstRule != "ignore the parameter sid" {
		t.Errorf("%d candidates left; %+v", s.Open, s.Private)
	}
}

// Where clients cannot be told apart, only the text counts, and the status reports the
// fact.
func TestOneClientForAll(t *testing.T) {
	c := newCrowd()
	for i := range 40 {
		c.Asked(fmt.Sprintf("/join/kjhg%04d", i), i, 5)
		c.Asked(fmt.Sprintf("/join/kjhg%04d?sid=7", i), i, 5)
		c.Asked(fmt.Sprintf("/reset/9f3c2b7d81e04a6f%d", i), 100+i, 5)
		c.Asked(fmt.Sprintf("/reset/9f3c2b7d81e04a6f%d?sid=7", i), 100+i, 5)
	}
	m := c.machine()
	joined := false
	c.town.live(m, 1_800_000_000, func(test lifecycle.Look) {
		joined = joined || strings.Contains(test.U, "/join/")
		if strings.Contains(test.U+test.V, "/reset/") {
			t.Errorf("asked for %s and %s", test.U, test.V)
		}
	})
	if s := m.Answers.Status().Private; !joined || !s.Alone || s.OneClient != 0 || s.Secret != 80 {
		t.Errorf("joined %v, %+v", joined, s)
	}
}

// Where the pages are given, all URLs are public and nothing is reported.
func TestGivenPagesArePublic(t *testing.T) {
	const url = "/reset?token=9f3c2b7d81e04a6f9f3c2b7d81e04a6f"
	c := newCrowd()
	c.Many()
	c.Asked(url, 1, 1)
	if g := forms.NewGuard(forms.WindowOf(c.Mined), anyKind, nil); g.Privacy(url) == forms.Public {
		t.Fatal("the URL is public anyway")
	}
	o := madeup.Options()
	o.Has = func(_, _ string) bool { return true }
	m := New("town", o)
	m.Load(forms.WindowOf(c.Mined), nil)
	if g := lifecycle.GuardOf(m); g.Privacy(url) != forms.Public || !g.Allows(url, "/reset") {
		t.Errorf("%s is %v", url, g.Privacy(url))
	}
	if p := m.Answers.Status().Private; p != (forms.Private{}) {
		t.Errorf("%+v", p)
	}
}

// The time of the next mining is told only once the forms have been mined.
func TestNextLevel(t *testing.T) {
	const start = 1_800_000_000
	c := links(40, 0)
	m := c.machine()
	told := func() {
		if at := m.Answers.Status().LevelAt; at != 0 && at < start {
			t.Fatalf("the forms may be mined again at %d, long before the first trial", at)
		}
	}
	c.town.live(m, start, func(lifecycle.Look) { told() })
	told()
}
