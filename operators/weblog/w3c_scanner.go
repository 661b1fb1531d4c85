package weblog

import (
	"bytes"
	"errors"
	"fmt"
)

// w3cScanner reads the lines of one file, and the directives among them.
type w3cScanner struct {
	columns []*column // of the last #Fields line, or the preset
	preset  bool      // no #Fields line yet: lines may have fewer or more columns at the end
	told    bool      // there was a #Fields line that can be used
	days    int64     // date of the last #Date line, for logs with a time only
	dated   bool      // a column has the date
	encoded bool      // as CloudFront writes its values
	edge    bool      // only CloudFront's columns will do
	needed  int       // columns up to the last without which there is no record
	has     Fields
	size    SizeCount
	flaw    string // of the last #Fields line; then no line can be read
}

func newColumns(fields string, edge bool) *w3cScanner {
	s := &w3cScanner{edge: edge}
	s.name([]byte(fields))
	s.preset, s.told = true, false
	return s
}

// newW3C makes a parser of a #Fields line, for lines that come without it.
func newW3C(directive string) (*Parser, error) {
	s := newColumns(directive[len(fieldsDirective):], false)
	if s.flaw != "" {
		return nil, fmt.Errorf("read %q: %w", fieldsDirective, errors.New(s.flaw))
	}
	f := Format{Name: "custom", Description: "columns that a #Fields line names", Pattern: directive,
		scanner: func() scanner { return s }}
	return f.parser()
}

func (s *w3cScanner) fields() Fields { return s.has }

func (s *w3cScanner) sizeCount() SizeCount { return s.size }

func (s *w3cScanner) scan(p *Parser, h *Hit) bool {
	if len(p.line) > 0 && p.line[0] == '#' {
		s.direct(p)
		p.directive = true
		return false
	}
	if s.flaw != "" {
		return p.fail(s.flaw, 0)
	}
	p.record.parts, p.record.ranks = dateParts{}, [slots]uint8{}
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

// finishTime makes the time of its columns. A log with a time only has its date
// in a directive, or none.
func (s *w3cScanner) finishTime(p *Parser, h *Hit) bool {
	d := &p.record.parts
	if s.dated {
		return p.composeTime(h)
	}
	seconds, ok := daySeconds(d.hour, d.minute, d.second)
	if s.days != 0 {
		h.Time = s.days*secondsPerDay + seconds
	}
	return ok
}

// cutHost parts a host from a cs-uri that has no scheme, as Incapsula writes it.
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
