package tail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// settle is the least time between two polls caused by events, so that many small
// writes are read together. Nobody notices a delay this short.
const settle = 2 * time.Millisecond

// refill ensures that there is a batch to fill, and reports whether to go on. While the
// consumer holds all batches, refill keeps polling the logs, because rotations do not
// wait.
func (f *follower) refill() bool {
	select {
	case <-f.stop:
		return false
	default:
	}
	for f.spare == nil {
		select {
		case <-f.stop:
			return false
		case f.spare = <-f.pool.Free:
			if f.spare.Buffer == nil {
				f.spare.Buffer = make([]byte, f.options.BatchSize)
			}
		case <-time.After(f.options.Poll):
			f.look(time.Now(), true)
		}
	}
	return true
}

// wait waits for an event or for the time of the next poll, and polls.
func (f *follower) wait() bool {
	timer := time.NewTimer(max(0, f.options.Poll-time.Since(f.looked)))
	defer timer.Stop()
	var wake chan struct{}
	if f.watcher != nil {
		wake = f.watcher.wake
	}
	select {
	case <-f.stop:
		return false
	case <-timer.C:
		f.look(time.Now(), true)
		return true
	case <-wake:
	}
	if pause := settle - time.Since(f.looked); pause > 0 && !f.pause(pause) {
		return false
	}
	f.look(time.Now(), false)
	return true
}

func (f *follower) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.stop:
		return false
	case <-timer.C:
		return true
	}
}

// look polls: it checks which files the paths lead to, and which files have grown. By
// the clock, look also lists the directories and rereads files that seem unchanged.
func (f *follower) look(now time.Time, byClock bool) {
	f.looked = now
	if byClock || f.moved() {
		f.scan(now)
	}
	for _, l := range f.logs {
		for _, g := range l.generations {
			if g.source == nil {
				continue
			}
			before := g.size
			if err := g.look(now, byClock && !g.packed); err != nil {
				f.complain(g.path, err)
			}
			if g.size != before {
				f.registry.grew(g)
			}
		}
	}
}

// moved reports whether a path leads to another file than before.
func (f *follower) moved() bool {
	for _, l := range f.logs {
		e, ok := enter(l.path)
		if ok != (l.live != nil) || ok && e.id != l.live.id {
			return true
		}
	}
	return false
}

// watch ensures that the paths of all logs, and the targets of links, are watched. A
// directory that was replaced or has returned is watched anew.
func (f *follower) watch() {
	if f.watcher == nil {
		return
	}
	paths := make(map[string]bool)
	dirs := make(map[string]identity)
	for _, l := range f.logs {
		paths[l.path], paths[f.realPath(l.path)] = true, true
		dirs[filepath.Dir(l.path)] = identity{}
	}
	for dir := range dirs {
		if info, err := os.Stat(dir); err == nil {
			dirs[dir], _ = identify(info)
		}
		if dirs[dir] != f.directories[dir] {
			f.watcher.removeDir(dir)
		}
	}
	f.directories = dirs
	for path := range f.watcher.names {
		if !paths[path] {
			f.watcher.remove(path)
		}
	}
	for path := range paths {
		err := f.watcher.add(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && f.trouble[path] != err.Error() {
			f.trouble[path] = err.Error()
			f.options.Audit(Audit{Kind: Unwatched, Path: path, Err: err})
		}
	}
}
