package lifecycle

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
)

// twoOut returns a machine that has published two rules at a time, and a third that merges n more URLs.
func twoOut(t *testing.T, n int) (m *Machine, at int64) {
	m = holder(map[string]int{"a": 30, "b": 30, "c": n, "z": 100})
	m.book.Options.HoldShare = 1
	m.joinAll("a")
	m.joinAll("b")
	settleAll(m, 1000)
	m.want(t, "at first", 1, "a b", 0)
	m.joinAll("c")
	m.derive(1000)
	return m, 1000
}

// Rules that merge a tenth more URLs, and ten at least, go out after PublishAgain. Others wait for the hour.
func TestEarlyPublication(t *testing.T) {
	for _, n := range []int{5, 9, 10, 30} {
		m, at := twoOut(t, n)
		m.publisher.early.made = 1000
		again := m.book.Options.PublishAgain
		for _, c := range []struct {
			after int64
			want  bool
		}{{0, false}, {again - 1, false}, {again, n >= 10}, {3599, n >= 10}, {3600, true}} {
			if got := m.publisher.due(m.view, false, at+c.after); got != c.want {
				t.Errorf("%d more URLs, %d s later: %v", n, c.after, got)
			}
		}
	}
	m := holder(map[string]int{"a": 300, "b": 29, "z": 300})
	m.book.Options.HoldShare = 1
	m.joinAll("a")
	settleAll(m, 1000)
	m.joinAll("b")
	if m.derive(1000); m.publisher.due(m.view, false, 1100) {
		t.Error("less than a tenth more goes out")
	}
}

// The early publication does not begin the hour anew, not even after a restart.
func TestEarlyKeepsTheHour(t *testing.T) {
	m, at := twoOut(t, 30)
	m.publisher.early.made = 1000
	for now := at + m.book.Options.PublishAgain; m.Published().Sequence == 1; now++ {
		if !m.publisher.due(m.view, false, now) {
			t.Fatal("no publication is due")
		}
		if test, s := m.sets.publish(now); s == gave {
			m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
		}
	}
	if p := m.Published(); p.Hour != at || p.At <= at || m.out() != "a b c" {
		t.Fatalf("published %+v", p)
	}
	again := holder(nil)
	again.book.Options.HoldShare = 1
	for a := range m.Dump {
		again.Restore(recode(t, a))
	}
	m = again
	m.Load(forms.NewWindow(pagesOf(map[string]int{"a": 30, "b": 30, "c": 30, "d": 3, "z": 100})), nil)
	m.joinAll("d")
	if m.derive(at); m.publisher.due(m.view, false, at+book.Hour-1) || !m.publisher.due(m.view, false, at+book.Hour) {
		t.Error("the next publication is not an hour after the first")
	}
}

// The set of an early publication is tried once a fifth of the requests suffices, and then takes
// only the pairs whose form is new.
func TestEarlyCost(t *testing.T) {
	m, at := twoOut(t, 30)
	p := m.publisher
	p.early.made = 10
	now := at + m.book.Options.PublishAgain
	if !p.due(m.view, false, now) {
		t.Fatal("no publication is due")
	}
	if _, s := m.sets.publish(now); s != nothing || p.early.wait < 4*20 {
		t.Fatalf("few requests were made, and the set is tried: %v, waits for %d", s, p.early.wait)
	}
	if p.due(m.view, false, now) {
		t.Error("the set is looked at again although nothing was requested")
	}
	p.early.made = p.early.wait
	for m.Published().Sequence == 1 {
		if !p.due(m.view, false, now) {
			t.Fatalf("the trial stops: %+v", p.early)
		}
		test, s := m.sets.publish(now)
		if s == gave {
			if test.U[:3] != "/c/" {
				t.Errorf("%s is requested again", test.U)
			}
			m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
		}
		if earlyShare*p.early.spent > p.early.made {
			t.Fatalf("%+v", p.early)
		}
	}
}

