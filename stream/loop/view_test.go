package loop_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/checkpoint"
)

// slow is a store that takes its time, and fails now and then.
type slow struct {
	checkpoint.Journal
	fails func() bool
}

func (s *slow) Save(changes iter.Seq[checkpoint.Change]) error {
	time.Sleep(700 * time.Millisecond)
	if s.fails() {
		for range changes {
			break
		}
		return errors.New("no room")
	}
	return s.Journal.Save(changes)
}

// Lines are folded while a checkpoint is written. Whatever fails, a restart has all of them: the table
// is that of the batches.
func TestFoldWhileSaving(t *testing.T) {
	for seed := range uint64(20) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 4))
			store := open(t, dir)
			o := openOptions()
			o.Miner.Table.Window = 60
			failed := 0
			o.Failed = func(string, error) { failed++ }
			l := start(t, o, &slow{store, func() bool { return rng.IntN(2) == 0 }}, &recorder{})
			source := &script{pause: 300 * time.Millisecond}
			for i := range 40 {
				b := see(1, int64(i), int64(1000+rng.IntN(50)), uint8(rng.IntN(16)), fmt.Sprintf("/%d", rng.IntN(30)), fmt.Sprintf("/%d", rng.IntN(30)))
				b.Records[1].Time = int64(i)
				source.batches = append(source.batches, b, nil)
			}
			for err := l.Run(t.Context(), source); err != nil; err = l.Save(source) {
			}
			want := held(l)
			must(t, store.Close())
			if got := held(start(t, o, open(t, dir), &recorder{})); !slices.Equal(got, want) || failed == 0 {
				t.Errorf("seed %d: restored %q, want %q; %d failures", seed, got, want, failed)
			}
		})
	}
}
