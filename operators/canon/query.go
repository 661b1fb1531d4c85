package canon

import (
	"bytes"
	"iter"
)

// A query is read piece by piece and nothing is kept of it, so that nothing is
// allocated; params.Rest and params.Scope.Holds are the plain form of this file.

// query yields where the pieces of a URL's query begin and end, empty ones too;
// none if the URL has no query.
func query(url []byte) iter.Seq2[int, int] {
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

// named tells whether a piece is a parameter of this name, which holds no '='.
func named(piece []byte, name string) bool {
	return hasPrefix(piece, name) && (len(piece) == len(name) || piece[len(name)] == '=')
}

// valued tells whether a piece of this name has this value; the bare name has
// none.
func valued(piece []byte, name, value string) bool {
	return len(piece) > len(name) && string(piece[len(name)+1:]) == value
}

// hasParam tells whether a URL has a parameter, and with this value if that
// counts.
func hasParam(url []byte, name, value string, hasValue bool) bool {
	for from, to := range query(url) {
		if p := url[from:to]; named(p, name) && (!hasValue || valued(p, name, value)) {
			return true
		}
	}
	return false
}

// dropParam appends a URL without a parameter. A piece takes the separator after
// it along, and the last piece the one that then stands before it; what the
// query loses with its last byte is the '?' too.
func dropParam(dst, url []byte, name string) ([]byte, bool) {
	if !hasParam(url, name, "", false) {
		return dst, false
	}
	dst = append(dst, url[:bytes.IndexByte(url, '?')+1]...)
	empty := len(dst)
	for from, to := range query(url) {
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

// setParam appends a URL with another value of a parameter, wherever it stands.
func setParam(dst, url []byte, name, value string) ([]byte, bool) {
	copied := 0
	for from, to := range query(url) {
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
