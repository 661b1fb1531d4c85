// Package query splits the query of a URL into parameters, and removes parameters.
//
// The path of a URL ends before the first '?'. The query follows, and splits into pieces
// at each & and ;. A piece is a parameter, name=value or a bare name. A piece without a
// name is not a parameter and is never removed.
//
// A removed piece takes the separator after it along, the last piece the one before it. A query
// that becomes empty loses its '?' too.
//
// The learners of parameter rules share this package. A rule itself is applied by package
// rule, which stores nothing.
package query

import "bytes"

// Query is a URL split into its parameters. A Query aliases the text and is reused for
// the next URL. The zero Query is ready for use.
type Query struct {
	Pieces []Piece // between the separators, in order, empty pieces too; none without a '?'
	Params int     // pieces that are parameters, repeated parameters too

	text  []byte
	path  int   // bytes before the first '?', or all
	names []int // for each distinct name, its first piece; empty if there are too many parameters
}

// Piece is a piece of a Query.
type Piece struct {
	Name int // number of the name, or Nameless

	from, eq, to int // text[from:to], with the name text[from:eq]; the name of a bare parameter ends with the piece
}

// Nameless is the name of a piece that is no parameter, or one beyond the maximum.
const Nameless = -1

// Valued reports whether the piece is name=value. The value may be empty.
func (p Piece) Valued() bool { return p.eq > p.from && p.eq < p.to }

// Bare reports whether the piece is a bare name.
func (p Piece) Bare() bool { return p.eq > p.from && p.eq == p.to }

// Split splits a URL. A URL of more than most parameters gets no names. O(bytes + pieces
// * min(names, most)).
func (q *Query) Split(text []byte, most int) {
	q.text, q.path, q.Params = text, bytes.IndexByte(text, '?'), 0
	q.Pieces, q.names = q.Pieces[:0], q.names[:0]
	if q.path < 0 {
		q.path = len(text)
		return
	}
	from := q.path + 1
	for at := from; at < len(text); at++ {
		if c := text[at]; c == '&' || c == ';' {
			q.add(from, at, most)
			from = at + 1
		}
	}
	q.add(from, len(text), most)
	if q.Params > most {
		q.names = q.names[:0]
	}
}

func (q *Query) add(from, to, most int) {
	eq := to
	if i := bytes.IndexByte(q.text[from:to], '='); i >= 0 {
		eq = from + i
	}
	p := Piece{Name: Nameless, from: from, eq: eq, to: to}
	if eq > from {
		if q.Params++; q.Params <= most {
			p.Name = q.number(q.text[from:eq])
		}
	}
	q.Pieces = append(q.Pieces, p)
}

// number returns the index of a name, and adds a new name with the piece about to be
// added.
func (q *Query) number(name []byte) int {
	for i := range q.names {
		if bytes.Equal(q.Name(i), name) {
			return i
		}
	}
	q.names = append(q.names, len(q.Pieces))
	return len(q.names) - 1
}

// Path returns the path of the URL.
func (q *Query) Path() []byte { return q.text[:q.path] }

// Names returns the number of distinct names, or 0 if there are too many parameters.
func (q *Query) Names() int { return len(q.names) }

// Name returns the n-th distinct name, in the order of the first pieces.
func (q *Query) Name(n int) []byte { return q.NameOf(q.Pieces[q.names[n]]) }

// NameOf returns the name of a parameter.
func (q *Query) NameOf(p Piece) []byte { return q.text[p.from:p.eq] }

// ValueOf returns the value of a piece. The piece must be valued.
func (q *Query) ValueOf(p Piece) []byte { return q.text[p.eq+1 : p.to] }

// Text returns the text of a piece.
func (q *Query) Text(p Piece) []byte { return q.text[p.from:p.to] }

// Rest appends the URL without the parameter of number n. Pieces are removed one at a
// time from the left. O(bytes).
func (q *Query) Rest(buf []byte, n int) []byte {
	return q.Without(buf, func(i int) bool { return q.Pieces[i].Name == n })
}

// Without appends the URL without the pieces for which removed returns true. There must
// be a query. O(bytes).
func (q *Query) Without(buf []byte, removed func(i int) bool) []byte {
	start, last := len(buf), len(q.Pieces)-1
	buf = append(buf, q.text[:q.path+1]...)
	empty := start + q.path + 1
	for i, p := range q.Pieces[:last] {
		if !removed(i) {
			buf = append(buf, q.text[p.from:p.to+1]...)
		}
	}
	switch p := q.Pieces[last]; {
	case !removed(last):
		buf = append(buf, q.text[p.from:p.to]...)
	case len(buf) > empty:
		buf = buf[:len(buf)-1]
	}
	if len(buf) == empty {
		buf = buf[:empty-1]
	}
	return buf
}

// Values yields the pieces that give the name of number m a value, equal values once.
func (q *Query) Values(m int) func(yield func(Piece) bool) {
	return func(yield func(Piece) bool) {
		for i := q.names[m]; i < len(q.Pieces); i++ {
			if p := q.Pieces[i]; p.Name == m && p.Valued() && !q.repeats(i) && !yield(p) {
				return
			}
		}
	}
}

// repeats reports whether a piece before the i-th has the same name and value.
func (q *Query) repeats(i int) bool {
	p := q.Pieces[i]
	for _, o := range q.Pieces[q.names[p.Name]:i] {
		if o.Name == p.Name && o.Valued() && bytes.Equal(q.ValueOf(o), q.ValueOf(p)) {
			return true
		}
	}
	return false
}

// Valued reports whether some piece gives the name of number m a value.
func (q *Query) Valued(m int) bool {
	for _, p := range q.Pieces[q.names[m]:] {
		if p.Name == m && p.Valued() {
			return true
		}
	}
	return false
}

// Rest returns a URL without a parameter, and reports whether it had it. O(bytes).
func Rest(url []byte, param string) (rest []byte, has bool) {
	var q Query
	q.Split(url, unnumbered)
	for i := range q.Pieces {
		if p := &q.Pieces[i]; p.eq > p.from && string(q.NameOf(*p)) == param {
			p.Name, has = 0, true
		}
	}
	if !has {
		return url, false
	}
	return q.Rest(nil, 0), true
}

// unnumbered is a maximum of parameters at which Split gives no names. Numbering names
// costs the square of their number, and here a single name is needed.
const unnumbered = 0
