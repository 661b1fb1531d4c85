package drops

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// TestOneFile drops whatever value the builds of one file have.
func TestOneFile(t *testing.T) {
	pages := []evidence.Page{{URL: "/other.css?v=1", Evidence: worlds.Size(1)}}
	for i := range 100 {
		pages = append(pages, evidence.Page{URL: fmt.Sprint("/Main.css?v=", i), Evidence: worlds.Size(5000)})
	}
	got, _ := Learn(defaults, pages, nil)
	want := []rule.Likely{{Rule: rule.Rule{Kind: rule.Drop, Param: "v"}, Learner: Name, Support: 99, Comparable: 99}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOrderOfPages learns the same from the pages in any order.
func TestOrderOfPages(t *testing.T) {
	pages := worlds.PagesOf(3000, worlds.WikiAndGit)
	want, _ := Learn(defaults, pages, nil)
	slices.Reverse(pages)
	if got, _ := Learn(defaults, pages, nil); len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("reversed:\n%v\n%v", got, want)
	}
}

// TestStop gives up at whatever moment stop says so.
func TestStop(t *testing.T) {
	pages := worlds.PagesOf(3000, crowdedURL)
	worlds.Stops(t, 10, func(stop func() bool) (int, bool) {
		rules, done := Learn(defaults, pages, stop)
		return len(rules), done
	})
}

// TestShares learns the same rules of pairs a share at a time.
func TestShares(t *testing.T) {
	pages := worlds.PagesOf(2000, crowdedURL)
	want, _ := Learn(defaults, pages, nil)
	l := newLearner(defaults, pages, nil)
	l.pairEntries = 1000
	if got, _ := l.learn(); !slices.Equal(got, want) || l.shares < 10 {
		t.Errorf("%d shares:\n%v\n%v", l.shares, got, want)
	}
}
