package lifecycle

import (
	"fmt"
	"maps"
	"testing"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// ruled returns a town whose rules have been found and published.
func ruled(t *testing.T, pages int, o Options) (w *town, m *Machine, now int64) {
	t.Helper()
	w = newTown(pages)
	m = w.machine(o)
	now = w.live(m, 1, ignore)
	if m.planner.derive(now); len(m.planner.view.list) < 2 || m.planner.publisher.hasUpdate(m.planner.view) {
		t.Fatalf("%d rules, news %v", len(m.planner.view.list), m.planner.publisher.hasUpdate(m.planner.view))
	}
	return w, m, now
}

// A rule's share of a round's budget grows with the number of the rule's pairs that
// changed.
func TestRoundIsSharedByChange(t *testing.T) {
	m := New("", townOptions())
	lives := []trial.Change{{Again: 100}, {Again: 100, Changed: 40}, {Again: 100, Changed: 5}}
	for i, c := range lives {
		r := rule.Rule{From: fmt.Sprint("x", i), To: "y"}
		m.Restore(Act{Rule: &Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, Change: c}})
	}
	m.Load(NewWindow([]evidence.Page{{URL: "/"}}), nil)
	m.planner.derive(1)
	for from := range lives {
		want := map[string]int{}
		for i, n := range trial.Share(m.book.o.RecheckBudget, m.book.o.RecheckFloor, lives[from:]) {
			want[fmt.Sprint(from+i)] = n
		}
		if got := m.planner.rechecker.newRound(m.planner.view, m.planner.view.list[from:], 7); got.At != 7 || !maps.Equal(got.Quota, want) {
			t.Errorf("from %d: %+v, want %v", from, got, want)
		}
	}
	if q := m.planner.rechecker.newRound(m.planner.view, m.planner.view.list, 1).Quota; q["1"] <= q["2"] || q["2"] <= q["0"] {
		t.Errorf("shares %v", q)
	}
}

// When a rule is retired, only the rules after the retired rule are tested again.
func TestRetireTestsTheRestAgain(t *testing.T) {
	o := townOptions()
	o.RecheckEvery = day
	w, m, now := ruled(t, 40, o)
	gone, rest := m.planner.view.list[0], map[string]bool{}
	for _, e := range m.planner.view.list[1:] {
		rest[e.ID] = true
	}
	m.planner.retire(0, newAttempt(m.planner.judge(now), candidate{id: gone.ID, rule: gone.Rule}, m.planner.view.forms, nil, 0, m.planner.trials.awaited), now)
	if e := m.book.entries[gone.ID]; e.State != rule.Retired || e.Verdict.Reason != byRecheck {
		t.Errorf("%+v", e)
	}
	if m.book.round.At != now || len(m.book.round.Quota) != len(rest) {
		t.Errorf("the round is %+v, and left are %v", m.book.round, rest)
	}
	test, ok := m.Next(now + 1)
	for ; ok && test.Purpose == SetTrial; test, ok = m.Next(now + 1) { // the withdrawal is published first
		m.Outcome(test, w.see(m, test), 1, now+1)
	}
	if !ok || test.Purpose != Recheck || !rest[test.Rule] {
		t.Errorf("next is %+v", test)
	}
}

// A round tries at most SetBudget pairs of the set.
func TestRoundOfSetIsBounded(t *testing.T) {
	for budget, want := range map[int]func(int) bool{3: func(n int) bool { return n == 3 }, 1000: func(n int) bool { return n > 3 }} {
		o := townOptions()
		o.RecheckEvery, o.SetBudget = day, budget
		w, m, now := ruled(t, 100, o)
		n := 0
		w.live(m, now+day, func(test Test) {
			if test.Purpose == SetRecheck {
				n++
			}
		})
		if !want(n) {
			t.Errorf("a budget of %d: %d tests of the set", budget, n)
		}
	}
}

// If the last pair of a round is wrong, the fault is traced and the guilty rule is given an
// exception in the same round.
func TestRoundOfSetEndsWithBlame(t *testing.T) {
	m := holder(map[string]int{"a": 300})
	m.book.o.HoldShare, m.book.o.SetBudget = 1, 5
	for i, r := range []rule.Rule{{From: "/a/", To: "/b/"}, {From: "/b/", To: "/c/"}} {
		m.planner.do(Act{Rule: &Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, ValidatedAt: 1}})
	}
	settleAll(m, 10)
	round := m.book.round.At
	for now, n := int64(2*day), 0; m.book.round.At == round || !m.book.round.SetEnd; now++ {
		test, ok := m.Next(now)
		if e := m.book.entries["1"]; len(e.Sent) > 0 {
			if n != m.book.o.SetBudget+2 || e.Sent[0].U[:3] != "/b/" || e.Sent[0].V[:3] != "/c/" || e.Later != 1 || !e.Rule.Excepts([]byte(e.Sent[0].U)) {
				t.Errorf("after %d tests of the set: %+v", n, e)
			}
			return
		}
		if !ok {
			break
		}
		s := judged(trial.Positive, trial.Similar)
		if test.Purpose == SetRecheck && !test.Second {
			n++
		}
		if test.Second || test.Purpose == SetRecheck && (n == m.book.o.SetBudget || n > m.book.o.SetBudget && test.V[:3] == "/c/") {
			s = judged(trial.Negative, trial.Different)
		}
		m.Outcome(test, s, 1, now)
	}
	t.Error("no rule was blamed")
}

