package tail

import "bytes"

// cutter finds the whole lines in a generation's text. What it leaves out it
// walks over piece by piece, however long it is, and holds nothing of it.
type cutter struct {
	maxLine int
	state   state
	run     int64 // zero bytes in a row up to here, in inNulls

	oversized int     // lines left out; these five are read and set back by the caller
	long      int64   // bytes of them
	torn      int64   // bytes left out of half lines
	nulls     int64   // zero bytes, and of the lines torn by them
	runs      int64   // runs of zero bytes
	longTold  int64   // bytes of a long line counted before, and not yet told
	nullsTold int64   // of a run of zero bytes likewise
	pieces    []piece // of whole lines, in the last data
}

type piece struct{ from, to int }

// state is what the text is that comes next.
type state uint8

const (
	atLine  state = iota // a line begins
	inLong               // the rest of a line above maxLine
	inTorn               // the rest of a line whose beginning is not known
	inNulls              // more of a run of zero bytes
)

// After a run of zero bytes a line is taken to begin where the run looks like
// what a crash or copytruncate leaves: the writer went on behind it, at no
// particular place. A run that ends with a page is one lost in the middle of a
// text, and a short one is no such run at all; what follows these is skipped to
// the next newline, for it may be the second half of a line.
const (
	pageSize = 4096
	minRun   = 32
)

// cut looks for lines in data, which begins at position at of the generation.
// It notes them as pieces, and returns how much of data is dealt with, and the
// end of the last line therein, be it one left out. What is not dealt with is
// an open line of at most maxLine bytes.
func (c *cutter) cut(data []byte, at int64) (used, end int) {
	c.pieces = c.pieces[:0]
	for open := false; used < len(data) && !open; {
		rest := data[used:]
		n := 0
		switch c.state {
		case atLine:
			n, open = c.lines(rest, used)
		case inNulls:
			n = c.zeros(rest, at+int64(used))
		case inLong, inTorn:
			n = c.skip(rest)
		}
		used += n
		if n > 0 && c.state == atLine && data[used-1] == '\n' {
			end = used
		}
	}
	return used, end
}

// lines notes the lines that begin here. Instead of looking at each it looks
// backwards from the furthest place where the first may end: all before the
// newline found there is within the bound. It tells whether an open line
// remains.
func (c *cutter) lines(rest []byte, at int) (n int, open bool) {
	reach := rest[:min(len(rest), c.maxLine+1)]
	null := bytes.IndexByte(reach, 0)
	if null >= 0 {
		reach = reach[:null]
	}
	end := bytes.LastIndexByte(reach, '\n') + 1
	switch {
	case end > 0:
		c.add(at, at+end)
		return end, false
	case null >= 0:
		c.state, c.run = inNulls, 0
		c.nulls += int64(null)
		c.runs++
		return null, false
	case len(rest) > c.maxLine:
		c.state = inLong
		c.long += int64(len(reach))
		return len(reach), false
	}
	return 0, true
}

func (c *cutter) add(from, to int) {
	if last := len(c.pieces) - 1; last >= 0 && c.pieces[last].to == from {
		c.pieces[last].to = to
		return
	}
	c.pieces = append(c.pieces, piece{from, to})
}

// zeros walks over zero bytes, and tells what comes behind them.
func (c *cutter) zeros(rest []byte, at int64) int {
	n := 0
	for n < len(rest) && rest[n] == 0 {
		n++
	}
	c.run += int64(n)
	c.nulls += int64(n)
	if n == len(rest) {
		return n
	}
	c.state = atLine
	if c.run < minRun || (at+int64(n))%pageSize == 0 {
		c.state = inTorn
	}
	return n
}

// skip walks to the next newline.
func (c *cutter) skip(rest []byte) int {
	n := bytes.IndexByte(rest, '\n') + 1
	ended := n > 0
	if !ended {
		n = len(rest)
	}
	if c.state == inLong {
		c.long += int64(n)
	} else {
		c.torn += int64(n)
	}
	if ended {
		if c.state == inLong {
			c.oversized++
		}
		c.state = atLine
	}
	return n
}

// join moves the pieces to the front of data and returns them as one. Where
// nothing was left out, which is nearly always, nothing moves.
func (c *cutter) join(data []byte) []byte {
	if len(c.pieces) == 0 {
		return data[:0]
	}
	first := c.pieces[0]
	whole := data[first.from:first.to]
	for _, p := range c.pieces[1:] {
		whole = append(whole, data[p.from:p.to]...)
	}
	return whole
}
