package tail

import "time"

// judge finds out what a file is that is not known by its identity: a copy of
// a known generation, or a new one.
func (f *follower) judge(l *log, e entry, now time.Time) {
	if f.recognize(l, e, now) || !e.live && f.judgedBefore(e, now) {
		return
	}
	c, ok := f.open(e)
	if !ok {
		return
	}
	defer c.close()
	if !e.live && (len(c.head) == 0 || packedName.MatchString(e.path) && !c.packed) {
		return // nothing yet, or not to be read
	}
	g, how := f.likest(c)
	switch {
	case how == alike && f.absent(g):
		f.resumeCopy(g, c, now)
		if e.live {
			f.setLive(l, g, now)
		}
	case how == alike && e.live && f.replaces(c, g):
		f.moveTo(g, c, now)
		f.setLive(l, g, now)
	case how != differs && !e.live:
		g.seen = now
		f.judged[e.id] = verdict{c.info.Size(), c.info.ModTime(), g}
	case !e.live && f.tooOld(c, now):
		f.ignore(l, c, now)
	case e.live:
		f.unlive(l, now) // so that the new one comes behind it
		f.setLive(l, f.begin(l, c, now), now)
	default:
		f.begin(l, c, now)
	}
}

func (f *follower) judgedBefore(e entry, now time.Time) bool {
	v, ok := f.judged[e.id]
	if !ok || v.size != e.info.Size() || !v.modified.Equal(e.info.ModTime()) {
		return false
	}
	if v.of.source == nil && !v.of.finished {
		return false // it is missing now, and may go on here
	}
	v.of.seen = now
	return true
}

// likest finds the generation whose text c most likely holds: one that is
// missing before one that is not, and then the one with the longest head.
func (f *follower) likest(c *candidate) (best *generation, how likeness) {
	for _, l := range f.logs {
		for _, g := range l.generations {
			// What has been written since c was opened is learned first. Where the
			// content has changed, reading will find that out.
			changed := g.file != nil && !g.sameHead()
			this := c.compare(g, changed)
			if this == sameFile {
				this = differs // it would have been recognized
			}
			if this > how || this == how && this != differs && f.better(g, best) {
				best, how = g, this
			}
		}
	}
	return best, how
}

func (f *follower) better(g, than *generation) bool {
	if a, b := f.absent(g), f.absent(than); a != b {
		return a
	}
	return g.headLen > than.headLen
}

// absent tells whether a generation has text left to read, or may have, and
// its file is not to be found.
func (f *follower) absent(g *generation) bool {
	return g.source == nil && !g.finished && (f.present[g.id] == "" || f.byID[g.id] != g)
}

// resumeCopy goes on with a generation in a copy of its file. Where its file is
// still in its place, with other content, it was truncated after copying.
func (f *follower) resumeCopy(g *generation, c *candidate, now time.Time) {
	if f.present[g.id] == g.path && !g.emptied {
		f.count(func(s *Stats) { s.Truncations++ })
		g.emptied = true
		f.logOf(g.owner, false).emptied = true
	}
	g.cutShort = g.cutShort || g.emptied || !c.packed
	if g.emptied && c.packed {
		f.tellEmptied(g, 0)
	} else if g.emptied {
		f.tellEmptied(g, g.size-c.info.Size())
	}
	g.left, g.seen, g.grown = now, now, c.info.ModTime()
	f.resume(g, c)
}

// replaces tells whether the file at a log's path holds all that a generation
// held open does, which lies where no path leads: either a copy was put in the
// place of its file, which has no name any more, or its file is itself a copy of
// this one, and was taken for the original because it was given its identity.
func (f *follower) replaces(c *candidate, g *generation) bool {
	elsewhere := f.present[g.id] == "" || !f.isLive(g)
	return g.source != nil && elsewhere && c.info.Size() >= g.size && c.holds(g)
}

// moveTo goes on with a generation at the same place of another file.
func (f *follower) moveTo(g *generation, c *candidate, now time.Time) {
	f.take(g, c)
	g.seen = now
	f.note(g)
}

func (f *follower) tooOld(c *candidate, now time.Time) bool {
	return f.options.Window > 0 && now.Sub(c.info.ModTime()) > f.options.Window
}

// begin takes up a new generation. Its file becomes the generation's.
func (f *follower) begin(l *log, c *candidate, now time.Time) *generation {
	g := f.enlist(l, c, now)
	f.take(g, c)
	g.setHead(c.head)
	g.cutShort = l.emptied && c.path != f.realPath(l.path) // copied while it was written to
	f.note(g)
	return g
}

// ignore remembers a generation that is not to be read, so that it is known
// again when it is renamed or compressed.
func (f *follower) ignore(l *log, c *candidate, now time.Time) {
	g := f.enlist(l, c, now)
	g.setHead(c.head)
	g.path, g.packed, g.finished = c.path, c.packed, true
	g.size, g.modified = c.info.Size(), c.info.ModTime()
	if !c.packed {
		g.offset, g.handed = g.size, g.size
	}
	f.note(g)
}

func (f *follower) enlist(l *log, c *candidate, now time.Time) *generation {
	g := &generation{owner: l.path, id: c.id, fresh: true, seen: now, grown: now, left: now}
	g.cut.maxLine = f.options.MaxLine
	f.last++
	g.number = f.last
	f.byID[c.id] = g
	l.insert(g)
	return g
}
