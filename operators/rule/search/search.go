// Package search finds, in a list of texts, those that a rule may change.
package search

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Index finds the texts that a rule may change: those that hold the rarest tokens of a text
// sought by the rule. A rule therefore touches a few texts instead of all. An Index
// does not change, and any goroutine may use it.
type Index struct {
	texts  int
	text   func(number int) string
	tokens []string // by number
	number *Numbers // of tokens
	starts []int32  // by token: start of the token's texts in held; one extra element at the end
	held   []int32  // numbers of texts, ascending by token
	marks  []uint64 // by text: see markOf
}

// New reads the tokens of n texts, numbered from 0. The index shares the texts' memory.
// O(bytes). Texts in byte order are read faster: the tokens that a text shares with the one before are known.
func New(n int, text func(number int) string) *Index {
	x := &Index{texts: n, text: text, starts: make([]int32, 1), marks: make([]uint64, n)}
	x.number = NewNumbers(0, func(number int) string { return x.tokens[number] })
	var tokens tokens
	var last []int32 // by token: the last text with the token, plus one
	var ids []int32  // the tokens of a text, as the next
	var ends []int
	before := ""
	for n := range n {
		text := text(n)
		known := tokensWithin(ends, sharedBytes(before, text))
		ids, ends = ids[:known], ends[:known]
		at := 0
		if known > 0 {
			at = ends[known-1]
		}
		for at < len(text) {
			from := at
			at = dust.TokenEnd(text, at)
			token := text[from:at]
			hash := x.number.hash(token)
			id, known := x.number.find(hash, token)
			if !known {
				id = len(last)
				x.number.add(hash)
				x.tokens, last, x.starts = append(x.tokens, token), append(last, 0), append(x.starts, 0)
			}
			ids, ends = append(ids, int32(id)), append(ends, at)
		}
		for _, id := range ids {
			if last[id] != int32(n)+1 {
				last[id] = int32(n) + 1
				tokens.add(uint64(id) + 1)
				x.starts[id+1]++
			}
		}
		tokens.add(0)
		x.marks[n] = markOf(ids)
		before = text
	}
	x.fill(tokens, last)
	return x
}

// sharedBytes returns the number of bytes that begin both of two texts.
func sharedBytes(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// tokensWithin returns how many of a text's tokens do not depend on what follows its first bytes.
func tokensWithin(ends []int, bytes int) (n int) {
	for n < len(ends) && ends[n]+dust.EscapeBytes <= bytes {
		n++
	}
	return n
}

// markOf returns a bit for each pair of neighbours in a list of tokens.
func markOf(ids []int32) (mark uint64) {
	for i := 1; i < len(ids); i++ {
		mark |= 1 << ((uint64(ids[i-1])*0x9e3779b97f4a7c15 + uint64(ids[i])) * 0xd6e8feb86659fd93 >> 58)
	}
	return mark
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
// and returns a bound of their number. These are the texts with the tokens of one of a set of
// triggers. The bound is the number of texts with the rarest tokens.
func (x *Index) MayChange(r *rule.Rule) (texts iter.Seq[int32], count int) {
	triggers := r.Triggers()
	var best []rule.Trigger
	var lists [][]int32
	count = x.texts
	all := true
	for i := range triggers.Len() {
		set := triggers.Set(i)
		holders, n, ok := x.holders(set)
		if ok && (all || n < count) {
			best, lists, count, all = set, holders, n, false
		}
	}
	switch {
	case all:
		return x.everything(), count
	case len(lists) == 1:
		return x.Holding(best[0].Text)
	}
	return x.read(merged(lists)), count
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
	for from := 0; from < len(text); {
		to := dust.TokenEnd(text, from)
		if _, held := x.holding(text[from:to]); !ok || len(held) < len(least) {
			least, ok = held, true
		}
		from = to
	}
	return least, ok
}

// holding returns the number of a token and the texts with it.
func (x *Index) holding(token string) (id int, held []int32) {
	id, known := x.number.find(x.number.hash(token), token)
	if !known {
		return 0, nil
	}
	return id, x.held[x.starts[id]:x.starts[id+1]]
}

// Holding is MayChange for a rule with one trigger, a text. Few of the numbers are of texts without the trigger.
func (x *Index) Holding(trigger string) (texts iter.Seq[int32], count int) {
	least, ok := x.rarest(trigger)
	if !ok {
		return x.everything(), x.texts
	}
	return func(yield func(int32) bool) { x.common(trigger, yield) }, len(least)
}

// mostCommon is the number of tokens, the rarest, of which a text has all.
const mostCommon = 3

// common yields the numbers of the texts that have the rarest tokens of a text and, as far as marks tell, all its
// pairs of neighbours. Of a million URLs, marks leave out most before any list is searched. To find a number in the
// lists of the other tokens takes some ten steps close together, and to look at a text the time of a read of memory.
func (x *Index) common(text string, yield func(int32) bool) {
	var ids [fewTokens]int32
	var lists [fewTokens][]int32
	tokens, rarest := ids[:0], lists[:0]
	for from := 0; from < len(text); {
		to := dust.TokenEnd(text, from)
		id, held := x.holding(text[from:to])
		tokens, rarest = append(tokens, int32(id)), append(rarest, held)
		from = to
	}
	mark := markOf(tokens)
	slices.SortFunc(rarest, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	others := rarest[1:min(mostCommon, len(rarest))]
	var some [ahead]int32
	found := some[:0]
	for _, n := range rarest[0] {
		if x.marks[n]&mark != mark || !inAll(others, n) {
			continue
		}
		if found = append(found, n); len(found) == ahead {
			if !x.pass(found, yield) {
				return
			}
			found = found[:0]
		}
	}
	x.pass(found, yield)
}

// fewTokens is the number of tokens up to which a trigger takes no memory.
const fewTokens = 16

// inAll reports whether ascending lists hold a number that is not below those asked for before.
// The lists lose what is below the number.
func inAll(lists [][]int32, n int32) bool {
	for i := range lists {
		lists[i] = from(lists[i], n)
		if len(lists[i]) == 0 || lists[i][0] != n {
			return false
		}
	}
	return true
}

// from returns an ascending list from the first number on that is not below n. O(log numbers left out).
func from(list []int32, n int32) []int32 {
	step := 1
	for step < len(list) && list[step] < n {
		step *= 2
	}
	at, _ := slices.BinarySearch(list[step/2:min(step+1, len(list))], n)
	return list[step/2+at:]
}

// merged returns the numbers of ascending lists, each number once, in ascending order.
func merged(lists [][]int32) []int32 {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// ahead is the number of texts that are read ahead of the caller.
const ahead = 32

// read yields numbers. It reads the beginnings and the ends of some texts together, since the texts
// are scattered over the memory, and the processor can wait for many reads at once.
func (x *Index) read(numbers []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for some := range slices.Chunk(numbers, ahead) {
			if !x.pass(some, yield) {
				return
			}
		}
	}
}

func (x *Index) pass(numbers []int32, yield func(int32) bool) bool {
	x.touch(numbers)
	for _, n := range numbers {
		if !yield(n) {
			return false
		}
	}
	return true
}

// touch reads the two ends of texts. The result has no meaning. Inlined, touch would read nothing.
//
//go:noinline
func (x *Index) touch(numbers []int32) (touched byte) {
	for _, n := range numbers {
		if text := x.text(int(n)); len(text) > 0 {
			touched ^= text[0] ^ text[len(text)-1]
		}
	}
	return touched
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
