package lifecycle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/rule"
)

// headlines returns a function that shows some of a number of headlines of six words, drawn anew with
// each visit.
func headlines(number, shown int) func(rng *rand.Rand) func() []string {
	return func(rng *rand.Rand) func() []string {
		return func() (words []string) {
			for _, n := range rng.Perm(number)[:shown] {
				for i := range 6 {
					words = append(words, fmt.Sprintf("headline%d%d", n, i))
				}
			}
			return words
		}
	}
}

// visitors returns a function that shows another number with each visit.
func visitors(rng *rand.Rand) func() []string {
	return func() []string { return []string{fmt.Sprint("visitor", rng.IntN(1_000_000))} }
}

// Pages that are clearly alike are two pages if each has words of its own, also beside words that change
// with each visit. Words that change with each visit alone make no other page, though some of them
// stay by chance. Nor do words of the URL, or words of all pages.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	own := func(i, n int) []string { return strings.Fields(strings.Repeat(fmt.Sprintf("own%d ", i), n)) }
	none := func(int) []string { return nil }
	rounds := uint64(1)
	if *long {
		rounds = 20
	}
	for _, c := range []struct {
		name  string
		words int
		more  func(i int) []string // words of the second of two pages
		shows func(rng *rand.Rand) func() []string
		one   bool // both are one page
	}{
		{"a colour", 300, func(i int) []string { return own(i, 1) }, nil, false},
		{"one of five colours", 300, func(i int) []string { return own(i%5, 1) }, nil, false},
		{"a paragraph", 3000, func(i int) []string { return prose(fmt.Sprint("own", i), 60) }, nil, false},
		{"a colour, visitors", 300, func(i int) []string { return own(i, 1) }, visitors, false},
		{"a colour, a headline", 600, func(i int) []string { return own(i, 1) }, headlines(30, 1), false},
		{"visitors", 300, none, visitors, true},
		{"one of five headlines", 600, none, headlines(5, 1), true},
		{"one of fifty headlines", 600, none, headlines(50, 1), true},
		{"five of sixty related items", 1500, none, headlines(60, 5), true},
		{"five of 200 related items", 1500, none, headlines(200, 5), true},
		{"ten of 500 related items", 3000, none, headlines(500, 10), true},
		{"the URL's own word", 600, func(i int) []string { return []string{"copy", fmt.Sprint("p", i)} }, nil, true},
		{"words of all pages", 3000, func(int) []string { return prose("menu", 60) }, nil, true},
	} {
		for seed := range rounds {
			w := newNearTown()
			w.words = true
			for i := range 60 {
				text, truth := prose(fmt.Sprint("page", i), c.words+2*i), fmt.Sprint(i)
				w.put(fmt.Sprintf("/a/p%d", i), truth, text...)
				if !c.one {
					truth += " own"
				}
				w.put(fmt.Sprintf("/copy/a/p%d", i), truth, amid(text, c.more(i)...)...)
			}
			if c.shows != nil {
				w.shows = c.shows(rand.New(rand.NewPCG(seed, 3)))
			}
			o := madeup.Options()
			o.GivenOnly, o.Key = true, [2]uint64{seed, 9}
			candidates := []rule.Candidate{{Rule: rule.Rule{Edit: rule.Substring{From: "/copy/", To: "/", AtStart: true}}, Support: 60}}
			wrong, merged := w.falseMerges(t, o, candidates, 0.97)
			if wrong > 0 || c.one != (merged > 0.45) {
				t.Errorf("%s, key %d: %.0f false merges for each 10,000 URLs, %.3f merged", c.name, seed, wrong, merged)
			}
			if !c.one && seed == 0 {
				o.Off.OwnWords = true
				if wrong, _ := w.falseMerges(t, o, slices.Clone(candidates), 0.97); wrong == 0 {
					t.Errorf("%s: no false merge without the lever", c.name)
				}
			}
		}
	}
}
