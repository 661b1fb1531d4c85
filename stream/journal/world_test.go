package journal

import (
	"cmp"
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

	"dustbuster/operators/window/evidence"
)

var long = flag.Bool("long", false, "many more random histories")

// The world of these tests is an input and a process. The content of the n-th line of
// the input depends on n alone. The process reads some lines, saves checkpoints, and
// after a crash resumes from the saved position. The state at position n must always be
// exactly the fold of lines 1 to n.

type key struct {
	site, url string
	pane      int64 // first second
	class     uint8
}

func (k key) compare(l key) int {
	return cmp.Or(cmp.Compare(k.site, l.site), cmp.Compare(k.url, l.url), cmp.Compare(k.pane, l.pane), cmp.Compare(k.class, l.class))
}

// value is an observation without its key.
type value struct {
	min, max             int64
	digestMin, digestMax uint64
	clients              uint16
}

// state is the plain fold of observations and acts, with an incremental sum over all
// entries.
type state struct {
	position int
	table    map[key]value
	acts     Acts
	hash     uint64
}

func newState() *state { return &state{table: map[key]value{}, acts: Acts{}} }

func (s *state) fold(f *frame) {
	for site, o := range decoded(f) {
		k := key{site, string(o.URL), o.Time, o.Class}
		v := value{o.Min, o.Max, o.DigestMin, o.DigestMax, o.Clients}
		if old, ok := s.table[k]; ok {
			s.hash -= hashOf(k, old)
			v = value{
				min(v.min, old.min), max(v.max, old.max), min(v.digestMin, old.digestMin), max(v.digestMax, old.digestMax),
				v.clients | old.clients,
			}
		}
		s.table[k] = v
		s.hash += hashOf(k, v)
	}
	for _, a := range f.Acts {
		old := s.acts[a.Key]
		if s.acts.Fold(a) {
			s.hash += hashOf(a.Key, actValue{a.Version, string(a.Value)}) - hashOf(a.Key, actValue{old.Version, string(old.Value)})
		}
	}
	if f.Positions != nil {
		s.position, _ = strconv.Atoi(string(f.Positions))
	}
}

const paneLength = 60 // seconds

// encoded returns observations of a site as the program writes them.
func encoded(site string, list ...evidence.Observation) (all []Observations) {
	for len(list) > 0 {
		value, n := evidence.Append(nil, evidence.Head{Pane: paneLength}, list)
		all, list = append(all, Observations{Site: site, Value: value}), list[n:]
	}
	return all
}

// decoded yields the observations of a frame with their sites.
func decoded(f *frame) iter.Seq2[string, *evidence.Observation] {
	return func(yield func(string, *evidence.Observation) bool) {
		d := evidence.NewDecoder(nil)
		for _, o := range f.Observations {
			v, err := d.Decode(o.Value)
			if err != nil {
				panic(err)
			}
			for i := range v.List {
				if !yield(o.Site, &v.List[i]) {
					return
				}
			}
		}
	}
}

type actValue struct {
	version Version
	value   string
}

var seed = maphash.MakeSeed()

func hashOf[K, V comparable](k K, v V) uint64 {
	return maphash.Comparable(seed, struct {
		k K
		v V
	}{k, v})
}

// sum returns a fingerprint of the whole state.
func (s *state) sum() uint64 { return s.hash + hashOf("position", s.position) }

// line returns line n of the input.
func line(n int) *frame {
	rnd := rand.New(rand.NewPCG(uint64(n), 7))
	size, digest, client := int64(1+rnd.IntN(100_000)), rnd.Uint64(), uint8(rnd.Uint32())
	f := &frame{Observations: encoded(fmt.Sprintf("www%d.example", rnd.IntN(3)), evidence.Observation{
		URL:  fmt.Appendf(nil, "/wiki/page-%d?action=%d", rnd.IntN(60), rnd.IntN(3)),
		Time: evidence.PaneStart(int64(n/50)-2, paneLength), Class: uint8(rnd.IntN(3)), Min: size, Max: size,
		DigestMin: digest, DigestMax: digest, Clients: 1 << (client % 16),
	})}
	if rnd.IntN(4) == 0 {
		f.Acts = []Act{{Key: fmt.Sprintf("rule %d", rnd.IntN(5)), Version: Version{1, uint64(n)}, Value: fmt.Appendf(nil, "verdict %d", n)}}
	}
	return f
}

// lines returns one frame of lines from+1 to to, with the position to.
func lines(from, to int) *frame {
	all := &frame{Positions: strconv.AppendInt(nil, int64(to), 10)}
	for n := from + 1; n <= to; n++ {
		f := line(n)
		all.Observations = append(all.Observations, f.Observations...)
		all.Acts = append(all.Acts, f.Acts...)
	}
	return all
}

// sums returns the fingerprint of the state at a position.
var sums = func() func(n int) uint64 {
	s, all := newState(), []uint64{newState().sum()}
	return func(n int) uint64 {
		for len(all) <= n {
			s.fold(lines(len(all)-1, len(all)))
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
	j, err := Open(Options{Dir: dir, Pane: paneLength, FS: p.fs})
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
	f := lines(p.now.position, p.now.position+n)
	p.now.fold(f)
	p.tried = max(p.tried, p.now.position)
	err := p.j.Save(lines(p.acked, p.now.position).entries)
	if err == nil {
		p.acked = p.now.position
	}
	return err
}

// compact writes the whole state, in pieces.
func (p *process) compact() error {
	p.tried = max(p.tried, p.now.position)
	err := p.j.Compact(func(yield func(Entry) bool) {
		for _, k := range slices.SortedFunc(maps.Keys(p.now.table), key.compare) {
			v := p.now.table[k]
			o := evidence.Observation{URL: []byte(k.url), Time: k.pane, Class: k.class, Min: v.min, Max: v.max,
				DigestMin: v.digestMin, DigestMax: v.digestMax, Clients: v.clients}
			for e := range (&frame{Observations: encoded(k.site, o)}).entries {
				if !yield(e) {
					return
				}
			}
		}
		f := &frame{Positions: strconv.AppendInt(nil, int64(p.now.position), 10)}
		for _, k := range slices.Sorted(maps.Keys(p.now.acts)) {
			f.Acts = append(f.Acts, p.now.acts[k])
		}
		f.entries(yield)
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

// must ends the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
