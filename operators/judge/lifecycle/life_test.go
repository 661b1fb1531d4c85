package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// must ends a test at an error.
var must = expect.NoError

// New returns the machine of an unknown site.
func New(site string, o book.Options) *Machine { return Maker(o)(site) }

// These tests check the laws of a machine's life on a small synthetic site.

// town is a made-up town and the looks that a machine takes at it.
type town struct{ *madeup.Town }

func newTown(n int) *town { return &town{madeup.NewTown(n)} }
func broadTown() *town    { return &town{madeup.BroadTown()} }
func noTown() *town       { return &town{madeup.EmptyTown()} }

// see returns the result of a look at the town.
func (w *town) see(m *Machine, t Look) trial.Seen {
	return m.Dialogue.Measure(t, w.Fetch(t.U), w.Fetch(t.V), func() trial.Compared {
		return madeup.Compared(w.Shown(t.U), w.Shown(t.V))
	})
}

func (w *town) machine(o book.Options) *Machine {
	m := New("town", o)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	return m
}

// live runs a machine to the end and returns the time. Each look is passed to see.
func (w *town) live(m *Machine, now int64, see func(Look)) int64 {
	for range 100_000 {
		test, ok := m.Next(now)
		if wake := m.book.Learned.At + m.book.Options.LevelEvery; !ok && now < wake {
			now = wake
			continue
		}
		if !ok {
			return now
		}
		if see != nil {
			see(test)
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	panic("the machine does not end")
}

func ignore(Look) {}

// checkSafe checks that the published rules give every URL one stable form.
func checkSafe(t testing.TB, m *Machine) {
	t.Helper()
	var rules []rule.Rule
	for _, r := range m.Published().Records {
		rule, err := r.Rule()
		must(t, err)
		rules = append(rules, rule)
	}
	c := forms.Compile(rules)
	for _, p := range m.window.Pages {
		form, end := c.Canon(nil, []byte(p.URL))
		if end.End != canon.Settled || end.Rounds >= canon.MaxRounds {
			t.Fatalf("%s does not settle: %v", p.URL, end)
		}
		if again, _ := c.Canon(nil, form); string(again) != string(form) {
			t.Fatalf("%s becomes %s and then %s", p.URL, form, again)
		}
	}
}

// If nothing else is to do and no re-validation will follow, trials of the set continue
// after the publication. The trials end when the share of negatives is shown to be below
// the limit, or after a quarter of all pairs.
func TestPatientSample(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limit   float64
		again   int64
		resting bool
		want    func(before, after rule.Sample, pairs int) bool
	}{
		{0.01, 0, false, func(before, after rule.Sample, pairs int) bool {
			return after.Samples > before.Samples && after.Samples >= pairs/4-1
		}},
		{0.03, 0, false, func(before, after rule.Sample, _ int) bool {
			return after.Samples > before.Samples && after.Bound < 0.03
		}},
		{0.01, 0, true, func(before, after rule.Sample, _ int) bool { return after == before }},
		{0.01, book.Day, false, func(before, after rule.Sample, _ int) bool { return after == before }},
	} {
		w, o := broadTown(), madeup.Options()
		o.SetLimit, o.RecheckEvery, o.PublishEvery = test.limit, test.again, 1<<40
		m, now := w.machine(o), int64(1)
		for next, ok := m.Next(now); ok; next, ok = m.Next(now) {
			rest := NoRest
			if test.resting && len(m.view.List) > 0 {
				rest = FullRest
			}
			m.Rest(rest)
			if m.rest == FullRest && next.Purpose == Trial {
				m.Dialogue.Release(next)
				continue
			}
			m.Dialogue.Outcome(next, w.see(m, next), 1, now)
			now++
		}
		before, after, pairs := m.Published().Sample, m.Published().Sample, m.Answers.Status().Pairs
		if m.ongoing.set != nil {
			after = m.ongoing.set.Summary()
		}
		if before.Samples == 0 || before.Negatives > 0 || !test.want(before, after, pairs) {
			t.Errorf("limit %v, again %v, resting %v: %+v, then %+v of %d pairs", test.limit, test.again, test.resting, before, after, pairs)
		}
	}
}

// The trial of a published set goes on only when the forms have been mined.
func TestFormsAreMinedBeforeFurtherTrial(t *testing.T) {
	w, o := broadTown(), madeup.Options()
	o.SetLimit, o.RecheckEvery, o.LevelEvery, o.PublishEvery = 0.01, 0, 0, 1<<40
	m, further := w.machine(o), 0
	for test, ok := m.Next(1); ok; test, ok = m.Next(1) {
		if test.Purpose == SetTrial && m.Published().Sequence > 0 && !m.publisher.hasUpdate(m.view) {
			further++
			if stage := m.view.NextStage(&m.book.Learned); stage > 0 {
				t.Fatalf("the set is tried further before stage %d", stage)
			}
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, 1)
	}
	if further == 0 {
		t.Error("the set is not tried further")
	}
}

// recode encodes and decodes an act, as saving does.
func recode(t testing.TB, a book.Act) book.Act {
	b, err := book.Decode(a.Encode())
	must(t, err)
	return b
}

// A machine whose memory of pairs is packed before each outcome does the same.
func TestPackedLife(t *testing.T) {
	w := newTown(20)
	plain, packed := w.machine(madeup.Options()), w.machine(madeup.Options())
	at := w.live(plain, 1, ignore)
	if other := w.live(packed, 1, func(Look) { packed.book.Memory.Pack() }); other != at || !slices.Equal(dump(plain), dump(packed)) {
		t.Errorf("the lives end at %d and %d", at, other)
	}
	if plain.book.Memory.Len() < 30 {
		t.Errorf("%d pairs show little", plain.book.Memory.Len())
	}
}

// Several looks may be in progress, and their outcomes may arrive in any order, or never.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	w := newTown(40)
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m, now := w.machine(madeup.Options()), int64(1)
		var flying []Look
		for range 100_000 {
			test, ok := m.Next(now)
			if ok {
				flying = append(flying, test)
			}
			if ok && len(flying) < 8 {
				continue
			}
			if len(flying) == 0 {
				if wake := m.book.Learned.At + m.book.Options.LevelEvery; now < wake {
					now = wake
					continue
				}
				break
			}
			i := rng.IntN(len(flying))
			back := flying[i]
			flying = slices.Delete(flying, i, i+1)
			if rng.IntN(20) == 0 {
				m.Dialogue.Release(back)
			} else {
				m.Dialogue.Outcome(back, w.see(m, back), 1, now)
			}
			now++
		}
		for _, c := range []struct{ url, form string }{{"/b/p3.html", "/a/p3.html"}, {"/list/7?sid=71", "/list/7"}, {"/d/q3.html", "/d/q3.html"}} {
			if got, _ := m.view.Canonizer.Canon(nil, []byte(c.url)); string(got) != c.form {
				t.Errorf("seed %d: %s becomes %s, want %s", seed, c.url, got, c.form)
			}
		}
		if m.publisher.hasUpdate(m.view) || len(m.ongoing.awaited) > 0 {
			t.Errorf("seed %d: news %v, %d pending", seed, m.publisher.hasUpdate(m.view), len(m.ongoing.awaited))
		}
		checkSafe(t, m)
	}
}

