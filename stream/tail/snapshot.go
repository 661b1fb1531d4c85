package tail

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

// The Reader's goroutine alone owns the state of the logs. Other goroutines see copies that are
// replaced and never changed: a snapshot of all logs, and the facts of each generation. A batch
// changes one generation of many thousands, so the snapshot points to the facts.

// snapshot is what other goroutines see of the logs. A slice may be appended to by its owner: a
// reader of the snapshot does not see the new end.
type snapshot struct {
	generations []*shared // by number
	paths       []followed
	trouble     []trouble // the last is the newest
	started     bool      // the text present at the start is known
	stats       Stats
}

// shared is what other goroutines see of a generation, and what the consumer says of it.
type shared struct {
	number            uint64
	noted             atomic.Pointer[facts] // never nil
	processed, passed atomic.Int64          // by the consumer: see Positions and Passed
}

// facts are the state of a generation at its last note.
type facts struct {
	position Position // without Offset, which the consumer knows
	end      int64    // Batch.End of the last batch handed out
	packed   bool
	wrong    error     // why most lines are left out; nil: they are not
	awaited  bool      // text was present at the start, and is not all handed out
	goal     int64     // Batch.End of the batch with the last of that text
	gone     time.Time // since when the file is no longer on disk; zero: on disk
	backlog  backlog
}

// show replaces the snapshot by a changed copy.
func (f *follower) show(change func(*snapshot)) {
	s := *f.shown.Load()
	change(&s)
	f.shown.Store(&s)
}

func (f *follower) count(add func(*Stats)) { f.show(func(s *snapshot) { add(&s.stats) }) }

// note shows the present state of a generation.
func (f *follower) note(g *generation) {
	known := g.shared
	if known == nil {
		known = &shared{number: g.number}
		known.processed.Store(g.offset)
	}
	now := time.Now()
	if len(g.sizes) == 0 && g.modified.Before(now) {
		now = g.modified // the bytes were there before the first poll
	}
	g.sizes.grow(g.size, known.processed.Load(), now)
	_, awaited := f.waiting[g]
	known.noted.Store(&facts{position: g.position(), end: g.handed, packed: g.packed, wrong: g.torn.wrong,
		awaited: awaited, goal: g.goal, gone: g.gone, backlog: slices.Clone(g.sizes)})
	if g.shared == nil {
		g.shared = known
		f.show(func(s *snapshot) { s.generations = append(s.generations, known) })
	}
}

func (s *shared) compare(number uint64) int { return cmp.Compare(s.number, number) }

// raise raises a number that several goroutines may raise at once.
func raise(number *atomic.Int64, to int64) {
	for at := number.Load(); at < to && !number.CompareAndSwap(at, to); {
		at = number.Load()
	}
}

// overdue is how long a vanished generation is remembered for a consumer that has not
// processed it, because its last lines may never become readable.
const overdue = time.Hour

// known is a generation at one moment, with the consumer's progress.
type known struct {
	*shared
	facts
	dealt int64 // up to which byte the consumer has dealt with the lines
}

func (s *shared) look() known {
	k := known{shared: s, facts: *s.noted.Load()}
	k.position.Offset = s.processed.Load()
	k.dealt = max(k.position.Offset, s.passed.Load())
	return k
}

// complete reports whether the consumer has processed the whole generation.
func (k *known) complete() bool { return k.position.Finished && k.position.Offset >= k.end }

// forgotten reports whether a generation is no longer on disk, and nobody waits for it.
func (s *shared) forgotten() bool {
	k := s.look()
	return !k.gone.IsZero() && (k.complete() || time.Since(k.gone) > overdue)
}

// known lists the generations in the order of their numbers.
func (s *snapshot) known() (all []known) {
	for _, g := range s.generations {
		if !g.forgotten() {
			all = append(all, g.look())
		}
	}
	return all
}

// positions takes the consumer's progress and lists the positions of all known generations.
func (s *snapshot) positions(end map[uint64]int64) (all []Position) {
	for _, g := range s.generations {
		raise(&g.processed, end[g.number])
	}
	for _, k := range s.known() {
		k.position.Finished = k.complete()
		all = append(all, k.position)
	}
	return all
}
