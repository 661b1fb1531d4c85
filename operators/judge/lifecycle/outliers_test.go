package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/rule"
)

// Of 60 files under two names, three are other versions under the second name: they differ in
// a part of their words, and are still alike. Short texts are only just above the threshold. The rule
// between the names must not merge these three unless the pages differ from themselves as much, or only
// in the number of a version. Where all files differ in words of their own, none is merged.
func TestOutliers(t *testing.T) {
	for _, c := range []struct {
		name                   string
		words, changed, others int     // words that change in a version; of these pages, and of the others
		self                   float64 // resemblance of a page to itself
		merged                 bool    // the versions, too
		least                  float64 // share of the URLs to be merged
	}{
		{"another version", 400, 30, 0, 1, false, 0.4},
		{"another version of long text", 5000, 200, 0, 1, false, 0.4},
		{"another version of short text", 200, 2, 0, 1, false, 0.4},
		{"a short page that changes", 200, 2, 0, 0.96, true, 0.4},
		{"a page that changes", 400, 30, 0, 0.9, true, 0.4},
		{"the number of a version", 400, 1, 0, 1, true, 0.4},
		{"a number in long text", 5000, 1, 0, 1, true, 0.4},
		{"all pages differ", 2000, 60, 30, 1, false, 0},
	} {
		w := newNearTown()
		w.words = true
		for i := range 60 {
			text := prose(fmt.Sprint("file", i), c.words+2*i)
			w.put(fmt.Sprintf("/old/f%d", i), fmt.Sprint(i), text...)
			truth, changed := fmt.Sprint(i), c.others
			if i%20 == 7 {
				changed = c.changed
			}
			if changed > 0 && !c.merged {
				truth += " changed"
			}
			w.put(fmt.Sprintf("/latest/f%d", i), truth, amid(text, prose(fmt.Sprint("new", i), changed)...)...)
		}
		o := madeup.Options()
		o.GivenOnly = true
		candidates := []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "/latest/", To: "/old/", AtStart: true}}, Support: 60}}
		wrong, merged := w.falseMerges(t, o, candidates, c.self)
		if wrong > 0 || merged < c.least {
			t.Errorf("%s: %.0f false merges for each 10,000 URLs, %.3f merged", c.name, wrong, merged)
		}
	}
}
