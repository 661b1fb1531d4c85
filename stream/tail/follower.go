package tail

import (
	"math"
	"path/filepath"
	"slices"
	"time"

	"dustbuster/stream/lines"
)

// follower is the Reader's goroutine and what it alone knows.
type follower struct {
	options  Options
	registry *registry
	out      chan *lines.Batch // nil in it: all that was there at the start has gone before
	pool     *lines.Pool
	stop     chan struct{}

	logs      []*log
	byID      map[identity]*generation
	present   map[identity]string // the files listed in this scan
	judged    map[identity]verdict
	trouble   map[string]string // by path, the error last told
	openError error
	last      uint64 // number given to a generation

	foreign []Position // of paths that nobody follows: kept as they are
	spare   *lines.Batch
	turn    int // the log that is read next
	waiting map[*generation]int64
	told    bool // that all is caught up

	watcher     *watcher
	directories map[string]identity // that hold the paths watched
	looked      time.Time
}

func newFollower(o Options, from []Position) *follower {
	f := &follower{
		options:  o,
		registry: &registry{records: make(map[uint64]*record)},
		out:      make(chan *lines.Batch, o.Batches+1), // never full
		pool:     lines.NewPool(o.Batches),
		stop:     make(chan struct{}),
		byID:     make(map[identity]*generation),
		judged:   make(map[identity]verdict),
		trouble:  make(map[string]string),
	}
	for _, p := range from {
		switch {
		case Follows(o.Others, p.Path): // another has taken it over
		case !f.follows(p.Path):
			f.foreign = append(f.foreign, p)
		case p.HeadLen > 0: // of an empty file nothing is known to find it by
			f.adopt(p)
		}
	}
	return f
}

func (f *follower) note(g *generation)     { f.registry.note(g) }
func (f *follower) count(add func(*Stats)) { f.registry.count(add) }

// adopt makes a closed generation of a position.
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

// follows tells whether a path is one of ours.
func (f *follower) follows(path string) bool { return Follows(f.options.Paths, path) }

// Follows tells whether a path is one that is named, matches a pattern, or lies in a
// directory.
func Follows(paths []string, path string) bool {
	return slices.ContainsFunc(paths, func(pattern string) bool {
		match, _ := filepath.Match(pattern, path)
		clean := filepath.Clean(pattern)
		return match || clean == path || clean == filepath.Dir(path)
	})
}

// run looks, reads and waits in turn, until the Reader is closed.
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
		if !f.told && len(f.waiting) == 0 {
			f.told = true
			f.out <- nil
		}
		if !f.finishLeft(now) && !f.wait() {
			return
		}
	}
}

// expect notes what is to be read until the reader has caught up.
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
}

// next finds a generation with something to read: the oldest such of a log,
// and the logs in turn.
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
