package params

import (
	"slices"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// world is an index over a list, driven as a miner drives both, and a plain map of the
// expected contents.
type world struct {
	o    Options
	urls *urllist.List
	x    *Index
	held map[string]evidence.Spans
	seen [6]int // rules compared, by kind of scope
}

func newWorld(o Options) *world {
	urls := urllist.New()
	return &world{o: o, urls: urls, x: New(o, urls), held: map[string]evidence.Spans{}}
}

func (w *world) put(url string, e evidence.Spans) {
	id, added := w.urls.Intern([]byte(url))
	if added {
		w.urls.SetEvidence(id, e)
		w.x.Enter(id)
	} else {
		was := slices.Clone(w.urls.Evidence(id))
		w.urls.SetEvidence(id, e)
		w.x.Change(id, was)
	}
	w.held[url] = e
}

func (w *world) drop(url string) {
	if id, ok := w.urls.Lookup([]byte(url)); ok {
		w.x.Leave(id)
		w.urls.Release(id)
		delete(w.held, url)
	}
}

func (w *world) pages() []page {
	var list []page
	for u, e := range w.held {
		list = append(list, page{u, e})
	}
	return list
}

// verify checks the invariants before and after settling, and the list.
func (w *world) verify(t testing.TB) {
	t.Helper()
	if err := w.x.Check(); err != nil {
		t.Fatalf("before settling: %v\nlist: %v", err, w.held)
	}
	got := w.x.Likely()
	if err := w.x.Check(); err != nil {
		t.Fatalf("after settling: %v\nlist: %v", err, w.held)
	}
	if want := oracleLikely(w.o, w.pages()); !slices.Equal(got, want) {
		t.Fatalf("likely\n got %v\nwant %v\nlist: %v", got, want, w.held)
	}
	for _, r := range got {
		w.seen[kind(&r.Scope)]++
	}
}

func size(n int64) evidence.Spans { return evidence.Spans{{Min: n, Max: n}} }

// TestExhaustive visits all subsets of small worlds, in the order of a Gray code: each
// subset differs from the last by one URL, which enters or leaves.
func TestExhaustive(t *testing.T) {
	worlds := map[string][]string{
		"scopes":    {"/p?n=1&a=x", "/p?n=2&a=x", "/p?a=x", "/q?n=1&a=x", "/q?a=x", "/p?n=1&a=y", "/p?a=y", "/p?n=1", "/p", "/q?a&n"},
		"separated": {"/?n=1", "/?n=1;n=2", "/?n&a=1", "/?a=1", "/", "/?", "/?&n=1&", "/?&", "/?=v&n=1", "/?=v", "/?a=1;n"},
		"values":    {"/?m=1&n=1", "/?m=1", "/?m=2&n=1", "/?m=2", "/?m=&n=1", "/?m=", "/?m&n=1", "/?m", "/?m=3", "/?m=1&m=2&n=1", "/?m=1&m=2"},
	}
	for name, urls := range worlds {
		t.Run(name, func(t *testing.T) {
			for _, o := range []Options{
				{MinSupport: 1, MaxValues: 1},
				{MinSupport: 2, MaxValues: 2, MaxParams: 2, Similarity: evidence.Similarity{Tolerance: 0.5}},
			} {
				grayWalk(t, o, urls)
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
		if _, in := w.held[urls[bit]]; in {
			w.drop(urls[bit])
		} else {
			w.put(urls[bit], size(int64(100+bit%2*40)))
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
