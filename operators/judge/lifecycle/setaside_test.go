package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"

	"dustbuster/operators/judge/lifecycle/forms"
)

// A pair of the set that differs at its first look alone delays the last publication by a minute, and does not prevent it.
func TestSetThatWaitsIsPublished(t *testing.T) {
	for _, after := range []int64{0, 60} {
		w := newTown(60)
		o := madeup.Options()
		o.SecondAfter = after
		m := w.machine(o)
		now, differed := int64(1_000_000), false
		for range 20_000 {
			look, ok := m.Next(now)
			if s := m.Answers.Status().Now; !ok && s.Why == lifecycle.SecondLook {
				now = s.Until
				continue
			} else if !ok {
				break
			}
			s := w.see(m, look)
			if look.Purpose == lifecycle.SetTrial && !look.Second && !differed && lifecycle.StateOf(m) == "publish the rest" {
				s, differed = w.see(m, lifecycle.Look{U: look.U, V: "/other_1", Purpose: look.Purpose}), true
			}
			m.Dialogue.Outcome(look, s, 1, now)
			now += 2
		}
		if n := len(m.Published().Records); !differed || n != 2 {
			t.Errorf("%d s between looks, differed %v: %d rules are published: %+v", after, differed, n, m.Answers.Status().Now)
		}
	}
}

// Pages of one size, of which the log has some compressed, are those that clients got.
func TestCompressedInTheLog(t *testing.T) {
	w := noTown()
	size := func(i int) int64 { return 30_000 + 400*int64(i%3) }
	for i := range 120 {
		for _, u := range []string{fmt.Sprintf("/item?id=%d", i), fmt.Sprintf("/item?id=%d&ref=%d", i, 7*i)} {
			logged := size(i) / 4
			if i/2%2 == 0 {
				logged = size(i)
			}
			w.Text[u], w.Size[u] = fmt.Sprint("page ", i), logged
			w.Pages = append(w.Pages, evidence.Page{URL: u, Evidence: evidence.Spans{{Min: logged, Max: logged}}})
		}
	}
	m := lifecycle.New("town", madeup.Options())
	m.Load(forms.NewWindow(w.Pages), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Drop{Param: "ref"}}, Support: 100}})
	shown := func(u string) trial.Shown {
		s, i := madeup.Shown(w.Text[u], 0), 0
		_, _ = fmt.Sscanf(u, "/item?id=%d", &i)
		s.Sent, s.Length = size(i)/4, size(i)
		return s
	}
	for now := range int64(3000) {
		look, ok := m.Next(1_000_000 + now)
		if !ok {
			break
		}
		m.Dialogue.Outcome(look, m.Dialogue.Measure(look, w.Fetch(look.U), w.Fetch(look.V), func() trial.Compared {
			return madeup.Compared(shown(look.U), shown(look.V))
		}), 1, 1_000_000+now)
	}
	if n := len(validOf(m)); n != 1 {
		t.Errorf("%d rules are valid: %+v", n, m.Answers.Status())
	}
}
