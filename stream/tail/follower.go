package tail

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"dustbuster/stream/lines"
)

// follower is the Reader's goroutine with the state that only this goroutine uses.
type follower struct {
	options Options
	shown   atomic.Pointer[snapshot] // what other goroutines see; never nil
	out     chan *lines.Batch        // a nil batch marks the end of the backlog present at the start
	pool    *lines.Pool
	ctx     context.Context // ends with Close
	close   context.CancelFunc

	logs      []*log
	byPath    map[string]*log
	heads     *heads
	paths     selection // of Options.Paths
	byID      map[identity]*generation
	present   map[identity]string // the files listed in this scan
	judged    map[identity]verdict
	trouble   map[string]string // by path, the last error reported
	openError error
	last      uint64 // highest number given to a generation

	foreign   []Position // positions of paths not followed, passed on unchanged
	spare     *lines.Batch
	turn      int // index of the log to read next
	waiting   map[*generation]int64
	announced bool // the end of the backlog was reported

	watcher *watcher
	watched bool                           // all directories of logs are watched
	held    map[string]*generation         // the files held open, by path, as of the last look
	existed map[string]bool                // by pattern or directory: a log was found there
	finds   bool                           // patterns or directories are followed
	bases   map[string]map[string][]string // by directory and base name of a log: the names of its rotated files, as of the last scan
	reals   map[string]string              // directories with their links resolved, in this scan
	looked  time.Time
	took    time.Duration // for the last look at everything
	due     time.Time     // of the next one
	moved   bool          // files were made, renamed or removed since the last scan
	rescan  time.Time     // the earliest next scan because of events
}

func newFollower(o Options, from []Position) *follower {
	f := &follower{
		options: o,
		out:     make(chan *lines.Batch, o.Batches+1), // never full
		pool:    lines.NewPool(o.Batches),
		byPath:  make(map[string]*log),
		heads:   newHeads(),
		paths:   selectPaths(o.Paths),
		reals:   make(map[string]string),
		existed: make(map[string]bool),
		byID:    make(map[identity]*generation),
		judged:  make(map[identity]verdict),
		trouble: make(map[string]string),
	}
	f.shown.Store(&snapshot{})
	f.ctx, f.close = context.WithCancel(context.Background())
	others := selectPaths(o.Others)
	for _, p := range from {
		switch {
		case others.has(p.Path): // another Reader has taken the path over
		case !f.paths.has(p.Path):
			f.foreign = append(f.foreign, p)
		case p.HeadLen > 0: // a position without a head identifies nothing
			f.adopt(p)
		}
	}
	return f
}

// adopt makes a closed generation from a position.
func (f *follower) adopt(p Position) {
	g := f.generation(p.Path, identity{p.Device, p.Inode}, time.Time{})
	g.path, g.hash, g.headLen, g.size = p.File, p.Head, p.HeadLen, p.Size
	g.offset, g.handed, g.scan = p.Offset, p.Offset, p.Offset
	g.finished, g.cutShort = p.Finished, p.Cut
	f.heads.put(g)
	l := f.logOf(p.Path, false)
	l.generations = append(l.generations, g)
	f.note(g)
}

// generation makes a generation of a log in the file with an identity.
func (f *follower) generation(owner string, id identity, now time.Time) *generation {
	f.last++
	g := &generation{number: f.last, owner: owner, heads: f.heads, id: id, cut: cutter{maxLine: f.options.MaxLine}, fresh: true, seen: now, grown: now, left: now}
	f.byID[id] = g
	return g
}

// generations yields the generations of all logs, the oldest of each log first.
func (f *follower) generations(yield func(*generation) bool) {
	for _, l := range f.logs {
		for _, g := range l.generations {
			if !yield(g) {
				return
			}
		}
	}
}

// Follows reports whether paths contains path, a pattern that matches path, or the
// directory of path.
func Follows(paths []string, path string) bool {
	s := selectPaths(paths)
	return s.has(path)
}

// run polls, reads and waits in turn, until the Reader is closed.
func (f *follower) run() {
	defer f.end()
	if !f.options.NoNotify {
		var err error
		if f.watcher, err = newWatcher(); err != nil {
			f.options.Audit(Audit{Kind: Unwatched, Err: err})
		}
	}
	now := time.Now()
	for g := range f.generations {
		g.seen, g.left, g.grown = now, now, now
	}
	f.look(now)
	f.expect()
	for f.refill() {
		now := time.Now()
		if now.Sub(f.looked) >= f.options.Poll {
			f.poll(now)
		}
		if g := f.next(); g != nil {
			f.step(g, now)
			continue
		}
		if !f.announced && len(f.waiting) == 0 {
			f.announced = true
			f.out <- nil
		}
		if !f.finishLeft(now) && !f.wait() {
			return
		}
	}
}

// expect notes the text to read before the reader has caught up.
func (f *follower) expect() {
	f.waiting = make(map[*generation]int64)
	for g := range f.generations {
		switch {
		case g.packed && g.source != nil:
			f.waiting[g] = math.MaxInt64
		case g.source != nil:
			f.waiting[g] = g.size
		}
	}
	for g := range f.waiting {
		f.note(g)
	}
	f.show(func(s *snapshot) { s.started = true })
}

// arrived notes that the text of a generation that was present at the start was handed
// out, or cannot be.
func (f *follower) arrived(g *generation) {
	if _, ok := f.waiting[g]; ok {
		delete(f.waiting, g)
		g.goal = g.handed
		f.note(g)
	}
}

// next returns a generation with unread text: the logs in turn, and of a log the oldest
// such generation.
func (f *follower) next() *generation {
	for i := range f.logs {
		turn := (f.turn + i) % len(f.logs)
		for _, g := range f.logs[turn].generations {
			if g.source != nil && !g.idle {
				f.turn = turn + 1
				return g
			}
		}
	}
	return nil
}

func (f *follower) end() {
	for g := range f.generations {
		g.close()
	}
	if f.watcher != nil {
		f.watcher.close()
	}
}
