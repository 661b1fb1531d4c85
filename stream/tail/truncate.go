package tail

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"time"
)

// rewritten handles a file whose content already read has changed. If the file was only
// cut, reading continues at the new end. Otherwise the file holds a new generation, and
// the old one is missing: it continues in the copy made by copytruncate, once found.
func (f *follower) rewritten(g *generation, now time.Time) {
	if g.packed {
		f.damaged(g, errRewritten)
		return
	}
	f.count(func(s *Stats) { s.Truncations++ })
	pending := g.size - g.scan
	if f.shrunk(g) {
		f.lose(g, Shrunk, pending, nil)
		return
	}
	l := f.logOf(g.owner, false)
	l.emptied = true
	live := f.holders(g)
	next := f.generation(g.owner, g.id, now)
	next.path, next.source, next.file = g.path, g.source, g.file
	l.generations = slices.Insert(l.generations, slices.Index(l.generations, g)+1, next)
	for _, holder := range live {
		holder.live, next.left = next, time.Time{}
		next.leads++
	}
	f.note(next)
	f.tell(Begun, next)

	g.leads = 0
	g.source, g.file = nil, nil // the new generation has them
	g.cutShort, g.emptied = true, true
	g.left, g.seen = now, now
	f.arrived(g)
	f.note(g)
}

// findRewritten looks for open files whose content already read has changed, and reports
// whether there are any. All known heads have grown with their files afterwards.
func (f *follower) findRewritten(now time.Time) bool {
	return f.handleRewritten(slices.Collect(f.generations), now)
}

// handleRewritten is findRewritten for some generations.
func (f *follower) handleRewritten(among []*generation, now time.Time) bool {
	var changed []*generation
	for _, g := range among {
		if g.file != nil && !g.packed && !g.intact() {
			changed = append(changed, g)
		}
	}
	for _, g := range changed {
		f.rewritten(g, now)
	}
	return len(changed) > 0
}

// holders returns the logs whose path leads to a generation.
func (f *follower) holders(g *generation) (all []*log) {
	for _, l := range f.logs {
		if l.live == g {
			all = append(all, l)
		}
	}
	return all
}

// shrunk reports whether a file still has its head, with at least one whole line, but
// ends before the read offset. Then reading continues at the end of the file.
func (f *follower) shrunk(g *generation) bool {
	info, err := g.file.Stat()
	if err != nil || info.Size() == 0 || info.Size() >= g.scan {
		return false
	}
	var now [headSize]byte
	n, err := g.file.ReadAt(now[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	head := g.head[:min(n, len(g.head))]
	if n < len(head) || !bytes.Equal(now[:len(head)], head) || !distinctive(head) {
		return false
	}
	// The consumer may have processed lines beyond the end. Those lines no longer
	// exist.
	if err := g.place(info.Size()); err != nil {
		return false
	}
	g.setHead(head)
	g.size, g.idle = info.Size(), false
	return true
}

// lose counts and reports a loss.
func (f *follower) lose(g *generation, kind Kind, pending int64, err error) {
	pending = max(0, pending)
	if pending > 0 {
		f.count(func(s *Stats) { s.Abandoned++; s.AbandonedBy += pending })
	}
	if pending > 0 || err != nil {
		f.troubled(g.owner, lossError(kind, pending, err))
	}
	f.options.Audit(Audit{Kind: kind, Path: g.path, File: g.number, Bytes: pending, Err: err})
}

// loseGone gives up a generation that cannot be found.
func (f *follower) loseGone(g *generation) {
	pending := g.size - g.offset
	if packedName.MatchString(g.path) {
		pending = 0 // unknown
	}
	if g.emptied {
		f.reportEmptied(g, pending)
	} else {
		f.lose(g, Lost, pending, f.whereabouts())
	}
	f.done(g)
}

// ErrGone is the cause of a loss if Options.Elsewhere is empty. If rotated files are moved
// to another directory, Options.Elsewhere must name the directory.
var ErrGone = errors.New("the file is not beside its log, under any name")

var errNowhere = errors.New("the file is neither beside its log nor in the other directories of rotated files")

// whereabouts returns an error that says where a missing generation was sought.
func (f *follower) whereabouts() error {
	if len(f.options.Elsewhere) > 0 {
		return errNowhere
	}
	return ErrGone
}

// reportEmptied reports the loss by a truncation: the bytes seen, but neither read nor
// found in the copy. Bytes written after the copying and never seen are unknown.
func (f *follower) reportEmptied(g *generation, pending int64) {
	g.emptied = false
	f.lose(g, Truncated, pending, nil)
}