// When the two halves of a mirror diverge, the rule is retired and the other rules stay.
func TestRevalidation(t *testing.T) {
	w := newTown(40)
	o := madeup.Options()
	o.RecheckEvery = book.Day
	m := w.machine(o)
	now := w.live(m, 1, ignore)
	before := len(m.Published().Records)
	for i := range 40 {
		w.Text[fmt.Sprintf("/b/p%d.html", i)] = "moved on"
	}
	again, changedAt := 0, now
	now = w.live(m, now+book.Day, func(test Look) {
		if test.Purpose == Recheck && test.Fresh {
			again++
		}
	})
	if got, _ := m.view.Canonizer.Canon(nil, []byte("/b/p3.html")); string(got) != "/b/p3.html" {
		t.Errorf("/b/p3.html still becomes %s", got)
	}
	if got, _ := m.view.Canonizer.Canon(nil, []byte("/list/7?sid=71")); string(got) != "/list/7" {
		t.Errorf("sid is not dropped any more: %s", got)
	}
	if n := m.knownOf("/b/", changedAt); n > 0 {
		t.Errorf("%d outcomes from before the change may prove other rules", n)
	}
	p := m.Published()
	if again == 0 || len(p.Records) >= before || len(p.Retired) == 0 || m.publisher.hasUpdate(m.view) || m.Answers.Status().States[rule.Retired] == 0 {
		t.Errorf("%d tests again, %d records of %d, news %v, %v", again, len(p.Records), before, m.publisher.hasUpdate(m.view), m.Answers.Status())
	}
	changed := 0
	for _, e := range m.book.Entries {
		changed += e.Change.Changed
	}
	if changed == 0 {
		t.Error("no change was counted")
	}
	w.live(m, now, func(test Look) { t.Fatalf("more to test within the day: %+v", test) })
}

