package fanout

import (
	"fmt"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The window's learner finds a rule by digests and by texts, but not by sizes, and nothing where
// pages are not compared. If it is stopped at work, it has no result.
func TestLearnWindow(t *testing.T) {
	labels := map[string]func(n int) evidence.Page{
		"digest": func(n int) evidence.Page {
			return evidence.Page{Evidence: evidence.Spans{{Min: int64(n), Max: int64(n), Class: evidence.Digest}}}
		},
		"text": func(n int) evidence.Page { return evidence.Page{Text: uint64(n)} },
		"size": func(n int) evidence.Page {
			return evidence.Page{Evidence: evidence.Spans{{Min: int64(n), Max: int64(n)}}}
		},
	}
	for name, labelled := range labels {
		var pages []evidence.Page
		for n := range 12 {
			for _, form := range []string{"/show/%d", "/show?id=%d&print=1", "/show?id=%d&print=2"} {
				p := labelled(100 + n)
				p.URL = fmt.Sprintf(form, n)
				pages = append(pages, p)
			}
		}
		rules, ok := LearnWindow(evidence.Similarity{}, pages, func() bool { return false })
		if !ok || len(rules) > 0 != (name != "size") {
			t.Fatalf("%s: %d rules, %v", name, len(rules), ok)
		}
		for _, l := range rules {
			if l.Learner != Name || l.Rule.Kind != rule.Rewrite || l.Support < 3 || l.Comparable < l.Support || l.Rule.Validate() != nil {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if rules, ok := LearnWindow(evidence.Similarity{Off: true}, pages, nil); !ok || rules != nil {
			t.Errorf("%s, without a test of similarity: %d rules", name, len(rules))
		}
		if rules, ok := LearnWindow(evidence.Similarity{}, pages, func() bool { return true }); name != "size" && ok || rules != nil {
			t.Errorf("%s, stopped: %d rules, %v", name, len(rules), ok)
		}
	}
}