// The loss of a rule is published at once. An additional rule waits for the next
// publication.
func TestWhatIsLostGoesOutAtOnce(t *testing.T) {
	_, m, now := ruled(t, 40, townOptions())
	soon := m.book.publication.At + 1
	more := *m.planner.view.list[0]
	r := rule.Rule{From: "nothing", To: "none"}
	more.ID, more.Rule, more.Rank = rule.ID("town", &r), r, m.book.lastRank()+1
	m.planner.do(Act{Rule: &more})
	if m.planner.derive(now); m.planner.publisher.due(m.planner.view, false, soon) || !m.planner.publisher.due(m.planner.view, false, soon+m.book.o.PublishEvery) || !m.planner.publisher.due(m.planner.view, true, soon) {
		t.Error("when one rule more is published")
	}
	gone := *m.planner.view.list[0]
	gone.State = rule.Retired
	m.planner.do(Act{Rule: &gone})
	if m.planner.derive(now); !m.planner.publisher.due(m.planner.view, false, soon) {
		t.Error("a rule that holds no more stays published")
	}
}

// A verdict stands until the rule's support has doubled or the verdict's term has ended.
func TestMayTry(t *testing.T) {
	m := New("", townOptions())
	entry := func(s rule.State) *Entry { return &Entry{State: s, Support: 10, Verdict: rule.Verdict{Time: 1000}} }
	for _, c := range []struct {
		entry   *Entry
		support int
		after   int64
		want    bool
	}{
		{nil, 1, 0, true},
		{entry(rule.SentBack), 1, 0, true},
		{entry(rule.Valid), 100, 100 * day, false},
		{entry(rule.Refuted), 19, 0, false},
		{entry(rule.Refuted), 20, 0, true},
		{entry(rule.Refuted), 1, 7*day - 1, false},
		{entry(rule.Refuted), 1, 7 * day, true},
		{entry(rule.Retired), 19, 7*day - 1, false},
		{entry(rule.Retired), 20, 0, true},
		{entry(rule.Undecided), 19, day - 1, false},
		{entry(rule.Undecided), 20, 0, true},
		{entry(rule.Undecided), 1, day, true},
		{&Entry{State: rule.Refuted, Verdict: rule.Verdict{Time: 1000}}, 5, 0, false}, // no support that could grow
	} {
		if got := m.book.mayTry(c.entry, c.support, 1000+c.after); got != c.want {
			t.Errorf("%+v with support %d after %d s: %v", c.entry, c.support, c.after, got)
		}
	}
}

// Forms are mined with the tolerance t and then with the tolerance 10 t.
func TestStagesOfTolerance(t *testing.T) {
	var pages []evidence.Page
	for i := range 20 {
		size := int64(10_000 * (i + 1))
		pages = append(pages,
			evidence.Page{URL: fmt.Sprintf("/a/p%d", i), Evidence: evidence.Spans{{Min: size, Max: size}}},
			evidence.Page{URL: fmt.Sprintf("/b/p%d", i), Evidence: evidence.Spans{{Min: size + size/20, Max: size + size/20}}}) // 5 %
	}
	m := New("", townOptions())
	m.Load(NewWindow(pages), nil)
	m.planner.derive(1)
	if one, two := m.planner.view.learn(nil, 1, 1), m.planner.view.learn(nil, 2, 1); len(one.Rules) != 0 || len(two.Rules) == 0 {
		t.Errorf("first %+v, then %+v", one, two)
	}
}

// The learners that look at a window look at the forms, too.
func TestLookAtForms(t *testing.T) {
	var pages []evidence.Page
	for folder := range 12 {
		for page := range 12 { // of each folder a and b are equal, in an envelope of twelve
			size := int64(1000*(folder+1) + max(page, 1)*50)
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/%d/%c", folder, 'a'+page), Evidence: evidence.Spans{{Min: size, Max: size}}})
		}
	}
	for learner, want := range map[string]int{"": 0, "equal": 1} {
		o := townOptions()
		o.Miner.Window = []string{learner}
		m := New("", o)
		m.Load(NewWindow(pages), nil)
		m.planner.derive(1)
		if got := m.planner.view.learn(nil, 1, 1).Rules; len(got) != want || want > 0 && got[0].Rule.From != "/b" {
			t.Errorf("learner %q: %+v", learner, got)
		}
	}
}

// A redirect also leads back if the rule on trial turns the redirect's target into v.
func TestLeadsBackByTheRule(t *testing.T) {
	w := newTown(40)
	m, now, ok := w.machine(townOptions()), int64(1), false
	for {
		test, more := m.Next(now)
		if !more {
			break
		}
		if m.planner.trials.rule != nil && m.planner.trials.rule.c.rule == (rule.Rule{Kind: rule.Drop, Param: "sid"}) && test.Rule == m.planner.trials.rule.c.id {
			to := func(target string) trial.Outcome {
				v := trial.Document{Status: 200, Redirected: true, Target: target}
				return m.Look(test, trial.Document{Status: 200}, v, func() trial.Compared { return trial.Compared{} }).Outcome
			}
			if to(test.V+"?sid=new") != trial.Returned || to("/elsewhere") != 0 {
				t.Errorf("%+v: to another sid %v, elsewhere %v", test, to(test.V+"?sid=new"), to("/elsewhere"))
			}
			ok = true
			break
		}
		m.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	if !ok {
		t.Error("sid was never on trial")
	}
}
