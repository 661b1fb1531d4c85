package worlds

import (
	"flag"
	"fmt"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Long selects many more rounds of random worlds, for a run over night, and larger benchmarks.
var Long = flag.Bool("long", false, "many more random worlds, and larger benchmarks")

// Rounds returns the number of rounds of a test: few, or many with -long.
func Rounds(few, many uint64) uint64 {
	if *Long {
		return many
	}
	return few
}

// Never is a stop that lets a learner finish.
func Never() bool { return false }

// Stops checks that a learner stops at whatever call of stop returns true, without result and
// without a further call, and that it asks at least so often. Of many calls, some are tried.
func Stops(t *testing.T, least int, learn func(stop func() bool) (found int, done bool)) {
	t.Helper()
	calls := 0
	all, done := learn(func() bool { calls++; return false })
	if !done || calls < least {
		t.Fatalf("%d found, done %v, %d calls of stop, want at least %d", all, done, calls, least)
	}
	for most := 0; most < calls; most += 1 + calls/9 {
		n := 0
		if found, done := learn(func() bool { n++; return n > most }); done || found > 0 || n != most+1 {
			t.Fatalf("stopped at call %d of %d: %d found, done %v, after %d calls", most+1, calls, found, done, n)
		}
	}
	if again, done := learn(Never); !done || again != all {
		t.Errorf("not stopped: %d found, done %v, want %d", again, done, all)
	}
}

// StopsSilently is Stops for a learner that does not tell whether it is done.
func StopsSilently(t *testing.T, least int, learn func(stop func() bool) (found int)) {
	t.Helper()
	Stops(t, least, func(stop func() bool) (int, bool) {
		stopped := false
		found := learn(func() bool { stopped = stopped || stop(); return stopped })
		return found, !stopped
	})
}

// LearnsFromLabels checks a learner of clusters on pages of a window: it finds templates by
// digests and by texts, but not by sizes, and nothing where pages are not compared. If it is
// stopped at work, it has no result.
func LearnsFromLabels(t *testing.T, name string, learn func(similar evidence.Similarity, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool)) {
	t.Helper()
	for label, labelled := range map[string]func(n int64) evidence.Page{
		"digest": func(n int64) evidence.Page { return evidence.Page{Evidence: Digest(n)} },
		"text":   func(n int64) evidence.Page { return evidence.Page{Text: uint64(n)} },
		"size":   func(n int64) evidence.Page { return evidence.Page{Evidence: Size(n)} },
	} {
		var pages []evidence.Page
		for n := range int64(12) {
			for _, form := range []string{"/show/%d", "/show?id=%d&print=1", "/show?id=%d&print=2"} {
				p := labelled(100 + n)
				p.URL = fmt.Sprintf(form, n)
				pages = append(pages, p)
			}
		}
		rules, ok := learn(evidence.Similarity{}, pages, Never)
		if !ok || len(rules) > 0 != (label != "size") {
			t.Fatalf("%s: %d rules, %v", label, len(rules), ok)
		}
		for _, l := range rules {
			if l.Learner != name || l.Rule.Kind() != rule.KindRewrite || l.Support < 3 || l.Comparable < l.Support || l.Rule.Validate() != nil {
				t.Errorf("%s: %+v", label, l)
			}
		}
		if rules, ok := learn(evidence.Similarity{Off: true}, pages, nil); !ok || rules != nil {
			t.Errorf("%s, without a test of similarity: %d rules", label, len(rules))
		}
		if rules, ok := learn(evidence.Similarity{}, pages, func() bool { return true }); label != "size" && ok || rules != nil {
			t.Errorf("%s, stopped: %d rules, %v", label, len(rules), ok)
		}
	}
}
