package wrap

import (
	"bytes"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/weblog"
)

// Learn decides, from the first lines of a file, which address of a line is that of its client: see
// weblog.Parser.Learn. Learn comes before the first Parse. O(bytes).
func (p *Parser) Learn(x *client.Proxies, lines [][]byte) {
	for i, f := range p.formats {
		p.formats[i] = f.Behind(x)
	}
	q := p.Fresh()
	var h weblog.Hit
	read := make([][][]byte, len(p.formats)) // by format
	for _, line := range lines {
		inner, i := q.reader(&h, line)
		if i >= 0 && p.Wrapped() {
			inner = bytes.Clone(inner)
		}
		if i >= 0 {
			read[i] = append(read[i], inner)
		}
	}
	for i, f := range p.formats {
		f.Learn(read[i])
	}
}

// reader returns the inner line of a line, and the number of the format that reads it, or -1.
func (p *Parser) reader(h *weblog.Hit, line []byte) (inner []byte, format int) {
	inner = line
	if p.Wrapped() {
		var got Got
		if inner, got = p.unwrapper.Unwrap(line); got != Inner {
			return nil, -1
		}
	}
	if format = p.formatOf(h, inner); format < 0 && p.Wrapped() && p.unwrapper.wrapper.maybeBare {
		inner = p.unwrapper.bare
		format = p.formatOf(h, inner)
	}
	return inner, format
}

// formatOf returns the number of the format that first would choose, or -1.
func (p *Parser) formatOf(h *weblog.Hit, line []byte) int {
	doubtful := -1
	for i := range p.formats {
		switch kind, _ := p.parse(i, h, line, Other); {
		case kind == Other:
		case kind == Directive || p.formats[i].Plausible(h):
			return i
		case doubtful < 0:
			doubtful = i
		}
	}
	return doubtful
}
