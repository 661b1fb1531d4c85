package loop

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/checkpoint"
)

// likelyOf lists the likely rules of all sites.
func likelyOf(l *Loop) map[string]bool {
	all := map[string]bool{}
	for m := range l.sites.All() {
		allowed, _ := l.o.sift(m, m.Likely()).without(m.Likely())
		for _, r := range allowed {
			all[r.Rule.Text()] = true
		}
	}
	return all
}

// Pairs that become likely or fade while a view is refined stay as their events said. The next
// refinement finds what several clients, or parameters, have changed.
func TestCrossedSinceView(t *testing.T) {
	crossed := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o, out := testOptions(), &recorder{}
		o.NoWithhold = seed%2 == 0
		o.Miner.Table.Window = 30
		l := start(t, o, open(t, t.TempDir()), out)
		fold := func(at int) {
			for range 1 + rng.IntN(6) {
				i := rng.IntN(10)
				b := see(1, 1, int64(1000+100*(i%5)), uint8(rng.IntN(12)), []string{"/story?id=%d", "/story_%d", "/page?id=%d", "/page_%d"}[rng.IntN(4)])
				b.Records[0].URL, b.Records[0].Time = fmt.Appendf(nil, string(b.Records[0].URL), i), int64(5*at)
				l.fold(b)
			}
			l.emitPairs(t.Context())
		}
		for at := range 30 {
			fold(at)
		}
		l.catchUp(&script{})
		l.endRefining(t.Context())
		for at := 30; at < 60; at++ {
			l.beginRefinement(t.Context())
			l.goOn(t.Context())
			if fold(at); l.refining.busy { // beside the goroutine
				r := <-l.refining.refined
				fold(at)
				crossed += len(l.refining.crossed)
				l.takeRefined(t.Context(), &r)
				l.doMore(t.Context())
			}
			l.endRefining(t.Context())
			for len(l.asks) > 0 {
				l.answer(t.Context())
			}
			if rng.IntN(3) == 0 {
				l.refine(t.Context())
				if want := likelyOf(l); !maps.Equal(out.held, want) {
					t.Fatalf("seed %d, %d: readers hold %v, want %v", seed, at, out.held, want)
				}
			} else if l.o.NoWithhold { // pairs are exact at each moment
				for m := range l.sites.All() {
					for _, r := range m.Likely() {
						if r.Learner == "envelope" && !out.held[r.Rule.Text()] {
							t.Fatalf("seed %d, %d: readers do not hold %v", seed, at, r.Rule.Text())
						}
					}
				}
			}
		}
	}
	if crossed < 100 {
		t.Errorf("%d pairs crossed while a view was refined", crossed)
	}
}

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
			l := start(t, o, &slow{store, func() bool { return rng.IntN(2) == 0 }}, &recorder{})
			failed := 0
			l.o.Failed = func(string, error) { failed++ }
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
			again := New(o, open(t, dir), &recorder{}, &recorder{})
			_, err := again.Restore()
			must(t, err)
			if got := held(again); !slices.Equal(got, want) || failed == 0 {
				t.Errorf("seed %d: restored %q, want %q; %d failures", seed, got, want, failed)
			}
		})
	}
}
