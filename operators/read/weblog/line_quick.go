package weblog

import "bytes"

// quick is the fast path of a field. It reads the shapes of nearly every line of nearly every
// log in one step. The slow path (end, take, store) needs several calls, and reads everything
// else. It is off for lines with a backslash, and tests switch it off to compare both (170 ns a
// combined line without it, 127 with it).
type quick uint8

const (
	quickNone    quick = iota
	quickSkip          // unused text, up to one byte
	quickClient        // a client, up to one byte
	quickClients       // the same, may be a list
	quickHost          // a host, up to one byte
	quickQuoted        // unused quoted text
	quickRequest       // a request in quotes
	quickAgent         // a user agent in quotes
	quickStatus        // three digits, up to one byte
	quickSize          // digits
)

// quickly chooses the fast path for an op that link has finished. A separator that may be part
// of a value has none, since only the slow path finds where such a value ends.
func (o *op) quickly() quick {
	if o.sep == "" || o.keep || o.sep[0] == '-' || digit(o.sep[0]) {
		return quickNone
	}
	plain := o.shape == shapeText && !o.check && len(o.sep) == 1
	switch {
	case plain && o.field == fieldSkip:
		return quickSkip
	case plain && o.field == fieldClient:
		return quickClient
	case o.shape == shapeList && o.field == fieldClient && o.sep == " " && o.next != nil && !o.next.picky():
		return quickClients
	case plain && o.field == fieldHost:
		return quickHost
	case o.shape == shapeQuoted && o.field == fieldSkip:
		return quickQuoted
	case o.shape == shapeQuoted && o.field == fieldRequest:
		return quickRequest
	case o.shape == shapeQuoted && o.field == fieldAgent:
		return quickAgent
	case o.field == fieldStatus && len(o.sep) == 1 && o.next != nil:
		return quickStatus
	case o.field == fieldSize:
		return quickSize
	}
	return quickNone
}

// scanQuick reads the field at pos and returns the position after its separator, or -1 to
// use the slow path.
func (o *op) scanQuick(p *Parser, h *Hit, line []byte, pos int) int {
	switch o.quick {
	case quickSkip, quickClient, quickClients, quickHost:
		return o.quickWord(h, line, pos)
	case quickQuoted, quickRequest, quickAgent:
		return o.quickQuote(p, h, line, pos)
	case quickStatus:
		if pos+3 < len(line) && line[pos+3] == o.sep[0] && digit(line[pos]) {
			if n := two(line, pos+1); n >= 0 {
				h.Status = int(line[pos]-'0')*100 + n
				return pos + 4
			}
		}
	case quickSize:
		return o.quickNumber(h, line, pos)
	}
	return -1
}

func (o *op) quickWord(h *Hit, line []byte, pos int) int {
	c := o.sep[0]
	if pos+1 < len(line) && line[pos] == '-' && line[pos+1] == c && o.quick != quickClients {
		return pos + 2
	}
	n := bytes.IndexByte(line[pos:], c)
	if n < 0 || o.quick == quickClients && (n == 0 || mayGoOn(line, pos+n)) {
		return -1
	}
	switch o.quick {
	case quickClient, quickClients:
		if bytes.IndexByte(line[pos:pos+n], ',') >= 0 {
			return -1 // a list
		}
		h.Client = line[pos : pos+n]
	case quickHost:
		h.Host = line[pos : pos+n]
	}
	return pos + n + 1
}

// mayGoOn reports whether the space at e may belong to a list, see inList. A dash before
// the space may stand for a missing value, and needs the slow path too.
func mayGoOn(line []byte, e int) bool {
	c := line[e-1]
	return c == ',' || c == ':' || c == '-' || e+1 < len(line) && line[e+1] == ':'
}

func (o *op) quickQuote(p *Parser, h *Hit, line []byte, pos int) int {
	if pos+1 < len(line) && line[pos] == '-' && line[pos+1] == '"' && o.quick != quickRequest && o.accept(line, pos+1) {
		return pos + 1 + len(o.sep)
	}
	n := bytes.IndexByte(line[pos:], '"')
	if n < 0 || !o.accept(line, pos+n) {
		return -1
	}
	switch b := line[pos : pos+n]; o.quick {
	case quickRequest:
		p.record.raw.request = b
	case quickAgent:
		h.Agent = b
	}
	return pos + n + len(o.sep)
}

func (o *op) quickNumber(h *Hit, line []byte, pos int) int {
	n, e := int64(0), pos
	for e < len(line) && e-pos < maxDigits && digit(line[e]) {
		n = n*10 + int64(line[e]-'0')
		e++
	}
	if e == pos || !o.separated(line, e) {
		return -1
	}
	h.Size = n
	return e + len(o.sep)
}
