package lifecycle

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

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
	return m.Measure(t, w.Fetch(t.U), w.Fetch(t.V), func() trial.Compared {
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
		m.Outcome(test, w.see(m, test), 1, now)
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

// True rules are found and published, false rules are not, and no pair is fetched twice.
func TestLife(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	seen := map[book.Key]bool{}
	w.live(m, 1, func(test Look) {
		if seen[test.key] && test.Purpose != Control && !test.Second {
			t.Fatalf("%s and %s are fetched twice", test.U, test.V)
		}
		seen[test.key] = true
	})
	for u, form := range map[string]string{
		"/b/p3.html": "/a/p3.html", "/list/7?sid=71": "/list/7", "/c/q3.html": "/c/q3.html", "/d/q3.html": "/d/q3.html",
		"/list/7?sort=up": "/list/7?sort=up", "/list/7?sort=down": "/list/7?sort=down",
	} {
		if got, _ := m.view.Canonizer.Canon(nil, []byte(u)); string(got) != form {
			t.Errorf("%s becomes %s, want %s", u, got, form)
		}
	}
	if p := m.Published(); p.Sequence == 0 || m.publisher.hasUpdate(m.view) || p.Sample.Bound >= 0.06 || p.Sample.Negatives > 0 {
		t.Errorf("published %d, news %v, sample %+v", p.Sequence, m.publisher.hasUpdate(m.view), p.Sample)
	}
	checkSafe(t, m)
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
				m.Release(next)
				continue
			}
			m.Outcome(next, w.see(m, next), 1, now)
			now++
		}
		before, after, pairs := m.Published().Sample, rule.Sample{}, m.Status().Pairs
		if m.attempts.set != nil {
			after = m.attempts.set.Summary()
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
		m.Outcome(test, w.see(m, test), 1, 1)
	}
	if further == 0 {
		t.Error("the set is not tried further")
	}
}

// The first valid rule is published after a trial of the set of at most SetRequests
// documents, while other candidates wait. PublishFirst puts the publication off.
func TestFirstPublication(t *testing.T) {
	for _, later := range []int64{0, 1 << 40} {
		w, o := newTown(100), madeup.Options()
		o.PublishFirst = later
		m, now := w.machine(o), int64(1)
		documents, trials := map[string]bool{}, 0 // after the first valid rule
		for next, ok := m.Next(now); ok && m.Published().Sequence == 0; next, ok = m.Next(now) {
			if m.Status().States[rule.Valid] > 0 {
				documents[next.U], documents[next.V] = true, true
				if next.Purpose == Trial {
					trials++
				}
			}
			m.Outcome(next, w.see(m, next), 1, now)
			now++
		}
		p, s := m.Published(), m.Status()
		if later == 0 && (len(p.Records) != 1 || trials > 0 || len(documents) > o.SetRequests+1 || s.Open == 0) {
			t.Errorf("published %d rules after %d trials and %d documents, with %d candidates left", len(p.Records), trials, len(documents), s.Open)
		}
		if later > 0 && (len(p.Records) < 2 || trials == 0) {
			t.Errorf("put off: published %d rules after %d trials", len(p.Records), trials)
		}
	}
}

func TestDeterminism(t *testing.T) {
	w := newTown(30)
	var acts [2][]book.Act
	for i := range acts {
		m := w.machine(madeup.Options())
		w.live(m, 1, ignore)
		acts[i] = m.Acts()
	}
	if !reflect.DeepEqual(acts[0], acts[1]) {
		t.Error("two lives with the same inputs differ")
	}
}

// recode encodes and decodes an act, as saving does.
func recode(t testing.TB, a book.Act) book.Act {
	b, err := book.Decode(a.Encode())
	must(t, err)
	return b
}

// After a crash following any act, the machine restored from the saved acts reaches the
// same list, does not repeat settled pairs, and publishes no other content under a saved
// sequence.
func TestCrashAfterEveryAct(t *testing.T) {
	t.Parallel()
	crashAfterEveryAct(t, newTown(20), madeup.Options())
	crashAfterEveryAct(t, sessionTown(), dropsOptions())
}

