package book

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"dustbuster/operators/judge/trial"
)

func TestMemoryIsBounded(t *testing.T) {
	m := newMemory(&Options{MaxPairs: 10}, nil)
	for i := range uint64(1000) {
		m.Put(Key{i % 37, 0}, Result{At: int64(i)})
		if len(m.results) > 10 || len(m.queue) > 40 {
			t.Fatalf("%d results, %d in the queue", len(m.results), len(m.queue))
		}
	}
	for i := range uint64(10) {
		if _, ok := m.results[Key{(999 - i) % 37, 0}]; !ok {
			t.Errorf("the pair tried %d before the last is forgotten", i)
		}
	}
}

// The memory for pairs of controls is bounded, and pairs of controls displace no pairs of
// rules.
func TestMixedPairsAreBounded(t *testing.T) {
	m := newMemory(&Options{MaxPairs: 1 << 20}, nil)
	m.Put(Key{1, 1}, Result{At: 1})
	for i := range uint64(3 * mostMixedKept) {
		m.Put(Key{i, 0}, Result{Looks{Mixed: true}, int64(i)})
		m.Put(Key{7, 0}, Result{Looks{Mixed: i%2 == 0}, int64(i)}) // alternately of a control and of a rule
	}
	if _, ok := m.results[Key{1, 1}]; !ok || m.mixed > mostMixedKept || len(m.results) > mostMixedKept+2 || len(m.queueMixed) > 2*mostMixedKept {
		t.Errorf("%d results, %d of controls, %d in their queue", len(m.results), m.mixed, len(m.queueMixed))
	}
	if n := m.Tried(); n != 2 {
		t.Errorf("%d pairs of rules", n)
	}
}

// A memory that is packed from time to time is the one that never is.
func TestPack(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := &Options{MaxPairs: 40, RetryRefuted: 50, Tau: 0.9}
		keys := &Hasher{Secret: [2]uint64{1, 2}}
		plain, packs := newMemory(o, keys), newMemory(o, keys)
		for at := range int64(400) {
			u, v := fmt.Sprint("/", r.IntN(12)), fmt.Sprint("/", r.IntN(12))
			looks := Looks{Seen: trial.Seen{Compared: &trial.Compared{Alike: r.Float64(), SameText: r.IntN(2) == 0, U: trial.Shown{Text: r.Uint64(), Words: 5}}}, Mixed: r.IntN(4) == 0, URLs: [2]uint64{keys.Document(u), keys.Document(v)}}
			if r.IntN(3) == 0 {
				looks.Second, looks.Self = &trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NoAnswer}}, r.Float64()
			}
			j := trial.Judgement{Outcome: trial.Outcome(1 + r.IntN(3)), Reason: trial.Reason(1 + r.IntN(3))}
			for _, m := range []*Memory{plain, packs} {
				p := PairAct{Key: keys.Pair(u, v), Looks: looks, At: at}
				m.number(&p)
				m.Put(p.Key, Result{p.Looks, p.At})
				m.Tell(u, v, j)
				if at%100 == 99 {
					m.outdate(&Stale{Since: at + 1, Pairs: []Key{p.Key}})
				}
			}
			if r.IntN(5) == 0 {
				packs.Pack()
			}
			if plain.Tried() != packs.Tried() || plain.Len() != packs.Len() || plain.IsSteady() != packs.IsSteady() || !reflect.DeepEqual(plain.all(), packs.all()) {
				t.Fatalf("seed %d, at %d: %d and %d pairs, or others", seed, at, plain.Len(), packs.Len())
			}
			if r.IntN(5) > 0 {
				continue
			}
			for n := range 12 {
				d := keys.Document(fmt.Sprint("/", n))
				if plain.Has(d, at+DocumentsFor-30) != packs.Has(d, at+DocumentsFor-30) {
					t.Fatalf("seed %d, at %d: document %d is known to one", seed, at, n)
				}
			}
			if !reflect.DeepEqual(plain.told, packs.told) || !reflect.DeepEqual(plain.Results(), packs.Results()) || plain.mixed != packs.mixed || !reflect.DeepEqual(plain.Labels(0.9), packs.Labels(0.9)) {
				t.Fatalf("seed %d, at %d: %d and %d outcomes told", seed, at, len(plain.told), len(packs.told))
			}
		}
	}
}

// The memory of a pair is at most what is estimated, and at least half of that. Packed, a pair takes a quarter at most.
func TestMemoryOfPairs(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // for what is pooled
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const sites, pairs, pages = 50, 100, 40
	r := rand.New(rand.NewPCG(1, 1))
	keys := &Hasher{Secret: [2]uint64{1, 2}}
	all := make([]*Memory, sites)
	before := heap()
	for i := range all {
		shown := make([]trial.Shown, pages)
		for n := range shown {
			sent := r.Int64N(100_000)
			shown[n] = trial.Shown{HTML: true, Words: r.IntN(1000), Text: r.Uint64(), Digest: r.Uint64(), Sent: sent, Length: sent, Header: 300}
		}
		all[i] = newMemory(&Options{MaxPairs: 1 << 20}, keys)
		for n := range int64(pairs) {
			u, v := r.IntN(pages), r.IntN(pages)
			p := PairAct{Key: keys.Pair(fmt.Sprint(u), fmt.Sprint(v)), At: n}
			p.Compared = &trial.Compared{Alike: float64(r.IntN(2)), U: shown[u], V: shown[v], Common: float64(r.IntN(10)) / 101, ManyWords: r.IntN(2) == 0}
			p.Mixed, p.URLs = r.IntN(2) == 0, [2]uint64{keys.Document(fmt.Sprint(u)), keys.Document(fmt.Sprint(v))}
			all[i].number(&p)
			all[i].Put(p.Key, Result{p.Looks, p.At})
			all[i].Tell(fmt.Sprint(u), fmt.Sprint(v), trial.Judgement{Outcome: trial.Positive})
		}
	}
	n := int64(0)
	for _, m := range all {
		n += int64(m.Len())
	}
	took := (heap() - before) / n
	for _, m := range all {
		m.Pack()
	}
	packed := (heap() - before) / n
	t.Logf("a pair takes %d bytes, packed %d", took, packed)
	if took > PairBytes || 2*took < PairBytes || 4*packed > PairBytes {
		t.Errorf("a pair takes %d bytes, packed %d, estimated %d", took, packed, PairBytes)
	}
	runtime.KeepAlive(all)
}