// A publication that doubles what is merged may take half of the requests.
func TestEarlyDoubling(t *testing.T) {
	waits := map[int]int{}
	for _, n := range []int{59, 60} { // 60 URLs are merged by what is out
		m, at := twoOut(t, n)
		p := m.publisher
		now := at + m.book.Options.PublishAgain
		if !p.due(m.view, false, now) {
			t.Fatal("no publication is due")
		}
		if _, s := m.sets.publish(now); s != nothing {
			t.Fatalf("without a request the set is tried: %v", s)
		}
		waits[n] = p.early.wait
	}
	if waits[60] == 0 || waits[59] != (earlyShare-1)*waits[60] {
		t.Errorf("so many requests come first: %v", waits)
	}
}

// In the life of a site whose candidates last, early publications come at most once in PublishAgain, cost
// at most half of the requests, and each merges more.
func TestEarlyPublications(t *testing.T) {
	w, o := newTown(40), madeup.Options()
	for part := range 6 { // a parameter that says nothing, and two directories of different pages
		for i := range 40 {
			size := int64(10_000*(part+1) + 41*i)
			for n := range 3 {
				w.Add(fmt.Sprintf("/part%d/%d?none%d=%d", part, i, part, n), fmt.Sprint("part ", part, i), size)
			}
			w.Add(fmt.Sprintf("/one%d/%d", part, i), fmt.Sprint("one ", part, i), size)
			w.Add(fmt.Sprintf("/other%d/%d", part, i), fmt.Sprint("other ", part, i), size)
		}
	}
	o.PublishEvery, o.SetRequests = book.Day, 30
	m, now := w.machine(o), int64(1)
	asked, made, spent, count, last := map[string]bool{}, 0, 0, 0, m.Published()
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		cost := 0
		for _, u := range []string{test.U, test.V} {
			if !asked[u] || test.Fresh {
				cost++
			}
			asked[u] = true
		}
		isEarly := m.publisher.early.on
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		if m.Published().Sequence > 0 {
			made += cost
			if isEarly && test.Purpose == SetTrial {
				spent += cost
			}
		}
		if doubledShare*spent > made+1 { // the machine counts a document that is asked for anew
			t.Fatalf("%d of %d requests at %d", spent, made, now)
		}
		now++
		if p := m.Published(); p.Sequence != last.Sequence {
			if p.Hour == 0 {
				made, spent = 0, 0
			} else if count++; p.At < last.At+o.PublishAgain || len(p.Records) <= len(last.Records) {
				t.Errorf("published at %d after %d, %d rules after %d", p.At, last.At, len(p.Records), len(last.Records))
			}
			last = p
		}
	}
	if count == 0 {
		t.Errorf("nothing was published early: %d requests, %+v, %d rules", made, m.publisher.early, len(m.view.List))
	}
}

// While a published rule is no longer in L, its withdrawal goes out alone: the trial of new rules
// does not delay it.
func TestWithdrawalGoesFirst(t *testing.T) {
	m := holder(map[string]int{"a": 30, "b": 30, "c": 200, "z": 200})
	m.book.Options.HoldShare = 1
	m.joinAll("a")
	b := m.joinAll("b")
	settleAll(m, 1000)
	m.joinAll("c")
	m.part("b")
	for now := int64(1001); m.Published().Sequence == 1; now++ {
		m.derive(now)
		if !m.publisher.due(m.view, false, now) {
			t.Fatal("the withdrawal is not due")
		}
		if test, s := m.sets.publish(now); s == gave {
			if test.U[:3] != "/a/" {
				t.Fatalf("the withdrawal waits for %+v", test)
			}
			m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
		}
	}
	if p := m.Published(); m.out() != "a" || fmt.Sprint(p.Retired) != fmt.Sprint([]string{b}) || p.Hour != 1000 {
		t.Errorf("published %q, retired %v, hour %d", m.out(), p.Retired, p.Hour)
	}
	settleAll(m, 1010)
	m.want(t, "then", 3, "a c", 0)
}
