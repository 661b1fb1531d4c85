package weblog

import "bytes"

// pathForm says what a server did to a path before it logged the path.
type pathForm uint8

const (
	pathDecoded pathForm = iota // $uri, %U, cs-uri-stem: the server undid the escapes, and the query is logged apart
	pathUnknown                 // a key such as uri: perhaps the same, perhaps the target as sent
	pathSent                    // as the client sent it
)

// encodePath returns the path of a record as a client may send it: '#', '?' and a '%' that begins no
// escape were escapes before the server decoded the path. A '%' before two digits stays: the log does
// not show whether the server decoded it. If the form is unknown, a '?' begins the query, unless
// another field has the query.
func (p *Parser) encodePath(r *rawRequest) []byte {
	path := r.path
	if r.form == pathSent || len(path) == 0 || path[0] != '/' {
		return path
	}
	end := len(path)
	if r.form == pathUnknown {
		end = r.queryAt()
	}
	i := nextDecoded(path[:end], 0)
	if i == end {
		return path
	}
	start, from := len(p.buf), 0
	for ; i < end; i = nextDecoded(path[:end], i+1) {
		p.buf = append(p.buf, path[from:i]...)
		p.buf = append(p.buf, '%', "0123456789ABCDEF"[path[i]>>4], "0123456789ABCDEF"[path[i]&15])
		from = i + 1
	}
	p.buf = append(p.buf, path[from:]...)
	return p.buf[start:len(p.buf):len(p.buf)]
}

// queryAt returns the index of the '?' that begins the query in a path of unknown form; its length
// if there is none. If the query is logged apart too, the path has it only if it ends with it.
func (r *rawRequest) queryAt() int {
	at := bytes.IndexByte(r.path, '?')
	if at < 0 {
		return len(r.path)
	}
	if r.query == nil {
		return at
	}
	query := bytes.TrimPrefix(present(r.query), []byte("?"))
	if rest, ok := bytes.CutSuffix(r.path, query); ok && bytes.HasSuffix(rest, []byte("?")) {
		return len(rest) - 1
	}
	return len(r.path)
}

// nextDecoded returns the index of the next byte of a path that must have been an escape; the
// length if there is none.
func nextDecoded(path []byte, from int) int {
	for i := from; i < len(path); i++ {
		switch path[i] {
		case '#', '?':
			return i
		case '%':
			if hex(path[i+1:], 2) < 0 {
				return i
			}
		}
	}
	return len(path)
}
