package weblog

// jsonScanner reads lines that are one JSON object. The scanner accepts the deviations of
// servers: numbers with leading zeros (nginx pads the status), an empty value in place of
// a number, raw bytes that are not UTF-8, \x escapes. A strict scanner would lose lines
// and gain nothing.
type jsonScanner struct {
	filling
	root    *jsonObject
	parts   bool // times are in pieces
	anyCase bool // "get" is the method GET
	encoded bool // values are encoded as by CloudFront
}

// jsonObject maps the keys of an object.
type jsonObject struct {
	keys    jsonKeys
	headers bool // the object holds all response headers, as lists: without Content-Encoding, the response was not encoded
}

// jsonValue is the meaning of a key's value: one field, a string of several fields, or an
// object.
type jsonValue struct {
	field  field
	rank   uint8
	parts  *lineScanner
	letter byte // of a fieldPart that is a whole date (D) or time of day (T)
	dash   bool // "-" counts as a missing key
	object *jsonObject
	list   bool // the value is the first of a list
}

// maxDepth bounds nested objects and arrays. Logs nest twice. A line that nests deeper is
// hostile.
const maxDepth = 64

func (s *jsonScanner) scan(p *Parser, h *Hit) bool {
	p.record.parts, p.record.host, p.record.shipped, p.record.ranks = dateParts{}, nil, false, [fields]uint8{}
	if p.guesses == nil {
		p.guesses = make([]guess, maxGuesses)
	}
	p.place = 0
	pos := skipBlank(p.line, 0)
	pos, ok := s.root.scan(p, h, pos, 1)
	if !ok {
		return false
	}
	if pos = skipBlank(p.line, pos); pos < len(p.line) {
		return p.fail("the end of the line after the object", pos)
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
		r.path, r.query, h.Agent = p.unescape(r.path, percented), p.unescape(r.query, percented), p.unescape(h.Agent, percented)
	}
	p.finish(h)
	if s.anyCase && string(h.Method) == "get" {
		h.Method = methodGet
	}
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
	pos = skipBlank(p.line, pos+1)
	for first := true; !at(p.line, pos, '}'); first = false {
		if !first {
			if !at(p.line, pos, ',') {
				return pos, p.fail(", or }", pos)
			}
			pos = skipBlank(p.line, pos+1)
		}
		var ok bool
		if pos, ok = o.member(p, h, pos, depth); !ok {
			return pos, false
		}
		pos = skipBlank(p.line, pos)
	}
	if o.headers && h.Class == ClassUnknown {
		h.Class = ClassIdentity
	}
	return pos + 1, true
}

func (o *jsonObject) member(p *Parser, h *Hit, pos, depth int) (int, bool) {
	end := stringEnd(p.line, pos)
	if end < 0 {
		return pos, p.fail("a key in quotes", pos)
	}
	v := o.lookup(p, p.unescapeJSON(p.line[pos+1:end]))
	pos = skipBlank(p.line, end+1)
	if !at(p.line, pos, ':') {
		return pos, p.fail(":", pos)
	}
	pos = skipBlank(p.line, pos+1)
	switch {
	case at(p.line, pos, '"'):
		return v.readString(p, h, pos)
	case at(p.line, pos, '{') && v.object != nil:
		return v.object.scan(p, h, pos, depth+1)
	case at(p.line, pos, '[') && v.list:
		return v.readFirst(p, h, pos, depth)
	case at(p.line, pos, '{') || at(p.line, pos, '['):
		return skipNested(p, pos, depth)
	}
	return v.readBare(p, h, pos)
}
