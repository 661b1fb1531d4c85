package weblog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/octets"
)

// w3cScanner reads the lines of one file, and the directives among them.
type w3cScanner struct {
	filling
	wanted  []wanted // of the columns, those with a meaning
	columns []*op    // of the last #Fields line, or the default
	preset  bool     // no #Fields line yet: lines may have fewer or more columns at the end
	told    bool     // there was a valid #Fields line
	days    int64    // the date of the last #Date line, for logs with a time only
	dated   bool     // a column has the date
	queries bool     // a column has the query
	encoded bool     // values are encoded as by CloudFront
	edge    bool     // only CloudFront's columns are accepted
	needed  int      // the number of columns up to the last needed column
	header  string   // of client.Proxies, in lower case; "": none
	places  []int32  // see cut
	slow    bool     // lines are not cut; for tests
	flaw    string   // the error of the last #Fields line; then no line can be read
}

func newColumns(fields string, edge bool) *w3cScanner {
	s := &w3cScanner{edge: edge}
	s.name([]byte(fields))
	s.preset, s.told = true, false
	return s
}

// newW3C returns a parser for the columns of a #Fields line.
func newW3C(x *client.Proxies, directive string) (*Parser, error) {
	fresh := func() *w3cScanner {
		s := &w3cScanner{header: strings.ToLower(x.Header)}
		s.name([]byte(directive[len(fieldsDirective):]))
		s.preset, s.told = true, false
		return s
	}
	if flaw := fresh().flaw; flaw != "" {
		return nil, fmt.Errorf("read %q: %w", fieldsDirective, errors.New(flaw))
	}
	f := Format{Name: "custom", Description: "columns that a #Fields line names", Pattern: directive,
		scanner: func() scanner { return fresh() }} // each parser has its own, since lines change it
	return f.parser(x)
}

func (s *w3cScanner) scan(p *Parser, h *Hit) bool {
	if len(p.line) > 0 && p.line[0] == '#' {
		s.direct(p)
		p.directive = true
		return false
	}
	if s.flaw != "" {
		return p.fail(s.flaw, 0)
	}
	p.record.parts, p.record.ranks = dateParts{}, [fields]uint8{}
	if !s.scanColumns(p, h) {
		return false
	}
	if !s.finishTime(p, h) {
		return p.fail("a date and a time that exist", 0)
	}
	p.finish(h)
	s.cutHost(h)
	return true
}

// finishTime sets the time from its columns. A log with a time only has its date in a
// directive, or no date.
func (s *w3cScanner) finishTime(p *Parser, h *Hit) bool {
	d := &p.record.parts
	if s.dated {
		return p.composeTime(h)
	}
	seconds, ok := daySeconds(d.hour, d.minute, d.second)
	if s.days != 0 && h.Time == 0 {
		h.Time = s.days*secondsPerDay + seconds
	}
	return ok
}

// cutHost splits the host from a cs-uri without a scheme, as logged by Incapsula.
func (s *w3cScanner) cutHost(h *Hit) {
	i := bytes.IndexByte(h.Target, '/')
	if i <= 0 || !nameByte(h.Target[0]) || h.Target[i-1] == ':' || len(h.Host) > 0 {
		return
	}
	h.Host, h.Target = h.Target[:i], h.Target[i:]
	if h.Method == nil {
		h.Method = methodGet
	}
}

// wanted is a column with a meaning.
type wanted struct {
	*op
	at int // from 0
}

// scanColumns reads the values of a line, separated by tabs if it has one, else by runs of
// blanks. A value in double quotes may contain blanks, and quotes written twice.
func (s *w3cScanner) scanColumns(p *Parser, h *Hit) bool {
	v := values{line: p.line, tabs: bytes.IndexByte(p.line, '\t') >= 0, bare: s.encoded || bytes.IndexByte(p.line, '"') < 0}
	if ends := s.cut(&v); ends != nil {
		return s.scanCut(p, h, ends, v.tabs)
	}
	for i, c := range s.columns {
		switch {
		case !v.next() && s.preset && i >= s.needed:
			return true
		case v.start < 0:
			return p.fail("as many values as #Fields has names", len(p.line))
		case c.field != fieldSkip && !s.storeValue(p, h, c, v.value(p), v.tabs || v.quoted):
			return p.fail(c.want, v.start)
		}
	}
	return !v.next() || s.ends(p, v.start)
}

// scanCut is scanColumns of a line whose values end where it says.
func (s *w3cScanner) scanCut(p *Parser, h *Hit, ends []int32, tabs bool) bool {
	for _, c := range s.wanted {
		if c.at >= len(ends) {
			return true
		}
		start := 0
		if c.at > 0 {
			start = int(ends[c.at-1]) + 1
		}
		if !s.storeValue(p, h, c.op, p.line[start:ends[c.at]], tabs) {
			return p.fail(c.want, start)
		}
	}
	n := len(s.columns)
	return len(ends) <= n || s.ends(p, int(ends[n-1])+1)
}

// ends reports whether a line may have what stands behind its last column.
func (s *w3cScanner) ends(p *Parser, at int) bool {
	if blank(p.line[at:]) {
		return true
	}
	p.further = true
	return s.preset || p.fail("no more values than #Fields has names", at)
}

