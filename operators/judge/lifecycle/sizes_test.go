package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// seen returns the town's window. The newest pane shows the sizes returned by a function. A
// size of 0 leaves a URL out of the newest pane.
func (w *town) seen(size func(u string) int64) *forms.Window {
	window := forms.NewWindow(slices.Clone(w.Pages))
	for i := range window.Pages {
		p, recent := &window.Pages[i], evidence.Spans(nil)
		if s := size(p.URL); s > 0 {
			recent = evidence.Spans{{Min: s, Max: s}}
			p.Evidence = evidence.Spans(slices.Clone(p.Evidence)).Join(recent[0])
		}
		window.Newest = append(window.Newest, recent)
	}
	return window
}

// as returns the original size of a URL.
func (w *town) as(u string) int64 { return w.Size[u] }

// grown returns the sizes after the first pages of /b/ have grown.
func (w *town) grown(first int) func(string) int64 {
	return func(u string) int64 {
		for i := range first {
			if u == fmt.Sprintf("/b/p%d.html", i) {
				return 2 * w.Size[u]
			}
		}
		return w.Size[u]
	}
}

// watched returns a town whose rules are published, and the rule of the mirror.
func watched(t *testing.T, every int64) (w *town, m *Machine, mirror string, now int64) {
	t.Helper()
	w, o := newTown(40), madeup.Options()
	o.RecheckEvery = every
	m = New("town", o)
	m.Load(w.seen(w.as), w.Mine())
	now = w.live(m, 1, ignore)
	m.derive(now)
	ranks := forms.ChainOf(m.view.Canonizer, "/b/p3.html")
	if len(ranks) != 1 || m.book.Publication.Sequence == 0 {
		t.Fatalf("/b/p3.html is changed by %v of %d rules", ranks, len(m.view.List))
	}
	return w, m, m.view.List[ranks[0]].ID, now
}

// tests counts the looks at pairs of published rules in a life, by rule.
func (w *town) tests(m *Machine, now int64) (n map[string]int, end int64) {
	n = map[string]int{}
	end = w.live(m, now, func(test Look) {
		if test.Purpose == Recheck {
			n[test.Rule]++
		}
	})
	return n, end
}

// The changes of a rule are counted where the newest pane holds both sizes. The counts are
// compared with the plain definition.
func TestNewestSizes(t *testing.T) {
	w, m, mirror, _ := watched(t, book.Day)
	size := func(u string) int64 {
		if u == "/b/p1.html" || u == "/a/p2.html" {
			return 0 // not in the newest pane
		}
		return w.grown(12)(u)
	}
	m.Load(w.seen(size), w.Mine())
	m.derive(1)
	for rank, got := range m.view.NewestSizes(m.view.Forms, m.view.Canonizer) {
		want := book.Sizes{}
		for _, p := range w.Pages {
			form, _ := m.view.Canonizer.Canon(nil, []byte(p.URL))
			u, v := size(p.URL), size(string(form))
			if string(form) != p.URL && u > 0 && v > 0 && slices.Contains(forms.ChainOf(m.view.Canonizer, p.URL), rank) {
				want.Pairs++
				if u != v {
					want.Apart++
				}
			}
		}
		if got != want {
			t.Errorf("rule %d: %+v, want %+v", rank, got, want)
		}
		if e := m.view.List[rank]; e.ID == mirror && (got != book.Sizes{Pairs: 38, Apart: 10}) || e.Sizes.Pairs == 0 || e.Sizes.Apart > 0 {
			t.Errorf("rule %d: %+v, and when it was found valid %+v", rank, got, e.Sizes)
		}
	}
}

// A rule contradicted by the newest sizes is tested again at once, without other rules, and retired if
// it no longer holds.
func TestContradictedIsRetired(t *testing.T) {
	w, m, mirror, now := watched(t, book.Day)
	for i := range 40 {
		w.Text[fmt.Sprintf("/b/p%d.html", i)] = fmt.Sprint("moved on to ", i)
	}
	m.Load(w.seen(w.as), w.Mine())
	if n, _ := w.tests(m, now+1); len(n) > 0 {
		t.Fatalf("tests of what nothing contradicts: %v", n)
	}
	m.Load(w.seen(w.grown(3)), w.Mine())
	test, ok := m.Next(now + 2)
	if !ok || test.Purpose != Recheck || test.Rule != mirror || len(m.book.Round.Quota) != 1 {
		t.Fatalf("next is %+v, in %+v", test, m.book.Round)
	}
	m.Dialogue.Release(test)
	w.live(m, now+2, ignore)
	if e := m.book.Entries[mirror]; e.State != rule.Retired || e.Verdict.Reason != book.ByRecheck || slices.ContainsFunc(m.Published().Records, func(r rule.Record) bool { return r.ID == mirror }) {
		t.Errorf("%+v", e)
	}
}

