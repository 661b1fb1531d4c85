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
	if f.ctx.Err() != nil {
		return false
	}
	for f.spare == nil {
		select {
		case <-f.ctx.Done():
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

// wait waits for an event or for the time of the next poll, and polls. It reports whether to
// go on.
func (f *follower) wait() bool {
	var wake chan struct{}
	if f.watcher != nil {
		wake = f.watcher.wake
	}
	woken := f.sleep(f.options.Poll-time.Since(f.looked), wake)
	if woken {
		f.sleep(settle-time.Since(f.looked), nil)
	}
	if f.ctx.Err() != nil {
		return false
	}
	f.look(time.Now(), !woken)
	return true
}

// sleep waits for some time, and reports whether an event has ended the wait.
func (f *follower) sleep(d time.Duration, wake <-chan struct{}) (woken bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.ctx.Done():
	case <-timer.C:
	case <-wake:
		return true
	}
	return false
}

// look polls: it checks which files the paths lead to, and which files have grown. By
// the clock, look also lists the directories and rereads files that seem unchanged.
func (f *follower) look(now time.Time, byClock bool) {
	f.looked = now
	if byClock || f.moved() {
		f.scan(now)
	}
	for g := range f.generations {
		if g.source == nil {
			continue
		}
		before := g.size
		if err := g.look(now, byClock); err != nil {
			f.complain(g.path, err)
		}
		if g.size != before {
			f.registry.change(g.number, func(known *record) { known.grew(g) })
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
