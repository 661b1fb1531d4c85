package params

import (
	"slices"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// world is an index over a list of URLs.
type world struct {
	worlds.List
	x    *Index
	seen [6]int // rules compared, by kind of scope
}

func newWorld(o Options) *world {
	urls := urllist.New()
	x := New(o, urls)
	return &world{List: worlds.List{URLs: urls, Learner: x}, x: x}
}

// verify checks the invariants before and after settling, and the list.
func (w *world) verify(t testing.TB) {
	t.Helper()
	pages := w.Pages()
	if err := w.x.Check(); err != nil {
		t.Fatalf("before settling: %v\nlist: %v", err, pages)
	}
	got := w.x.Likely()
	if err := w.x.Check(); err != nil {
		t.Fatalf("after settling: %v\nlist: %v", err, pages)
	}
	if want := oracleLikely(w.x.o, pages); !slices.Equal(got, want) {
		t.Fatalf("likely\n got %v\nwant %v\nlist: %v", got, want, pages)
	}
	for i := range got {
		w.seen[kind(&got[i].Rule.Scope)]++
	}
}

// TestExhaustive visits all subsets of small worlds, in the order of a Gray code: each
// subset differs from the last by one URL, which enters or leaves.
func TestExhaustive(t *testing.T) {
	lists := []struct {
		name string
		urls []string
	}{
		{"scopes", []string{"/p?n=1&a=x", "/p?n=2&a=x", "/p?a=x", "/q?n=1&a=x", "/q?a=x", "/p?n=1&a=y", "/p?a=y", "/p?n=1", "/p", "/q?a&n"}},
		{"separated", []string{"/?n=1", "/?n=1;n=2", "/?n&a=1", "/?a=1", "/", "/?", "/?&n=1&", "/?&", "/?=v&n=1", "/?=v", "/?a=1;n"}},
		{"values", []string{"/?m=1&n=1", "/?m=1", "/?m=2&n=1", "/?m=2", "/?m=&n=1", "/?m=", "/?m&n=1", "/?m", "/?m=3", "/?m=1&m=2&n=1", "/?m=1&m=2"}},
	}
	for _, c := range lists {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range []Options{
				{MinSupport: 1, MaxValues: 1},
				{MinSupport: 2, MaxValues: 2, MaxParams: 2, Similarity: evidence.Similarity{Tolerance: 0.5}},
			} {
				grayWalk(t, o, c.urls)
			}
		})
	}
}

func grayWalk(t *testing.T, o Options, urls []string) {
	w := newWorld(o)
	w.x.tracked = o.MaxValues + 1
	for i := 1; i < 1<<len(urls); i++ {
		change := (i ^ i>>1) ^ ((i - 1) ^ (i-1)>>1)
		bit := 0
		for change>>bit != 1 {
			bit++
		}
		if w.Has(urls[bit]) {
			w.Drop(urls[bit])
		} else {
			w.Set(urls[bit], worlds.Size(int64(100+bit%2*40)))
		}
		w.verify(t)
	}
}

// kind returns the number of a scope's kind, 1 to 5, as the package comment counts them.
func kind(s *rule.Scope) int {
	switch {
	case *s == (rule.Scope{}):
		return 1
	case s.Where[0].Param == "":
		return 2
	case !s.HasPath:
		return 3
	case !s.Where[0].HasValue:
		return 4
	}
	return 5
}
