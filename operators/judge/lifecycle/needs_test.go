package lifecycle

import (
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// A document that a chain of rules needs costs less than one that only one rule needs. Two rules for
// one form do not share the form's document, and neither do two rules for the same two documents. A
// rule shares nothing with itself, however many of its pairs have one v.
func TestSharedDocuments(t *testing.T) {
	n := needs{}
	pair := func(by string, u, v uint64, chance float64) {
		n[u] = append(n[u], need{book.GainKey{ID: by}, v, 0, chance})
		n[v] = append(n[v], need{book.GainKey{ID: by}, u, 1, chance})
	}
	pair("a", 1, 2, 0.5)
	pair("b", 2, 3, 0.8) // shares 2
	pair("c", 2, 1, 0.9) // the other direction
	pair("d", 1, 4, 0.7) // another rule for 1
	pair("e", 5, 4, 0.6) // shares 4
	pair("f", 8, 9, 0.9)
	pair("f", 7, 9, 0.9) // the same rule
	for _, c := range []struct {
		by   string
		u, v uint64
		want [2]float64
	}{
		{"a", 1, 2, [2]float64{0, 0.4}}, {"d", 1, 4, [2]float64{0.45, 0.3}}, {"e", 5, 4, [2]float64{0, 0.35}},
		{"f", 8, 9, [2]float64{}}, {"g", 10, 11, [2]float64{}},
	} {
		for side := range 2 {
			if got := n.shared(book.GainKey{ID: c.by}, &forms.Asked{URLs: [2]uint64{c.u, c.v}}, side); got != c.want[side] {
				t.Errorf("pair %d %d: others pay %v of document %d, want %v", c.u, c.v, got, side, c.want[side])
			}
		}
	}
}
