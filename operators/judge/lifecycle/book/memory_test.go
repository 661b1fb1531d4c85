package book

import (
	"testing"
)

func TestMemoryIsBounded(t *testing.T) {
	m := newMemory(&Options{MaxPairs: 10}, nil)
	for i := range uint64(1000) {
		m.Put(Key{i % 37, 0}, Result{At: int64(i)})
		if len(m.Results) > 10 || len(m.queue) > 40 {
			t.Fatalf("%d results, %d in the queue", len(m.Results), len(m.queue))
		}
	}
	for i := range uint64(10) {
		if _, ok := m.Results[Key{(999 - i) % 37, 0}]; !ok {
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
	if _, ok := m.Results[Key{1, 1}]; !ok || m.mixed > mostMixedKept || len(m.Results) > mostMixedKept+2 || len(m.queueMixed) > 2*mostMixedKept {
		t.Errorf("%d results, %d of controls, %d in their queue", len(m.Results), m.mixed, len(m.queueMixed))
	}
	if n := m.Tried(); n != 2 {
		t.Errorf("%d pairs of rules", n)
	}
}
