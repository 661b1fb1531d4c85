package drops

import (
	"fmt"
	"slices"
	"strings"
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
	want := []rule.Likely{{Rule: rule.Rule{Edit: rule.Drop{Param: "v"}}, Learner: Name, Support: 99, Comparable: 99}}
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

// TestLimits learns a rule from URLs at each limit, and no such rule beyond.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int
		shape string // of the rule
		world func(n int) map[string]evidence.Spans
	}{
		{"names of a pair", 8, "2", pairOf},
		{"values", 40, "1 value", ownValueOf},
		{"slashes", 8, "1 *", wildcardOf},
	} {
		for n := c.limit - 1; n <= c.limit+1; n++ {
			found := false
			for _, l := range verify(t, defaults, worlds.Pages(c.world(n))) {
				found = found || shape(&l.Rule) == c.shape
			}
			if found != (n <= c.limit) {
				t.Errorf("%s: %d of %d, and a rule is %v", c.name, n, c.limit, found)
			}
		}
	}
}

// pairOf returns URLs of n names, of which two do not matter.
func pairOf(n int) map[string]evidence.Spans {
	pages := map[string]evidence.Spans{}
	for i := range 5 {
		url := fmt.Sprint("/", i, "?", strings.TrimSuffix(strings.Repeat("x_=1&", n-2), "&"))
		for k := range n {
			url = strings.Replace(url, "_", fmt.Sprint(k), 1)
		}
		pages[url], pages[url+"&m=1&n=2"] = worlds.Size(int64(1000*i+1000)), worlds.Size(int64(1000*i+1000))
	}
	return pages
}

// ownValueOf returns URLs of n values of a name, of which one does not matter.
func ownValueOf(n int) map[string]evidence.Spans {
	pages := map[string]evidence.Spans{}
	for i := range n {
		url := fmt.Sprint("/", i%5)
		pages[url], pages[url+"?a=own"] = worlds.Size(int64(1000*(i%5)+1000)), worlds.Size(int64(1000*(i%5)+1000))
		if i > 0 {
			pages[fmt.Sprint(url, "?a=", i)] = worlds.Size(int64(9000 + 1000*i))
		}
	}
	return pages
}

// wildcardOf returns paths of n slashes, below which a name does not matter.
func wildcardOf(n int) map[string]evidence.Spans {
	pages := map[string]evidence.Spans{}
	for i := range 5 {
		url := fmt.Sprint("/s/", i, strings.Repeat("/t", n-2))
		pages[url], pages[url+"?n=1"] = worlds.Size(int64(1000*i+1000)), worlds.Size(int64(1000*i+1000))
		pages[fmt.Sprint("/o/", i)], pages[fmt.Sprint("/o/", i, "?n=1")] = worlds.Size(1), worlds.Size(int64(1000*i+9000))
	}
	return pages
}
