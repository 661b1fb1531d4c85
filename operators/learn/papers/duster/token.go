package duster

import "slices"

// kind is the type of a token, τ in the paper.
type kind uint8

const (
	letters kind = iota
	digits
	mark // one byte that is neither letter nor digit: a delimiter
)

// column is a set of tokens of one kind that stand in one place of several URLs.
type column struct {
	kind kind
	gap  bool    // some URL has no token here
	set  []int32 // numbers of the tokens, ascending
}

// alphabet numbers the tokens of one cluster.
type alphabet struct {
	numbers map[string]int32
	tokens  []string
	alone   []int32 // alone[n] is n, so that alone[n:n+1] is a set of one token
}

func newAlphabet() *alphabet { return &alphabet{numbers: map[string]int32{}} }

func (a *alphabet) number(token string) int32 {
	n, ok := a.numbers[token]
	if !ok {
		n = int32(len(a.tokens))
		a.numbers[token] = n
		a.tokens = append(a.tokens, token)
		a.alone = append(a.alone, n)
	}
	return n
}

// sequence returns the columns of one URL: a set of one token for each token of grammar G.
// The result is nil if the URL has more than maxTokens tokens, or a byte that is not
// printable ASCII.
func (a *alphabet) sequence(url string) []column {
	var row []column
	for at := 0; at < len(url); {
		k, end := tokenAt(url, at)
		if len(row) == maxTokens || url[at] <= ' ' || url[at] > '~' {
			return nil
		}
		n := a.number(url[at:end])
		row = append(row, column{kind: k, set: a.alone[n : n+1 : n+1]})
		at = end
	}
	return row
}

// tokenAt returns the kind and the end of the token that begins at an offset.
func tokenAt(url string, at int) (kind, int) {
	k := kindOf(url[at])
	end := at + 1
	for k != mark && end < len(url) && kindOf(url[end]) == k {
		end++
	}
	return k, end
}

func kindOf(c byte) kind {
	switch {
	case '0' <= c && c <= '9':
		return digits
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return letters
	}
	return mark
}

func join(x, y column) column {
	x.gap = x.gap || y.gap
	if slices.Equal(x.set, y.set) {
		return x
	}
	x.set = slices.Compact(slices.Sorted(slices.Values(slices.Concat(x.set, y.set))))
	return x
}

// missing returns a column as it is where another URL has a gap.
func missing(x column) column {
	x.gap = true
	return x
}
