package journal

import (
	"errors"
	"flag"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"dustbuster/internal/expect"
)

var long = flag.Bool("long", false, "five times as many damages, and 250 times as many random histories")

// rounds returns how often a random test is repeated: n times, or a fifth of that.
func rounds(n int) int {
	if *long {
		return n
	}
	return n / 5
}

// The world of these tests is an input and a process. The content of the n-th line of
// the input depends on n alone. The process reads some lines, saves checkpoints, and
// after a crash resumes from the saved position. The state at position n must always be
// exactly the fold of lines 1 to n.

// The kinds of entry in these tests.
const (
	kindPosition = iota
	kindValue
)

// state is the plain fold of entries: the last value of each name counts. An incremental sum
// is kept over all values.
type state struct {
	position int
	values   map[string]string
	hash     uint64
}

func newState() *state { return &state{values: map[string]string{}} }

func (s *state) fold(e *Entry) {
	if e.Kind == kindPosition {
		s.position, _ = strconv.Atoi(string(e.Value))
		return
	}
	if old, ok := s.values[e.Name]; ok {
		s.hash -= hashOf(e.Name, old)
	}
	s.values[e.Name] = string(e.Value)
	s.hash += hashOf(e.Name, string(e.Value))
}

var seed = maphash.MakeSeed()

func hashOf(name string, value any) uint64 { return maphash.Comparable(seed, [2]any{name, value}) }

// sum returns a fingerprint of the whole state.
func (s *state) sum() uint64 { return s.hash + hashOf("position", s.position) }

// lines yields the entries of lines from+1 to to, and the position to.
func lines(from, to int) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for n := from + 1; n <= to; n++ {
			rnd := rand.New(rand.NewPCG(uint64(n), 7))
			name, value := fmt.Sprintf("www%d.example/%d", rnd.IntN(3), rnd.IntN(180)), make([]byte, rnd.IntN(120))
			for i := range value {
				value[i] = byte(rnd.Uint32())
			}
			if !yield(Entry{kindValue, name, value}) {
				return
			}
		}
		yield(position(to))
	}
}

func position(n int) Entry {
	return Entry{Kind: kindPosition, Value: strconv.AppendInt(nil, int64(n), 10)}
}

// load folds the entries of a journal.
func load(j *Journal, fold func(*Entry)) error {
	for e, err := range j.Load() {
		if err != nil {
			return err
		}
		fold(&e)
	}
	return nil
}

// sums returns the fingerprint of the state at a position.
var sums = func() func(n int) uint64 {
	s, all := newState(), []uint64{newState().sum()}
	return func(n int) uint64 {
		for len(all) <= n {
			for e := range lines(len(all)-1, len(all)) {
				s.fold(&e)
			}
			all = append(all, s.sum())
		}
		return all[n]
	}
}()

// process reads the input and keeps a journal.
type process struct {
	t      testing.TB
	fs     *memFS
	j      *Journal
	now    *state // in memory
	acked, // position known to be durable
	tried int // greatest position that may be durable
	small bool // many frames per checkpoint
}

const dir = "/state"

// start opens and loads the journal, unless the process is running, and checks the
// state found.
func (p *process) start() error {
	p.t.Helper()
	if p.j != nil {
		return nil
	}
	p.now = newState()
	j, err := Open(Options{Dir: dir, Pane: 60, FS: p.fs})
	if err != nil {
		return err
	}
	if p.small {
		j.enc.target = 200
	}
	if err := load(j, p.now.fold); err != nil {
		return errors.Join(err, j.Close())
	}
	p.j = j
	if at := p.now.position; at < p.acked || at > p.tried {
		p.t.Fatalf("position %d, want %d to %d", at, p.acked, p.tried)
	}
	if p.now.sum() != sums(p.now.position) {
		p.t.Fatalf("wrong contents at position %d", p.now.position)
	}
	return nil
}

// save reads n more lines and saves all unsaved lines.
func (p *process) save(n int) error {
	for e := range lines(p.now.position, p.now.position+n) {
		p.now.fold(&e)
	}
	p.tried = max(p.tried, p.now.position)
	err := p.j.Save(lines(p.acked, p.now.position))
	if err == nil {
		p.acked = p.now.position
	}
	return err
}

// compact writes the whole state.
func (p *process) compact() error {
	p.tried = max(p.tried, p.now.position)
	err := p.j.Compact(func(yield func(Entry) bool) {
		for _, name := range slices.Sorted(maps.Keys(p.now.values)) {
			if !yield(Entry{kindValue, name, []byte(p.now.values[name])}) {
				return
			}
		}
		yield(position(p.now.position))
	})
	if err == nil {
		p.acked = p.now.position
	}
	return err
}

// survive runs a function that may be killed, and reports whether it was killed.
func survive(run func() error) (dead bool, err error) {
	defer func() {
		if x := recover(); x != nil {
			if _, ok := x.(killed); !ok {
				panic(x)
			}
			dead = true
		}
	}()
	return false, run()
}

// must ends a test at an error.
var must = expect.NoError
