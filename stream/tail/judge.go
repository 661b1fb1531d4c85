package tail

import (
	"cmp"
	"slices"
	"time"
)

// judge decides about a file whose identity is unknown: the file is a copy of a known
// generation, or a new generation.
func (f *follower) judge(l *log, e entry, now time.Time) {
	if f.recognize(l, e, now) || !e.live && f.judgedBefore(e, now) {
		return
	}
	c, ok := f.open(e)
	if !ok {
		return
	}
	defer c.close()
	// The file may be the copy of a text that is still held open. Truncations must be
	// detected by now, or both texts would be read. A check made before the file was opened
	// does not suffice: a new copy may have got the inode of a listed one deleted since.
	if f.handleRewritten(f.origins(l, c, e.live), now) {
		return // the next scan decides
	}
	if !e.live && (len(c.head) == 0 || packedName.MatchString(e.path) && !c.packed) {
		return // empty, or still being written
	}
	g, how := f.likest(c)
	switch {
	case how == alike && f.absent(g), how == maybe && f.copiedEarly(c, g):
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
		f.unlive(l, now) // first, so that the new generation comes after the old
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
		return false // the generation is missing and may continue in this file
	}
	v.of.seen = now
	return true
}

// likest returns the generation whose text c most likely holds. A generation whose file
// is missing comes before one whose file is not, and then the longest head wins.
func (f *follower) likest(c *candidate) (best *generation, how likeness) {
	for g := range f.heads.like(c) {
		this := c.compare(g)
		if this == sameFile {
			this = differs // recognize would have found the same file
		}
		if this > how || this == how && this != differs && f.better(g, best) {
			best, how = g, this
		}
	}
	return best, how
}

func (f *follower) better(g, than *generation) bool {
	if a, b := f.absent(g), f.absent(than); a != b {
		return a
	}
	return cmp.Or(cmp.Compare(g.headLen, than.headLen), cmp.Compare(than.number, g.number)) > 0
}

// origins returns the open generations of which c may be a copy: those of its own log, and those
// that begin alike. A file at a log's path can only replace a generation to which no path leads.
func (f *follower) origins(l *log, c *candidate, live bool) []*generation {
	all := slices.Clone(l.generations)
	for g := range f.heads.like(c) {
		if g.owner != l.path && (!live || f.present[g.id] == "" || !g.isLive()) {
			all = append(all, g)
		}
	}
	return all
}

// absent reports whether a generation may have unread text and its file cannot be
// found.
func (f *follower) absent(g *generation) bool {
	return g.source == nil && !g.finished && (f.present[g.id] == "" || f.byID[g.id] != g)
}

// copiedEarly reports whether c is the copy of a missing generation that was made before
// all of the generation's known head was written, and has text not read yet.
func (f *follower) copiedEarly(c *candidate, g *generation) bool {
	early := c.ended && len(c.head) < g.headLen && distinctive(c.head)
	return early && f.absent(g) && g.offset < int64(len(c.head))
}

// resumeCopy continues a generation in a copy of its file. If the file is still in its
// place with other content, it was truncated after copying.
func (f *follower) resumeCopy(g *generation, c *candidate, now time.Time) {
	if f.present[g.id] == g.path && !g.emptied {
		f.count(func(s *Stats) { s.Truncations++ })
		g.emptied = true
		f.logOf(g.owner, false).emptied = true
	}
	g.cutShort = g.cutShort || g.emptied || !c.packed
	if g.emptied && c.packed {
		f.reportEmptied(g, 0)
	} else if g.emptied {
		f.reportEmptied(g, g.size-c.info.Size())
	}
	g.left, g.seen, g.grown = now, now, c.info.ModTime()
	f.resume(g, c)
}

// replaces reports whether the file at a log's path holds all the text of an open
// generation to which no path leads. There are two such cases. A copy may have replaced
// the generation's file, which has no name any more. Or that file is itself a copy of c,
// and passed for the original because the file system gave it the same identity.
func (f *follower) replaces(c *candidate, g *generation) bool {
	elsewhere := f.present[g.id] == "" || !g.isLive()
	return g.source != nil && elsewhere && c.info.Size() >= g.size && c.holds(g)
}

// moveTo continues a generation in another file at the same offset.
func (f *follower) moveTo(g *generation, c *candidate, now time.Time) {
	f.take(g, c)
	g.seen = now
	f.note(g)
}

func (f *follower) tooOld(c *candidate, now time.Time) bool {
	return f.options.Window > 0 && now.Sub(c.info.ModTime()) > f.options.Window
}

// begin makes a new generation, which takes the candidate's file.
func (f *follower) begin(l *log, c *candidate, now time.Time) *generation {
	g := f.generation(l.path, c.id, now)
	l.insert(g)
	f.take(g, c)
	g.setHead(c.head)
	g.cutShort = l.emptied && c.path != f.realPath(l.path) // copied while being written
	f.note(g)
	f.tell(Begun, g)
	return g
}

// ignore remembers a generation that is too old to read, so that it is recognized after a
// renaming or compression.
func (f *follower) ignore(l *log, c *candidate, now time.Time) {
	g := f.generation(l.path, c.id, now)
	l.insert(g)
	g.setHead(c.head)
	g.path, g.packed, g.finished = c.path, c.packed, true
	g.size, g.modified = c.info.Size(), c.info.ModTime()
	if !c.packed {
		g.offset, g.handed = g.size, g.size
	}
	f.note(g)
	f.tell(Passed, g)
}
