package pages

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// The stated resemblances and clusters are those of the pages' sets of shingles.
func TestTruth(t *testing.T) {
	w := World{Seed: 3, Documents: 1200, Threshold: 0.9}
	var all []Document
	var sets []map[string]bool
	for d := range w.All() {
		d.Body = bytes.Clone(d.Body)
		all = append(all, d)
		sets = append(sets, shinglesOf(string(d.Body)))
	}
	if len(all) != w.Documents {
		t.Fatalf("%d pages", len(all))
	}
	cluster := make([]int, len(all))
	above, below := 0, 0
	for i, d := range all {
		if d.Index != i {
			t.Fatalf("page %d has the index %d", i, d.Index)
		}
		if j := jaccard(sets[i], sets[d.Base]); math.Abs(j-d.Resemblance) > 1e-12 {
			t.Fatalf("page %d: resemblance %v, want %v", i, d.Resemblance, j)
		}
		if d.Resemblance > 0.9 && d.Resemblance < 0.92 {
			above++
		}
		if d.Resemblance < 0.9 && d.Resemblance > 0.88 {
			below++
		}
		cluster[i] = i
		for k := d.Base; k < i; k++ {
			if jaccard(sets[i], sets[k]) >= w.Threshold {
				from, to := max(cluster[i], cluster[k]), min(cluster[i], cluster[k])
				for m := range i + 1 {
					if cluster[m] == from {
						cluster[m] = to
					}
				}
			}
		}
	}
	for i, d := range all {
		if d.Cluster != cluster[i] {
			t.Errorf("page %d: cluster %d, want %d", i, d.Cluster, cluster[i])
		}
	}
	if above < 20 || below < 20 {
		t.Errorf("%d pages just above the threshold, %d just below", above, below)
	}
	for k := range 200 { // pages of different families
		if j := jaccard(sets[k], sets[len(sets)-1-k]); j > 0.3 {
			t.Errorf("strangers resemble each other by %v", j)
		}
	}
}

// Equal worlds have equal pages.
func TestSeed(t *testing.T) {
	body := func(seed uint64) []byte {
		var b []byte
		for d := range (World{Seed: seed, Documents: 50, Threshold: 0.9}).All() {
			b = append(b, d.Body...)
		}
		return b
	}
	if !bytes.Equal(body(1), body(1)) || bytes.Equal(body(1), body(2)) {
		t.Error("pages do not depend on the seed alone")
	}
}

func shinglesOf(body string) map[string]bool {
	var words []string
	for _, piece := range strings.FieldsFunc(body, func(r rune) bool { return r == '<' }) {
		_, text, _ := strings.Cut(piece, ">")
		words = append(words, strings.Fields(text)...)
	}
	set := map[string]bool{}
	for i := 0; i+width <= len(words); i++ {
		set[strings.Join(words[i:i+width], " ")] = true
	}
	return set
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
