package forms

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule/dust"
)

// The pairs of every rule are drawn in one random order of the site's pages: pages that come first for
// one rule come first for another, so documents fetched for one rule serve the next. The order of the
// pairs of a single rule is random. Samples of several populations drawn in this way are called
// coordinated (Brewer, Early and Joyce 1972).
//
// The pairs of one page under several forms therefore have one place in the order. A page is
// recognized by the rarest tokens that u and v have in common, usually its own name. Tokens of one URL
// alone do not count.

const (
	bunch     = 2 // approximate greatest number of pairs of a rule that have one place
	mostNames = 4 // tokens by which a page is recognized
)

// Turn is the place of a pair in the order.
type Turn struct {
	Places [mostNames]uint64 // hash of the rarest tokens: of one, of two, and so on
	Within uint64            // hash of the envelope (p, s) of the edit
}

// TurnOf returns the place of a pair whose u represents a form. O(tokens).
func TurnOf(h *book.Hasher, held map[string]int32, form, v string) (t Turn) {
	p, s := book.Common(form, v)
	t.Within = h.Hash(p+"\n"+s, 1)
	names, joined := rarest(held, p, s), ""
	for n := range t.Places {
		switch {
		case n < len(names):
			if n > 0 {
				joined += "\n"
			}
			joined += names[n].token
			t.Places[n] = h.Hash(joined, 1)
		case n == 0:
			t.Places[n] = t.Within
		default:
			t.Places[n] = t.Places[n-1]
		}
	}
	return t
}

// name is a token by which a page is recognized.
type name struct {
	token string
	held  int32 // URLs that hold it
}

func (n name) compare(m name) int {
	if n.held != m.held {
		return int(n.held) - int(m.held)
	}
	return strings.Compare(n.token, m.token)
}

// rarest returns the tokens of two texts that the fewest URLs hold, at most mostNames, the
// rarest first.
func rarest(held map[string]int32, p, s string) (names []name) {
	for _, text := range [...]string{p, s} {
		for token := range tokens(text) {
			next := name{token, held[token]}
			if next.held < 2 {
				continue
			}
			if at, known := slices.BinarySearchFunc(names, next, name.compare); !known && at < mostNames {
				names = slices.Insert(names, at, next)
				names = names[:min(len(names), mostNames)]
			}
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

// Pair is (u, v): the URL that represents a form, and the text into which a rule turns the latter.
type Pair struct {
	U, V     string
	Form     string
	Key      book.Key
	Turn     Turn   // position in the drawing order
	Page     uint64 // by its rarest token; 0 if unknown
	bunch    uint64 // of several pairs of one page, drawn together
	Likeness Likeness
}

// allOf yields the pairs of all strata.
func allOf(strata *[trial.Strata][]Pair) iter.Seq[*Pair] {
	return func(yield func(*Pair) bool) {
		for h := range strata {
			for i := range strata[h] {
				if !yield(&strata[h][i]) {
					return
				}
			}
		}
	}
}

// Arrange gives the pairs of a rule their places. A place that would have many pairs is divided
// by the next token, and at last at random, so that the sample is spread over all pairs of
// the rule. O(pairs).
func Arrange(strata [][]Pair) {
	for _, pairs := range strata {
		for i := range pairs {
			pairs[i].bunch = pairs[i].Turn.Places[0]
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
					p.Page = 0
					if mostOfPage*n <= all {
						p.Page = p.bunch
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

// divide moves a pair to a smaller place if its own has too many.
func (p *Pair) divide(level, pairs int) {
	switch {
	case pairs <= bunch:
	case level < mostNames:
		p.bunch = p.Turn.Places[level]
	default:
		p.bunch ^= (p.Turn.Within & (1<<bits.Len(uint(pairs/bunch)) - 1)) * 0x9e3779b97f4a7c15
	}
}

// Pairs returns the pairs of moves that may be tried, if need be with stand-ins, in drawing order, and the number of
// pairs left out because one of their URLs is never fetched. O(moves · log).
func (w *View) Pairs(f *Forms, moves []Move, asks *Asks) (pairs [trial.Strata][]Pair, barred int) {
	if d := w.takeDrawn(f, moves, asks); d != nil {
		return d.pairs, d.barred
	}
	torn, odd, likeness, isBarred := w.torn(f, moves), w.odd(f, moves), w.likenesses(f, moves), false
	for i, v := range moves {
		u := f.Rep(v.Form)
		if asks.OfMove(i) != Public {
			barred++
			isBarred = isBarred || likeness[v.Form] == UnlikeInLog
			continue
		}
		if w.Guard.Lacks(u, v.To) {
			continue
		}
		h := w.stratum(f, v)
		switch {
		case torn[v.To]:
			h = trial.Torn
		case odd[v.Form]:
			h = trial.Odd
		}
		p := w.Pair(f.Texts[v.Form], u, v.To)
		p.Likeness = likeness[v.Form]
		pairs[h] = append(pairs[h], p)
	}
	if isBarred { // an exception for the other unlike pairs would leave these
		forgetLikenesses(&pairs)
	}
	Arrange(pairs[:])
	for h := range pairs {
		slices.SortFunc(pairs[h], Pair.Compare)
		inRounds(pairs[h])
	}
	return pairs, barred
}

// Compare defines the drawing order.
func (p Pair) Compare(q Pair) int {
	return cmp.Or(cmp.Compare(p.bunch, q.bunch), cmp.Compare(p.Turn.Within, q.Turn.Within), strings.Compare(p.U, q.U), strings.Compare(p.V, q.V))
}

// ofOneV is the number of pairs with the same v that are drawn before pairs with another v.
// A verdict from few different v proves little.
const ofOneV = 4

// inRounds arranges sorted pairs in rounds. Each round holds at most ofOneV pairs with the
// same v.
func inRounds(pairs []Pair) {
	seen, round := map[string]int{}, make(map[book.Key]int, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		round[p.Key] = seen[p.V] / ofOneV
		seen[p.V]++
	}
	slices.SortStableFunc(pairs, func(p, q Pair) int { return round[p.Key] - round[q.Key] })
}
