package wrap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/read/weblog"
)

// Parser parses the lines of one file, which are bare or in a wrapper. A Parser holds
// pieces of lines, so each file needs its own Parser. A Parser belongs to one goroutine.
type Parser struct {
	unwrapper Unwrapper // without a wrapper if lines are bare
	formats   []*weblog.Parser
	counts    []uint8 // for each format, the part of the class that says what sizes count
	err       weblog.SyntaxError
}

// Kind is the kind of a parsed line.
type Kind uint8

// The results of Parse.
const (
	Hit       Kind = iota // a record of an access log
	Wrapping              // a line of the wrapper itself, or a piece of a line
	Other                 // in the wrapper, but in none of the formats
	Malformed             // not in the wrapper, or, if bare, not in the format
	Directive             // defines how the following lines are read
)

// Cut splits the name of a format: FORMAT, WRAPPER/FORMAT, or WRAPPER alone, if the
// format is to be detected. FORMAT is an argument of weblog.New.
func Cut(name string) (wrapper, format string) {
	if w, f, ok := strings.Cut(name, "/"); ok && byName(w) != nil {
		return w, f
	}
	if byName(name) != nil {
		return name, ""
	}
	return "", name
}

// New returns a parser for FORMAT or WRAPPER/FORMAT. The error is that of weblog.New, or says
// that the name has no format.
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

// Check returns an error if the name is neither a valid argument of New nor a wrapper's.
func Check(name string) error {
	if wrapper, format := Cut(name); wrapper != "" && format == "" {
		return nil
	}
	_, err := New(name)
	return err
}

// Wrapped reports whether the lines stand in a wrapper.
func (p *Parser) Wrapped() bool { return p.unwrapper.wrapper != nil }

// Open reports whether the parser holds the beginning of a line.
func (p *Parser) Open() bool { return p.unwrapper.Open() }

// Stateful reports whether the lines so far affect how the following lines are read. If
// so, the parser must be kept.
func (p *Parser) Stateful() bool {
	return p.Open() || slices.ContainsFunc(p.formats, (*weblog.Parser).Stateful)
}

// Apart reports whether no line ever affects how other lines are read. Then several parsers of the
// same lines may share them out.
func (p *Parser) Apart() bool {
	joins := p.Wrapped() && p.unwrapper.wrapper.joins
	return !joins && !slices.ContainsFunc(p.formats, (*weblog.Parser).Stateful)
}

// Fresh returns a parser of the same formats, for another goroutine.
func (p *Parser) Fresh() *Parser {
	fresh := &Parser{counts: slices.Clone(p.counts), unwrapper: Unwrapper{wrapper: p.unwrapper.wrapper}}
	for _, f := range p.formats {
		fresh.formats = append(fresh.formats, f.Fresh())
	}
	return fresh
}

// Fields returns the fields that all of the formats can fill.
func (p *Parser) Fields() weblog.Fields {
	all := ^weblog.Fields(0)
	for _, f := range p.formats {
		all &= f.Fields()
	}
	return all
}

// Name returns the format's name in the syntax of New. Several formats are joined by "+".
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

// Parse parses one line, given without its newline. For a Hit, h and the error are as
// from weblog.Parser.Parse, and the class of h also holds what the size counts. For other
// kinds h is unspecified. With Other and Malformed Parse returns an error, owned by the
// parser, about the missing part of the line.
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
	if bare := p.unwrapper.bare; kind == Other && p.unwrapper.wrapper.maybeBare && len(inner) != len(bare) {
		if again, _ := p.first(h, bare); again != Other {
			kind, err = again, nil
		}
	}
	if len(h.Host) == 0 {
		h.Host = p.unwrapper.site
	}
	return kind, err
}

// first parses a line in the first format that fits. Of several formats, one in which the hit
// is not plausible comes last: its lines may look like those of another format with a field
// more. If none fits, the error is that of the first.
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

// parse parses a line in the i-th format.
func (p *Parser) parse(i int, h *weblog.Hit, line []byte, other Kind) (Kind, error) {
	kind, err := kindOf(p.formats[i].Parse(h, line), other)
	switch kind {
	case Hit:
		h.Class |= p.counts[i]
	case Directive: // the directive may have named the column of the sizes
		p.counts[i] = p.formats[i].Format().Size.Class()
	}
	return kind, err
}

// kindOf returns the kind for a result of weblog.Parser.Parse. other is the kind of a
// line in another format.
func kindOf(err error, other Kind) (Kind, error) {
	switch {
	case err == nil:
		return Hit, nil
	case errors.Is(err, weblog.ErrDirective):
		return Directive, nil
	}
	return other, err
}
