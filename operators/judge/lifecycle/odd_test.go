package lifecycle

import (
	"fmt"
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

// The pairs whose sizes differ unlike those of the rule's other pairs are a stratum. A page that is
// larger by the length of its own URL in every link is not odd, and neither are pages of equal
// sizes.
func TestOdd(t *testing.T) {
	page := func(u string, size int64) evidence.Page {
		return evidence.Page{URL: u, Evidence: evidence.Spans{{Min: size, Max: size}}}
	}
	for _, c := range []struct {
		name string
		size func(i int) int64 // of /p<i>?v=1, beside /p<i> with 1,000 bytes
		want string
	}{
		{"equal sizes", func(i int) int64 { return 1000 }, ""},
		{"one share", func(i int) int64 { return 1100 }, ""},
		{"two others", func(i int) int64 { return 1000 + map[int]int64{3: -100, 7: 1}[i] }, "/p3?v=1 /p7?v=1"},
		{"the farthest", func(i int) int64 { return 1000 + int64(i*i) }, "/p35?v=1 /p36?v=1 /p37?v=1 /p38?v=1 /p39?v=1"},
		{"too few pairs", func(i int) int64 { return max(0, int64(7-i)*300) }, ""},
	} {
		var pages []evidence.Page
		for i := range 40 {
			pages = append(pages, page(fmt.Sprintf("/p%d", i), 1000))
			if size := c.size(i); size > 0 {
				pages = append(pages, page(fmt.Sprintf("/p%d?v=1", i), size))
			}
		}
		m := New("", madeup.Options())
		m.Load(forms.NewWindow(pages), nil)
		m.derive(1)
		r := book.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "v"}}}
		a := trials.New(m.judge(1), r, m.view.Forms, m.view.Moves(&r), 0, m.ongoing.awaited)
		var got []string
		for _, p := range a.Pairs[trial.Odd] {
			got = append(got, p.U)
		}
		if slices.Sort(got); strings.Join(got, " ") != c.want || a.Tally.Strata[trial.Odd].Pairs != len(got) {
			t.Errorf("%s: %q is odd, want %q", c.name, got, c.want)
		}
	}
}

// Of 200 pages of two versions, the new ones are up to 8 % larger in the log, and two that have
// changed are larger still. A random sample misses the two with most keys. The trial finds and
// excepts them.
func TestOddPagesAreFound(t *testing.T) {
	for key := range 8 {
		w := noTown()
		for i := range 200 {
			text, size := fmt.Sprint("file ", i), int64(1000+37*i)
			w.Add(fmt.Sprintf("/old/p%d.html", i), text, size)
			size = size * int64(100+2*(i%5)) / 100 // the links of /new/ are longer
			if i%100 == 7 {
				text, size = text+" has changed", size*6/5
			}
			w.Add(fmt.Sprintf("/new/p%d.html", i), text, size)
		}
		o := madeup.Options()
		o.Key[0] = uint64(key)
		m := w.machine(o)
		valid := func() bool { return len(m.book.Valid()) > 0 }
		for now := int64(1); !valid(); now++ {
			test, ok := m.Next(now)
			if !ok {
				break
			}
			m.Dialogue.Outcome(test, w.see(m, test), 1, now)
		}
		if !valid() {
			t.Fatalf("key %d: no rule is valid", key)
		}
		for _, i := range []int{7, 107} {
			if m.formOf(fmt.Sprintf("/old/p%d.html", i)) == m.formOf(fmt.Sprintf("/new/p%d.html", i)) {
				t.Errorf("key %d: /old/p%d.html and /new/p%d.html differ, and are merged", key, i, i)
			}
		}
	}
}

// A server that refuses all URLs made by a rule receives five such requests a day.
func TestRefusing(t *testing.T) {
	w := newTown(120)
	w.Refuses = func(v string) bool { return strings.HasPrefix(v, "/list/") && !strings.Contains(v, "?") }
	asked := map[string]int{}
	m := w.machine(madeup.Options())
	w.live(m, 1, func(test Look) {
		if w.Refuses(test.V) && !w.Refuses(test.U) {
			asked[test.Rule]++
		}
	})
	found := false
	for id, e := range m.book.Entries {
		if asked[id] > trials.MostFailing {
			t.Errorf("%s was asked for %d pages that are refused", id, asked[id])
		}
		found = found || asked[id] == trials.MostFailing && e.State == rule.Undecided && e.Verdict.Reason == book.ByRefusal
	}
	if !found {
		t.Errorf("no rule is undecided for refusals; asked for %v", asked)
	}
}
