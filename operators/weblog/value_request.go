package weblog

import "bytes"

// methodGet is the method of a request without one (HTTP/0.9) and of URL lists.
var methodGet = []byte("GET")

// splitRequest takes a request line apart: the method is what stands before
// the first space, if it consists of the letters A to Z; a trailing " HTTP/d"
// or " HTTP/d.d" goes; the rest is the target. A request that starts with '/'
// has no method and counts as GET. Anything else, TLS handshakes included, is
// all target.
func splitRequest(r []byte) (method, target []byte) {
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

// protocolLen is the length of a trailing " HTTP/d" or " HTTP/d.d".
func protocolLen(r []byte) int {
	for _, n := range [2]int{len(" HTTP/1.1"), len(" HTTP/2")} {
		if len(r) >= n && isProtocol(r[len(r)-n:]) {
			return n
		}
	}
	return 0
}

// isProtocol reports whether b, of a length that protocolLen chose, is such a
// suffix.
func isProtocol(b []byte) bool {
	if string(b[:6]) != " HTTP/" || !digit(b[6]) {
		return false
	}
	return len(b) == 7 || b[7] == '.' && digit(b[8])
}

func capitals(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// finish makes the Hit's method and target from what the record holds: the
// request line if there is one, else the target as the client sent it, else
// path and query. A method logged by itself counts where the request line has
// none of its own.
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
		h.Target = p.join(r.path, r.query)
	}
	h.Method = r.method
	if r.method == nil && len(h.Target) > 0 && h.Target[0] == '/' {
		h.Method = methodGet
	}
}

// join appends a query, logged with its '?' (Apache) or without (nginx), to a
// path that has none.
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
