package oracle

import (
	"math/rand/v2"
	"strings"

	"dustbuster/operators/window/evidence"
)

// fragments are the parts of random URLs. The list is short, so fragments often repeat.
// Some fragments are periodic, some look like anchors, some join to one token, and some
// form an escape together.
var fragments = []string{
	"", "a", "b", "ab", "0", ".", "/", "//", "a.", ".a", "a.a", "a.a.a", "..", "^", "$", "^$", "$^", "?", "=", "&a=", "-",
	"%", "4", "%4", "%2f", "%41", "%E0%B8%81",
}

// Random returns a list of up to n different URLs with evidence, full of cases that are
// too rare in real lists for a test: empty and semiperiodic sides, the empty URL, literal
// ^ and $, URLs of more than 35 tokens, buckets near the usual thresholds, pages with one
// size, with several classes, with digests, and without evidence. The list is shorter
// than n only if the random strings run out.
func Random(rng *rand.Rand, n int) []evidence.Page {
	var pages []evidence.Page
	seen := map[string]bool{}
	vocabulary := 2 + rng.IntN(len(fragments)-1)
	for tries := 0; len(pages) < n && tries < 20*n; {
		for _, text := range family(rng, vocabulary) {
			if tries++; len(pages) < n && !seen[text] {
				seen[text] = true
				pages = append(pages, evidence.Page{URL: text, Evidence: RandomEvidence(rng)})
			}
		}
	}
	rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	return pages
}

// RandomOptions returns options small enough for small lists to pass the thresholds, or
// the usual options.
func RandomOptions(rng *rand.Rand) Options {
	o := DefaultOptions()
	if rng.IntN(2) == 0 {
		o.MaxTokens = rng.IntN(8)
	}
	if rng.IntN(2) == 0 {
		o.BucketLow = 2 + rng.IntN(4)
		o.BucketHigh = o.BucketLow + rng.IntN(4)
	}
	o.MinSupport = 1 + rng.IntN(3)
	o.Similarity.Tolerance = []float64{0, 0.01, 0.1}[rng.IntN(3)]
	o.Similarity.Off = rng.IntN(4) == 0
	return o
}

func family(rng *rand.Rand, vocabulary int) []string {
	p, s := phrase(rng, vocabulary, 3), phrase(rng, vocabulary, 3)
	var texts []string
	switch rng.IntN(5) {
	case 0: // one URL
		texts = append(texts, p+s)
	case 1: // a pair in one envelope
		texts = append(texts, p+phrase(rng, vocabulary, 2)+s, p+phrase(rng, vocabulary, 2)+s)
	case 2: // one bucket near a threshold
		for range []int{2, 5, 6, 7, 10, 11, 12, 13}[rng.IntN(8)] {
			texts = append(texts, p+phrase(rng, vocabulary, 4)+s)
		}
	case 3: // periods
		period := phrase(rng, vocabulary, 2)
		for range 2 + rng.IntN(4) {
			texts = append(texts, p+strings.Repeat(period, rng.IntN(6))+s)
		}
	case 4: // long URLs, rarely
		if rng.IntN(8) == 0 {
			texts = append(texts, p+strings.Repeat("/", 28+rng.IntN(12))+s, p+strings.Repeat("a.", 14+rng.IntN(6))+s)
		}
	}
	return texts
}

func phrase(rng *rand.Rand, vocabulary, maxWords int) string {
	var b strings.Builder
	for range rng.IntN(maxWords + 1) {
		b.WriteString(fragments[rng.IntN(vocabulary)])
	}
	return b.String()
}

// sizes lie on both sides of a tolerance of 1 % from each other.
var sizes = []int64{1, 99, 100, 101, 102, 990, 999, 1000, 1005, 1010, 1011, 5000, 9900, 9999, 10000, 10100, 10102}

// RandomEvidence returns random evidence of a page. Equal evidence is frequent enough for
// pages to be similar.
func RandomEvidence(rng *rand.Rand) evidence.Spans {
	var e evidence.Spans
	if rng.IntN(5) > 0 {
		e = widen(e, randomSpan(rng, 0))
	}
	for class := uint8(1); class <= 2; class++ {
		if rng.IntN(8) == 0 {
			e = widen(e, randomSpan(rng, class))
		}
	}
	if rng.IntN(8) == 0 { // one digest of three, any sign, or two digests
		first, second := rng.Int64N(3)-1, rng.Int64N(3)-1
		if rng.IntN(4) > 0 {
			second = first
		}
		e = widen(e, evidence.Span{Min: min(first, second), Max: max(first, second), Class: evidence.Digest})
	}
	return e
}

func randomSpan(rng *rand.Rand, class uint8) evidence.Span {
	a, b := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
	if rng.IntN(3) > 0 {
		b = a
	}
	return evidence.Span{Min: min(a, b), Max: max(a, b), Class: class}
}
