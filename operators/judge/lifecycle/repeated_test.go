package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
)

// months is a town of lists and of months with and without events. All months without events show one page.
// A session has no effect, but where the name is that of an order.
func months(lists, empty int, order bool) *town {
	w := noTown()
	for i := range lists {
		for s, query := range []string{"", "?sid=1", "?sid=2"} {
			text := fmt.Sprint("list ", i)
			if order {
				text = fmt.Sprint("list ", i, " in order ", s)
			}
			w.Add(fmt.Sprintf("/list/%d%s", i, query), text, int64(1000+37*i))
		}
	}
	for i := range empty {
		for _, query := range []string{"", "?sid=1", "?sid=2"} {
			w.Add(fmt.Sprintf("/events/%d%s", i, query), "no events", 400)
		}
	}
	return w
}

// serve answers all that a machine asks, by a server of files: equal pages are equal to the byte.
func serve(w *town, m *lifecycle.Machine) {
	for now := int64(1); now < 10_000; now++ {
		look, ok := m.Next(now)
		if !ok {
			return
		}
		seen := m.Dialogue.Measure(look, w.Fetch(look.U), w.Fetch(look.V), func() trial.Compared {
			c := madeup.Compared(w.Shown(look.U), w.Shown(look.V))
			c.SameBytes = c.SameText
			return c
		})
		m.Dialogue.Outcome(look, seen, 1, now)
	}
}

// A page that many URLs show proves nothing of itself, and takes nothing from the proof of the others.
func TestRepeatedTexts(t *testing.T) {
	for _, c := range []struct {
		name  string
		town  *town
		valid bool
	}{
		{"no empty month", months(60, 0, false), true},
		{"one in ten", months(60, 6, false), true},
		{"one in five", months(60, 15, false), true},
		{"one in four", months(60, 20, false), true},
		{"nearly all", months(10, 120, false), false},
		{"an order, and one in five", months(60, 15, true), false},
		{"an order, and one in three", months(60, 30, true), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := c.town.machine(madeup.DropsOptions())
			serve(c.town, m)
			if found := formOf(m, "/list/7?sid=1") == "/list/7"; found != c.valid {
				t.Errorf("published: %s", madeup.Words(rulesOf(m)))
			}
		})
	}
}
