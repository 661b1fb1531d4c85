package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// Several trees that show the same pages suggest a rule between any two of the trees. The first of
// these rules needs two documents of each page, and every other rule one more. If the cost of the
// first were two documents, rules that share documents with no other would come before it. So two
// candidates that need a document share its cost.

// sharedPart is what a candidate saves of a document that another candidate needs as well.
const sharedPart = 0.5

// mostNeeding is the number of candidates whose needs count: those that may change the most forms.
const mostNeeding = 100

// needs holds the needs of the largest candidates, by document.
type needs map[uint64][]need

// need is a document that the trial of a candidate would request.
type need struct {
	by     book.GainKey // the candidate
	with   uint64       // the other document of the pair
	side   int          // of the document in the pair: 0 for u, 1 for v
	chance float64      // that the candidate holds
}

// needsOf returns the needs of the largest among some candidates, without small ones. Gains and pairs
// are computed once for each candidate, until L or the window changes.
func (c *chooser) needsOf(open []book.Candidate) needs {
	if c.Options.Off.SharedCost {
		return nil
	}
	var large []*book.Candidate
	for i := range open {
		if c.View.IsLarge(c.View.Most(&open[i])) {
			large = append(large, &open[i])
		}
	}
	slices.SortStableFunc(large, func(a, b *book.Candidate) int { return c.View.Most(b) - c.View.Most(a) })
	all, chance := needs{}, c.chances()
	for _, n := range large[:min(len(large), mostNeeding)] {
		if !c.View.IsLarge(c.View.Gain(n)) {
			continue
		}
		by, p := n.Key(), chance(n)
		for _, a := range c.View.Drawing(n).First {
			for side, document := range a.URLs {
				all[document] = append(all[document], need{by, a.URLs[1-side], side, p})
			}
		}
	}
	return all
}

// shared returns the expected part of one document of a candidate's pair that other candidates pay. A
// candidate that compares the same two documents pays nothing, since only one of the two candidates is
// tried. Neither does a candidate that turns the same form u into another page: once a rule holds, u is
// no longer a form.
func (n needs) shared(by book.GainKey, p *forms.Asked, side int) float64 {
	most := 0.0
	for _, other := range n[p.URLs[side]] {
		if other.by != by && other.with != p.URLs[1-side] && side+other.side > 0 {
			most = max(most, other.chance)
		}
	}
	return sharedPart * most
}
