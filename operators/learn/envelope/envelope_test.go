package envelope

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// world is an index over a list of URLs.
type world struct {
	worlds.List
	x *Index
}

func newWorld(o Options) *world {
	urls := urllist.New()
	x := New(o, urls)
	return &world{worlds.List{URLs: urls, Learner: x}, x}
}

// enter enters pages, or changes their evidence.
func (w *world) enter(pages ...evidence.Page) {
	for _, p := range pages {
		w.Set(p.URL, p.Evidence)
	}
}

// check compares the index with figure 1 over the list, and checks the invariants of the
// cells.
func (w *world) check() error {
	if err := w.x.Check(); err != nil {
		return err
	}
	want := oracle.Supports(oracle.Options(w.x.o), w.Pages())
	for p, n := range want {
		got := w.x.support(dust.Pair(p))
		if int(got.low) != n.Support || int(got.high) != n.High {
			return fmt.Errorf("pair %+v: supports %d and %d, want %d and %d", p, got.low, got.high, n.Support, n.High)
		}
	}
	if len(want) != w.x.pairs.len() {
		return fmt.Errorf("%d pairs, want %d", w.x.pairs.len(), len(want))
	}
	for _, c := range w.x.Likely() {
		if n := want[oracle.Pair(c.Pair)]; n.Support != c.Support || n.Support < w.x.o.MinSupport {
			return fmt.Errorf("likely %+v, want %+v", c, n)
		}
	}
	if err := w.checkBatch(); err != nil {
		return err
	}
	if got, want := w.x.Census(), w.census(); got != want {
		return fmt.Errorf("census %+v, want %+v", got, want)
	}
	return nil
}

// checkBatch compares batches of the URLs, with and without cells, with the index.
func (w *world) checkBatch() error {
	want := w.x.Likely()
	slices.SortFunc(want, dust.CompareSupport)
	for _, limit := range []int{0, smallSet} {
		b := NewBatch(w.x.o, w.URLs)
		b.x.grid, b.limit = w.x.grid, limit
		ids := slices.Collect(w.URLs.All())
		b.Bound(ids)
		b.Bounded()
		if b.Wanted() {
			b.Count(ids)
		}
		got := b.Likely()
		slices.SortFunc(got, dust.CompareSupport)
		if !slices.Equal(got, want) {
			return fmt.Errorf("a batch with cells for more than %d URLs finds %+v, want %+v", limit, got, want)
		}
	}
	return nil
}

// census counts the envelopes of figure 1 by the plain algorithm.
func (w *world) census() (c Census) {
	type form struct{ prefix, suffix string }
	members := map[form]int{}
	for id := range w.URLs.All() {
		text := string(w.URLs.Text(id))
		cuts := dust.AppendCuts(nil, []byte(text))
		n := len(cuts) - 1
		side := func(from, to int) string {
			return fmt.Sprint(from < to && from == 0, text[cuts[from]:cuts[to]], from < to && to == n)
		}
		for i := range n + 1 {
			for j := max(0, n-i-w.x.o.MaxTokens); i+j <= n; j++ {
				members[form{side(0, i), side(n-j, n)}]++
			}
		}
	}
	for _, count := range members {
		c.count(count, w.x.max)
	}
	return c
}

func (x *Index) support(p dust.Pair) supports {
	a := x.keys.side([]byte(p.Alpha), p.AtStart, p.AtEnd)
	b := x.keys.side([]byte(p.Beta), p.AtStart, p.AtEnd)
	return x.supportsOf(x.keys.pairOf(a, b))
}

func tiny() Options {
	return Options{MaxTokens: 3, BucketLow: 2, BucketHigh: 3, MinSupport: 2,
		Similarity: evidence.Similarity{Tolerance: 0.01}}
}

// Every list of up to four URLs of at most three bytes enters in order, and leaves in the
// same and in the opposite order.
func TestSmallWorlds(t *testing.T) {
	evidence := []evidence.Spans{nil, {{Min: 1, Max: 1}}, {{Min: 1, Max: 2}}}
	n := 0
	for pages := range oracle.SmallWorlds("a./", 2, 4, evidence[1:2]) {
		walkThrough(t, grid{fine: 1 + n%2, step: 2 + n%4/2}, pages)
		n++
	}
	for pages := range oracle.SmallWorlds("a.", 3, 3, evidence) {
		walkThrough(t, grid{fine: 1 + n%2, step: 2 + n%4/2}, pages)
		n++
	}
	for pages := range oracle.SmallWorlds("%40", 4, 2, evidence[1:2]) { // %40 is @, %44 is D
		walkThrough(t, grid{fine: 1 + n%2, step: 2 + n%4/2}, pages)
		n++
	}
	t.Log(n, "worlds")
}

