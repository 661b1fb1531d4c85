package params

// Rest returns a URL without a parameter, and reports whether the URL has the parameter.
// O(bytes).
func Rest(url []byte, param string) (rest []byte, has bool) {
	var q query
	q.split(url, unnumbered)
	for i := range q.pieces {
		if p := &q.pieces[i]; p.eq > p.from && string(q.pieceName(*p)) == param {
			p.name, has = 0, true
		}
	}
	if !has {
		return url, false
	}
	return q.rest(nil, 0), true
}

// unnumbered is a maximum of parameters at which split gives no names. Numbering names
// costs the square of their number, and here a single name is needed.
const unnumbered = 0
