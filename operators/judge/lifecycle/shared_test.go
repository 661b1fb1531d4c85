package lifecycle_test

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// A pair that was fetched for one rule judges each rule whose pair it is, even one that is mined
// later, or has another scope or another edit. The publication is as if both rules were mined at once.
func TestPairsJudgeLaterCandidates(t *testing.T) {
	w := noTown()
	for i := range 40 {
		for d := range 3 {
			size := int64(1000 + 37*i)
			w.Add(withD(fmt.Sprintf("/x/list?a=%d", i), d), fmt.Sprint("page ", i, " of ", d), size) // d counts
			w.Add(withD(fmt.Sprintf("/y/list?b=%d", i), d), fmt.Sprint("list ", i), 90_000+size)     // d does not
		}
	}
	drop := func(s rule.Scope) rule.Candidate {
		return rule.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "d"}, Scope: s}, Support: 40}
	}
	ofX := drop(rule.Scope{Path: "/x/list", HasPath: true})
	for _, c := range []struct {
		name           string
		earlier, later rule.Candidate
		free           bool // the earlier pairs decide alone
	}{
		{"a wider scope", ofX, drop(rule.Scope{}), false},
		{"a scope that is like", ofX, drop(rule.Scope{Prefix: "/x/"}), true},
		{"a narrower scope", drop(rule.Scope{}), ofX, true},
		{"another edit of the same pairs", rule.Candidate{Rule: rule.Rule{Edit: rule.Substring{From: "&d=2", To: "&d=1", AtEnd: true}, Scope: rule.Scope{Prefix: "/x/"}}, Support: 40},
			rule.Candidate{Rule: rule.Rule{Edit: rule.Substring{From: "d=2", To: "d=1", AtEnd: true}, Scope: rule.Scope{Prefix: "/x/"}}, Support: 40}, true},
	} {
		o := madeup.Options()
		o.GivenOnly, o.MinGain = true, 2
		pages := func() *forms.Window { return forms.NewWindow(slices.Clone(w.Pages)) }
		requests := func(m *lifecycle.Machine, now int64) (n int, end int64) {
			asked := map[string]bool{}
			end = w.live(m, now, func(test lifecycle.Look) { asked[test.U], asked[test.V] = true, true })
			return len(asked), end
		}
		alone, both, after := New("town", o), New("town", o), New("town", o)
		alone.Load(pages(), []rule.Candidate{c.later})
		fresh, _ := requests(alone, 1)
		both.Load(pages(), []rule.Candidate{c.earlier, c.later})
		requests(both, 1)
		after.Load(pages(), []rule.Candidate{c.earlier})
		first, now := requests(after, 1)
		after.Load(pages(), []rule.Candidate{c.earlier, c.later})
		more, _ := requests(after, now+2*book.Hour) // fetchers have dropped the documents
		t.Logf("%s: %d requests alone; %d for the earlier rule and %d more", c.name, fresh, first, more)
		if more >= fresh || c.free && more > 0 {
			t.Errorf("%s: %d requests alone, %d after %d for the earlier rule", c.name, fresh, more, first)
		}
		for _, p := range w.Pages {
			if a, b := formOf(both, p.URL), formOf(after, p.URL); a != b {
				t.Fatalf("%s: the form of %s is %s if both rules are mined at once, and %s otherwise", c.name, p.URL, a, b)
			}
		}
	}
}
