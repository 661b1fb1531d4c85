// Package search finds, in a list of texts, those that a rule may change.
package search

import (
	"iter"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Index finds the texts that a rule may change: those that hold the rarest token of a text
// sought by the rule. A rule therefore touches some hundred texts instead of all. An Index
// does not change, and any goroutine may use it.
type Index struct {
	texts  int
	number map[string]int32 // tokens
	starts []int32          // by token: start of the token's texts in held; one extra element at the end
	held   []int32          // numbers of texts, ascending by token
}

// New reads the tokens of n texts, numbered from 0. The index shares the texts' memory.
// O(bytes).
func New(n int, text func(number int) string) *Index {
	x := &Index{texts: n, number: map[string]int32{}}
	var tokens, ends []int32 // tokens of all texts; each token appears once for each text
	var last []int32         // by token: the last text with the token, plus one
	for n := range n {
		text := text(n)
		for from, to := range spans(text) {
			id, known := x.number[text[from:to]]
			if !known {
				id = int32(len(last))
				x.number[text[from:to]] = id
				last = append(last, 0)
			}
			if last[id] != int32(n)+1 {
				last[id] = int32(n) + 1
				tokens = append(tokens, id)
			}
		}
		ends = append(ends, int32(len(tokens)))
	}
	x.fill(tokens, ends, len(last))
	return x
}

// fill turns tokens by text into texts by token.
func (x *Index) fill(tokens, ends []int32, count int) {
	x.starts = make([]int32, count+1)
	for _, id := range tokens {
		x.starts[id+1]++
	}
	for id := range count {
		x.starts[id+1] += x.starts[id]
	}
	x.held = make([]int32, len(tokens))
	at := append([]int32(nil), x.starts...)
	k := int32(0)
	for n, end := range ends {
		for ; k < end; k++ {
			x.held[at[tokens[k]]] = int32(n)
			at[tokens[k]]++
		}
	}
}

// MayChange yields the numbers of the texts that a valid rule may change, in ascending order,
// and returns their number, or a bound of it. These are the texts with the rarest tokens of a
// set of triggers.
func (x *Index) MayChange(r *rule.Rule) (texts iter.Seq[int32], count int) {
	triggers := r.Triggers()
	var best [][]int32
	count = x.texts
	all := true
	for i := range triggers.Len() {
		lists, n, ok := x.holders(triggers.Set(i))
		if ok && (all || n < count) {
			best, count, all = lists, n, false
		}
	}
	if all {
		return x.everything(), count
	}
	return merged(best), count
}

// holders returns for each trigger of a set the texts with its rarest token, and their
// number. ok is false if a trigger has no token.
func (x *Index) holders(set []rule.Trigger) (lists [][]int32, n int, ok bool) {
	for _, t := range set {
		least, has := x.rarest(t.Text)
		if !has {
			return nil, 0, false
		}
		lists, n = append(lists, least), n+len(least)
	}
	return lists, n, true
}

// rarest returns the texts with the rarest token of a text. ok is false if the text has no
// token.
func (x *Index) rarest(text string) (least []int32, ok bool) {
	for from, to := range spans(text) {
		id, known := x.number[text[from:to]]
		if !known {
			return nil, true
		}
		if held := x.held[x.starts[id]:x.starts[id+1]]; !ok || len(held) < len(least) {
			least, ok = held, true
		}
	}
	return least, ok
}

// merged yields the numbers of ascending lists, each number once, in ascending order.
func merged(lists [][]int32) iter.Seq[int32] {
	if len(lists) == 1 {
		return slices.Values(lists[0])
	}
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Values(slices.Compact(all))
}

func (x *Index) everything() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := range int32(x.texts) {
			if !yield(n) {
				return
			}
		}
	}
}

// spans yields where the tokens of a text begin and end.
func spans(s string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for from := 0; from < len(s); {
			to := dust.TokenEnd(s, from)
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}
