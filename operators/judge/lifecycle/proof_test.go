package lifecycle

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// twoMirrors is a site of two trees of equal pages, but for those that differ.
func twoMirrors(pages int, differs func(i int) bool) *town {
	w := noTown()
	for i := range pages {
		text := fmt.Sprint("page ", i)
		w.Add(fmt.Sprintf("/a/p%d.html", i), text, int64(1000+37*i))
		if differs(i) {
			text = fmt.Sprint("other ", i)
		}
		w.Add(fmt.Sprintf("/b/p%d.html", i), text, int64(1000+37*i))
	}
	return w
}

func never(int) bool { return false }

// mirrorRule is the rule of twoMirrors.
var mirrorRule = rule.Rule{Edit: rule.Substring{From: "/b/", To: "/a/", AtStart: true}}

// liveUntil lets a machine live until a condition holds, and returns the time. It fails if the life ends
// before.
func (w *town) liveUntil(t *testing.T, m *Machine, now int64, is func() bool) int64 {
	t.Helper()
	for range 10_000 {
		if is() {
			return now
		}
		if test, ok := m.Next(now); ok {
			m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		}
		now++
	}
	t.Fatal("it never comes to that")
	return now
}

// provisional returns the only provisional rule of a machine; nil if there is none.
func (m *Machine) provisional() *book.Entry {
	for _, e := range m.book.Valid() {
		if e.IsProvisional() {
			return e
		}
	}
	return nil
}

// A site with only a proof left has a value: the forms that the rule merges for each pair that is left.
func TestExpectedOfProofs(t *testing.T) {
	w := twoMirrors(200, never)
	m := w.machine(madeup.Options())
	now := w.liveUntil(t, m, 1, func() bool { return m.Published().Sequence == 1 })
	left := float64(m.book.Options.Trial.Enough(200) - 20)
	if got := m.Answers.Expected(nil, now); got < 0.8*200/left || got > 200/left {
		t.Errorf("expected %v of a proof of %v pairs", got, left)
	}
	if now = w.live(m, now, ignore); m.Answers.Expected(nil, now) != 0 {
		t.Errorf("expected %v after the proof", m.Answers.Expected(nil, now))
	}
}

// A rule joins L after 20 pairs, is published with its bound, is proved with the outcomes of its first
// step, and its record is written anew.
func TestTwoSteps(t *testing.T) {
	w := twoMirrors(200, never)
	m := w.machine(madeup.Options())
	now := w.liveUntil(t, m, 1, func() bool { return m.provisional() != nil })
	e := *m.provisional()
	if v := e.Verdict; v.Samples != 20 || v.Bound < 0.11 || v.Bound > 0.2 || v.Control.Mixed < 20 || e.Gain != 200 || e.Forms != 400 || e.Excepts {
		t.Errorf("it joined as %+v", e)
	}
	now = w.liveUntil(t, m, now, func() bool { return m.Published().Sequence == 1 })
	if r := m.Published().Records; len(r) != 1 || r[0].Verdict.Step != rule.Provisional {
		t.Errorf("published %+v", r)
	}
	trials := 0
	now = w.live(m, now, func(test Look) {
		if test.Purpose == Trial || test.Purpose == Proof {
			trials++
		}
		if s := m.Answers.Status(); test.Purpose == Proof && (s.Provisional != 1 || s.States[rule.Valid] != 1 || s.Trial.Words() != "proof of: "+mirrorRule.Words() || m.Answers.Detail(Query{}, now).Course.Purpose != Proof) {
			t.Fatalf("while the proof goes on: %+v, %+v", s, s.Trial)
		}
	})
	if s := m.Answers.Status(); s.Provisional != 0 || s.States[rule.Valid] != 1 {
		t.Errorf("after the proof: %+v", s)
	}
	p := m.Published()
	if r := p.Records; p.Sequence != 2 || len(r) != 1 || r[0].Verdict.Step != "" || r[0].Verdict.Bound >= 0.05 || r[0].ID != e.ID || r[0].Rank != e.Rank {
		t.Errorf("published %+v", p)
	}
	if most := m.book.Options.Trial.Enough(200) - 20; trials > most {
		t.Errorf("%d pairs for the proof, want at most %d", trials, most)
	}
	if m.provisional() != nil || now == 0 {
		t.Error("the proof did not end")
	}
}

// Without the lever, and without a first step, a rule joins L when it is proved.
func TestOneStep(t *testing.T) {
	o := madeup.Options()
	o.Off.TwoSteps = true
	w := twoMirrors(200, never)
	m := w.machine(o)
	w.liveUntil(t, m, 1, func() bool {
		if m.provisional() != nil {
			t.Fatal("provisional")
		}
		return len(m.book.Valid()) > 0
	})
	if v := m.book.Valid()[0].Verdict; v.Bound >= 0.05 {
		t.Errorf("%+v", v)
	}
}

