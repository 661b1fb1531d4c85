package lifecycle

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The set is published once ε is shown, once all URLs have been tried, or after 100
// documents without a negative. A skip costs documents, too, and proves nothing.
func TestPublishable(t *testing.T) {
	m := New("", madeup.Options())
	const yes, no, skip = trial.Positive, trial.Negative, trial.Skip
	for _, c := range []struct {
		name         string
		pairs, tried int
		outcome      trial.Outcome
		first        trial.Outcome // outcome of the first pair
		shared       bool          // all pairs have one form
		want         bool
	}{
		{"49 pairs", 1e6, 49, yes, yes, false, false},
		{"50 pairs", 1e6, 50, yes, yes, false, true},
		{"50 pairs, one wrong", 1e6, 50, yes, no, false, false},
		{"92 pairs, one wrong", 1e6, 92, yes, no, false, false},
		{"93 pairs, one wrong", 1e6, 93, yes, no, false, true},
		{"58 pairs of one form", 1e6, 58, yes, yes, true, false},
		{"59 pairs of one form", 1e6, 59, yes, yes, true, true}, // 60 documents, and ε is shown
		{"all pairs", 12, 12, yes, yes, false, true},
		{"all pairs but one", 12, 11, yes, yes, false, false},
		{"200 that tell nothing", 1000, 200, skip, yes, false, false},
		{"nothing that is changed", 0, 0, yes, yes, false, true},
	} {
		s := &trials.Set{Documents: map[string]struct{}{}}
		s.Tally.Strata[trials.ByOne].Pairs = c.pairs
		for i := range c.tried {
			p := &trials.Pair{Pair: forms.Pair{U: fmt.Sprint("/u", i), V: fmt.Sprint("/v", i)}}
			if c.shared {
				p.V = "/v"
			}
			j := trial.Judgement{Outcome: c.outcome, Reason: trial.Similar}
			if i == 0 {
				j.Outcome = c.first
			}
			s.Count(trials.ByOne, p, j)
		}
		if got := s.MayPublish(m.book.Options); got != c.want {
			t.Errorf("%s: %v, %+v", c.name, got, s.Summary())
		}
	}
}

// If a rule leaves L for any reason, the later rules that share a URL with the rule are tested again soon,
// together with the rules not yet tested by the current round. The next round over all of L is not
// delayed.
func TestLeavingTestsTheRestAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		leave func(m *Machine, now int64)
	}{
		{"sent back", func(m *Machine, now int64) { m.faults.send(1, rule.Example{U: "/u", V: "/v"}, SetTrial, 0, now) }},
		{"unsafe", func(m *Machine, now int64) { m.leaveOut(m.view.List, 1, now) }},
		{"retired", func(m *Machine, now int64) {
			m.rechecks.retire(1, trials.New(m.judge(now), book.Candidate{Rule: m.view.List[1].Rule}, m.view.Forms, nil, 0, m.ongoing.awaited), now)
		}},
	} {
		o := madeup.Options()
		o.RecheckEvery = book.Day
		m := New("", o)
		for i := range 4 {
			r := rule.Rule{Edit: rule.Substring{From: fmt.Sprint("x", i), To: "y"}}
			m.Restore(book.Act{Rule: &book.Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, ValidatedAt: 10}})
		}
		m.Restore(book.Act{Round: &book.Round{At: 1000}})
		m.Load(forms.NewWindow([]evidence.Page{{URL: "/"}, {URL: "/x0"}, {URL: "/x1/x2/x3"}}), nil)
		m.derive(2000)
		check := func(after int, want book.Round) {
			got := m.book.Round
			same := got.At == want.At && got.LastFull() == want.Full && len(got.Quota) == len(want.Quota)
			for id := range want.Quota {
				same = same && got.Quota[id] > 0
			}
			if !same {
				t.Errorf("%s, departure %d: the round is %+v, want %+v", c.name, after, got, want)
			}
		}
		c.leave(m, 2000)
		check(1, book.Round{At: 2000, Full: 1000, Quota: map[string]int{"2": 1, "3": 1}})
		m.derive(3000)
		m.rechecker.finish("3")
		c.leave(m, 3000) // "2" leaves
		check(2, book.Round{At: 3000, Full: 1000, Quota: map[string]int{"3": 1}})
		m.derive(4000)
		c.leave(m, 4000) // "3" leaves: no rule comes after "3"
		check(3, book.Round{At: 3000, Full: 1000, Quota: map[string]int{"3": 1}})
	}
}

