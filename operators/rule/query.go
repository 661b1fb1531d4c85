package rule

import (
	"bytes"
	"iter"
)

// This file reads a query piece by piece and stores nothing, so nothing is allocated.
// query.Rest is the plain form of dropParam.

// Query yields the beginning and the end of each piece of a URL's query, empty pieces
// too. A URL without a query has no pieces.
func Query(url []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		q := bytes.IndexByte(url, '?')
		if q < 0 {
			return
		}
		from := q + 1
		for at := from; at < len(url); at++ {
			if url[at] == '&' || url[at] == ';' {
				if !yield(from, at) {
					return
				}
				from = at + 1
			}
		}
		yield(from, len(url))
	}
}

// named reports whether a piece is a parameter with this name. The name has no '='.
func named(piece []byte, name string) bool {
	return hasPrefix(piece, name) && (len(piece) == len(name) || piece[len(name)] == '=')
}

// valued reports whether a piece with this name has this value. The bare name has no
// value.
func valued(piece []byte, name, value string) bool {
	return len(piece) > len(name) && string(piece[len(name)+1:]) == value
}

// hasParam reports whether a URL has a parameter and, if hasValue is set, this value.
func hasParam(url []byte, name, value string, hasValue bool) bool {
	for from, to := range Query(url) {
		if p := url[from:to]; named(p, name) && (!hasValue || valued(p, name, value)) {
			return true
		}
	}
	return false
}

// dropParam appends a URL without a parameter. Each piece is removed with the separator
// after the piece, and the last piece with the separator before it. An empty query loses
// its '?' too.
func dropParam(dst, url []byte, name string) ([]byte, bool) {
	if !hasParam(url, name, "", false) {
		return dst, false
	}
	dst = append(dst, url[:bytes.IndexByte(url, '?')+1]...)
	empty := len(dst)
	for from, to := range Query(url) {
		last := to == len(url)
		switch is := named(url[from:to], name); {
		case !is && last:
			dst = append(dst, url[from:]...)
		case !is:
			dst = append(dst, url[from:to+1]...)
		case last && len(dst) > empty:
			dst = dst[:len(dst)-1]
		}
	}
	if len(dst) == empty {
		dst = dst[:empty-1]
	}
	return dst, true
}

// setParam appends a URL with the new value for every occurrence of a parameter.
func setParam(dst, url []byte, name, value string) ([]byte, bool) {
	copied := 0
	for from, to := range Query(url) {
		if p := url[from:to]; named(p, name) && !valued(p, name, value) {
			dst = append(append(dst, url[copied:from]...), name...)
			dst = append(append(dst, '='), value...)
			copied = to
		}
	}
	if copied == 0 {
		return dst, false
	}
	return append(dst, url[copied:]...), true
}
