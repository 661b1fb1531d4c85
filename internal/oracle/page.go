package oracle

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Place is a URL's place in the order of shedding.
type Place struct {
	Family uint64 // of pages
	Key    uint64 // of the page
	URL    uint64 // hash of the URL
}

// PlaceOf returns the place of a URL under a keyed hash.
func PlaceOf(hash func(text string) uint64, url string) Place {
	path, query, _ := strings.Cut(url, "?")
	words, all := map[string]float64{}, map[string]float64{} // draws
	for _, word := range wordsOf(path) {
		words[word], all[word] = draw(hash, word), draw(hash, word)
	}
	for _, piece := range strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if _, value, ok := strings.Cut(piece, "="); ok {
			piece = value
		}
		for _, word := range wordsOf(piece) {
			all[word] = draw(hash, word)
			if !strings.ContainsAny(anyEscape.ReplaceAllString(word, ""), "0123456789") {
				words[word] = all[word]
			}
		}
	}
	if len(words) == 0 {
		words = all
	}
	return Place{Family: pageKey(words), Key: pageKey(all), URL: hash(url)}
}

var (
	anyEscape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	number    = regexp.MustCompile(`^[0-9]+$`)
)

// wordsOf returns the tokens of letters and digits.
func wordsOf(text string) (words []string) {
	u := split(text)
	for i := range u.tokens() {
		token := u.text[u.bounds[i]:u.bounds[i+1]]
		if chars := characters(token); len(chars) > 0 && alphanumeric(chars[0]) {
			words = append(words, token)
		}
	}
	return words
}

// draw is uniform for most words. Of four draws, a number has the smallest and a short word
// the greatest.
func draw(hash func(text string) uint64, word string) float64 {
	u := float64(hash(word)>>11) / (1 << 53)
	switch {
	case number.MatchString(word):
		u = math.Sqrt(math.Sqrt(u))
	case len(word) < 4:
		square := u * u
		u = square * square
	}
	return 1 - float64(u)
}

// pageKey puts the three smallest draws one after the other.
func pageKey(words map[string]float64) uint64 {
	least := smallest(words)
	return uint64(least[0]>>8)<<40 | uint64(least[1]>>12)<<20 | uint64(least[2]>>12)
}

// smallest returns the draws of words in ascending order, then the greatest draw three times.
func smallest(words map[string]float64) (draws []uint32) {
	for _, d := range words {
		draws = append(draws, uint32(d*math.MaxUint32))
	}
	slices.Sort(draws)
	return append(slices.Compact(draws), math.MaxUint32, math.MaxUint32, math.MaxUint32)
}

// familyURLs is how many URLs of a family, and of a best word, are of one tier.
const familyURLs = 64

// first returns the first keep URLs in the order of shedding. The surplus of the families
// comes last, by tier. If the others are too many, their tiers within the families' best
// words decide. URLs of one tier are in the order of key, hash and bytes.
func first(urls []string, keep int, place func(url string) Place) []string {
	if keep == 0 || len(urls) <= keep {
		return urls
	}
	tiers := Tiers(urls, func(url string) uint64 { return place(url).Family }, place)
	early := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return tiers[u] > familyURLs })
	if len(early) > keep {
		urls, tiers = early, Tiers(early, func(url string) uint64 { return place(url).Family >> 40 }, place)
	}
	slices.SortFunc(urls, func(a, b string) int { return cmp.Or(cmp.Compare(tiers[a], tiers[b]), before(place, a, b)) })
	return urls[:keep]
}

// Tiers returns the tiers of different URLs within groups: the number of a URL in its group,
// and at least 64.
func Tiers(urls []string, group func(url string) uint64, place func(url string) Place) map[string]int {
	tiers, members := map[string]int{}, map[uint64]int{}
	for _, u := range slices.SortedFunc(slices.Values(urls), func(a, b string) int { return before(place, a, b) }) {
		members[group(u)]++
		tiers[u] = max(familyURLs, members[group(u)])
	}
	return tiers
}

func before(place func(url string) Place, a, b string) int {
	p, q := place(a), place(b)
	return cmp.Or(cmp.Compare(p.Key, q.Key), cmp.Compare(p.URL, q.URL), strings.Compare(a, b))
}
