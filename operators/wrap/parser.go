package wrap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/weblog"
)

// Parser reads the hits of one file, whose lines stand bare or in a wrapper. It
// holds lines that come in pieces, so each file has one of its own. One
// goroutine uses it.
type Parser struct {
	unwrapper Unwrapper // without a wrapper: lines are bare
	formats   []*weblog.Parser
	counts    []uint8 // what their sizes count, as a part of the class
	err       weblog.SyntaxError
}

// Kind says what a line came to.
type Kind uint8

// What Parse makes of a line.
const (
	Hit       Kind = iota // a record of an access log
	Wrapping              // the wrapper's own, or the beginning of a line
	Other                 // a line in the wrapper that is in none of the formats
	Malformed             // not in the wrapper, or, bare, not in the format
	Directive             // says how the lines after it are read
)

// Cut parts what names a format: FORMAT, WRAPPER/FORMAT, or WRAPPER alone, where
// the format is to be told from the lines. FORMAT is what weblog.New takes.
func Cut(name string) (wrapper, format string) {
	if w, f, ok := strings.Cut(name, "/"); ok && byName(w) != nil {
		return w, f
	}
	if byName(name) != nil {
		return name, ""
	}
	return "", name
}

// New makes a parser for FORMAT or WRAPPER/FORMAT. The error is that of
// weblog.New, or says that there is no format.
func New(name string) (*Parser, error) {
	wrapper, format := Cut(name)
	if wrapper != "" && format == "" {
		return nil, fmt.Errorf("format %q names no format of the inner lines: write %s/FORMAT", name, wrapper)
	}
	f, err := weblog.New(format)
	if err != nil {
		return nil, err
	}
	return newParser(wrapper, []*weblog.Parser{f}), nil
}

func newParser(wrapper string, formats []*weblog.Parser) *Parser {
	p := &Parser{formats: formats}
	p.unwrapper.wrapper = byName(wrapper)
	for _, f := range formats {
		p.counts = append(p.counts, f.Format().Size.Class())
	}
	return p
}

// Check reports what is wrong with the name of a format, be it one of New or a
// wrapper's.
func Check(name string) error {
	if wrapper, format := Cut(name); wrapper != "" && format == "" {
		return nil
	}
	_, err := New(name)
	return err
}

// Wrapped reports whether the lines stand in a wrapper.
func (p *Parser) Wrapped() bool { return p.unwrapper.wrapper != nil }

// Open reports whether the beginning of a line is held.
func (p *Parser) Open() bool { return p.unwrapper.Open() }

// Stateful reports whether the lines so far say how those to come are read, so
// that the parser must be kept.
func (p *Parser) Stateful() bool {
	return p.Open() || slices.ContainsFunc(p.formats, (*weblog.Parser).Stateful)
}

// Fields are those that all of the formats can fill.
func (p *Parser) Fields() weblog.Fields {
	all := ^weblog.Fields(0)
	for _, f := range p.formats {
		all &= f.Fields()
	}
	return all
}

// Name is the format's name as New takes it; several are joined by "+".
func (p *Parser) Name() string {
	names := make([]string, 0, len(p.formats))
	for _, f := range p.formats {
		names = append(names, f.Format().Name)
	}
	name := strings.Join(names, "+")
	if p.Wrapped() {
		name = p.unwrapper.wrapper.Name + "/" + name
	}
	return name
}

// Parse reads one line, given without its newline. For a Hit, h and the error are
// as from weblog.Parser.Parse, and what the size counts is added to the class; else h
// is unspecified. With Other and Malformed
// comes an error, owned by the parser, which says what the line lacks.
func (p *Parser) Parse(h *weblog.Hit, line []byte) (Kind, error) {
	if p.unwrapper.wrapper == nil {
		if len(p.formats) == 1 {
			return p.parse(0, h, line, Malformed)
		}
		kind, err := p.first(h, line)
		if kind == Other {
			kind = Malformed
		}
		return kind, err
	}
	inner, got := p.unwrapper.Unwrap(line)
	switch got {
	case Nothing:
		return Wrapping, nil
	case Foreign:
		p.err = weblog.SyntaxError{Want: "a line in the wrapper of the lines before", Found: line}
		return Malformed, &p.err
	}
	kind, err := p.first(h, inner)
	if kind == Other && p.unwrapper.wrapper.maybeBare && len(inner) != len(line) {
		if bare, _ := p.first(h, line); bare != Other {
			return bare, nil
		}
	}
	return kind, err
}

// first reads a line in the first of the formats that it fits. Where there are several,
// one in which it says what no server does comes last: lines of a format may look like
// those of another that has a field more. The error is that of the very first.
func (p *Parser) first(h *weblog.Hit, line []byte) (Kind, error) {
	var first error
	doubtful := -1
	for i := range p.formats {
		kind, err := p.parse(i, h, line, Other)
		switch {
		case kind == Hit && len(p.formats) > 1 && !p.formats[i].Plausible(h):
			if doubtful < 0 {
				doubtful = i
			}
		case kind != Other:
			return kind, nil
		case first == nil:
			first = err
		}
	}
	if doubtful >= 0 {
		return p.parse(doubtful, h, line, Other)
	}
	return Other, first
}

// parse reads a line in the i-th format.
func (p *Parser) parse(i int, h *weblog.Hit, line []byte, other Kind) (Kind, error) {
	kind, err := kindOf(p.formats[i].Parse(h, line), other)
	switch kind {
	case Hit:
		h.Class |= p.counts[i]
	case Directive: // which may have named the column of the sizes
		p.counts[i] = p.formats[i].Format().Size.Class()
	}
	return kind, err
}

// kindOf says what the result of weblog.Parser.Parse means, where other is what
// is in another format.
func kindOf(err error, other Kind) (Kind, error) {
	switch {
	case err == nil:
		return Hit, nil
	case errors.Is(err, weblog.ErrDirective):
		return Directive, nil
	}
	return other, err
}
