package lifecycle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// ruled returns a town whose rules have been found and published.
func ruled(t *testing.T, pages int, o book.Options) (w *town, m *Machine, now int64) {
	t.Helper()
	w = newTown(pages)
	m = w.machine(o)
	now = w.live(m, 1, ignore)
	if m.derive(now); len(m.view.List) < 2 || m.publisher.hasUpdate(m.view) {
		t.Fatalf("%d rules, news %v", len(m.view.List), m.publisher.hasUpdate(m.view))
	}
	return w, m, now
}

// cross adds a URL that both rules of a town edit.
func (w *town) cross(m *Machine, now int64) {
	w.Add("/b/p0.html?sid=00", "page 0", 1000)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), w.Mine())
	m.derive(now)
}

// A rule's share of a round's budget grows with the number of its pairs that changed.
func TestRoundIsSharedByChange(t *testing.T) {
	m := New("", madeup.Options())
	lives := []trial.Change{{Again: 100}, {Again: 100, Changed: 40}, {Again: 100, Changed: 5}}
	for i, c := range lives {
		r := rule.Rule{Edit: rule.Substring{From: fmt.Sprint("x", i), To: "y"}}
		m.Restore(book.Act{Rule: &book.Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, Change: c}})
	}
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/"}}), nil)
	m.derive(1)
	for from := range lives {
		want := map[string]int{}
		for i, n := range trial.Share(m.book.Options.RecheckBudget, m.book.Options.RecheckFloor, lives[from:]) {
			want[fmt.Sprint(from+i)] = n
		}
		if got := m.rechecker.newRound(m.view, m.view.List[from:], 7); got.At != 7 || !maps.Equal(got.Quota, want) {
			t.Errorf("from %d: %+v, want %v", from, got, want)
		}
	}
	if q := m.rechecker.newRound(m.view, m.view.List, 1).Quota; q["1"] <= q["2"] || q["2"] <= q["0"] {
		t.Errorf("shares %v", q)
	}
}

// When a rule is retired, only the rules after it that edit a URL of its are tested again.
func TestRetireTestsTheRestAgain(t *testing.T) {
	o := madeup.Options()
	o.RecheckEvery = book.Day
	w, m, now := ruled(t, 40, o)
	w.cross(m, now)
	gone, rest := m.view.List[0], map[string]bool{}
	for _, e := range m.view.List[1:] {
		rest[e.ID] = true
	}
	m.rechecks.retire(0, trials.New(m.judge(now), book.Candidate{ID: gone.ID, Rule: gone.Rule}, m.view.Forms, nil, 0, m.ongoing.awaited), now)
	if e := m.book.Entries[gone.ID]; e.State != rule.Retired || e.Verdict.Reason != book.ByRecheck {
		t.Errorf("%+v", e)
	}
	if m.book.Round.At != now || len(m.book.Round.Quota) != len(rest) {
		t.Errorf("the round is %+v, and left are %v", m.book.Round, rest)
	}
	test, ok := m.Next(now + 1)
	for ; ok && test.Purpose == SetTrial; test, ok = m.Next(now + 1) { // the withdrawal is published first
		m.Dialogue.Outcome(test, w.see(m, test), 1, now+1)
	}
	if !ok || test.Purpose != Recheck || !rest[test.Rule] {
		t.Errorf("next is %+v", test)
	}
}

// A round tries at most SetBudget pairs of the set.
func TestRoundOfSetIsBounded(t *testing.T) {
	for _, c := range []struct {
		budget int
		want   func(int) bool
	}{{3, func(n int) bool { return n == 3 }}, {1000, func(n int) bool { return n > 3 }}} {
		o := madeup.Options()
		o.RecheckEvery, o.SetBudget = book.Day, c.budget
		w, m, now := ruled(t, 100, o)
		n := 0
		w.live(m, now+book.Day, func(test Look) {
			if test.Purpose == SetRecheck {
				n++
			}
		})
		if !c.want(n) {
			t.Errorf("a budget of %d: %d tests of the set", c.budget, n)
		}
	}
}