func walkThrough(t *testing.T, g grid, pages []evidence.Page) {
	t.Helper()
	w := newWorld(tiny())
	w.x.grid = g
	w.enter(pages...)
	must(t, w, pages)
	for k := range pages {
		w.Drop(pages[(k*7+3)%len(pages)].URL, pages[k].URL)
		must(t, w, pages)
	}
}

func must(t *testing.T, w *world, history any) {
	t.Helper()
	if err := w.check(); err != nil {
		t.Fatalf("%v\nhistory: %v", err, history)
	}
}

// In random lists, URLs enter, leave alone or in groups, and change their evidence, under
// several limits and cuts.
func TestRandomStreams(t *testing.T) {
	for seed := range worlds.Rounds(30, 4000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := randomOptions(rng)
		pages := oracle.Random(rng, 5+rng.IntN(40))
		w := newWorld(o)
		w.x.grid = grid{fine: 1 + rng.IntN(4), step: 1 + rng.IntN(4)}
		for step := range 60 {
			randomStep(rng, w, pages)
			if err := w.check(); err != nil {
				t.Fatalf("seed %d, step %d, options %+v, grid %+v: %v", seed, step, o, w.x.grid, err)
			}
		}
	}
}

func randomOptions(rng *rand.Rand) Options {
	o := Options{MaxTokens: 35, BucketLow: 2 + rng.IntN(3), BucketHigh: 2 + rng.IntN(6), MinSupport: 1 + rng.IntN(3)}
	if rng.IntN(8) == 0 {
		o.BucketLow, o.BucketHigh = 0, rng.IntN(2)
	}
	if rng.IntN(2) == 0 {
		o.MaxTokens = 1 + rng.IntN(8)
	}
	o.Similarity = evidence.Similarity{Tolerance: []float64{0, 0.01}[rng.IntN(2)], Off: rng.IntN(6) == 0}
	return o
}

func randomStep(rng *rand.Rand, w *world, pages []evidence.Page) {
	switch p := pages[rng.IntN(len(pages))]; rng.IntN(8) {
	case 0, 1:
		w.Drop(p.URL)
	case 2:
		w.Set(p.URL, oracle.RandomEvidence(rng))
	case 3:
		if rng.IntN(6) > 0 {
			break
		}
		var urls []string
		for _, q := range pages[:rng.IntN(len(pages))] {
			urls = append(urls, q.URL)
		}
		w.Drop(urls...)
	default:
		for range 1 + rng.IntN(4) {
			w.enter(pages[rng.IntN(len(pages))])
		}
	}
}

// A longer list is tested under the paper's limits. Cells cross the limit both ways, and
// lists grow too long to keep and must be recovered.
func TestRandomLongStreams(t *testing.T) {
	for seed := range worlds.Rounds(2, 100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		pages := oracle.Random(rng, 150)
		w := newWorld(Defaults())
		w.x.grid = grid{fine: 3, step: 3}
		w.enter(pages...)
		must(t, w, seed)
		for len(pages) > 0 {
			for range min(len(pages), 1+rng.IntN(9)) {
				k := rng.IntN(len(pages))
				w.Drop(pages[k].URL)
				pages = slices.Delete(pages, k, k+1)
			}
			if err := w.check(); err != nil {
				t.Fatalf("seed %d, %d left: %v", seed, len(pages), err)
			}
		}
	}
}

// FuzzIndex reads operations from bytes: the number of a URL, and the operation.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("\x01\x12\x23\x34\x45\x81\x92\x00\xff"))
	f.Add([]byte("aaaaabbbbbcccccAAAAABBBBB"))
	texts := append(oracle.Strings("a./", 2), oracle.Strings("%4a", 3)[13:]...) // less than 0x40
	texts = append(texts, "%40", "%4a%", "a%4a", "%4a.", "%40a", "%%4a", "%4%4a", "%4a4", "4%4a4", ".%4a.")
	f.Fuzz(func(t *testing.T, ops []byte) {
		w := newWorld(tiny())
		w.x.grid = grid{fine: 1, step: 2}
		for _, op := range ops[:min(len(ops), 64)] {
			url := texts[int(op&0x3f)%len(texts)]
			switch op >> 6 {
			case 0:
				w.Drop(url)
			case 1, 2:
				w.Set(url, evidence.Spans{{Min: int64(op >> 6), Max: 2}})
			default:
				w.Set(url, nil)
			}
			must(t, w, ops)
		}
	})
}
