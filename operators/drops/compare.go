package drops

import "dustbuster/operators/evidence"

// canCompare reports whether two pages have evidence to compare: one digest each, or a
// class in common.
func canCompare(e, f evidence.Spans) bool {
	if _, ok := e.Digest(); ok {
		if _, ok := f.Digest(); ok {
			return true
		}
	}
	e, f = e.Sizes(), f.Sizes()
	for i, j := 0, 0; i < len(e) && j < len(f); {
		switch {
		case e[i].Class < f[j].Class:
			i++
		case e[i].Class > f[j].Class:
			j++
		default:
			return true
		}
	}
	return false
}
