package tail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// verdict is the result of judging a rotated file, kept so that the file is opened
// again only after a change.
type verdict struct {
	size     int64
	modified time.Time
	of       *generation // the generation whose text the file copies
}

// scan determines which file holds which generation now, makes generations of new
// files, and drops generations that are gone.
func (f *follower) scan(now time.Time) {
	f.reals = make(map[string]string)
	named, found := f.expand()
	wanted := make(map[string]bool)
	for i, path := range slices.Concat(named, found) {
		wanted[path] = true
		f.logOf(path, i < len(named))
	}
	lists := make([][]entry, len(f.logs))
	f.present = make(map[identity]string)
	f.survey()
	f.watch()
	for i, l := range f.logs {
		lists[i] = f.list(l, wanted[l.path])
	}
	f.findRewritten(now) // so that the copy of a file just emptied is read on
	// Known files come first, in all logs. A remaining file is a copy of a known file,
	// or new.
	for i, l := range f.logs {
		lists[i] = slices.DeleteFunc(lists[i], func(e entry) bool { return f.recognize(l, e, now) })
	}
	// Live files come first, for the same reason.
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
	f.logs = slices.DeleteFunc(f.logs, func(l *log) bool {
		gone := !wanted[l.path] && len(l.generations) == 0
		if gone {
			delete(f.byPath, l.path)
		}
		return gone
	})
	f.tidy()
	f.publish()
}

// tidy drops facts about files that no longer exist.
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
	for g := range f.generations {
		if g.source != nil {
			open++
		}
	}
	f.count(func(s *Stats) { s.Following = open })
}

// list lists a log's files, each once. The list includes the files in which closed
// generations were last seen, because the path may have been a link.
func (f *follower) list(l *log, wanted bool) []entry {
	var all []entry
	for _, g := range l.generations {
		if g.source == nil && !g.finished {
			if e, ok := f.enter(g.path); ok && e.id == g.id {
				all = append(all, e)
			}
		}
	}
	all = append(all, f.entries(l)...)
	for i := range all {
		all[i].live = all[i].live && wanted
		f.present[all[i].id] = all[i].real
	}
	return all
}

// recognize handles the files that are certainly known: files held open, and closed
// files that have not changed.
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
	g.path = e.real
	if e.live {
		f.setLive(l, g, now)
	}
	f.note(g)
	return true
}

// setLive notes the generation to which a log's path leads. The previous generation
// counts as rotated.
func (f *follower) setLive(l *log, g *generation, now time.Time) {
	if l.live == g {
		return
	}
	f.unlive(l, now)
	l.live = g
	g.leads++
	g.left = time.Time{}
}

func (f *follower) unlive(l *log, now time.Time) {
	g := l.live
	l.live = nil
	if g != nil {
		g.leads--
		f.count(func(s *Stats) { s.Rotations++ })
		f.tell(Rotated, g)
	}
	if g != nil && !g.isLive() {
		g.left = now
	}
}

// forgetGone drops generations that are no longer on disk. A renaming in progress can
// hide a file from one poll, and the poll may come late. So two polls must miss the
// file, at least Grace apart.
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
				return false // a missing file may still appear
			}
			f.loseGone(g)
		}
		g.gone = time.Now()
		f.note(g)
		f.heads.drop(g)
		f.disown(g)
		return true
	})
}
