package params

import "bytes"

// query is a URL split into its parameters. A query aliases the text and is reused for
// the next URL.
type query struct {
	text   []byte
	path   int     // bytes before the first '?', or all
	pieces []piece // between the separators, in order, empty pieces too
	names  []int   // for each distinct name, its first piece; empty if there are too many parameters
	params int     // pieces that are parameters, repeated parameters too
}

// piece is text[from:to] of a query, with the name text[from:eq]. The name of a bare
// parameter ends with the piece.
type piece struct {
	from, eq, to int
	name         int // index in query.names
}

const nameless = -1 // the name of a piece that is not a parameter, or comes after the maximum

// split splits a URL. A URL of more than most parameters gets no names. O(bytes + pieces
// * min(names, most)).
func (q *query) split(text []byte, most int) {
	q.text, q.path, q.params = text, bytes.IndexByte(text, '?'), 0
	q.pieces, q.names = q.pieces[:0], q.names[:0]
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
	if q.params > most {
		q.names = q.names[:0]
	}
}

func (q *query) add(from, to, most int) {
	eq := to
	if i := bytes.IndexByte(q.text[from:to], '='); i >= 0 {
		eq = from + i
	}
	p := piece{from: from, eq: eq, to: to, name: nameless}
	if eq > from {
		if q.params++; q.params <= most {
			p.name = q.number(q.text[from:eq])
		}
	}
	q.pieces = append(q.pieces, p)
}

// number returns the index of a name, and adds a new name with the piece about to be
// added.
func (q *query) number(name []byte) int {
	for i := range q.names {
		if bytes.Equal(q.name(i), name) {
			return i
		}
	}
	q.names = append(q.names, len(q.pieces))
	return len(q.names) - 1
}

func (q *query) name(n int) []byte         { return q.pieceName(q.pieces[q.names[n]]) }
func (q *query) pieceName(p piece) []byte  { return q.text[p.from:p.eq] }
func (q *query) pieceValue(p piece) []byte { return q.text[p.eq+1 : p.to] } // only for a piece with a value

func (p piece) valued() bool { return p.eq > p.from && p.eq < p.to }

func (q *query) pathText() []byte { return q.text[:q.path] }

// rest appends the URL without the parameter of number n. Pieces are removed one at a
// time from the left, with the separator after the piece. The last piece is removed with
// the separator before it. An empty query loses its '?' too.
func (q *query) rest(buf []byte, n int) []byte {
	start, last := len(buf), len(q.pieces)-1
	buf = append(buf, q.text[:q.path+1]...)
	empty := start + q.path + 1
	for _, p := range q.pieces[:last] {
		if p.name != n {
			buf = append(buf, q.text[p.from:p.to+1]...)
		}
	}
	switch p := q.pieces[last]; {
	case p.name != n:
		buf = append(buf, q.text[p.from:p.to]...)
	case len(buf) > empty:
		buf = buf[:len(buf)-1]
	}
	if len(buf) == empty {
		buf = buf[:empty-1]
	}
	return buf
}

// values yields the pieces that give the name of number m a value, each value once.
func (q *query) values(m int) func(yield func(piece) bool) {
	return func(yield func(piece) bool) {
		for i := q.names[m]; i < len(q.pieces); i++ {
			if p := q.pieces[i]; p.name == m && p.valued() && !q.repeats(i) && !yield(p) {
				return
			}
		}
	}
}

// repeats reports whether a piece before the i-th has the same name and value.
func (q *query) repeats(i int) bool {
	p := q.pieces[i]
	for _, o := range q.pieces[q.names[p.name]:i] {
		if o.name == p.name && o.valued() && bytes.Equal(q.pieceValue(o), q.pieceValue(p)) {
			return true
		}
	}
	return false
}

// valued reports whether some piece gives the name of number m a value.
func (q *query) valued(m int) bool {
	for _, p := range q.pieces[q.names[m]:] {
		if p.name == m && p.valued() {
			return true
		}
	}
	return false
}
