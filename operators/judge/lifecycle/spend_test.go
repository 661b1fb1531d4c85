package lifecycle_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// spending is what a life paid for: fetches by cause and by the rule on trial.
type spending struct {
	by    map[string]*expense // by rule; "" for the set
	order []string            // rules by their first fetch
}

// expense is what one rule cost.
type expense struct {
	first, second, control int // fetches: of pairs, of second looks, of controls and decoys
	at                     int // fetches of all rules before the first of this one
}

func (e *expense) sum() int { return e.first + e.second + e.control }

func newSpending() *spending { return &spending{by: map[string]*expense{}} }

// pay counts one fetch for a look.
func (s *spending) pay(m *lifecycle.Machine, t lifecycle.Look, total int) {
	e := s.by[t.Rule]
	if e == nil {
		e = &expense{at: total}
		s.by[t.Rule] = e
		s.order = append(s.order, t.Rule)
	}
	switch {
	case t.Purpose == lifecycle.Control:
		e.control++
	case t.Second:
		e.second++
	default:
		e.first++
	}
}

// table is the fetches by cause and by what became of the rule.
func (s *spending) table(m *lifecycle.Machine) string {
	type row struct{ rules, first, second, control int }
	rows := map[string]*row{}
	for id, e := range s.by {
		fate := "set"
		if id != "" {
			fate = "open"
			if entry := entry(m, id); entry != nil {
				fate = string(entry.State)
				if entry.State == rule.Undecided {
					fate += " " + entry.Verdict.Reason
				}
			}
		}
		r := rows[fate]
		if r == nil {
			r = &row{}
			rows[fate] = r
		}
		r.rules++
		r.first += e.first
		r.second += e.second
		r.control += e.control
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %6s %6s %6s %7s\n", "fate", "rules", "pairs", "second", "control")
	for _, fate := range slices.Sorted(maps.Keys(rows)) {
		r := rows[fate]
		fmt.Fprintf(&b, "%-22s %6d %6d %6d %7d\n", fate, r.rules, r.first, r.second, r.control)
	}
	return b.String()
}

// trace is one line a rule, in the order in which the rules were tried.
func (s *spending) trace(m *lifecycle.Machine, n int) string {
	var b strings.Builder
	for _, id := range s.order[:min(n, len(s.order))] {
		e := s.by[id]
		if id == "" {
			continue
		}
		entry := entry(m, id)
		if entry == nil {
			continue
		}
		v := &entry.Verdict
		fmt.Fprintf(&b, "%5d +%4d (%d %d %d) %-9s g%d support %d %d+ %d- %ds τ %.2f %s %s\n", e.at, e.sum(), e.first, e.second, e.control,
			entry.State, entry.Grounds, entry.Support, v.Positives, v.Negatives, v.Skipped, v.Threshold, v.Reason, madeup.Words([]rule.Rule{entry.Rule}))
	}
	return b.String()
}
