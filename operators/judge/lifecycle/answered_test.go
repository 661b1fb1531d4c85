package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

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
