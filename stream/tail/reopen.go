package tail

import (
	"errors"
	"io"
	"io/fs"
)

// reopen continues a generation in a file with the known device and inode, if the first
// bytes agree.
func (f *follower) reopen(g *generation, e entry) bool {
	c, ok := f.open(e)
	if !ok {
		return errors.Is(f.openError, fs.ErrPermission) // probably the same file
	}
	defer c.close()
	if f.betterKnown(c, g) || c.compare(g) != sameFile && (!c.packed || c.id != g.id || c.compare(g) != alike) {
		delete(f.byID, g.id)
		return false
	}
	if g.finished && (c.packed || !e.live && (c.info.Size() <= g.size || gathering.MatchString(e.path))) {
		g.size, g.modified, g.packed = c.info.Size(), c.info.ModTime(), c.packed
		return true
	}
	f.resume(g, c)
	return true
}

// betterKnown reports whether a file with the identity of g holds the text of another,
// missing generation with a longer known head. File systems reuse identities.
func (f *follower) betterKnown(c *candidate, g *generation) bool {
	if g.headLen == headSize {
		return false
	}
	for other := range f.heads.like(c) {
		if other.source == nil && other.headLen > g.headLen && c.compare(other) >= alike {
			return true
		}
	}
	return false
}

// resume opens a generation on a file with its text.
func (f *follower) resume(g *generation, c *candidate) {
	f.take(g, c)
	g.setHead(c.head)
	err := g.place(g.offset)
	switch {
	case err == nil:
		f.tell(Resumed, g)
	case errors.Is(err, ErrClosed):
		g.close()
	case errors.Is(err, io.EOF): // the copy was made before the last lines read: nothing is left
		f.done(g)
	default:
		f.damaged(g, err)
	}
	f.note(g)
}

// take gives a candidate's file to a generation.
func (f *follower) take(g *generation, c *candidate) {
	f.disown(g)
	g.bind(c)
	f.byID[g.id] = g
}

// disown drops the identity of a generation's file.
func (f *follower) disown(g *generation) {
	if f.byID[g.id] == g {
		delete(f.byID, g.id)
	}
}

// open opens a file, and reports an error that prevents opening.
func (f *follower) open(e entry) (*candidate, bool) {
	c, err := openCandidate(e.path, f.options.BatchSize, f.ctx.Done())
	f.openError = err
	if err == nil && c.id != e.id {
		c.close() // renamed since the listing; the next scan decides
		return nil, false
	}
	if err == nil {
		delete(f.trouble, e.path)
		c.path = e.real
		return c, true
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrClosed) {
		f.complain(e.path, err)
	}
	return nil, false
}

func (f *follower) complain(path string, err error) {
	f.count(func(s *Stats) { s.Errors++ })
	f.troubled(path, err)
	if f.trouble[path] != err.Error() {
		f.trouble[path] = err.Error()
		f.options.Audit(Audit{Kind: Unreadable, Path: path, Err: err})
	}
}
