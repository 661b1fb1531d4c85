package table

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"dustbuster/operators/rule/dust"

	"github.com/dchest/siphash"
)

// ranked is a URL's place in the order of shedding.
type ranked struct {
	key uint64 // hash of the page: see pageKeys
	url uint64 // hash of the URL
	id  uint32
}

// compare orders URLs by the hash of the page, then by that of the URL.
func (a ranked) compare(b ranked) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.url, b.url))
}

// rank returns the place of a URL in the order of shedding, without the number, and the
// URL's family. O(bytes).
func (t *Table) rank(url []byte) (r ranked, family uint64) {
	page, family := t.pageKeys(url)
	return ranked{key: page, url: siphash.Hash(t.o.Key[0], t.o.Key[1], url)}, family
}

// Rank returns a URL's place in the order of shedding: the hash of the page, then that of the
// URL. URLs of smaller rank stay.
func (o Options) Rank(url []byte) (page, hash uint64) {
	r, _ := (&Table{o: o}).rank(url)
	return r.key, r.url
}

// pageKeys returns the hash of a URL's page, made of the three best words of the URL, and
// the hash of the URL's family, made of the three best words apart from values with a digit.
//
// The words are the tokens of letters and digits in the path and in the query. The names
// of parameters are left out, since they are the same on many pages. The best words are the
// words with the smallest draws (see draw). As in a min-hash, two forms of a page share the
// best words with the probability that the edit leaves these words alone. Since the key
// begins with the best draw, pages that share a word with a small draw stay together, and
// so do the instances of a rule among them.
//
// A value with a digit may name a page, a session or nothing. A flood has any number of
// such values, so families leave them out if another word is left. The bound of a family
// keeps one page from filling a sample. The bound of the family's best word keeps a
// frequent word from filling a sample, so that most of a sample are pages with a rare word,
// in proportion to all such pages.
//
// Rejected: other keys. BenchmarkSampleRules cuts lists to a tenth, and counts how many of the 50 pairs of
// greatest support are likely again, exactly / with the same core edit. This key has .39 / .50 on six real
// lists and .34 / .65 on nine generated ones; a perfect sample of whole pages has .49 on the real lists. The
// others, on real and generated lists:
//
//	the URL's hash alone                         .10 / .18
//	the two smallest tokens                      .36 / .47
//	all words draw alike                         .36 / .47    .39 / .75
//	longer words draw more often                 .32 / .44    .35 / .66
//	numbers of one digit count as short words    .39 / .50    .35 / .67
//	words of the last segment draw three times   .35 / .46    .30 / .59
//	no bound for frequent words                  .39 / .50    .27 / .51
//	the first draw, corrected for the number of words (.34 / .45 and .44 / .76): forms of one page have
//	different numbers of words, and supports fall to .2 of their share, or rise to 2.9 times it
func (t *Table) pageKeys(url []byte) (page, family uint64) {
	var named, numbered best // words; values with a digit
	path := bytes.IndexByte(url, '?')
	if path < 0 {
		path = len(url)
	}
	for at := 0; at < len(url); {
		if at > path && (at == path+1 || url[at-1] == '&' || url[at-1] == ';') {
			at += nameLength(url[at:])
		}
		if at == len(url) {
			break
		}
		end := dust.TokenEnd(url, at)
		if word := url[at:end]; dust.IsWord(word) {
			into := &named
			if at > path && hasDigit(word) {
				into = &numbered
			}
			into.add(t.draw(word))
		}
		at = end
	}
	all := named.join(numbered)
	if named.count == 0 {
		named = all
	}
	return all.hash(), named.hash()
}

// nameLength returns the length of the name of the parameter that begins a text. A piece
// without "=" has no name.
func nameLength(text []byte) int {
	for i, c := range text {
		switch c {
		case '=':
			return i
		case '&', ';':
			return 0
		}
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// hasDigit reports whether a word has a digit outside of escapes.
func hasDigit(word []byte) bool {
	for i := 0; i < len(word); i++ {
		if word[i] == '%' {
			i += 2
		} else if isDigit(word[i]) {
			return true
		}
	}
	return false
}

// draw returns the draw of a word, uniform from 0 to 1 for most words, by the keyed hash.
// Numbers name one page more often than words do, and short words (html, en, wp) less
// often. So a number draws four times and has the smallest draw, and a short word has the
// greatest of four. The result is the same on every machine: square roots, products and
// differences are exact or rounded in one way, and the conversion forbids fused operations.
func (t *Table) draw(word []byte) float64 {
	u := float64(siphash.Hash(t.o.Key[0], t.o.Key[1], word)>>11) / (1 << 53)
	switch {
	case allDigits(word):
		u = math.Sqrt(math.Sqrt(u))
	case len(word) < shortWord:
		u *= u
		u *= u
	}
	return 1 - float64(u)
}

const shortWord = 4

func allDigits(word []byte) bool {
	return !slices.ContainsFunc(word, func(c byte) bool { return !isDigit(c) })
}

// best holds the three smallest different draws in ascending order.
type best struct {
	draws [3]uint32
	count int
}

func (b *best) add(draw float64) { b.insert(uint32(draw * (1<<32 - 1))) }

func (b *best) insert(d uint32) {
	at := 0
	for at < b.count && b.draws[at] < d {
		at++
	}
	if at == len(b.draws) || at < b.count && b.draws[at] == d {
		return
	}
	copy(b.draws[at+1:], b.draws[at:])
	b.draws[at] = d
	b.count = min(b.count+1, len(b.draws))
}

func (b best) join(o best) best {
	for _, d := range o.draws[:o.count] {
		b.insert(d)
	}
	return b
}

// hash puts the draws one after the other, the best first: 24, 20 and 20 bits. A URL
// without words has the greatest hash.
func (b best) hash() uint64 {
	for i := b.count; i < len(b.draws); i++ {
		b.draws[i] = math.MaxUint32
	}
	return uint64(b.draws[0]>>8)<<40 | uint64(b.draws[1]>>12)<<20 | uint64(b.draws[2]>>12)
}
