package near

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"dustbuster/internal/oracle/pages"
	"dustbuster/operators/judge/sketch"
)

var long = flag.Bool("long", false, "compare 10,000 documents with all pairs: a minute")

// read returns the pages of a world.
func read(w pages.World) (list []*sketch.Page, truth []pages.Document) {
	for d := range w.All() {
		list = append(list, sketch.PageOf("text/html", d.Body))
		d.Body = nil
		truth = append(truth, d)
	}
	return list, truth
}

// find finds the clusters of pages as callers do, with everything in memory.
func find(o Options, list []*sketch.Page, most int) (*Forest, Counts) {
	f := &Forest{}
	byID, copies := map[ID]uint32{}, map[uint32]bool{}
	same := func(id ID, doc uint32) (first uint32, is bool) {
		if first, is = byID[id]; !is {
			byID[id] = doc
		}
		return first, is
	}
	m := Matcher{Forest: f, Most: most, Alike: o.Alike, Load: func(doc uint32) (*sketch.Page, error) { return list[doc], nil }}
	keys := o.NewKeys()
	for _, p := range list {
		doc := f.Add()
		if first, is := same(BytesID(&p.Sketch), doc); is {
			f.Join(first, doc)
		}
		if id, ok := o.TextID(p); ok {
			if first, is := same(id, doc); is {
				f.Join(first, doc)
				copies[doc] = true
			}
		}
		if !copies[doc] {
			keys.Count(&p.Sketch)
		}
	}
	type entry struct {
		key uint64
		doc uint32
	}
	var entries []entry
	for i, p := range list {
		if !copies[uint32(i)] {
			for _, key := range keys.Of(nil, &p.Sketch) {
				entries = append(entries, entry{key, uint32(i)})
			}
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.doc, b.doc)) })
	for _, e := range entries {
		if err := m.Add(e.key, e.doc); err != nil {
			panic(err) // Load has no errors
		}
	}
	return f, m.Counts
}

// allPairs is the plain definition.
func allPairs(o Options, list []*sketch.Page) *Forest {
	f := &Forest{}
	for i, p := range list {
		doc := f.Add()
		for k := range i {
			if o.Alike(list[k], p) {
				f.Join(uint32(k), doc)
			}
		}
	}
	return f
}

// quality compares the pairs of documents within a cluster.
type quality struct{ recall, precision float64 }

func (q quality) String() string {
	return fmt.Sprintf("recall %.4f, precision %.4f", q.recall, q.precision)
}

func compareClusters(got *Forest, want func(doc uint32) uint32) quality {
	pairs := func(of func(doc uint32) [2]uint32) (n float64) {
		size := map[[2]uint32]float64{}
		for doc := range uint32(got.Len()) {
			size[of(doc)]++
		}
		for _, s := range size {
			n += s * (s - 1) / 2
		}
		return n
	}
	found := pairs(func(doc uint32) [2]uint32 { return [2]uint32{got.Find(doc)} })
	wanted := pairs(func(doc uint32) [2]uint32 { return [2]uint32{want(doc)} })
	both := pairs(func(doc uint32) [2]uint32 { return [2]uint32{got.Find(doc), want(doc)} })
	return quality{both / max(wanted, 1), both / max(found, 1)}
}

func documents(n int) int {
	if *long {
		return n
	}
	return min(n, 1000)
}

// On made-up pages, the keys find just the clusters of all pairs.
func TestAllPairs(t *testing.T) {
	for _, threshold := range []float64{0.8, 0.9, 0.95} {
		list, _ := read(pages.World{Seed: 7, Documents: documents(10_000), Threshold: threshold})
		for _, exact := range []bool{false, true} {
			plain := allPairs(Options{Threshold: threshold, Exact: exact}, list)
			f, counts := find(Options{Threshold: threshold, Exact: exact}, list, 0)
			q := compareClusters(f, plain.Find)
			t.Logf("%d documents, threshold %v, exact %v: %v; %+v", len(list), threshold, exact, q, counts)
			if q.precision != 1 || q.recall != 1 {
				t.Errorf("at %v: %v", threshold, q)
			}
		}
	}
}

// Where most of each page is navigation, buckets are crowded, and work stays linear.
func TestCrowds(t *testing.T) {
	list, truth := read(pages.World{Seed: 8, Documents: documents(10_000), Threshold: 0.9, Navigation: 300, Least: 40})
	o := Options{Threshold: 0.9, Exact: true}
	f, counts := find(o, list, 0)
	q := compareClusters(f, func(doc uint32) uint32 { return uint32(truth[doc].Cluster) })
	t.Logf("%v; %+v", q, counts)
	if q.precision != 1 || q.recall < 0.99 {
		t.Error(q)
	}
	keys := 0
	for _, p := range list {
		keys += len(o.NewKeys().Of(nil, &p.Sketch))
	}
	if counts.Compared > int64(keys*DefaultMost) {
		t.Errorf("%d comparisons for %d keys", counts.Compared, keys)
	}
}

// Against the planted truth, with all shingles the clusters are exact. The sketches alone
// misjudge pairs near the threshold, and few others.
func TestTruth(t *testing.T) {
	const threshold = 0.9
	list, truth := read(pages.World{Seed: 9, Documents: documents(10_000), Threshold: threshold})
	want := func(doc uint32) uint32 { return uint32(truth[doc].Cluster) }
	f, _ := find(Options{Threshold: threshold, Exact: true}, list, 0)
	if q := compareClusters(f, want); q.recall != 1 || q.precision != 1 {
		t.Errorf("by all shingles: %v", q)
	}
	o := Options{Threshold: threshold}
	f, _ = find(o, list, 0)
	t.Logf("by the sketches: %v", compareClusters(f, want))
	var alike, pairs [2]int // farther than four standard errors below the threshold, and above
	for doc, d := range truth {
		far := math.Abs(d.Resemblance-threshold) > 4*math.Sqrt(d.Resemblance*(1-d.Resemblance)/sketch.Size)
		if !far || d.Base == doc {
			continue
		}
		side := 0
		if d.Resemblance > threshold {
			side = 1
		}
		pairs[side]++
		if o.Alike(list[d.Base], list[doc]) {
			alike[side]++
		}
	}
	if alike[0] != 0 || alike[1] != pairs[1] || pairs[0] < 50 || pairs[1] < 50 {
		t.Errorf("%d of %d pairs far below the threshold are alike, %d of %d far above", alike[0], pairs[0], alike[1], pairs[1])
	}
}
