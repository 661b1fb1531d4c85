package lifecycle

import (
	"iter"
	"slices"

	"dustbuster/operators/dust"
	"dustbuster/operators/rule"
)

// index finds the forms that a rule may change: the forms that hold the rarest token of the
// text sought by the rule. A candidate therefore touches some hundred forms instead of all.
type index struct {
	forms  *forms
	number map[string]int32 // tokens
	starts []int32          // by token: start of the token's forms in held; one extra element at the end
	held   []int32          // numbers of forms, ascending by token
}

// newIndex reads the tokens of all forms. O(bytes).
func newIndex(f *forms) *index {
	x := &index{forms: f, number: map[string]int32{}}
	var tokens, ends []int32 // tokens of all forms; each token appears once for each form
	var last []int32         // by token: the last form with the token, plus one
	for n, text := range f.texts {
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

// fill turns tokens by form into forms by token.
func (x *index) fill(tokens, ends []int32, count int) {
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

// mayChange yields the forms that the rule may change, and returns their number, or a bound of
// it. These are the forms with the rarest tokens of a set of triggers.
func (x *index) mayChange(r *rule.Rule) (forms iter.Seq[int32], count int) {
	triggers := r.Triggers()
	var best [][]int32
	count = len(x.forms.texts)
	all := true
	for i := range triggers.Len() {
		lists, n, ok := x.holders(triggers.Set(i))
		if ok && (all || n < count) {
			best, count, all = lists, n, false
		}
	}
	if all {
		return x.forms.everything(), count
	}
	return merged(best), count
}

// holders returns for each trigger of a set the forms with the rarest token of the trigger,
// and their number. ok is false if a trigger has no token.
func (x *index) holders(set []rule.Trigger) (lists [][]int32, n int, ok bool) {
	for _, t := range set {
		least, has := x.rarest(t.Text)
		if !has {
			return nil, 0, false
		}
		lists, n = append(lists, least), n+len(least)
	}
	return lists, n, true
}

// rarest returns the forms with the rarest token of a text. ok is false if the text has no
// token.
func (x *index) rarest(text string) (least []int32, ok bool) {
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
