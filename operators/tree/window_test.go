package tree

import (
	"fmt"
	"testing"

	"dustbuster/operators/evidence"
	"dustbuster/operators/rule"
)

// The window's learner finds a rule by digests, and by sizes, and nothing where sizes are not
// compared. If it is stopped, it has no result.
func TestLearnWindow(t *testing.T) {
	for _, class := range []uint8{0, evidence.Digest} {
		var pages []evidence.Page
		for n := range 12 {
			label := evidence.Spans{{Min: int64(100 + n), Max: int64(100 + n), Class: class}}
			for _, form := range []string{"/show/%d", "/show?id=%d&print=1", "/show?id=%d&print=2"} {
				pages = append(pages, evidence.Page{URL: fmt.Sprintf(form, n), Evidence: label})
			}
		}
		rules, ok := LearnWindow(evidence.Similarity{}, pages, func() bool { return false })
		if !ok || len(rules) == 0 {
			t.Fatalf("class %d: %d rules, %v", class, len(rules), ok)
		}
		for _, l := range rules {
			if l.Learner != Name || l.Rule.Kind != rule.Rewrite || l.Support < 3 || l.Comparable < l.Support || l.Rule.Validate() != nil {
				t.Errorf("class %d: %+v", class, l)
			}
		}
		if rules, ok := LearnWindow(evidence.Similarity{Off: true}, pages, nil); !ok || rules != nil {
			t.Errorf("class %d, without a test of similarity: %d rules", class, len(rules))
		}
		if rules, ok := LearnWindow(evidence.Similarity{}, pages, func() bool { return true }); ok || rules != nil {
			t.Errorf("class %d, stopped: %d rules, %v", class, len(rules), ok)
		}
	}
}
