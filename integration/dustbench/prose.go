package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// article is a made-up article of an encyclopaedia.
type article struct {
	Name       string   // in a URL: small letters and a dash or two
	Title      string   // the name in words
	Category   string   // one of categories
	Paragraphs []string // some 60 words each
	Links      []string // names of other articles
}

var categories = []string{"rivers", "bridges", "trades", "weather", "music", "kitchens"}

// articles makes n articles. They depend on n and on nothing else.
func articles(n int) []article {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	vocabulary := make([]string, 1500)
	for i := range vocabulary {
		vocabulary[i] = syllables(rng, 2+rng.IntN(3))
	}
	word := func() string { return vocabulary[int(float64(len(vocabulary))*rng.Float64()*rng.Float64())] }
	all := make([]article, n)
	for i := range all {
		first, second := word(), word()
		all[i] = article{
			Name:     fmt.Sprintf("%s-%s-%d", first, second, i),
			Title:    fmt.Sprintf("%s %s %d", capital(first), second, i),
			Category: categories[rng.IntN(len(categories))],
		}
	}
	for i := range all {
		for range 2 + rng.IntN(4) {
			words := make([]string, 40+rng.IntN(40))
			for w := range words {
				words[w] = word()
			}
			all[i].Paragraphs = append(all[i].Paragraphs, capital(strings.Join(words, " "))+".")
		}
	}
	links := rand.New(rand.NewPCG(8, uint64(n)))
	for i := range all {
		for range 2 + links.IntN(4) {
			all[i].Links = append(all[i].Links, all[links.IntN(n)].Name)
		}
	}
	return all
}

func syllables(rng *rand.Rand, n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range n {
		b.WriteByte(consonants[rng.IntN(len(consonants))])
		b.WriteByte(vowels[rng.IntN(len(vowels))])
	}
	return b.String()
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
