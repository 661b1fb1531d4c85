package weblog

import "bytes"

// Parser turns the lines of one format into hits. It is made by New and used
// by one goroutine at a time.
type Parser struct {
	format  Format
	scanner scanner

	line    []byte // the line being parsed, without what trim took off
	skipped int    // bytes that trim took off its front
	escapes bool   // the line holds a mark of its format's escaping
	missing int    // fields that the line ends without
	op      int    // where the last line failed, among the format's ops
	further bool   // the line goes on after the format's last field
	buf     []byte // what had to be unescaped or joined; reused, never longer than twice the line
	record  record
	clock   clock
	guesses []guess // JSON: of the last line
	place   int     // JSON: how many keys the line had so far
	err     SyntaxError

	directive bool // the line is about the lines after it
}

// scanner is one way to read a line: a sequence of fields, a JSON object, the
// columns that a directive named, or a tab-separated list. It reports false after
// p.fail, or with p.directive set.
type scanner interface {
	scan(p *Parser, h *Hit) bool
	fields() Fields       // which fields of a Hit it can fill
	sizeCount() SizeCount // what its size counts
}

// record holds the parts of a line that make up one field of the Hit only
// together, or of which only the best is taken.
type record struct {
	raw   rawRequest
	parts dateParts
	host  []byte       // JSON: of fieldHostOrClient
	ranks [slots]uint8 // JSON and columns: rank of the value that each slot holds
}

type rawRequest struct {
	request, method, target, path, query []byte
}

// Format describes the format that the parser reads.
func (p *Parser) Format() Format { return p.format }

// Fields are those that the lines to come can fill: of a format whose files say how they
// are read, by what was said last.
func (p *Parser) Fields() Fields { return p.scanner.fields() }

// Stateful reports whether lines say how later lines of the same file are read,
// so that each file needs a parser of its own.
func (p *Parser) Stateful() bool {
	_, ok := p.scanner.(*w3cScanner)
	return ok
}

// Parse reads one line, given without its newline, into h, which it
// overwrites. A trailing \r and leading NULs (what a crash or copytruncate
// leaves) are passed over. What follows the format's last field after a space
// is ignored: servers append fields to the formats they call combined. A line
// may end after its size where only a referer and a user agent would follow.
//
// The error is ErrDirective, or a *SyntaxError owned by the parser, and h is then
// unspecified.
// Neither way allocates, once the parser's buffer has grown to the longest
// line with escapes. Cost: a combined line of 200 bytes about 130 ns.
func (p *Parser) Parse(h *Hit, line []byte) error {
	*h = Hit{}
	p.record.raw = rawRequest{}
	p.buf = p.buf[:0]
	p.further, p.missing, p.directive = false, 0, false
	p.trim(line)
	if p.format.isHeader(p.line) {
		return ErrDirective
	}
	switch {
	case p.scanner.scan(p, h):
		return nil
	case p.directive:
		return ErrDirective
	}
	return &p.err
}

// trim sets the line to parse. A first line may carry a byte order mark.
func (p *Parser) trim(line []byte) {
	n := len(line)
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	n = len(line)
	if n > 0 && (line[0] == 0 || line[0] == 0xEF) {
		line = bytes.TrimPrefix(bytes.TrimLeft(line, "\x00"), []byte("\xEF\xBB\xBF"))
	}
	p.line, p.skipped = line, n-len(line)
}

// fail records what was expected at pos of the line. It returns false, for
// scanners to return.
func (p *Parser) fail(want string, pos int) bool {
	pos = min(pos, len(p.line))
	p.err = SyntaxError{Want: want, Offset: p.skipped + pos, Found: p.line[pos:]}
	return false
}
