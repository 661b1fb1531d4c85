package tail

import (
	"errors"
	"io"
	"time"
)

// finishLeft finishes the rotated generations that have not grown for Grace, and
// reports whether there were any.
func (f *follower) finishLeft(now time.Time) bool {
	var ripe []*generation
	for _, l := range f.logs {
		for _, g := range l.generations {
			switch {
			case g.source == nil:
			case g.packed: // finished at its end; after an error it is read again once Grace has passed since its last change
				g.idle = g.idle && now.Sub(g.modified) <= f.options.Grace
			case f.isRipe(g, now):
				ripe = append(ripe, g)
			}
		}
	}
	for _, g := range ripe {
		f.finish(g, now)
	}
	return len(ripe) > 0
}

func (f *follower) isRipe(g *generation, now time.Time) bool {
	grace := f.options.Grace
	return !g.left.IsZero() && now.Sub(g.left) >= grace && now.Sub(g.grown) >= grace
}

// finish closes a generation after a last read. A last line without newline is
// delivered, unless the file was truncated while being written.
func (f *follower) finish(g *generation, now time.Time) {
	if !f.refill() || g.source == nil {
		return
	}
	data, err := g.fill(f.spare.Buffer)
	if !errors.Is(err, io.EOF) {
		g.grown, g.idle = now, false // there is more to read, or the next read reports the error
		return
	}
	if f.absorb(g, data) > 0 {
		g.grown = now
		return
	}
	rest := len(data)
	c := &g.cut
	c.pieces = c.pieces[:0]
	switch {
	case c.state == inLong:
		c.oversized++
	case rest > 0 && g.cutShort:
		c.torn += int64(rest)
	case rest > 0:
		c.add(0, rest)
	}
	g.advance(f.spare.Buffer, rest)
	g.offset, c.state = g.scan, atLine
	text := c.join(data)
	g.finished = true
	f.deliver(g, text)
	f.done(g)
}

// done notes that the whole generation has been read.
func (f *follower) done(g *generation) {
	g.finished = true
	g.close()
	f.arrived(g)
	f.note(g)
	f.tell(Finished, g)
}

// tell reports a step.
func (f *follower) tell(step Step, g *generation) {
	f.options.News(News{Step: step, Path: g.owner, File: g.path, Offset: g.offset, Size: g.size})
}
