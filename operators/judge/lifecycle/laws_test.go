package lifecycle_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// True rules are found and published, false rules are not, and no pair is fetched twice.
func TestLife(t *testing.T) {
	w := newTown(40)
	m := w.machine(madeup.Options())
	seen := map[[2]string]bool{}
	w.live(m, 1, func(test lifecycle.Look) {
		if seen[[2]string{test.U, test.V}] && test.Purpose != lifecycle.Control && !test.Second {
			t.Fatalf("%s and %s are fetched twice", test.U, test.V)
		}
		seen[[2]string{test.U, test.V}] = true
	})
	for _, c := range []struct{ url, form string }{
		{"/b/p3.html", "/a/p3.html"}, {"/list/7?sid=71", "/list/7"}, {"/c/q3.html", "/c/q3.html"}, {"/d/q3.html", "/d/q3.html"},
		{"/list/7?sort=up", "/list/7?sort=up"}, {"/list/7?sort=down", "/list/7?sort=down"},
	} {
		if got := formOf(m, c.url); got != c.form {
			t.Errorf("%s becomes %s, want %s", c.url, got, c.form)
		}
	}
	if p := m.Published(); p.Sequence == 0 || hasUpdate(m) || p.Sample.Bound >= 0.06 || p.Sample.Negatives > 0 {
		t.Errorf("published %d, news %v, sample %+v", p.Sequence, hasUpdate(m), p.Sample)
	}
	checkSafe(t, m, urlsOf(forms.NewWindow(w.Pages)))
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
			if m.Answers.Status().States[rule.Valid] > 0 {
				documents[next.U], documents[next.V] = true, true
				if next.Purpose == lifecycle.Trial {
					trials++
				}
			}
			m.Dialogue.Outcome(next, w.see(m, next), 1, now)
			now++
		}
		p, s := m.Published(), m.Answers.Status()
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

func dump(m *lifecycle.Machine) (all []string) {
	for a := range m.Dump {
		all = append(all, string(a.Encode()))
	}
	return all
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
			if wake := m.Answers.Status().LevelAt; !ok && now < wake {
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
			m.Dialogue.Outcome(test, trial.Seen{Judgement: j}, 1, now)
		}
		if seed == 0 && len(validOf(m)) > 0 {
			t.Error("rules are valid although nothing was learned")
		}
		checkSafe(t, m, urlsOf(forms.NewWindow(w.Pages)))
	}
}

// If all pages are alike, every single rule is true. The set must still be safe at every
// publication.
func TestAllPositive(t *testing.T) {
	w := newTown(25)
	m, now := w.machine(madeup.Options()), int64(1)
	for range 20_000 {
		test, ok := m.Next(now)
		checkSafe(t, m, urlsOf(forms.NewWindow(w.Pages)))
		if wake := m.Answers.Status().LevelAt; !ok && now < wake {
			now = wake
			continue
		}
		if !ok {
			break
		}
		m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
		now++
	}
	if len(m.Published().Records) == 0 {
		t.Error("nothing is published")
	}
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
	j := m.Dialogue.Outcome(test, m.Dialogue.Measure(test, page, back, nil), 1, 1)
	m.Next(2)
	if e := entry(m, test.Rule); e == nil || e.State != rule.Refuted || e.Verdict.Reason != book.ByReturn {
		t.Errorf("judged %v, entry %+v", j, e)
	}
}

// Verdicts are kept for their term. After the term, outcomes no longer count.
func TestRetry(t *testing.T) {
	w := newTown(30)
	m := w.machine(madeup.Options())
	now := w.live(m, 1, ignore)
	tests := 0
	now = w.live(m, now+book.Day-2*book.Hour, func(test lifecycle.Look) { tests++ })
	if tests > 0 {
		t.Errorf("%d tests within the term", tests)
	}
	w.live(m, now+8*book.Day, func(test lifecycle.Look) { tests++ })
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
	count := func(test lifecycle.Look) {
		if fails(test.V) {
			asked[test.Rule]++
		}
	}
	w.Fails = fails
	m := w.machine(madeup.Options())
	now, positives := w.live(m, 1, count), 0
	for _, e := range entries(m, "") {
		if asked[e.ID] > trials.MostFailing {
			t.Errorf("%s was asked for %d pages that fail", e.ID, asked[e.ID])
		}
		if asked[e.ID] == trials.MostFailing && (e.State != rule.Undecided || e.Verdict.Reason != book.ByServer) {
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
	if n := slices.Sorted(maps.Values(asked)); len(n) == 0 || n[len(n)-1] != trials.MostFailing {
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
			if last > 0 && a.Learnt.At < last+madeup.Options().LevelEvery {
				t.Errorf("the forms are mined at %d and at %d", last, a.Learnt.At)
			}
			last = a.Learnt.At
			stages[a.Learnt.Stage] += len(a.Learnt.Rules) + 1
		}
	}
	if got := formOf(m, "/n/p3?sid=3_1"); got != formOf(m, "/m/p3") || stages[1] < 2 || stages[2] == 0 {
		t.Errorf("/n/p3?sid=3_1 becomes %s, /m/p3 %s; learned %v", got, formOf(m, "/m/p3"), stages)
	}
}
