package weblog

import "bytes"

// jsonScanner reads lines that are one JSON object. The scanner accepts the deviations of
// servers: numbers with leading zeros (nginx pads the status), an empty value in place of
// a number, raw bytes that are not UTF-8, \x escapes. A strict scanner would lose lines
// and gain nothing.
type jsonScanner struct {
	filling
	root    *jsonObject
	parts   bool // times are in pieces
	anyCase bool // "get" is the method GET
	stencil stencil
	encoded bool // values are encoded as by CloudFront
}

// jsonObject maps the keys of an object.
type jsonObject struct {
	keys    map[string]*jsonValue
	headers bool // the object holds all response headers, as lists: without Content-Encoding, the response was not encoded

	lengths uint64 // of the keys, a bit each
	seen    []seen // the members of earlier lines, in their order
}

// jsonValue is the meaning of a key's value: one field, a string of several fields, or an
// object.
type jsonValue struct {
	variable
	parts  *lineScanner
	dash   bool // "-" counts as a missing key
	object *jsonObject
	stores bool // the value, or a part of it, is used
	simple bool // the value is one field, as it is
	list   bool // the value is the first of a list
}

// maxDepth bounds nested objects and arrays. Logs nest twice. A line that nests deeper is
// hostile.
const maxDepth = 64

func (s *jsonScanner) scan(p *Parser, h *Hit) bool {
	p.record.unset()
	p.escapes = bytes.IndexByte(p.line, '\\') >= 0
	if !s.stencil.fits(p, h) && !s.scanObjects(p, h) {
		return false
	}
	if p.record.headers && h.Class == ClassUnknown {
		h.Class = ClassIdentity
	}
	r := &p.record.raw
	if r.request == nil && r.target == nil && r.path == nil {
		return p.fail("a field with the request", len(p.line))
	}
	if p.record.ranks[fieldStatus] == 0 {
		return p.fail("a field with the status", len(p.line))
	}
	if s.parts && !p.composeTime(h) {
		return p.fail("a date that exists", 0)
	}
	p.settleHost(h)
	if s.encoded {
		r.form = pathSent
		r.path, r.query, h.Agent = percents(p, r.path), percents(p, r.query), p.decodedAgent(h.Agent, percents)
	}
	p.finish(h)
	if s.anyCase && string(h.Method) == "get" {
		h.Method = methodGet
	}
	return true
}

// scanObjects reads the line object by object.
func (s *jsonScanner) scanObjects(p *Parser, h *Hit) bool {
	*h, p.record.raw, p.record.forwarded, p.buf = Hit{}, rawRequest{}, nil, p.buf[:0]
	p.record.unset()
	s.stencil.begin(p)
	pos, ok := s.root.scan(p, h, skipBlank(p.line, 0), 1)
	if !ok {
		return false
	}
	if pos = skipBlank(p.line, pos); pos < len(p.line) {
		return p.fail("the end of the line after the object", pos)
	}
	s.stencil.end(p)
	return true
}

// settleHost decides the meaning of the key host. Shippers that parse Apache's lines use host
// for the client (Vector's parse_apache_log, Fluent Bit's and Fluentd's apache2). Others use
// host for the virtual host. If another key names the client, even an empty one, host is the
// virtual host. Logstash and its like write the machine's address or name, so an address, or
// a name beside @version, gives way to a key that names the virtual host. "_" names none.
// X-Forwarded-For, which most requests lack, counts only if it is not empty.
func (p *Parser) settleHost(h *Hit) {
	host, ranks := p.record.host, &p.record.ranks
	if len(host) == 0 {
		return
	}
	switch {
	case ranks[fieldClient] < rankClient && len(h.Client) == 0 && isAddress(host):
		h.Client = host
	case len(h.Host) > 0 && string(h.Host) != "_" && (isAddress(host) || p.record.shipped):
		// of the machine
	case ranks[fieldHost] < rankHost:
		h.Host = host
	}
}

// scan reads the object at pos and returns the position behind it.
func (o *jsonObject) scan(p *Parser, h *Hit, pos, depth int) (int, bool) {
	if !at(p.line, pos, '{') {
		return pos, p.fail("{", pos)
	}
	pos++
	for place, first, ok := 0, true, true; ; first = false {
		v, n := o.expected(p.line[pos:], first, &place)
		if pos += n; v == nil {
			if v, pos, ok = o.member(p, pos, first, &place); v == nil {
				p.record.headers = p.record.headers || o.headers
				return pos, ok
			}
		}
		start := pos
		if n := v.quick(p, h, p.line[pos:], depth); n > 0 {
			pos += n
		} else if pos, ok = v.read(p, h, skipBlank(p.line, pos), depth); !ok {
			return pos, false
		}
		if p.trace != nil && (v.object == nil || p.line[pos-1] != '}') { // the members of an object are noted
			p.trace.note(v, start, pos, depth)
		}
	}
}