// If the sizes have changed but the pages are still the same, the rule is tested once. The
// next test follows when the share apart has doubled and an hour has passed.
func TestContradictedAgain(t *testing.T) {
	w, m, mirror, now := watched(t, 100*book.Day)
	for _, c := range []struct {
		grown int
		after int64
		want  bool
	}{{2, 1, false}, {8, 1, true}, {8, 1, false}, {16, 60, false}, {15, book.Hour, false}, {16, book.Hour, true}, {32, 60, false}, {40, book.Hour, true}, {40, 20 * book.Hour, false}} {
		m.Load(w.seen(w.grown(c.grown)), w.Mine())
		n, end := w.tests(m, now+c.after)
		if got := n[mirror] > 0; got != c.want || len(n) > 1 {
			t.Errorf("%d pages have grown, %d s later: %v", c.grown, c.after, n)
		}
		now = max(now+c.after, min(end, now+c.after+book.Hour/4))
	}
	if m.book.Entries[mirror].State != rule.Valid {
		t.Errorf("%+v", m.book.Entries[mirror])
	}
}

// With RecheckEvery = 0, rules are tested again only on request.
func TestNeverByItself(t *testing.T) {
	w, m, mirror, now := watched(t, 0)
	m.Load(w.seen(w.grown(40)), w.Mine())
	if n, _ := w.tests(m, now+10*book.Day); len(n) > 0 {
		t.Errorf("tests %v", n)
	}
	if now += 10 * book.Day; !m.Operator.Recheck(mirror, now) {
		t.Fatal("it is not tested again")
	}
	if n, _ := w.tests(m, now); n[mirror] == 0 || len(n) > 1 {
		t.Errorf("tests %v", n)
	}
}

// On request, one rule or all rules are tested again. A machine restored from the acts
// continues the round.
func TestRecheck(t *testing.T) {
	w, m, mirror, now := watched(t, 100*book.Day)
	if m.Operator.Recheck("none", now) || New("town", madeup.Options()).Operator.Recheck("", now) || len(m.Acts()) == 0 {
		t.Error("what nobody published is tested again")
	}
	for _, c := range []struct {
		id   string
		want int
	}{{mirror, 1}, {"", len(m.view.List)}} {
		full := m.book.Round.LastFull()
		if now += book.Day; c.id == "" {
			full = now
		}
		if !m.Operator.Recheck(c.id, now) || m.book.Round.At != now || m.book.Round.LastFull() != full {
			t.Fatalf("%q: %+v", c.id, m.book.Round)
		}
		if acts := m.Acts(); len(acts) != 1 || acts[0].Round == nil {
			t.Fatalf("%q: %d acts", c.id, len(acts))
		}
		other := New("town", *m.book.Options)
		for a := range m.Dump {
			if a, err := book.Decode(a.Encode()); err != nil {
				t.Fatal(err)
			} else {
				other.Restore(a)
			}
		}
		other.Load(w.seen(w.as), w.Mine())
		got, _ := w.tests(other, now)
		if mine, end := w.tests(m, now); len(mine) != c.want || len(got) != c.want || mine[mirror] != got[mirror] || mine[mirror] == 0 {
			t.Errorf("%q: tests %v, and after a restart %v", c.id, mine, got)
		} else {
			now = end
		}
		m.Acts()
	}
}

// If one rule is requested during a round, the others of the round are still tested.
func TestRecheckKeepsTheRound(t *testing.T) {
	w, m, mirror, now := watched(t, 100*book.Day)
	if now += book.Day; !m.Operator.Recheck("", now) || !m.Operator.Recheck(mirror, now+1) {
		t.Fatal("not tested again")
	}
	if n, _ := w.tests(m, now+1); len(n) != len(m.view.List) || len(n) < 2 {
		t.Errorf("tests of %v", n)
	}
}