func crashAfterEveryAct(t *testing.T, w *town, o book.Options) {
	t.Helper()
	whole := w.machine(o)
	w.live(whole, 1, ignore)
	acts, want := whole.Acts(), madeup.Words(forms.RulesOf(whole.book.Valid()))
	published := publications(acts)
	for n := range acts {
		if n%7 != 0 && acts[n].Pair != nil && !*long {
			continue
		}
		m, settled, now := New("town", o), map[book.Key]bool{}, int64(1)
		for _, a := range acts[:n] {
			m.Restore(recode(t, a))
			if a.Pair != nil {
				settled[a.Pair.Key], now = true, a.Pair.At+1
			}
		}
		m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
		w.live(m, now, func(test Look) {
			if settled[test.key] && !test.Second {
				t.Fatalf("after act %d, %s and %s are fetched again", n, test.U, test.V)
			}
		})
		if got := madeup.Words(forms.RulesOf(m.book.Valid())); got != want {
			t.Fatalf("after act %d:\n%s\nwant\n%s", n, got, want)
		}
		saved := publications(acts[:n])
		for _, p := range publications(m.Acts()) {
			if p.Sequence <= int64(len(saved)) {
				t.Fatalf("after act %d, sequence %d is published again", n, p.Sequence)
			}
		}
		if m.Published().Sequence < int64(len(published)) {
			t.Fatalf("after act %d, only %d publications", n, m.Published().Sequence)
		}
	}
}

func publications(acts []book.Act) (all []*book.Publication) {
	for _, a := range acts {
		if a.Publication != nil {
			all = append(all, a.Publication)
		}
	}
	return all
}

// A dump restores the same machine. The restored machine has the same dump and nothing left
// to do.
func TestDump(t *testing.T) {
	w := newTown(20)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	n := madeup.Options()
	copied := New("town", n)
	for a := range m.Dump {
		copied.Restore(recode(t, a))
	}
	copied.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	if test, ok := copied.Next(now); ok || len(copied.Acts()) > 0 {
		t.Errorf("the copy goes on with %+v", test)
	}
	if !reflect.DeepEqual(dump(m), dump(copied)) {
		t.Error("the copy's dump differs")
	}
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

func dump(m *Machine) (all []string) {
	for a := range m.Dump {
		all = append(all, string(a.Encode()))
	}
	return all
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
				m.Release(back)
			} else {
				m.Outcome(back, w.see(m, back), 1, now)
			}
			now++
		}
		for u, form := range map[string]string{"/b/p3.html": "/a/p3.html", "/list/7?sid=71": "/list/7", "/d/q3.html": "/d/q3.html"} {
			if got, _ := m.view.Canonizer.Canon(nil, []byte(u)); string(got) != form {
				t.Errorf("seed %d: %s becomes %s, want %s", seed, u, got, form)
			}
		}
		if m.publisher.hasUpdate(m.view) || len(m.attempts.awaited) > 0 {
			t.Errorf("seed %d: news %v, %d pending", seed, m.publisher.hasUpdate(m.view), len(m.attempts.awaited))
		}
		checkSafe(t, m)
	}
}

// Against a site that answers nothing, or anything, the machine ends, and the published
// rules are safe.
func TestHostileOutcomes(t *testing.T) {
	w := newTown(25)
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		m, now, tests := w.machine(madeup.Options()), int64(1), 0
		for {
			test, ok := m.Next(now)
			if wake := m.book.Learned.At + m.book.Options.LevelEvery; !ok && now < wake {
				now = wake
				continue
			}
			if !ok {
				break
			}
			if tests++; tests > 100_000 {
				t.Fatalf("seed %d: no end", seed)
			}
			j := trial.Judgement{Outcome: trial.Skip, Reason: trial.NoAnswer}
			if seed > 0 && rng.IntN(int(seed)) > 0 {
				j = []trial.Judgement{{Outcome: trial.Positive, Reason: trial.Similar}, {Outcome: trial.Positive, Reason: trial.Similar},
					{Outcome: trial.Negative, Reason: trial.Different}, {Outcome: trial.Returned, Reason: trial.LeadsBack}}[rng.IntN(2+rng.IntN(3))]
			}
			m.Outcome(test, trial.Seen{Judgement: j}, 1, now)
		}
		if seed == 0 && len(m.book.Valid()) > 0 {
			t.Error("rules are valid although nothing was learned")
		}
		checkSafe(t, m)
	}
}

