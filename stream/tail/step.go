package tail

import (
	"errors"
	"io"
	"time"
)

// step reads a piece of a generation and hands over its lines, if any.
func (f *follower) step(g *generation, now time.Time) {
	b := f.spare
	data, err := g.fill(b.Buffer)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		g.idle = true
	case errors.Is(err, errRewritten):
		f.rewritten(g, now)
		f.scan(now)
		return
	case f.absorb(g, data) > 0:
		return // the error returns once all lines before it are delivered
	default:
		f.unreadable(g, err, now)
		return
	}
	f.absorb(g, data)
	if target := f.waiting[g]; g.idle || g.scan >= target {
		f.arrived(g)
	}
	if g.idle && g.packed {
		f.finish(g, now)
	}
}

// absorb processes the data of fill and returns the number of bytes processed. The rest
// is an open line.
func (f *follower) absorb(g *generation, data []byte) (used int) {
	used, end := g.cut.cut(data, g.scan)
	if end > 0 {
		g.offset = g.scan + int64(end)
	}
	g.advance(f.spare.Buffer, used)
	f.deliver(g, g.cut.join(data))
	return used
}

// deliver hands over lines in the spare batch, or keeps the batch if there is nothing
// to deliver or count.
func (f *follower) deliver(g *generation, text []byte) {
	c := &g.cut
	oversized := c.oversized
	reweighed := f.weigh(g, text)
	f.report(g)
	if len(text) == 0 && oversized == 0 {
		if reweighed {
			f.note(g)
		}
		return
	}
	b := f.spare
	f.spare = nil
	if b.Head = nil; g.fresh && g.handed > 0 {
		b.Head = g.directives()
	}
	g.handed = g.offset
	b.Path, b.File, b.First = g.owner, g.number, g.fresh
	b.Data, b.End, b.Oversized = text, g.handed, oversized
	g.fresh = false
	f.count(func(s *Stats) { s.Bytes += int64(len(text)) })
	f.note(g)
	f.out <- b.Hold()
}

// report counts and reports the text left out since the last call.
func (f *follower) report(g *generation) {
	c := &g.cut
	if c.oversized == 0 && c.torn == 0 && c.nulls == 0 && c.long == 0 {
		return
	}
	f.count(func(s *Stats) {
		s.Oversized += int64(c.oversized)
		s.Skipped += c.long + c.torn + c.nulls
		s.NullRuns += c.runs
	})
	// A line skipped over many reads is reported once, at its end.
	if c.oversized > 0 {
		f.audit(g, Oversized, c.long+c.longPending)
		c.longPending = 0
	} else {
		c.longPending += c.long
	}
	if c.state != inNulls && c.nulls+c.nullsPending > 0 {
		f.audit(g, Nulls, c.nulls+c.nullsPending)
		c.nullsPending = 0
	} else {
		c.nullsPending += c.nulls
	}
	if c.torn > 0 {
		f.audit(g, Torn, c.torn)
	}
	c.oversized, c.long, c.torn, c.nulls, c.runs = 0, 0, 0, 0, 0
}

func (f *follower) audit(g *generation, kind Kind, bytes int64) {
	f.options.Audit(Audit{Kind: kind, Path: g.path, File: g.number, Bytes: bytes})
}

// unreadable handles a read error. A compressed file is given up, unless more of the
// file may still come. Any other file is retried.
func (f *follower) unreadable(g *generation, err error, now time.Time) {
	if errors.Is(err, ErrClosed) {
		return
	}
	g.idle = true
	f.arrived(g)
	if p, ok := g.source.(*packed); ok {
		p.drop()
		if now.Sub(g.modified) > f.options.Grace {
			f.damaged(g, err)
		}
		return
	}
	f.complain(g.path, err)
}

// damaged gives up a generation whose rest cannot be read.
func (f *follower) damaged(g *generation, err error) {
	f.count(func(s *Stats) { s.Damaged++ })
	f.troubled(g.owner, err)
	f.options.Audit(Audit{Kind: Damaged, Path: g.path, File: g.number, Err: err})
	f.done(g)
}

// finishLeft finishes the rotated generations that have not grown for Grace, and
// reports whether there were any.
func (f *follower) finishLeft(now time.Time) bool {
	var ripe []*generation
	for g := range f.generations {
		switch {
		case g.source == nil:
		case g.packed: // finished at its end; after an error it is read again once Grace has passed since its last change
			g.idle = g.idle && now.Sub(g.modified) <= f.options.Grace
		case f.isRipe(g, now):
			ripe = append(ripe, g)
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