// If a rule leaves L, earlier rules not yet tested by the current round are still tested.
func TestLeavingKeepsTheRound(t *testing.T) {
	o := madeup.Options()
	o.RecheckEvery = book.Day
	m := New("", o)
	for i := range 4 {
		r := rule.Rule{Edit: rule.Substring{From: fmt.Sprint("x", i), To: "y"}}
		m.Restore(book.Act{Rule: &book.Entry{ID: fmt.Sprint(i), Rule: r, State: rule.Valid, Rank: i + 1, ValidatedAt: 10}})
	}
	m.Restore(book.Act{Round: &book.Round{At: 1000, Quota: map[string]int{"0": 5, "1": 5, "2": 5, "3": 5}}})
	m.Load(forms.NewWindow([]evidence.Page{{URL: "/"}, {URL: "/x0"}, {URL: "/x1/x2/x3"}}), nil)
	m.derive(2000)
	m.rechecker.finish("0")
	m.leaveOut(m.view.List, 2, 2000)
	if q := m.book.Round.Quota; len(q) != 2 || q["1"] == 0 || q["3"] == 0 {
		t.Errorf("the round is %+v", m.book.Round)
	}
}

// Rules that edit no URL of the rule that leaves L are not tested again.
func TestLeavingSparesTheApart(t *testing.T) {
	o := madeup.Options()
	o.RecheckEvery = book.Day
	_, m, now := ruled(t, 40, o)
	m.leaveOut(m.view.List, 0, now)
	if m.book.Round.IsOpen() {
		t.Errorf("the round is %+v", m.book.Round)
	}
}

// The requests kept for the trial of the set are not spent on a round.
func TestRoundLeavesWhatIsKept(t *testing.T) {
	o := madeup.Options()
	o.RecheckEvery = book.Day
	w, m, now := ruled(t, 40, o)
	now += 2 * book.Day
	less := m.book.Publication
	less.Sequence, less.At, less.Records = less.Sequence+1, now, less.Records[:1]
	m.do(book.Act{Publication: &less})
	m.Rest(FullRest)
	met := map[Purpose]bool{}
	for range 10000 {
		test, ok := m.Next(now)
		if !ok {
			break
		}
		if met[test.Purpose] = true; test.Purpose == Recheck && len(m.Published().Records) < 2 {
			t.Fatal("a rule is tested again before the set is published")
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
	}
	if !met[Recheck] || len(m.Published().Records) != 2 {
		t.Errorf("looks %v, %d rules published", met, len(m.Published().Records))
	}
}

// A rule that no longer holds leaves the publication before anything is tested again.
func TestRetirementIsFirst(t *testing.T) {
	o := madeup.Options()
	o.RecheckEvery = book.Day
	w, m, now := ruled(t, 40, o)
	w.cross(m, now)
	gone := m.view.List[0]
	m.rechecks.retire(0, trials.New(m.judge(now), book.Candidate{ID: gone.ID, Rule: gone.Rule}, m.view.Forms, nil, 0, m.ongoing.awaited), now)
	if m.book.Round.At != now || len(m.book.Round.Quota) == 0 {
		t.Fatalf("the round is %+v", m.book.Round)
	}
	before := m.Published().Sequence
	for {
		test, ok := m.Next(now)
		if !ok || test.Purpose == Recheck {
			break
		}
		if test.Purpose != SetTrial {
			t.Fatalf("first comes %+v", test)
		}
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		now++
	}
	if p := m.Published(); p.Sequence != before+1 || len(p.Retired) != 1 || p.Retired[0] != gone.ID {
		t.Errorf("published %d, without %v", p.Sequence, p.Retired)
	}
}
