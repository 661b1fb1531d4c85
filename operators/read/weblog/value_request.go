package weblog

import "bytes"

// methodGet is the method of requests that name none (HTTP/0.9), and of URL lists.
var methodGet = []byte("GET")

// splitRequest splits a request line. The method is the text before the first space, if
// it consists of the letters A to Z. A trailing " HTTP/d" or " HTTP/d.d" is removed. The
// rest is the target. A request that starts with '/' has no method and counts as GET. Any
// other request, including TLS handshakes, is a target without a method.
func splitRequest(r []byte) (method, target []byte) {
	if end := len(r) - len(" HTTP/1.1"); end > len("GET ") && string(r[:5]) == "GET /" && isProtocol(r[end:]) {
		return r[:3], r[4:end] // nearly all
	}
	end := len(r) - protocolLen(r)
	if len(r) > 0 && r[0] == '/' {
		return methodGet, r[:end]
	}
	i := bytes.IndexByte(r, ' ')
	if i <= 0 || !capitals(r[:i]) {
		return nil, r[:end]
	}
	return r[:i], r[i+1 : max(i+1, end)]
}

// protocolLen returns the length of a trailing " HTTP/d" or " HTTP/d.d".
func protocolLen(r []byte) int {
	for _, n := range [2]int{len(" HTTP/1.1"), len(" HTTP/2")} {
		if len(r) >= n && isProtocol(r[len(r)-n:]) {
			return n
		}
	}
	return 0
}

// isProtocol reports whether b is a protocol suffix. protocolLen chose the length of b.
func isProtocol(b []byte) bool {
	if string(b[:6]) != " HTTP/" || !digit(b[6]) {
		return false
	}
	return len(b) == 7 || b[7] == '.' && digit(b[8])
}

const wantWhole = "a request line that ends in its protocol (HAProxy cuts long ones)"

// wholeRequest reports whether a request line is as long as the client sent it. The
// server writes HTTP/1.0 if there is no protocol.
func wholeRequest(b []byte) bool {
	if protocolLen(b) > 0 {
		return true
	}
	i := bytes.IndexByte(b, ' ')
	return i <= 0 || !capitals(b[:i])
}

// together reports whether another line begins within a request, as if two writers shared a file: a
// time in brackets and a quote stand there. The status and the size are then the other line's.
func together(r []byte) bool {
	end := bytes.Index(r, requestAhead)
	if end < 0 {
		return false
	}
	start := bytes.LastIndexByte(r[:end], '[') + 1
	return end-start >= len("02/Jan/2006:15:04:05") && digit(r[start]) && r[start+2] == '/' && r[start+6] == '/' && r[start+11] == ':'
}

var requestAhead = []byte(`] "`)

func capitals(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// finish sets the Hit's method and target from the record: from the request line if there
// is one, else from the target as sent by the client, else from path and query. A
// separate method counts only if the request line has none.
func (p *Parser) finish(h *Hit) {
	r := &p.record.raw
	switch {
	case r.request != nil:
		h.Method, h.Target = splitRequest(r.request)
		if r.method != nil && (h.Method == nil || r.request[0] == '/') {
			h.Method = r.method
		}
		return
	case r.target != nil:
		h.Target = r.target
	case r.path != nil:
		h.Target = p.join(p.encodePath(r), r.query)
	}
	h.Method = r.method
	if r.method == nil && len(h.Target) > 0 && h.Target[0] == '/' {
		h.Method = methodGet
	}
}

// join appends a query, logged with its '?' (Apache) or without (nginx), to a path that has
// none.
func (p *Parser) join(path, query []byte) []byte {
	if absent(query) || bytes.IndexByte(path, '?') >= 0 {
		return path
	}
	start := len(p.buf)
	p.buf = append(p.buf, path...)
	if query[0] != '?' {
		p.buf = append(p.buf, '?')
	}
	p.buf = append(p.buf, query...)
	return p.buf[start:len(p.buf):len(p.buf)]
}

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
		if decodable[path[i]] && (path[i] != '%' || hex(path[i+1:], 2) < 0) {
			return i
		}
	}
	return len(path)
}

// decodable are the bytes that a decoded path may have, and a path as sent has not, or not so.
var decodable = [256]bool{'#': true, '?': true, '%': true}
