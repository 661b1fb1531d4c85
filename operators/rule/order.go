package rule

import (
	"bytes"
	"slices"
)

// Order sorts the parameters of the query by name, stably. The separators stay where
// they are, and so do the pieces without a name.
type Order struct{}

var orderKind = kind{
	name:  "order",
	isOp:  true,
	about: "The parameters of the query are sorted by name in byte order, stably, each with its value. The separators stay where they are, and so do the pieces without a name.",
	members: []member{
		op,
		{name: "in", of: func(w *Wire) any { return &w.In }, words: []string{"query"}},
	},
	read:     func(*Wire) (Edit, error) { return Order{}, nil },
	hasQuery: always,
	compare:  func(a, b Likely) int { return CompareParams(&a.Rule, &b.Rule) },
}

func (Order) kind() Kind                { return KindOrder }
func (Order) validate() error           { return nil }
func (Order) texts() [mostTexts]fromURL { return [mostTexts]fromURL{} }
func (Order) words() string             { return "ignore the order of the parameters" }
func (Order) triggers(t *Triggers)      { t.add(Trigger{Text: "&"}, Trigger{Text: ";"}) }
func (Order) write(*Wire)               {}

// piece is a parameter's place in a URL.
type piece struct{ from, to int }

// apply appends a URL with its parameters in order.
func (Order) apply(dst, url []byte) ([]byte, bool) {
	if isSorted(url) {
		return dst, false
	}
	var few [64]piece
	params := few[:0]
	for from, to := range Query(url) {
		if len(nameOf(url[from:to])) > 0 {
			params = append(params, piece{from, to})
		}
	}
	slices.SortStableFunc(params, func(a, b piece) int {
		return bytes.Compare(nameOf(url[a.from:a.to]), nameOf(url[b.from:b.to]))
	})
	copied := 0
	for from, to := range Query(url) {
		if len(nameOf(url[from:to])) > 0 {
			p := params[0]
			params = params[1:]
			dst = append(append(dst, url[copied:from]...), url[p.from:p.to]...)
			copied = to
		}
	}
	return append(dst, url[copied:]...), true
}

// isSorted reports whether the parameters of a query stand in the order of their names.
func isSorted(url []byte) bool {
	var last []byte
	for from, to := range Query(url) {
		name := nameOf(url[from:to])
		if len(name) == 0 {
			continue
		}
		if bytes.Compare(name, last) < 0 {
			return false
		}
		last = name
	}
	return true
}