// A rule that is false in every tenth pair may join L. Its proof refutes it, or gives it an exception: the
// rule leaves L and the published list either way, and what follows is tried.
func TestProofRefutes(t *testing.T) {
	joined, gone := 0, 0
	for key := range uint64(30) {
		o := madeup.Options()
		o.Key[0] = key
		w := twoMirrors(300, func(i int) bool { return i%10 == 3 })
		m := w.machine(o)
		var provisional *book.Entry
		w.live(m, 1, func(Look) {
			if e := m.provisional(); e != nil && provisional == nil {
				provisional = e
			}
		})
		if provisional == nil {
			continue
		}
		joined++
		e := m.book.Entries[provisional.ID]
		if e.State == rule.Refuted {
			gone++
		}
		if e.State == rule.Valid && e.Rule.Except == (rule.Except{}) || m.provisional() != nil {
			t.Errorf("key %d: %+v", key, e)
		}
		for _, u := range []string{"/b/p3.html", "/b/p13.html"} {
			if m.formOf(u) != u {
				t.Errorf("key %d: %s is %s", key, u, m.formOf(u))
			}
		}
	}
	if joined == 0 || gone == 0 {
		t.Errorf("%d joined, %d of them were refuted", joined, gone)
	}
	t.Logf("%d of 30 joined, %d of them were refuted", joined, gone)
}

// Where the server failed at a URL that the rule makes, the rule is no more provisional than refuted.
func TestFailingServerIsNotProvisional(t *testing.T) {
	failed, joined := 0, 0
	for key := range uint64(10) {
		o := madeup.Options()
		o.Key[0] = key
		w := twoMirrors(200, never)
		w.Fails = func(u string) bool {
			var i int
			_, err := fmt.Sscanf(u, "/a/p%d.html", &i)
			return err == nil && i%25 == 7
		}
		m := w.machine(o)
		has := false
		w.live(m, 1, func(test Look) {
			if m.provisional() == nil {
				has = has || w.Fails(test.V)
			} else if has {
				t.Fatalf("key %d: provisional after a failure: %+v", key, m.provisional().Verdict)
			} else {
				joined++
			}
		})
		if has {
			failed++
		}
	}
	if failed == 0 || joined == 0 {
		t.Errorf("%d of 10 servers failed before the rule joined; %d looks after it did", failed, joined)
	}
}

// stepped makes a machine whose L has one provisional rule, which merged 100 of 1,000 forms, changed as asked.
func stepped(o book.Options, change func(e *book.Entry)) *Machine {
	m := New("town", o)
	e := book.Entry{ID: rule.ID("town", &mirrorRule), Rule: mirrorRule, State: rule.Valid, Rank: 1, ValidatedAt: 1,
		Verdict: rule.Verdict{Samples: 20, Positives: 20, Step: rule.Provisional}, Joined: book.Joined{Gain: 100, Forms: 1000}}
	change(&e)
	m.Restore(book.Act{Rule: &e})
	w := twoMirrors(100, never)
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), nil)
	m.derive(2)
	return m
}

// A candidate that goes out only after its proof is priced with the proof.
func TestPriceUntilPublished(t *testing.T) {
	o := madeup.Options()
	plain, excepts := book.Candidate{Rule: mirrorRule}, book.Candidate{Rule: mirrorRule}
	var err error
	excepts.Rule.Except, err = rule.NewExcept(nil, []string{"/b/x"})
	must(t, err)
	proof := o.Trial.Enough(200)
	for _, c := range []struct {
		of                *book.Candidate
		gain, known, want int
		provedOnly        bool
	}{
		{&plain, 10, 0, 20, false},
		{&plain, 10, 5, 20, false},
		{&plain, 10, proof - 3, 3, false},
		{&plain, 9, 0, proof, false},
		{&plain, 9, 5, proof - 5, false},
		{&excepts, 10, 0, proof, false},
		{&plain, 10, 0, proof, true},
		{&plain, 9, proof, 1, false},
	} {
		o.ProvedOnly = c.provedOnly
		if got := o.More(c.of, c.gain, 1000, 200, c.known); got != c.want {
			t.Errorf("%+v: %d more", c, got)
		}
	}
}

// A rule that goes out only after its proof is proved before a candidate of less worth is tried.
func TestProofOfWhatWaits(t *testing.T) {
	w := newTown(40) // two rules, of 120 and 40 pairs
	for _, excepts := range []bool{true, false} {
		m := w.machine(madeup.Options())
		now := w.liveUntil(t, m, 1, func() bool { return m.provisional() != nil })
		e := *m.provisional()
		e.Excepts = excepts
		m.do(book.Act{Rule: &e})
		var first Look
		for ; first.U == "" || first.Purpose != Proof && first.Purpose != Trial; now++ {
			test, ok := m.Next(now)
			if !ok {
				t.Fatal("nothing comes next")
			}
			m.Dialogue.Outcome(test, w.see(m, test), 1, now)
			first = test
		}
		if (first.Purpose == Proof) != excepts || (first.Rule == e.ID) != excepts {
			t.Errorf("excepts %v: first comes %+v", excepts, first)
		}
	}
}

