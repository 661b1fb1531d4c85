package rule

import (
	"bytes"
	"iter"
)

// This file reads a query and a path piece by piece and stores nothing, so nothing is
// allocated.

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

// PathPieces yields the beginning and the end of each piece of the path's segments. A
// segment begins after a slash. Its first piece begins after its first ';'.
func PathPieces(path []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, inside := 0, false
		for at, c := range path {
			if c != '/' && (c != ';' || !inside) {
				continue
			}
			if from > 0 && !yield(from, at) {
				return
			}
			if from = 0; c == ';' {
				from = at + 1
			}
			inside = true // behind the first slash
		}
		if from > 0 {
			yield(from, len(path))
		}
	}
}

// finish appends what follows the last edit of a URL. copied is the end of what has been edited or
// copied, and 0 if nothing has been edited.
func finish(dst, url []byte, copied int) (out []byte, changed bool) {
	if copied == 0 {
		return dst, false
	}
	return append(dst, url[copied:]...), true
}

// pathEnd returns the offset of the first '?', or of the URL's end.
func pathEnd(url []byte) int {
	if q := bytes.IndexByte(url, '?'); q >= 0 {
		return q
	}
	return len(url)
}

// nameOf returns the name of a piece, which is empty if it is not a parameter.
func nameOf(piece []byte) []byte {
	if eq := bytes.IndexByte(piece, '='); eq >= 0 {
		return piece[:eq]
	}
	return piece
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