// cut returns the ends of the values of a line, and of one more, if it has all that it must have, none of them is in quotes
// and single separators stand between them; else nil.
func (s *w3cScanner) cut(v *values) []int32 {
	n := len(s.columns)
	if !v.bare || s.slow || n == 0 {
		return nil
	}
	if s.places = octets.Places(s.places[:0], v.line, v.separator(), n+1); len(s.places) <= n {
		s.places = append(s.places, int32(len(v.line)))
	}
	if len(s.places) < n && (!s.preset || len(s.places) < s.needed) {
		return nil
	}
	for last, i := int32(-1), 0; i < len(s.places) && !v.tabs; i++ {
		if s.places[i] == last+1 {
			return nil
		}
		last = s.places[i]
	}
	return s.places
}

// values splits a line into values.
type values struct {
	line       []byte
	tabs       bool
	pos        int  // the beginning of the next value; beyond the line after the last value
	start, end int  // of the current value, without its quotes; start is -1 after the last value
	quoted     bool // the value had quotes
	bare       bool // no later value has quotes: values are encoded, or no closing quote remains
}

func (v *values) separator() byte {
	if v.tabs {
		return '\t'
	}
	return ' '
}

func (v *values) next() bool {
	v.start, v.quoted = -1, false
	if !v.tabs {
		v.pos = skipBlank(v.line, v.pos)
	}
	if v.pos > len(v.line) || !v.tabs && v.pos == len(v.line) {
		return false
	}
	if !v.bare && at(v.line, v.pos, '"') {
		if end := quotedEnd(v.line, v.pos+1, v.tabs); end >= 0 {
			v.start, v.end, v.pos, v.quoted = v.pos+1, end, end+2, true
			return true
		}
		v.bare = true // searched once, since a line may have thousands of opening quotes
	}
	n := octets.Index(v.line[v.pos:], v.separator())
	if n < 0 {
		n = len(v.line) - v.pos
	}
	v.start, v.end, v.pos = v.pos, v.pos+n, v.pos+n+1
	return true
}

// value returns the current value, with doubled quotes undone.
func (v *values) value(p *Parser) []byte {
	b := v.line[v.start:v.end]
	if v.quoted {
		return p.unescape(b, doubled)
	}
	return b
}

// quotedEnd returns the index of the quote that closes a value, which is not doubled and is
// followed by a separator or the end of the line, or -1 if the value is not in quotes.
func quotedEnd(line []byte, pos int, tabs bool) int {
	for e := pos; ; e++ {
		n := bytes.IndexByte(line[e:], '"')
		if n < 0 {
			return -1
		}
		e += n
		switch {
		case e+1 == len(line) || line[e+1] == '\t' || !tabs && line[e+1] == ' ':
			return e
		case line[e+1] == '"':
			e++
		}
	}
}

// storeValue stores a value, unless its slot holds a better value. exact says that the
// value may contain blanks, so a '+' is not a blank.
func (s *w3cScanner) storeValue(p *Parser, h *Hit, c *op, b []byte, exact bool) bool {
	slot := slotOf[c.field]
	if c.rank < p.record.ranks[slot] || absent(b) && slot != fieldPath {
		return true
	}
	p.record.ranks[slot] = c.rank
	switch c.field {
	case fieldPart:
		return p.record.parts.storeWhole(c.letter, b)
	case fieldTime:
		if time, ok := p.clock.read(b); ok { // of other servers, the column may be anything
			h.Time = time
		}
		return true
	case fieldPath, fieldAddress, fieldAgent, fieldQuery, fieldForwarded:
		switch {
		case s.encoded && c.field == fieldAgent:
			b = p.decodedAgent(b, percents)
		case s.encoded: // blanks are encoded too, so '+' is not a blank
			b = percents(p, b)
		case c.field == fieldAgent && !exact:
			b = p.decodedAgent(b, (*Parser).plusses)
		case c.field != fieldQuery && c.field != fieldForwarded && !exact:
			b = p.plusses(b)
		}
	}
	ok := p.store(h, c.field, 0, b)
	switch {
	case s.encoded:
		p.record.raw.form = pathSent
	case !s.queries: // some servers write the whole target as cs-uri-stem
		p.record.raw.form = pathUnknown
	}
	return ok
}

// plusses replaces each '+' by a blank.
func (p *Parser) plusses(b []byte) []byte {
	if bytes.IndexByte(b, '+') < 0 {
		return b
	}
	start := len(p.buf)
	p.buf = append(p.buf, b...)
	b = p.buf[start:len(p.buf):len(p.buf)]
	for i, c := range b {
		if c == '+' {
			b[i] = ' '
		}
	}
	return b
}

// percentEscape undoes CloudFront's encoding of control bytes, of bytes from 127 on, and
// of a few other bytes, including '%' itself. All other escapes were part of the request.
func percentEscape(dst, b []byte) ([]byte, int) {
	v := hex(b[1:], 2)
	if v < 0 || v > ' ' && v < 127 && bytes.IndexByte([]byte("<>\"#%{}|\\^~[]`'"), byte(v)) < 0 {
		return dst, 0
	}
	return append(dst, byte(v)), 3
}

// storeWhole stores a date (D) or a time of day (T), perhaps with a fraction.
func (d *dateParts) storeWhole(letter byte, b []byte) bool {
	if letter == wholeDate {
		if len(b) != len("2006-01-02") || b[4] != '-' || b[7] != '-' {
			return false
		}
		d.year, d.month, d.day = four(b, 0), two(b, 5), two(b, 8)
		return d.year >= 0 && d.month >= 0 && d.day >= 0
	}
	if len(b) < len("15:04:05") || b[2] != ':' || b[5] != ':' || len(b) > 8 && b[8] != '.' {
		return false
	}
	d.hour, d.minute, d.second = two(b, 0), two(b, 3), two(b, 6)
	return d.hour >= 0 && d.minute >= 0 && d.second >= 0
}