// Of rules that go out only after their proofs, the one that brings most for each missing outcome is proved
// first. Rules that are out follow, the greatest first.
func TestOrderOfProofs(t *testing.T) {
	m := New("town", madeup.Options())
	for i, c := range []struct {
		gain, positives int
		excepts         bool
	}{{300, 20, false}, {88, 20, true}, {30, 20, true}, {88, 40, true}, {400, 20, false}} {
		m.Restore(book.Act{Rule: &book.Entry{ID: fmt.Sprint(i), Rule: rule.Rule{Edit: rule.Substring{From: fmt.Sprint("x", i), To: "y"}}, State: rule.Valid, Rank: i + 1, Joined: book.Joined{Gain: c.gain, Forms: 1000, Excepts: c.excepts},
			Verdict: rule.Verdict{Step: rule.Provisional, Positives: c.positives}}})
	}
	m.Load(forms.NewWindow(nil), nil)
	m.derive(1)
	if got := m.prover.provable(1); !slices.Equal(got, []int{3, 2, 1, 4, 0}) {
		t.Errorf("proofs in the order %v", got)
	}
}

// publishFirst finds all pairs alike until something is published.
func (m *Machine) publishFirst() {
	for m.Published().Sequence == 0 {
		if test, ok := m.Next(2); ok {
			m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, 2)
		}
	}
}

// Proved rules go out, and provisional ones that merged 1 in 100 forms, without an exception, within a week.
func TestWhichProvisionalRulesGoOut(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(e *book.Entry)
		proved bool // the setting
		want   bool
	}{
		{"large", func(*book.Entry) {}, false, true},
		{"large, but only proved go out", func(*book.Entry) {}, true, false},
		{"just large", func(e *book.Entry) { e.Gain = 10 }, false, true},
		{"small", func(e *book.Entry) { e.Gain = 9 }, false, false},
		{"small and proved", func(e *book.Entry) { e.Gain = 9; e.Verdict.Step = "" }, false, true},
		{"proved, and only such go out", func(e *book.Entry) { e.Verdict.Step = "" }, true, true},
		{"with an exception of its trial", func(e *book.Entry) { e.Excepts = true }, false, false},
		{"proved with an exception", func(e *book.Entry) { e.Excepts = true; e.Verdict.Step = "" }, false, true},
		{"overdue", func(e *book.Entry) { e.Overdue = true }, false, false},
		{"excepted in place", func(e *book.Entry) { e.Later = 1 }, false, true},
	} {
		o := madeup.Options()
		o.ProvedOnly = c.proved
		m := stepped(o, c.change)
		if got := m.publisher.due(m.view, true, 2); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := m.Answers.Owes(); got != c.want {
			t.Errorf("%s: owes %v", c.name, got)
		}
	}
}

// A provisional rule leaves the published list after a week, and when the setting asks for proved rules
// only. It stays in L.
func TestProvisionalIsWithdrawn(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     int64
		change func(o *book.Options)
	}{
		{"after a week", 1 + 7*book.Day, func(*book.Options) {}},
		{"by setting", 3, func(o *book.Options) { o.ProvedOnly = true }},
	} {
		m := stepped(madeup.Options(), func(*book.Entry) {})
		m.publishFirst()
		if p := m.Published(); len(p.Records) != 1 {
			t.Fatalf("%s: published %+v", c.name, p)
		}
		o := madeup.Options()
		c.change(&o)
		again := New("town", o)
		for a := range m.Dump {
			again.Restore(recode(t, a))
		}
		again.Load(m.window, nil)
		again.Next(c.at)
		left := func(c book.Change) bool { return c.Sequence == 2 && !c.Came && c.State == rule.Valid }
		if !slices.ContainsFunc(again.book.History, left) || len(again.book.Valid()) != 1 {
			t.Errorf("%s: %+v, valid %+v", c.name, again.book.History, again.book.Valid())
		}
	}
}

// No round tests a provisional rule while its proof can go on; one whose proof ended undecided is tested.
func TestRoundsLeaveProofsAlone(t *testing.T) {
	for _, c := range []struct {
		stuck int64
		want  int
	}{{0, 0}, {1, 1}} {
		m := stepped(madeup.Options(), func(e *book.Entry) { e.Stuck = c.stuck })
		m.publishFirst()
		if !m.Operator.Recheck("", 10) {
			t.Fatal("no round begins")
		}
		if got := len(m.book.Round.Quota); got != c.want {
			t.Errorf("stuck %d: %d rules in the round, want %d", c.stuck, got, c.want)
		}
	}
}

// A proof that ends undecided leaves the rule provisional, and goes on a day later.
func TestProofStaysOpen(t *testing.T) {
	w := twoMirrors(200, never)
	m := w.machine(madeup.Options())
	now := w.liveUntil(t, m, 1, func() bool { return m.provisional() != nil })
	w.Refuses = func(u string) bool { return u[1] == 'a' }
	now = w.live(m, now, ignore)
	e := m.provisional()
	if e == nil || e.Stuck == 0 || e.State != rule.Valid || e.Verdict.Step != rule.Provisional {
		t.Fatalf("%+v", e)
	}
	w.Refuses = nil
	w.live(m, now+book.Day, ignore)
	if m.provisional() != nil || len(m.book.Valid()) != 1 {
		t.Errorf("not proved a day later: %+v", m.book.Valid())
	}
}
