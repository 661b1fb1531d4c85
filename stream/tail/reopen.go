package tail

import (
	"errors"
	"io"
	"io/fs"
)

// reopen goes on with a file whose generation is known by its device and
// inode, if its first bytes say that it still is the same.
func (f *follower) reopen(g *generation, e entry) bool {
	c, ok := f.open(e)
	if !ok {
		return errors.Is(f.openError, fs.ErrPermission) // it is the same as far as we know
	}
	defer c.close()
	if f.betterKnown(c, g) || c.compare(g, false) != sameFile && (!c.packed || c.id != g.id || c.compare(g, false) != alike) {
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

// betterKnown tells whether a file that has the identity of one generation
// holds the text of another that is missing, of which more is known: identities
// are given again.
func (f *follower) betterKnown(c *candidate, g *generation) bool {
	if g.headLen == headSize {
		return false
	}
	for _, l := range f.logs {
		for _, other := range l.generations {
			if other.source == nil && other.headLen > g.headLen && c.compare(other, false) >= alike {
				return true
			}
		}
	}
	return false
}

// resume opens a generation on a file that holds its text.
func (f *follower) resume(g *generation, c *candidate) {
	f.take(g, c)
	g.setHead(c.head)
	err := g.place(g.offset)
	switch {
	case err == nil:
	case errors.Is(err, ErrClosed):
		g.close()
	case errors.Is(err, io.EOF): // a copy made before the last lines that were read: nothing is left
		f.done(g)
	default:
		f.damaged(g, err)
	}
	f.note(g)
}

// take gives a generation the file of a candidate.
func (f *follower) take(g *generation, c *candidate) {
	f.disown(g)
	g.bind(c)
	f.byID[g.id] = g
}

// disown forgets which file a generation lies in.
func (f *follower) disown(g *generation) {
	if f.byID[g.id] == g {
		delete(f.byID, g.id)
	}
}

// open opens a file, or tells why it cannot.
func (f *follower) open(e entry) (*candidate, bool) {
	c, err := openCandidate(e.path, f.options.BatchSize, f.stop)
	f.openError = err
	if err == nil && c.id != e.id {
		c.close() // it has been renamed since it was listed: the next scan will tell
		return nil, false
	}
	if err == nil {
		delete(f.trouble, e.path)
		return c, true
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrClosed) {
		f.complain(e.path, err)
	}
	return nil, false
}

func (f *follower) complain(path string, err error) {
	f.count(func(s *Stats) { s.Errors++ })
	if f.trouble[path] != err.Error() {
		f.trouble[path] = err.Error()
		f.options.Audit(Audit{Kind: Unreadable, Path: path, Err: err})
	}
}