// If all pages are alike, every single rule is true. The set must still be safe at every
// publication.
func TestAllPositive(t *testing.T) {
	w := newTown(25)
	m, now := w.machine(madeup.Options()), int64(1)
	for range 20_000 {
		test, ok := m.Next(now)
		checkSafe(t, m)
		if wake := m.book.Learned.At + m.book.Options.LevelEvery; !ok && now < wake {
			now = wake
			continue
		}
		if !ok {
			break
		}
		m.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
		now++
	}
	if len(m.Published().Records) == 0 {
		t.Error("nothing is published")
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
	if again == 0 || len(p.Records) >= before || len(p.Retired) == 0 || m.publisher.hasUpdate(m.view) || m.Status().States[rule.Retired] == 0 {
		t.Errorf("%d tests again, %d records of %d, news %v, %v", again, len(p.Records), before, m.publisher.hasUpdate(m.view), m.Status())
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

// A v that redirects back refutes the direction at once.
func TestLeadsBack(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	test, ok := m.Next(1)
	if !ok {
		t.Fatal("nothing to test")
	}
	page := trial.Document{Status: 200}
	back := trial.Document{Status: 200, Redirected: true, Target: test.U}
	j := m.Outcome(test, m.Measure(test, page, back, nil), 1, 1)
	m.Next(2)
	if e := m.book.Entries[test.Rule]; e == nil || e.State != rule.Refuted || e.Verdict.Reason != book.ByReturn {
		t.Errorf("judged %v, entry %+v", j, e)
	}
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
	p := attempt.Pair{Pair: m.view.Pair(u, u, m.formOf(u))}
	p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	delete(m.book.Memory.Results(), p.Key) // the verdict was given without this pair
	m.book.Entries[last.ID].Later = mostLater - 1
	if _, s := m.sendBack(&m.view.Part, &p, SetTrial, "", 0, now); s != changed || m.book.Entries[last.ID].State != rule.SentBack || m.book.Entries[last.ID].Verdict.Reason != book.BySet || len(m.book.Entries[last.ID].Sent) != 1 {
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
	if _, s := m.sendBack(&m.view.Part, &p, SetTrial, "", 0, now); len(forms.ChainOf(m.view.Canonizer, u)) != 1 || s != nothing {
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
		open := slices.ContainsFunc(m.chooser(1).openCandidates(), func(c book.Candidate) bool { return strings.Contains(c.Rule.Text(), object) })
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

// Verdicts are kept for their term. After the term, outcomes no longer count.
func TestRetry(t *testing.T) {
	w := newTown(30)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	tests := 0
	now = w.live(m, now+book.Day-2*book.Hour, func(test Look) { tests++ })
	if tests > 0 {
		t.Errorf("%d tests within the term", tests)
	}
	w.live(m, now+8*book.Day, func(test Look) { tests++ })
	if tests == 0 {
		t.Error("no refuted rule is tried again")
	}
}

// A server that fails at the URLs made by a rule receives five such requests a day,
// whatever the other answers are.
func TestFailing(t *testing.T) {
	w := newTown(120)
	fails := func(v string) bool { return len(v) == len("/list/33") && strings.ContainsAny(v[len(v)-1:], "369") }
	asked := map[string]int{}
	count := func(test Look) {
		if fails(test.V) {
			asked[test.Rule]++
		}
	}
	w.Fails = fails
	m := w.machine(madeup.Options())
	now, positives := w.live(m, 1, count), 0
	for id, e := range m.book.Entries {
		if asked[id] > attempt.MostFailing {
			t.Errorf("%s was asked for %d pages that fail", id, asked[id])
		}
		if asked[id] == attempt.MostFailing && (e.State != rule.Undecided || e.Verdict.Reason != book.ByServer) {
			t.Errorf("%s: %+v", e.State, e.Verdict)
		}
		if e.State == rule.Undecided {
			positives += e.Verdict.Positives
		}
	}
	if positives == 0 {
		t.Fatalf("asked for %v", asked)
	}
	clear(asked)
	w.live(m, now+book.Day, count)
	if n := slices.Sorted(maps.Values(asked)); len(n) == 0 || n[len(n)-1] != attempt.MostFailing {
		t.Errorf("a day later: %v", n)
	}
}

// Rules hidden by two edits appear after the first edit is applied. /n/p3?sid=31 and /m/p3
// have too many sids between them, and /n/p3 itself is in no log.
func TestLevels(t *testing.T) {
	w := noTown()
	for i := range 30 {
		text, size := fmt.Sprint("page ", i), int64(1000+37*i)
		w.Add(fmt.Sprintf("/m/p%d", i), text, size)
		for sid := range 12 {
			w.Add(fmt.Sprintf("/n/p%d?sid=%d_%d", i, i, sid), text, size)
		}
		w.Text[fmt.Sprintf("/n/p%d", i)] = text
	}
	m := w.machine(madeup.Options())
	w.live(m, 1, ignore)
	stages, last := map[int]int{}, int64(0)
	for _, a := range m.Acts() {
		if a.Learnt != nil {
			if last > 0 && a.Learnt.At < last+m.book.Options.LevelEvery {
				t.Errorf("the forms are mined at %d and at %d", last, a.Learnt.At)
			}
			last = a.Learnt.At
			stages[a.Learnt.Stage] += len(a.Learnt.Rules) + 1
		}
	}
	if got := m.formOf("/n/p3?sid=3_1"); got != m.formOf("/m/p3") || stages[1] < 2 || stages[2] == 0 {
		t.Errorf("/n/p3?sid=3_1 becomes %s, /m/p3 %s; learned %v", got, m.formOf("/m/p3"), stages)
	}
}
