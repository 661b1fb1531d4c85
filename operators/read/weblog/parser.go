package weblog

import (
	"bytes"
	"errors"
	"fmt"

	"dustbuster/operators/read/client"
)

// Parser parses the lines of one format into hits. New returns a Parser. A Parser is used
// by one goroutine at a time.
type Parser struct {
	format  Format
	scanner scanner

	agentLast bool // the format's last field is a user agent in quotes

	line    []byte // the current line, trimmed
	skipped int    // bytes trimmed from its front
	escapes bool   // the line holds a mark of its format's escaping
	missing int    // fields missing at the end of the line
	op      int    // the op at which the last line failed
	further bool   // the line goes on after the format's last field
	buf     []byte // unescaped or joined bytes; reused, never longer than three times the line
	record  record
	clock   clock
	err     SyntaxError

	directive bool // the line is a directive

	proxied proxied
	end     int    // the index after the format's last field, for lines that go on
	logged  []byte // the client as logged, if settleClient has read it
	plain   bool   // the client is an address as it is
	nobody  bool   // that is a client who is none

	agents agents
	trace  *stencil // of a line of JSON; nil: none is made
}

// scanner reads a line: a sequence of fields, a JSON object, the columns of a directive,
// or a tab-separated list. scan returns false after p.fail, or with p.directive set.
type scanner interface {
	scan(p *Parser, h *Hit) bool
	fills() filling
}

// filling says what a scanner can fill.
type filling struct {
	has  Fields    // of a Hit
	size SizeCount // what the size counts
}

func (f filling) fills() filling { return f }

// record holds parts of a line that together make up a field of the Hit, or compete for one.
type record struct {
	raw       rawRequest
	parts     dateParts
	host      []byte        // JSON: the value of fieldHostOrClient
	shipped   bool          // JSON: there is a fieldShipped
	headers   bool          // JSON: there are all headers of the response
	forwarded []byte        // the value of fieldForwarded
	ranks     [fields]uint8 // JSON and columns: the rank of the value in each slot
}

// unset empties what only some formats have.
func (r *record) unset() {
	r.parts, r.host, r.shipped, r.headers, r.ranks = dateParts{}, nil, false, false, [fields]uint8{}
}

type rawRequest struct {
	request, method, target, path, query []byte
	form                                 pathForm
}

// Format returns the parser's format.
func (p *Parser) Format() Format { return p.format }

// Fields returns the fields that the following lines can fill. Of directives that define how
// lines are read, the last counts.
func (p *Parser) Fields() Fields { return p.scanner.fills().has }

// Stateful reports whether lines define how later lines of the same file are read. Then
// each file needs its own parser.
func (p *Parser) Stateful() bool {
	_, ok := p.scanner.(*w3cScanner)
	return ok
}

// Fresh returns a parser of the same format, for another goroutine.
func (p *Parser) Fresh() *Parser {
	fresh := p.Behind(p.proxied.of)
	fresh.proxied = p.proxied
	fresh.proxied.peer = nil
	return fresh
}

// Behind returns a parser of the same format, of the log of a server behind proxies, which has learned
// nothing yet.
func (p *Parser) Behind(x *client.Proxies) *Parser {
	fresh, err := p.format.parser(x)
	if err != nil {
		panic(err) // p has the same pattern
	}
	return fresh
}

// Parse parses one line, given without its newline, into h. Parse overwrites h. A
// trailing \r, or several, and leading NULs (left by a crash or copytruncate) are skipped. Text after
// the format's last field and a space is ignored, since servers append fields to formats
// that they call combined. A line may end after its size if only a referer and a user
// agent would follow.
//
// The error is ErrDirective, or a *SyntaxError owned by the parser. With an error h is
// unspecified. Parse does not allocate once the parser's buffer has grown to the longest
// line with escapes, but for the stencil of lines of JSON that come in a new form. docs/bench.md has the cost of each format.
func (p *Parser) Parse(h *Hit, line []byte) error {
	*h = Hit{}
	p.further, p.missing, p.directive, p.nobody, p.plain = false, 0, false, false, false
	p.trim(line)
	p.record.raw, p.record.forwarded = rawRequest{}, nil
	p.buf = p.buf[:0]
	if p.format.isHeader(p.line) {
		return ErrDirective
	}
	switch {
	case p.scanner.scan(p, h):
		if p.further && p.agentLast {
			p.settleAgent(h)
		}
		if !p.plain || p.proxied.active {
			p.settleClient(h)
		}
		h.Agent = unquoted(h.Agent)
		return nil
	case p.directive:
		return ErrDirective
	}
	return &p.err
}

// trim sets the line to parse. A first line may have a byte order mark.
func (p *Parser) trim(line []byte) {
	n := len(line)
	for n > 0 && line[n-1] == '\r' {
		n--
	}
	line = line[:n]
	n = len(line)
	if n > 0 && (line[0] == 0 || line[0] == 0xEF) {
		line = bytes.TrimPrefix(bytes.TrimLeft(line, "\x00"), []byte("\xEF\xBB\xBF"))
	}
	p.line, p.skipped = line, n-len(line)
}

// fail records the expectation at pos of the line. fail returns false, for scanners to
// return.
func (p *Parser) fail(want string, pos int) bool {
	pos = min(pos, len(p.line))
	p.err = SyntaxError{Want: want, Offset: p.skipped + pos, Found: p.line[pos:]}
	return false
}

// ErrMalformed matches every syntax error of Parse, by errors.Is.
var ErrMalformed = errors.New("malformed line")

// ErrDirective is the error of a line that is not a record, but defines how the following
// records are read, such as "#Fields: date time ..." of a W3C extended log.
var ErrDirective = errors.New("a directive, not a record")

// SyntaxError is the error of a line that is not in its format. A SyntaxError belongs to
// the Parser that returned it, aliases the line, and is valid until the next Parse, like
// a Hit. So a flood of garbage costs no allocation. To keep the error longer, keep its
// Error string.
type SyntaxError struct {
	Want   string // the expectation; a constant of the format, suitable for counting errors
	Offset int    // bytes from the start of the line
	Found  []byte // the rest of the line from Offset
}

// maxFound is the number of offending bytes in a message: enough to recognize them, so
// that a megabyte of garbage still makes one line.
const maxFound = 40

// Error returns the message. Nothing is formatted before the call.
func (e *SyntaxError) Error() string {
	if len(e.Found) == 0 {
		return fmt.Sprintf("parse line: expected %s at byte %d, found the end of the line", e.Want, e.Offset)
	}
	found, more := e.Found, ""
	if len(found) > maxFound {
		found, more = found[:maxFound], " ..."
	}
	return fmt.Sprintf("parse line: expected %s at byte %d, found %q%s", e.Want, e.Offset, found, more)
}

// Unwrap returns ErrMalformed.
func (e *SyntaxError) Unwrap() error { return ErrMalformed }
