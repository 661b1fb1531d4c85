package query

// Rest returns a URL without a parameter, and reports whether the URL has the parameter.
// O(bytes).
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
