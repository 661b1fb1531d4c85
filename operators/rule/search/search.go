// Package search finds, in a list of texts, those that a rule may change.
package search

import (
	"encoding/binary"
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
	x := &Index{texts: n, number: map[string]int32{}, starts: make([]int32, 1)}
	var tokens tokens
	var last []int32 // by token: the last text with the token, plus one
	for n := range n {
		text := text(n)
		for from, to := range spans(text) {
			id, known := x.number[text[from:to]]
			if !known {
				id = int32(len(last))
				x.number[text[from:to]] = id
				last, x.starts = append(last, 0), append(x.starts, 0)
			}
			if last[id] != int32(n)+1 {
				last[id] = int32(n) + 1
				tokens.add(uint64(id) + 1)
				x.starts[id+1]++
			}
		}
		tokens.add(0)
	}
	x.fill(tokens, last)
	return x
}

// tokens are the tokens of all texts: their numbers plus one, each once for each text, and a 0 behind
// each text. Tokens that come first, as most that many texts hold do, have small numbers, so a token
// takes one or two bytes. Tokens are added in chunks, which are never copied.
type tokens [][]byte

// The first chunk has firstChunk bytes, and each further one four times as many as the chunk before
// it, up to 2^growChunks times as many.
const (
	firstChunk = 1 << 6
	growChunks = 12
)

func (t *tokens) add(token uint64) {
	n := len(*t) - 1
	if n < 0 || cap((*t)[n])-len((*t)[n]) < binary.MaxVarintLen32 {
		*t = append(*t, make([]byte, 0, firstChunk<<min(2*len(*t), growChunks)))
		n++
	}
	(*t)[n] = binary.AppendUvarint((*t)[n], token)
}

// fill turns tokens by text into texts by token, whose numbers are in starts, one place on. It takes
// scratch for each token.
func (x *Index) fill(all tokens, at []int32) {
	for id := range at {
		x.starts[id+1] += x.starts[id]
	}
	copy(at, x.starts)
	x.held = make([]int32, x.starts[len(at)])
	text := int32(0)
	for i, chunk := range all {
		for len(chunk) > 0 {
			token, size := binary.Uvarint(chunk)
			chunk = chunk[size:]
			if token == 0 {
				text++
				continue
			}
			x.held[at[token-1]] = text
			at[token-1]++
		}
		all[i] = nil
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
