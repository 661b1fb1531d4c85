package tail

import "bytes"

// cutter finds the whole lines in a generation's text. Bytes left out are skipped piece
// by piece and never held, however long the line.
type cutter struct {
	maxLine int
	state   state
	run     int64 // in inNulls: length of the run of zero bytes so far

	oversized    int     // lines left out; read and reset by the caller, as are the four fields below
	long         int64   // bytes of oversized lines
	torn         int64   // bytes of half lines left out
	nulls        int64   // zero bytes, and bytes of the lines torn by them
	runs         int64   // runs of zero bytes
	longPending  int64   // bytes of an oversized line that were counted earlier and are not reported yet
	nullsPending int64   // the same for a run of zero bytes
	pieces       []piece // the whole lines in the last data
}

type piece struct{ from, to int }

// state says how the next bytes of the text are read.
type state uint8

const (
	atLine  state = iota // a line begins
	inLong               // the rest of an oversized line
	inTorn               // the rest of a line whose beginning is unknown
	inNulls              // the rest of a run of zero bytes
)

// After a run of zero bytes, a line begins at once if the run looks like the remains of
// a crash or of copytruncate: the writer continued behind it, at an arbitrary offset. If
// the run ends at a page boundary, a page in the middle of a text was lost, and if it is
// shorter than minRun, it has some other cause. The bytes after such a run may be the
// second half of a line, and are skipped up to the next newline.
const (
	pageSize = 4096
	minRun   = 32
)

// cut finds lines in data, which begins at offset at of the generation, and notes the
// lines as pieces. Used is the number of bytes processed; the rest is an open line of
// at most maxLine bytes. End is the end of the last line in data, delivered or left
// out.
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

// lines notes the whole lines at the start of rest and reports whether an open line
// remains. Instead of scanning each line, lines searches backwards from the furthest
// position at which the first line may end: all bytes before the newline found there
// are within the bound.
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

// zeros skips zero bytes and sets the state for the bytes after the run.
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

// skip skips to the next newline.
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

// join moves the pieces to the front of data and returns them as one slice. If nothing
// was left out, as is usual, nothing is moved.
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
