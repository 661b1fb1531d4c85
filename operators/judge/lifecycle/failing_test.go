package lifecycle_test

import (
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// down is a server that fails everywhere, and up one that does not.
var (
	down = func(string) bool { return true }
	up   = func(string) bool { return false }
)

// visit tries rules until the machine gives out no look, a look a second, and returns the time and the looks. The server
// fails at some pages.
func (w *town) visit(m *lifecycle.Machine, fails func(url string) bool, now int64) (after int64, looks []lifecycle.Look) {
	for look, ok := m.Next(now); ok; look, ok = m.Next(now) {
		looks = append(looks, look)
		failed := fails(look.Asked()) || fails(look.V)
		m.Dialogue.Answered(look, failed, now)
		seen := trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.SourceFailed}}
		if !failed {
			seen = w.see(m, look)
		}
		m.Dialogue.Outcome(look, seen, 1, now)
		now++
	}
	return now, looks
}

// A site whose server fails is left alone after ten looks and an unrelated page, for an hour, then for two, up to a day.
// Then one page is asked for. Once it is there, trials go on, and no rule has lost anything by it.
func TestServerFails(t *testing.T) {
	t.Parallel()
	w := newTown(40)
	m := w.machine(madeup.Options())
	now, looks := w.visit(m, down, 1_000_000)
	if len(looks) != 11 || looks[10].Purpose != lifecycle.Control || !looks[10].Fresh {
		t.Fatalf("%d looks, the last %+v", len(looks), looks[len(looks)-1])
	}
	for _, hours := range []int64{1, 2, 4, 8, 16, 24, 24} {
		s := m.Answers.Status()
		if rests := s.Now.Until - now; s.Now.Why != lifecycle.Failing || rests < hours*book.Hour-2 || rests > hours*book.Hour {
			t.Fatalf("%+v, rests for %d s, want %d hours", s.Now, rests, hours)
		}
		if _, looks = w.visit(m, down, s.Now.Until-1); len(looks) > 0 {
			t.Errorf("%d looks during the rest", len(looks))
		}
		if now, looks = w.visit(m, down, s.Now.Until); len(looks) != 1 {
			t.Errorf("%d looks after the rest, want 1", len(looks))
		}
	}
	until := m.Answers.Status().Now.Until
	now, looks = w.visit(m, up, until)
	if s := m.Answers.Status(); s.States[rule.Valid] == 0 || s.States[rule.Undecided] > 0 {
		t.Errorf("after %d looks at %d: %+v", len(looks), now, s.States)
	}
	if _, looks = w.visit(m, down, now+8*book.Day); len(looks) < 11 {
		t.Errorf("the second outage ended the visit after %d looks", len(looks))
	}
	if rests := m.Answers.Status().Now.Until - now - 8*book.Day; rests > book.Hour+60 {
		t.Errorf("the second outage began with a rest of %d s", rests)
	}
}

// A server that fails at the pages of a rule and answers elsewhere leaves that rule undecided, and the others are tried.
func TestPagesOfARuleFail(t *testing.T) {
	t.Parallel()
	w := newTown(40)
	m := w.machine(madeup.Options())
	first, ok := m.Next(1)
	if !ok {
		t.Fatal("nothing is tried")
	}
	m.Dialogue.Release(first)
	fails := func(url string) bool { return strings.Contains(url, "sid=") }
	w.visit(m, fails, 1)
	s := m.Answers.Status()
	if e := entry(m, first.Rule); s.Now.Why == lifecycle.Failing || e.State != rule.Undecided || e.Verdict.Reason != book.ByServer {
		t.Errorf("%+v; the rule %+v", s.Now, e)
	}
	if _, looks := w.visit(m, fails, 10); len(looks) > 0 {
		t.Errorf("%d looks more", len(looks))
	}
}
