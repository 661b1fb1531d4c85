package tail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// verdict is what a file that is nobody's own text was found to be, so that it
// is opened again only when it has changed.
type verdict struct {
	size     int64
	modified time.Time
	of       *generation // of which it is a copy; nil: it is not read
}

// scan finds out which file holds which generation now, takes up those that
// are new, and lets go of those that are gone.
func (f *follower) scan(now time.Time) {
	named, found := f.expand()
	wanted := make(map[string]bool)
	for i, path := range slices.Concat(named, found) {
		wanted[path] = true
		f.logOf(path, i < len(named))
	}
	lists := make([][]entry, len(f.logs))
	f.present = make(map[identity]string)
	f.watch()
	for i, l := range f.logs {
		lists[i] = f.list(l, wanted[l.path])
	}
	// A copy of a text that is not known yet may be listed while the text is still
	// in the file it is copied from: it must be known by now, or both were read.
	f.findRewritten(now)
	// The known first, wherever they are: what is left is a copy of one of them,
	// or new.
	for i, l := range f.logs {
		lists[i] = slices.DeleteFunc(lists[i], func(e entry) bool { return f.recognize(l, e, now) })
	}
	// Of these the live ones, for the same reason.
	for _, live := range []bool{true, false} {
		for i, l := range f.logs {
			for _, e := range lists[i] {
				if e.live == live {
					f.judge(l, e, now)
				}
			}
		}
	}
	for _, l := range f.logs {
		if !wanted[l.path] {
			f.unlive(l, now)
		}
		f.forgetGone(l, now)
	}
	f.logs = slices.DeleteFunc(f.logs, func(l *log) bool { return !wanted[l.path] && len(l.generations) == 0 })
	f.tidy()
}

// tidy forgets what is known of files that are no more.
func (f *follower) tidy() {
	for id := range f.judged {
		if f.present[id] == "" {
			delete(f.judged, id)
		}
	}
	for path := range f.trouble {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			delete(f.trouble, path)
		}
	}
	open := 0
	for _, l := range f.logs {
		for _, g := range l.generations {
			if g.source != nil {
				open++
			}
		}
	}
	f.count(func(s *Stats) { s.Following = open })
}

// list lists a log's files, each once, and also those where a generation that
// is not open was last seen: the path may have been a link.
func (f *follower) list(l *log, wanted bool) []entry {
	var all []entry
	for _, g := range l.generations {
		if g.source == nil && !g.finished {
			if e, ok := enter(g.path); ok && e.id == g.id {
				all = append(all, e)
			}
		}
	}
	all = append(all, l.entries(f.options.Elsewhere)...)
	for i := range all {
		all[i].live = all[i].live && wanted
		f.present[all[i].id] = f.realPath(all[i].path)
	}
	return all
}

// recognize deals with the files that are known without a doubt: those held
// open, and those closed that are what they were.
func (f *follower) recognize(l *log, e entry, now time.Time) bool {
	g := f.byID[e.id]
	if g == nil {
		return false
	}
	if g.source == nil {
		same := g.finished && (!e.live || g.packed) && g.size == e.info.Size() && g.modified.Equal(e.info.ModTime())
		if !same && !f.reopen(g, e) {
			return false
		}
	}
	g.seen = now
	g.path = f.realPath(e.path)
	if e.live {
		f.setLive(l, g, now)
	}
	f.note(g)
	return true
}

// setLive notes what a log's path leads to. What it led to before is rotated.
func (f *follower) setLive(l *log, g *generation, now time.Time) {
	if l.live == g {
		return
	}
	f.unlive(l, now)
	l.live = g
	g.left = time.Time{}
}

func (f *follower) unlive(l *log, now time.Time) {
	g := l.live
	l.live = nil
	if g != nil {
		f.count(func(s *Stats) { s.Rotations++ })
	}
	if g != nil && !f.isLive(g) {
		g.left = now
	}
}

func (f *follower) isLive(g *generation) bool {
	return slices.ContainsFunc(f.logs, func(l *log) bool { return l.live == g })
}

// forgetGone lets go of generations that are no longer on disk. A renaming
// under way can hide a file from one look, however late that comes, so two looks
// must miss it, with the time of grace between them.
func (f *follower) forgetGone(l *log, now time.Time) {
	l.generations = slices.DeleteFunc(l.generations, func(g *generation) bool {
		if g.source != nil || g == l.live || g.seen.Equal(now) {
			g.missed = time.Time{}
			return false
		}
		if g.missed.IsZero() {
			g.missed = now
		}
		if now.Sub(g.missed) <= f.options.Grace {
			return false
		}
		if !g.finished {
			if _, err := os.Stat(filepath.Dir(l.path)); err != nil || l.named && l.live == nil {
				return false // what is not there may only be not there yet
			}
			f.loseGone(g)
		}
		f.registry.forget(g)
		f.disown(g)
		return true
	})
}

// realPath follows links, so that a generation can be found when they lead
// elsewhere.
func (f *follower) realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
