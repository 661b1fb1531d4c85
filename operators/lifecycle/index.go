package lifecycle

import (
	"iter"

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

// mayChange yields the forms that the rule may change, and returns their number.
func (x *index) mayChange(r *rule.Rule) (forms iter.Seq[int32], count int) {
	least, found := []int32(nil), false
	for _, s := range [...]string{r.From, r.Param, r.Scope.Path, r.Scope.Param} {
		for from, to := range spans(s) {
			id, known := x.number[s[from:to]]
			if !known {
				return func(func(int32) bool) {}, 0
			}
			if held := x.held[x.starts[id]:x.starts[id+1]]; !found || len(held) < len(least) {
				least, found = held, true
			}
		}
	}
	if !found {
		return x.forms.everything(), len(x.forms.texts)
	}
	return func(yield func(int32) bool) {
		for _, n := range least {
			if !yield(n) {
				return
			}
		}
	}, len(least)
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
