package tail

import (
	"math"
	"path/filepath"
	"slices"
	"time"

	"dustbuster/stream/lines"
)

// follower is the Reader's goroutine with the state that only this goroutine uses.
type follower struct {
	options  Options
	registry *registry
	out      chan *lines.Batch // a nil batch marks the end of the backlog present at the start
	pool     *lines.Pool
	stop     chan struct{}

	logs      []*log
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

	watcher     *watcher
	directories map[string]identity // directories of the watched paths
	looked      time.Time
}

func newFollower(o Options, from []Position) *follower {
	f := &follower{
		options:  o,
		registry: &registry{records: make(map[uint64]*record), trouble: make(map[string]trouble)},
		out:      make(chan *lines.Batch, o.Batches+1), // never full
		pool:     lines.NewPool(o.Batches),
		stop:     make(chan struct{}),
		byID:     make(map[identity]*generation),
		judged:   make(map[identity]verdict),
		trouble:  make(map[string]string),
	}
	for _, p := range from {
		switch {
		case Follows(o.Others, p.Path): // another Reader has taken the path over
		case !f.follows(p.Path):
			f.foreign = append(f.foreign, p)
		case p.HeadLen > 0: // a position without a head identifies nothing
			f.adopt(p)
		}
	}
	return f
}

func (f *follower) note(g *generation)     { f.registry.note(g) }
func (f *follower) count(add func(*Stats)) { f.registry.count(add) }

// adopt makes a closed generation from a position.
func (f *follower) adopt(p Position) {
	l := f.logOf(p.Path, false)
	g := &generation{
		owner: p.Path, path: p.File, id: identity{p.Device, p.Inode}, hash: p.Head, headLen: p.HeadLen,
		offset: p.Offset, handed: p.Offset, scan: p.Offset, size: p.Size, finished: p.Finished, cutShort: p.Cut,
		fresh: true,
	}
	g.cut.maxLine = f.options.MaxLine
	f.last++
	g.number = f.last
	l.generations = append(l.generations, g)
	f.byID[g.id] = g
	f.note(g)
}

// follows reports whether this reader follows a path.
func (f *follower) follows(path string) bool { return Follows(f.options.Paths, path) }

// Follows reports whether paths contains path, a pattern that matches path, or the
// directory of path.
func Follows(paths []string, path string) bool {
	return slices.ContainsFunc(paths, func(pattern string) bool {
		match, _ := filepath.Match(pattern, path)
		clean := filepath.Clean(pattern)
		return match || clean == path || clean == filepath.Dir(path)
	})
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
	for _, l := range f.logs {
		for _, g := range l.generations {
			g.seen, g.left, g.grown = now, now, now
		}
	}
	f.scan(now)
	f.expect()
	for f.refill() {
		now := time.Now()
		if now.Sub(f.looked) >= f.options.Poll {
			f.look(now, true)
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
	for _, l := range f.logs {
		for _, g := range l.generations {
			switch {
			case g.packed && g.source != nil:
				f.waiting[g] = math.MaxInt64
			case g.source != nil:
				f.waiting[g] = g.size
			}
		}
	}
	f.registry.expect(f.waiting)
}

// arrived notes that the text of a generation that was present at the start was handed
// out, or cannot be.
func (f *follower) arrived(g *generation) {
	if _, ok := f.waiting[g]; ok {
		delete(f.waiting, g)
		f.registry.arrived(g)
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
	for _, l := range f.logs {
		for _, g := range l.generations {
			g.close()
		}
	}
	if f.watcher != nil {
		f.watcher.close()
	}
}
