package params

import "math"

// Rest returns a URL without a parameter, and whether it has it.
func Rest(url []byte, param string) (rest []byte, has bool) {
	var q query
	q.split(url, math.MaxInt)
	for n := range q.names {
		if string(q.name(n)) == param {
			return q.rest(nil, n), true
		}
	}
	return url, false
}

// Holds tells whether a URL has every member that the scope names.
func (s Scope) Holds(url []byte) bool {
	var q query
	q.split(url, math.MaxInt)
	if s.HasPath && string(q.pathText()) != s.Path {
		return false
	}
	if s.Param == "" {
		return true
	}
	for _, p := range q.pieces {
		if p.name == nameless || string(q.pieceName(p)) != s.Param {
			continue
		}
		if !s.HasValue || p.valued() && string(q.pieceValue(p)) == s.Value {
			return true
		}
	}
	return false
}
