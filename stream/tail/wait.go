package tail

import (
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
			f.poll(time.Now())
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
	next := f.looked.Add(f.options.Poll)
	if f.moved && f.rescan.Before(next) {
		next = f.rescan
	}
	if f.sleep(time.Until(next), wake) {
		f.sleep(settle-time.Since(f.looked), nil)
	}
	if f.ctx.Err() != nil {
		return false
	}
	f.poll(time.Now())
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

// The share of a core that looking at everything may take: 1/share. If all directories are watched,
// events tell what has changed, and the clock only makes up for what they miss. The bounds
// are the longest pauses.
const (
	watchedShare, watchedBound = 200, 30 * time.Second
	polledShare, polledBound   = 20, 5 * time.Second
	movedShare                 = 5 // for events
)

// poll looks at what events name and at rotated files, and at everything when that is due.
func (f *follower) poll(now time.Time) {
	f.looked = now
	if f.watcher != nil {
		f.notice(f.watcher.take(), now)
	}
	if !now.Before(f.due) || f.moved && !now.Before(f.rescan) {
		f.look(now)
		return
	}
	for g := range f.generations {
		if g.source != nil && !g.left.IsZero() {
			f.lookAt(g, now)
		}
	}
}

// notice takes events. A file held open that was written is looked at. Any other change of a
// log's file requires a scan.
func (f *follower) notice(all events, now time.Time) {
	f.moved = f.moved || all.lost
	for path, moved := range all.moved {
		switch g := f.held[path]; {
		case !moved && g != nil && g.source != nil:
			f.lookAt(g, now)
		case !f.moved:
			f.moved = f.concerns(path, moved)
		}
	}
}

// concerns reports whether a change at a path may concern a log.
func (f *follower) concerns(path string, moved bool) bool {
	if f.bases[path] != nil { // the directory itself
		return true
	}
	bases := f.bases[filepath.Dir(path)]
	name := filepath.Base(path)
	if _, ok := bases[name]; ok {
		return true
	}
	for base := range origins(name) {
		if _, ok := bases[base]; ok {
			return true
		}
	}
	return moved && f.finds
}

// look checks which files the paths lead to, and which files have grown. The cost of a look
// decides when the next one is due.
func (f *follower) look(now time.Time) {
	began := time.Now()
	f.looked, f.moved = now, false
	f.scan(now)
	f.held = make(map[string]*generation)
	for g := range f.generations {
		if g.source != nil {
			f.held[g.path] = g
			f.lookAt(g, now)
		}
	}
	took := time.Since(began)
	cost := min(took, f.took) // one long look may have waited for others
	f.took = took
	pause := min(cost*polledShare, polledBound)
	if f.watcher != nil && f.watched {
		pause = min(cost*watchedShare, watchedBound)
	}
	f.due = now.Add(max(f.options.Poll, pause))
	f.rescan = now.Add(min(f.options.Poll, cost*movedShare))
}

func (f *follower) lookAt(g *generation, now time.Time) {
	before := g.size
	if err := g.look(now); err != nil {
		f.complain(g.path, err)
	}
	if g.size != before {
		f.note(g)
	}
}
