package weblog

import "slices"

// stencil is what the lines of a server have alike: the texts between values, and which values stand there. A line that
// fits is read from value to value, and nobody looks at keys, braces and members without a use. A line that does not fit
// is read by the objects, as every line can be.
type stencil struct {
	pieces  []piece // none: there is no stencil
	headers bool    // the lines have all headers of the response
	traced  []place // of the line that the objects read, for the next stencil
	credit  int     // lines that fitted, less what others cost
	wait    int     // lines to go before the next stencil
	pause   int     // the lines to wait next time
}

// piece is a text, and the value behind it.
type piece struct {
	text  []byte
	value *jsonValue // nil: the end of the line
	depth int

	last   []byte // the value, if it has no use
	alike  int    // lines that had it, one after the other
	varies bool   // lines have other values
}

// place is where a value of a line stands.
type place struct {
	value             *jsonValue
	start, end, depth int
}

const (
	mostPieces = 128
	mostTraced = 8192 // bytes of a line
	mostAlike  = 16   // lines; then a value without a use becomes part of the next text
	mostCredit = 64
	missCost   = 4
	mostPause  = 1 << 12
)

// scan reads the line by the stencil. ok is false if it does not fit.
func (s *stencil) scan(p *Parser, h *Hit) (ok bool) {
	rest, ripe := p.line, false
	for i := range s.pieces {
		c := &s.pieces[i]
		if len(rest) < len(c.text) || string(rest[:len(c.text)]) != string(c.text) {
			return false
		}
		if rest = rest[len(c.text):]; c.value == nil {
			break
		}
		n := c.value.quick(p, h, rest, c.depth)
		if n == 0 {
			start := len(p.line) - len(rest)
			end, ok := c.value.read(p, h, skipBlank(p.line, start), c.depth)
			if !ok {
				return false
			}
			n = end - start
		}
		if !c.varies && !c.value.stores && c.value.object == nil {
			ripe = c.pass(rest[:n]) || ripe
		}
		rest = rest[n:]
	}
	if ripe {
		s.join()
	}
	return len(rest) == 0
}

// pass notes a value without a use, and reports whether many lines had it.
func (c *piece) pass(value []byte) (ripe bool) {
	if c.alike == 0 && len(value) <= mostTraced {
		c.last = slices.Clone(value)
	}
	c.varies = string(c.last) != string(value)
	c.alike++
	return c.alike >= mostAlike && !c.varies
}

// join puts values that many lines had before the text behind them.
func (s *stencil) join() {
	for i := len(s.pieces) - 2; i >= 0; i-- {
		c, next := &s.pieces[i], &s.pieces[i+1]
		if c.alike >= mostAlike && !c.varies {
			next.text = slices.Concat(c.text, c.last, next.text)
			s.pieces = slices.Delete(s.pieces, i, i+1)
		}
	}
}

// fits reads a line by the stencil, if there is one.
func (s *stencil) fits(p *Parser, h *Hit) bool {
	if len(s.pieces) == 0 || !s.scan(p, h) {
		return false
	}
	if s.credit++; s.credit >= mostCredit {
		s.credit, s.pause = mostCredit, 0
	}
	p.record.headers = p.record.headers || s.headers
	return true
}

// begin begins to trace a line that the objects read, if a stencil is to be made of it.
func (s *stencil) begin(p *Parser) {
	if p.trace = nil; len(s.pieces) == 0 && s.wait == 0 && len(p.line) <= mostTraced {
		s.traced, p.trace = s.traced[:0], s
	}
}

// note notes a value of the line that is traced.
func (s *stencil) note(v *jsonValue, start, end, depth int) {
	if len(s.traced) < mostPieces {
		s.traced = append(s.traced, place{v, start, end, depth})
	}
}

// end settles, after a line that the objects read, whether the stencil is kept, or makes one if the line was traced.
func (s *stencil) end(p *Parser) {
	switch {
	case p.trace != nil:
		s.make(p)
	case s.wait > 0:
		s.wait--
	case len(s.pieces) > 0:
		if s.credit -= missCost; s.credit < 0 {
			s.pieces, s.wait, s.pause = s.pieces[:0], s.pause, min(2*s.pause+1, mostPause)
		}
	}
}

func (s *stencil) make(p *Parser) {
	p.trace = nil
	s.note(nil, len(p.line), len(p.line), 0)
	if len(s.traced) == mostPieces {
		s.wait = mostPause
		return
	}
	from := 0
	for _, t := range s.traced {
		s.pieces = append(s.pieces, piece{text: slices.Clone(p.line[from:t.start]), value: t.value, depth: t.depth})
		from = t.end
	}
	s.credit, s.headers = mostAlike, p.record.headers
}
