package equal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
)

// check compares a run of the learner with figures 1 and 2 within each set.
func check(o oracle.Options, pages []evidence.Page) error {
	for _, noRefine := range []bool{false, true} {
		want := oracle.Likely(o, oracle.EqualSupports(o, pages))
		if noRefine {
			slices.SortFunc(want, oracle.CompareRefined)
		} else {
			want = oracle.Refine(want)
		}
		got, done := Learn(Options{envelope.Options(o), noRefine}, pages, worlds.Never)
		if !done || !slices.EqualFunc(got, want, same) {
			return fmt.Errorf("without phase 2 %v: %+v (done %v), want %+v", noRefine, got, done, want)
		}
	}
	return nil
}

func same(l rule.Likely, r oracle.Rule) bool {
	return l == likely(dust.Candidate{Pair: dust.Pair(r.Pair), Support: r.Support, SupportHigh: r.High})
}

func likely(c dust.Candidate) rule.Likely {
	return rule.Likely{Learner: "equal", Support: c.Support, SupportHigh: c.SupportHigh,
		Rule: rule.Rule{Edit: rule.Substring{From: c.Alpha, To: c.Beta, AtStart: c.AtStart, AtEnd: c.AtEnd}}}
}

// Without similarity there are no sets.
func TestOff(t *testing.T) {
	o := Options{Envelope: envelope.Defaults()}
	o.Envelope.Similarity.Off = true
	if got, done := Learn(o, oracle.Site(1, 1000), worlds.Never); len(got) > 0 || !done {
		t.Errorf("%d rules (done %v), want none", len(got), done)
	}
}

// The test covers every list of up to four URLs of at most two bytes, and every list of up
// to three URLs with several classes and digests.
func TestSmallWorlds(t *testing.T) {
	o := oracle.Options{MaxTokens: 3, BucketLow: 2, BucketHigh: 3, MinSupport: 1}
	sizes := []evidence.Spans{worlds.Size(1), worlds.Size(2)}
	several := []evidence.Spans{
		nil,
		{{Min: 1, Max: 2}},
		{{Min: 1, Max: 1}, {Min: 2, Max: 2, Class: 1}},
		{{Min: 2, Max: 2, Class: 1}},
		{{Min: 1, Max: 2}, {Min: 1, Max: 1, Class: evidence.Digest}},
		{{Min: 1, Max: 1}, {Min: 1, Max: 2, Class: evidence.Digest}},
	}
	n := 0
	for _, worlds := range []struct {
		alphabet string
		length   int
		urls     int
		evidence []evidence.Spans
	}{{"a./", 1, 4, sizes}, {"a.", 2, 4, sizes}, {"a.", 1, 3, several}, {"%40", 3, 2, sizes}} {
		for pages := range oracle.SmallWorlds(worlds.alphabet, worlds.length, worlds.urls, worlds.evidence) {
			if err := check(o, pages); err != nil {
				t.Fatalf("%+v: %v", pages, err)
			}
			n++
		}
	}
	t.Log(n, "worlds")
}

// Random lists, most of whose URLs share few sizes, under several limits and in any order.
func TestRandom(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := oracle.RandomOptions(rng)
		o.Similarity.Off = false
		if err := check(o, randomPages(rng, 5+rng.IntN(60))); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// randomPages returns pages with the evidence of a few of them, so that sets have members.
func randomPages(rng *rand.Rand, n int) []evidence.Page {
	pages := oracle.Random(rng, n)
	kinds := 1 + rng.IntN(6)
	for i := range pages {
		pages[i].Evidence = pages[rng.IntN(min(kinds, len(pages)))].Evidence
	}
	return pages
}

// A larger site is the same by both algorithms under the paper's limits.
func TestSite(t *testing.T) {
	pages := oracle.Site(1, 2000)
	for i := range pages { // many more equal sizes
		size := pages[i].Evidence[0].Min / 100 * 100
		pages[i].Evidence = worlds.Size(size)
	}
	if err := check(oracle.DefaultOptions(), pages); err != nil {
		t.Fatal(err)
	}
}

// The order of the pages has no effect.
func TestOrder(t *testing.T) {
	pages := oracle.Site(2, 3000)
	want, _ := Learn(Options{Envelope: envelope.Defaults()}, pages, worlds.Never)
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	if got, _ := Learn(Options{Envelope: envelope.Defaults()}, pages, worlds.Never); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%d rules in another order, want the same %d", len(got), len(want))
	}
}

// A learner that is told to stop returns nothing, wherever it is.
func TestStop(t *testing.T) {
	pages := oracle.Site(1, 5000)
	worlds.Stops(t, 3, func(stop func() bool) (int, bool) {
		rules, done := Learn(Options{Envelope: envelope.Defaults()}, pages, stop)
		return len(rules), done
	})
}

// FuzzLearn reads URLs and their evidence from bytes.
func FuzzLearn(f *testing.F) {
	f.Add([]byte("\x01\x12\x23\x34\x45\x81\x92\x00\xff"))
	f.Add([]byte("aaaaabbbbbcccccAAAAABBBBB"))
	texts := append(oracle.Strings("a./", 3), "%40", "%4a%", "a%4a", "%4a.", "%%4a")
	sizes := []evidence.Spans{
		{{Min: 1, Max: 1}}, {{Min: 2, Max: 2}}, {{Min: 1, Max: 1, Class: 1}},
		{{Min: 2, Max: 2}, {Min: 1, Max: 1, Class: 1}}, {{Min: 7, Max: 7, Class: evidence.Digest}}, nil,
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var pages []evidence.Page
		seen := map[string]bool{}
		for i := 0; i+1 < min(len(data), 64); i += 2 {
			p := evidence.Page{URL: texts[int(data[i])%len(texts)], Evidence: sizes[int(data[i+1])%len(sizes)]}
			if !seen[p.URL] {
				seen[p.URL] = true
				pages = append(pages, p)
			}
		}
		if err := check(oracle.Options{MaxTokens: 4, BucketLow: 2, BucketHigh: 4, MinSupport: 2}, pages); err != nil {
			t.Fatalf("%+v: %v", pages, err)
		}
	})
}