// If the last pair of a round is wrong, the fault is traced and the guilty rule is given an
// exception in the same round.
func TestRoundOfSetEndsWithBlame(t *testing.T) {
	m := holder(map[string]int{"a": 300})
	m.book.Options.HoldShare, m.book.Options.SetBudget = 1, 5
	for i, r := range []rule.Rule{{Edit: rule.Substring{From: "/a/", To: "/b/"}}, {Edit: rule.Substring{From: "/b/", To: "/c/"}}} {
		m.do(book.Act{Rule: &book.Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, ValidatedAt: 1}})
	}
	settleAll(m, 10)
	round := m.book.Round.At
	for now, n := int64(2*book.Day), 0; m.book.Round.At == round || !m.book.Round.SetEnd; now++ {
		test, ok := m.Next(now)
		if e := m.book.Entries["1"]; len(e.Sent) > 0 {
			if n != m.book.Options.SetBudget+2 || e.Sent[0].U[:3] != "/b/" || e.Sent[0].V[:3] != "/c/" || e.Later != 1 || !e.Rule.Excepts([]byte(e.Sent[0].U)) {
				t.Errorf("after %d tests of the set: %+v", n, e)
			}
			return
		}
		if !ok {
			break
		}
		s := madeup.Judged(trial.Positive, trial.Similar)
		if test.Purpose == SetRecheck && !test.Second {
			n++
		}
		if test.Second || test.Purpose == SetRecheck && (n == m.book.Options.SetBudget || n > m.book.Options.SetBudget && test.V[:3] == "/c/") {
			s = madeup.Judged(trial.Negative, trial.Different)
		}
		m.Dialogue.Outcome(test, s, 1, now)
	}
	t.Error("no rule was blamed")
}

// The loss of a rule is published at once. An additional rule waits for the next
// publication.
func TestWhatIsLostGoesOutAtOnce(t *testing.T) {
	_, m, now := ruled(t, 40, madeup.Options())
	soon := m.book.Publication.At + 1
	more := *m.view.List[0]
	r := rule.Rule{Edit: rule.Substring{From: "nothing", To: "none"}}
	more.ID, more.Rule, more.Rank = rule.ID("town", &r), r, m.book.LastRank()+1
	m.do(book.Act{Rule: &more})
	if m.derive(now); m.publisher.due(m.view, false, soon) || !m.publisher.due(m.view, false, soon+m.book.Options.PublishEvery) || !m.publisher.due(m.view, true, soon) {
		t.Error("when one rule more is published")
	}
	gone := *m.view.List[0]
	gone.State = rule.Retired
	m.do(book.Act{Rule: &gone})
	if m.derive(now); !m.publisher.due(m.view, false, soon) {
		t.Error("a rule that holds no more stays published")
	}
}

// A verdict stands until the rule's support has doubled or its own term has ended.
func TestMayTry(t *testing.T) {
	m := New("", madeup.Options())
	entry := func(s rule.State) *book.Entry {
		return &book.Entry{State: s, Support: 10, Verdict: rule.Verdict{Time: 1000}}
	}
	for _, c := range []struct {
		entry   *book.Entry
		support int
		after   int64
		want    bool
	}{
		{nil, 1, 0, true},
		{entry(rule.SentBack), 1, 0, true},
		{entry(rule.Valid), 100, 100 * book.Day, false},
		{entry(rule.Refuted), 19, 0, false},
		{entry(rule.Refuted), 20, 0, true},
		{entry(rule.Refuted), 1, 7*book.Day - 1, false},
		{entry(rule.Refuted), 1, 7 * book.Day, true},
		{entry(rule.Retired), 19, 7*book.Day - 1, false},
		{entry(rule.Retired), 20, 0, true},
		{entry(rule.Undecided), 19, book.Day - 1, false},
		{entry(rule.Undecided), 20, 0, true},
		{entry(rule.Undecided), 1, book.Day, true},
		{&book.Entry{State: rule.Refuted, Verdict: rule.Verdict{Time: 1000}}, 5, 0, false}, // no support that could grow
	} {
		if got := m.book.MayTry(c.entry, c.support, 1000+c.after); got != c.want {
			t.Errorf("%+v with support %d after %d s: %v", c.entry, c.support, c.after, got)
		}
	}
}

