package lifecycle

import (
	"cmp"
	"iter"
	"math/bits"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule/dust"
)

// The pairs of every rule are drawn in one random order of the site's pages: pages that come
// first for one rule come first for another rule, so documents fetched for one rule serve
// the next. The order of the pairs of a single rule is random. Samples of several
// populations drawn in this way are called coordinated (Brewer, Early and Joyce 1972).
//
// The pairs of one page under several forms therefore have one place in the order. A page is
// recognized by the rarest tokens that u and v have in common, usually the page's own name.
// Tokens of one URL alone do not count.

const (
	bunch     = 2 // approximate greatest number of pairs of a rule that have one place
	mostNames = 4 // tokens by which a page is recognized
)

// turn is the place of a pair in the order.
type turn struct {
	places [mostNames]uint64 // hash of the rarest tokens: of one, of two, and so on
	within uint64            // hash of the envelope (p, s) of the edit
}

// turnOf returns the place of a pair whose u represents a form. O(tokens).
func turnOf(h *hasher, held map[string]int32, form, v string) (t turn) {
	p, s := common(form, v)
	t.within = h.hash(p+"\n"+s, 1)
	names := rarest(held, p, s)
	for n := range t.places {
		switch {
		case n < len(names):
			t.places[n] = h.hash(strings.Join(names[:n+1], "\n"), 1)
		case n == 0:
			t.places[n] = t.within
		default:
			t.places[n] = t.places[n-1]
		}
	}
	return t
}

// rarest returns the tokens of two texts that the fewest URLs hold, at most mostNames, the
// rarest first.
func rarest(held map[string]int32, p, s string) (names []string) {
	for _, text := range [...]string{p, s} {
		for token := range tokens(text) {
			if held[token] < 2 {
				continue
			}
			at := 0
			for at < len(names) && cmp.Or(cmp.Compare(held[names[at]], held[token]), strings.Compare(names[at], token)) < 0 {
				at++
			}
			if at == mostNames || at < len(names) && names[at] == token {
				continue
			}
			if len(names) < mostNames {
				names = append(names, "")
			}
			copy(names[at+1:], names[at:])
			names[at] = token
		}
	}
	return names
}

// tokens yields the tokens of a text.
func tokens(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(s); {
			to := dust.TokenEnd(s, at)
			if !yield(s[at:to]) {
				return
			}
			at = to
		}
	}
}

// pair is (u, v): the URL that represents a form, and the text into which a rule turns the form.
type pair struct {
	u, v     string
	form     string
	key      key
	turn     turn   // position in the drawing order
	page     uint64 // by the page's rarest token; 0 if unknown
	bunch    uint64 // of several pairs of one page, drawn together
	likeness likeness
}

// allOf yields the pairs of all strata.
func allOf(strata *[trial.Strata][]pair) iter.Seq[*pair] {
	return func(yield func(*pair) bool) {
		for h := range strata {
			for i := range strata[h] {
				if !yield(&strata[h][i]) {
					return
				}
			}
		}
	}
}

// arrange gives the pairs of a rule their places. A place that would have many pairs is divided
// by the next token, and at last at random, so that the sample is spread over all pairs of
// the rule. O(pairs).
func arrange(strata [][]pair) {
	for _, pairs := range strata {
		for i := range pairs {
			pairs[i].bunch = pairs[i].turn.places[0]
		}
	}
	for level := 1; level <= mostNames; level++ {
		sizes, all := map[uint64]int{}, 0
		for _, pairs := range strata {
			for i := range pairs {
				sizes[pairs[i].bunch]++
			}
			all += len(pairs)
		}
		for _, pairs := range strata {
			for i := range pairs {
				p, n := &pairs[i], sizes[pairs[i].bunch]
				if level == 1 {
					p.page = 0
					if mostOfPage*n <= all {
						p.page = p.bunch
					}
				}
				p.divide(level, n)
			}
		}
	}
}

// mostOfPage is the least number of pages by which a rarest token can tell pages apart: a token
// in more than this part of a rule's pairs names no page.
const mostOfPage = 10

// divide moves a pair to a smaller place if the pair's place has too many pairs.
func (p *pair) divide(level, pairs int) {
	switch {
	case pairs <= bunch:
	case level < mostNames:
		p.bunch = p.turn.places[level]
	default:
		p.bunch ^= (p.turn.within & (1<<bits.Len(uint(pairs/bunch)) - 1)) * 0x9e3779b97f4a7c15
	}
}