// The newest pane of a miner's window is known by URL and does not contain older sizes.
func TestNewestPane(t *testing.T) {
	o := madeup.MinerOptions()
	o.Table.Window, o.Table.Pane = 4*book.Hour, book.Hour
	m := miner.New("", o)
	see := func(u string, at, size int64) {
		m.Fold(&evidence.Observation{URL: []byte(u), Time: at, Min: size, Max: size})
	}
	see("/old", book.Hour, 5)
	see("/both", book.Hour, 5)
	see("/both", 3*book.Hour+1, 7)
	see("/both", 3*book.Hour+2, 9)
	w := forms.WindowOf(m)
	for _, c := range []struct {
		given int
		want  evidence.Spans
	}{{0, evidence.Spans{{Min: 7, Max: 9}}}, {1, nil}} {
		if p := w.NewestPage(int32(c.given)); !p.Evidence.Equal(c.want) || p.URL != []string{"/both", "/old"}[c.given] {
			t.Errorf("%+v, want %+v", p, c.want)
		}
	}
	if !w.Pages[0].Evidence.Equal(evidence.Spans{{Min: 5, Max: 9}}) {
		t.Errorf("the window has %+v", w.Pages[0])
	}
	o.Table.Window = 0
	if w := forms.WindowOf(miner.New("", o)); w.Newest != nil {
		t.Error("an endless pane has newest sizes")
	}
}

// Newest sizes that contradict a published rule lead to a trial at once, although the rule awaits its proof.
func TestNewestSizesBeforeTheProof(t *testing.T) {
	w, o := twoMirrors(200, never), madeup.Options()
	o.RecheckEvery = book.Day
	m := New("town", o)
	m.Load(w.seen(w.as), w.Mine())
	now := w.liveUntil(t, m, 1, func() bool { return m.Published().Sequence == 1 })
	e := m.provisional()
	if e == nil || !e.AwaitsProof() || !m.book.IsPublished(e) {
		t.Fatalf("published is %+v", e)
	}
	one := forms.Compile([]rule.Rule{e.Rule})
	m.Load(w.seen(func(u string) int64 {
		if form, _ := one.Canon(nil, []byte(u)); string(form) != u {
			return 2 * w.Size[u]
		}
		return w.Size[u]
	}), w.Mine())
	look, ok := m.Next(now + book.Hour)
	if !ok || look.Purpose != Recheck || look.Rule != e.ID {
		t.Errorf("the next look is %+v, want one at %s", look, e.ID)
	}
}

// The newest sizes are the same whether or not a view is made of the window, and tell whether to load it.
func TestNewestSizesWithoutView(t *testing.T) {
	w, m, _, now := watched(t, book.Day)
	for grown := range 12 {
		mo := madeup.MinerOptions()
		mo.Table.Window, mo.Table.Pane = 24*book.Hour, book.Hour
		mined := miner.New("town", mo)
		at := int64(100 * book.Day)
		for i, p := range w.Pages {
			mined.Fold(&evidence.Observation{URL: []byte(p.URL), Time: at, Min: w.Size[p.URL], Max: w.Size[p.URL]})
			if n := w.grown(grown)(p.URL); i%7 > 0 { // else it is not in the newest pane
				mined.Fold(&evidence.Observation{URL: []byte(p.URL), Time: at + 2*book.Hour, Min: n, Max: n})
			}
		}
		got, tells := forms.NewestSizesOf(mined, m.o, m.book.Valid()), m.Contradicted(mined, now+2)
		m.Load(forms.WindowOf(mined), w.Mine())
		m.derive(now)
		if want := m.view.NewestSizes(m.view.Forms, m.view.Canonizer); !slices.Equal(got, want) {
			t.Fatalf("%d have grown: %+v, want %+v", grown, got, want)
		}
		if ids := m.rechecker.contradicted(m.view, now+2); tells != (len(ids) > 0) || grown == 0 && tells || grown == 11 && !tells {
			t.Errorf("%d have grown: tells %v, and %v are contradicted", grown, tells, ids)
		}
	}
}

// Where the sizes of some pages always vary, the rule is tested a few times in a day at most, however often they are looked at.
func TestVaryingSizes(t *testing.T) {
	w, m, mirror, now := watched(t, 100*book.Day)
	rng, first, tests, rounds := rand.New(rand.NewPCG(1, 2)), now, 0, []int64{}
	for five := range int64(24 * 12) {
		now = max(now, first+300*five)
		share := rng.IntN(2) * rng.IntN(40)
		m.Load(w.seen(func(u string) int64 {
			if strings.HasPrefix(u, "/b/") && rng.IntN(100) < share {
				return 2 * w.Size[u]
			}
			return w.Size[u]
		}), w.Mine())
		for look, ok := m.Next(now); ok; look, ok = m.Next(now) {
			if look.Rule == mirror {
				tests++
			}
			m.Dialogue.Outcome(look, w.see(m, look), 1, now)
			now++
		}
		if at := m.book.Round.At; len(rounds) == 0 || rounds[len(rounds)-1] != at {
			rounds = append(rounds, at)
		}
	}
	if n := len(rounds) - 1; n > 4 {
		t.Errorf("%d rounds of %d looks in a day: %v", n, tests, rounds)
	}
}