// Forms are mined with the tolerance t and then with 10 t.
func TestStagesOfTolerance(t *testing.T) {
	var pages []evidence.Page
	for i := range 20 {
		size := int64(10_000 * (i + 1))
		pages = append(pages,
			evidence.Page{URL: fmt.Sprintf("/a/p%d", i), Evidence: evidence.Spans{{Min: size, Max: size}}},
			evidence.Page{URL: fmt.Sprintf("/b/p%d", i), Evidence: evidence.Spans{{Min: size + size/20, Max: size + size/20}}}) // 5 %
	}
	m := New("", madeup.Options())
	m.Load(forms.NewWindow(pages), nil)
	m.derive(1)
	if one, two := m.view.Learn(nil, 1, 1), m.view.Learn(nil, 2, 1); len(one.Rules) != 0 || len(two.Rules) == 0 {
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
	for _, c := range []struct {
		learner string
		want    int
	}{{"", 0}, {"equal", 1}} {
		o := madeup.Options()
		o.Miner.Window = []string{c.learner}
		m := New("", o)
		m.Load(forms.NewWindow(pages), nil)
		m.derive(1)
		if got := m.view.Learn(nil, 1, 1).Rules; len(got) != c.want || c.want > 0 && got[0].Rule.Sides().From != "/b" {
			t.Errorf("learner %q: %+v", c.learner, got)
		}
	}
}

// A redirect also leads back if the rule on trial turns its target into v.
func TestLeadsBackByTheRule(t *testing.T) {
	w := newTown(40)
	m, now, ok := w.machine(madeup.Options()), int64(1), false
	for {
		test, more := m.Next(now)
		if !more {
			break
		}
		if m.ongoing.rule != nil && m.ongoing.rule.Candidate.Rule == (rule.Rule{Edit: rule.Drop{Param: "sid"}}) && test.Rule == m.ongoing.rule.Candidate.ID {
			to := func(target string) trial.Outcome {
				v := trial.Document{Status: 200, Redirected: true, Target: target}
				return m.Dialogue.Measure(test, trial.Document{Status: 200}, v, func() trial.Compared { return trial.Compared{} }).Outcome
			}
			if to(test.V+"?sid=new") != trial.Returned || to("/elsewhere") != 0 {
				t.Errorf("%+v: to another sid %v, elsewhere %v", test, to(test.V+"?sid=new"), to("/elsewhere"))
			}
			ok = true
			break
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	if !ok {
		t.Error("sid was never on trial")
	}
}

// A pinned rule that was valid survives a trial that decides nothing, and not a refutation.
func TestPin(t *testing.T) {
	for _, by := range []string{"", "id", "text", "settings"} {
		pinned, want, o := by != "", rule.Undecided, madeup.Options()
		if by == "settings" {
			o.PinTexts = []string{"/b/"}
		}
		w, m, now := ruled(t, 60, o)
		_, ranks := m.view.Walk(&m.view.Part, "/b/p3.html")
		if len(ranks) == 0 {
			t.Fatal("no rule edits the page")
		}
		id := m.view.List[ranks[0]].ID
		switch by {
		case "id":
			must(t, m.Operator.Wish(book.Wish{Pin: id}))
			if r, known := m.Answers.Status().Pinned[id]; !known || rule.ID("town", &r) != id {
				t.Errorf("%+v", m.Answers.Status().Pinned)
			}
		case "text":
			must(t, m.Operator.Wish(book.Wish{PinText: "/b/"}))
		}
		if pinned {
			want = rule.Valid
		}
		m.derive(now)
		place := slices.IndexFunc(m.view.List, func(e *book.Entry) bool { return e.ID == id })
		m.faults.send(place, rule.Example{U: "/b/p3.html", V: "/a/p3.html", Outcome: "different"}, Report, now, now)
		m.derive(now)
		w.Fails = func(u string) bool { return strings.HasPrefix(u, "/a/") } // v answers 500
		w.live(m, now+1, ignore)
		if e := m.book.Entries[id]; e.State != want || e.Pinned != pinned || pinned && e.Verdict.Reason != book.ByPin {
			t.Errorf("pinned %v: %+v", pinned, e)
		}
		w.Fails = nil
		w.change("/b/")
		m.Operator.Recheck(id, now+2)
		w.live(m, now+book.Day, ignore)
		if e := m.book.Entries[id]; e.State == rule.Valid || e.Pinned != pinned {
			t.Errorf("refuted, pinned %v: %+v", pinned, e)
		}
	}
}