// A pair of the set sends each rule back at most once, and then counts in its trial.
func TestSentBack(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	last := m.view.List[len(m.view.List)-1]
	var u string
	for _, p := range m.window.Pages {
		if ranks := forms.ChainOf(m.view.Canonizer, p.URL); len(ranks) > 0 && ranks[len(ranks)-1] == len(m.view.List)-1 {
			u = p.URL
		}
	}
	p := trials.Pair{Pair: m.view.Pair(u, u, m.formOf(u))}
	p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	delete(m.book.Memory.Results(), p.Key) // the verdict was given without this pair
	m.book.Entries[last.ID].Later = mostLater - 1
	if _, s := m.faults.sendBack(&m.view.Part, &p, SetTrial, "", 0, now); s != changed || m.book.Entries[last.ID].State != rule.SentBack || m.book.Entries[last.ID].Verdict.Reason != book.BySet || len(m.book.Entries[last.ID].Sent) != 1 {
		t.Fatalf("not sent back: %+v", m.book.Entries[last.ID])
	}
	m.derive(now)
	w.live(m, now, ignore)
	if e := m.book.Entries[last.ID]; e.State != rule.Valid || e.Rank <= last.Rank || len(e.Sent) != 1 {
		t.Errorf("after its second trial: %+v", e)
	}
	m.derive(now)
	p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	delete(m.book.Memory.Results(), p.Key)
	if _, s := m.faults.sendBack(&m.view.Part, &p, SetTrial, "", 0, now); len(forms.ChainOf(m.view.Canonizer, u)) != 1 || s != nothing {
		t.Error("the same pair sends the same rule back twice")
	}
}

// Rules that may hold a secret are never tried, whatever their source. The name of a git object
// is no secret in the rules of a site whose URLs name the object's repository.
func TestWithhold(t *testing.T) {
	const object = "4963b66fc955214e5b1099078afcd21f244a191a"
	for _, c := range []struct {
		folder       string
		lifted, open bool
	}{{"/r.git/", false, true}, {"/r/", false, false}, {"/r/", true, true}} {
		w := newTown(40)
		for i := range 40 {
			w.Add(fmt.Sprintf("%sf%d", c.folder, i), fmt.Sprint("file ", i), int64(9000+37*i))
			w.Add(fmt.Sprintf("%sf%d?h=%s", c.folder, i, object), fmt.Sprint("file ", i), int64(9000+37*i))
		}
		o := madeup.Options()
		o.Veil.Lifted = c.lifted
		m := w.machine(o)
		m.derive(1)
		open := slices.ContainsFunc(chooserOf(m.life, 1).openCandidates(), func(c book.Candidate) bool { return strings.Contains(c.Rule.Text(), object) })
		if open != c.open {
			t.Errorf("%s, lifted %v: may be tried %v", c.folder, c.lifted, open)
		}
		w.live(m, 1, ignore)
		if len(m.view.List) == 0 {
			t.Error("nothing else is valid")
		}
	}
}

func first(b []byte, _ canon.Outcome) []byte { return b }

// formOf returns the canonical form of a URL.
func (m *Machine) formOf(u string) string {
	return string(first(m.view.Canonizer.Canon(nil, []byte(u))))
}

func dump(m *Machine) (all []string) {
	for a := range m.Dump {
		all = append(all, string(a.Encode()))
	}
	return all
}
