package loop_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule/event"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/journal"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
)

// broken is a recorder that fails for a while. Before each failure, broken waits as long as
// allowed, and takes a part of the events or none.
type broken struct {
	recorder
	until time.Time
	tries int
}

func (b *broken) down(ctx context.Context) error {
	if time.Now().After(b.until) {
		return nil
	}
	b.tries++
	<-ctx.Done()
	return errors.New("no room")
}

func (b *broken) Publish(ctx context.Context, rules jsonl.List) error {
	if err := b.down(ctx); err != nil {
		return err
	}
	return b.recorder.Publish(ctx, rules)
}

func (b *broken) Emit(ctx context.Context, events []event.Event) error {
	if err := b.down(ctx); err != nil {
		_ = b.recorder.Emit(ctx, events[:rand.IntN(len(events)+1)])
		return err
	}
	return b.recorder.Emit(ctx, events)
}

// Failing sinks stop nothing: lines are folded and saved meanwhile. When the sinks work
// again, readers get the right rules.
func TestSinksFail(t *testing.T) {
	for _, down := range []time.Duration{-time.Second, 3 * time.Second, time.Minute} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			o := openOptions()
			out := &broken{until: time.Now().Add(down)}
			var saved time.Time
			var l *loop.Loop
			o.Failed = func(string, error) { saved = l.State().Status.Saved }
			l = start(t, o, open(t, dir), out)
			source := &script{batches: slices.Concat(stories(0, 3, 1), []*records.Batch{nil}, stories(3, 5, 1), []*records.Batch{see(1, 99, 77, 1, "/story_0"), nil, nil}),
				caught: 2, pause: down/2 + 10*time.Second}
			must(t, l.Run(t.Context(), source))
			want := likelyPairs(l, true)
			if !maps.Equal(out.held, want) || len(want) == 0 || len(out.list) != len(likely(l)) {
				t.Errorf("down for %v: held %v, want %v; list %q", down, out.held, want, out.list)
			}
			if (out.tries > 0) != (down > 0) || down > 10*time.Second && saved.IsZero() {
				t.Errorf("down for %v: %d failures, saved meanwhile %v", down, out.tries, saved)
			}
		})
	}
}

// Run again with another source, the loop goes on: with the table, and after a
// new snapshot.
func TestRunAgain(t *testing.T) {
	inLoop(t, openOptions(), func(t *testing.T, l *loop.Loop, out *recorder) {
		first := &script{batches: stories(0, 3, 1)}
		must(t, l.Run(t.Context(), first))
		if p, err := l.Positions(first); err != nil || string(p) != "map[1:2]" {
			t.Errorf("positions %s, %v", p, err)
		}
		l.SetPace(loop.Pace{Refine: time.Minute, Checkpoint: time.Minute, FlushTimeout: time.Second})
		second := &script{batches: []*records.Batch{see(2, 7, 1000, 1, "/page_0", "/page?id=0"), nil, nil}, caught: 2, pause: 10 * time.Second}
		must(t, l.Run(t.Context(), second))
		if p, err := l.Positions(second); err != nil || string(p) != "map[2:7]" {
			t.Errorf("positions %s, %v", p, err)
		}
		snapshots := 0
		for _, e := range out.events {
			if e == "snapshot " {
				snapshots++
			}
		}
		if snapshots != 2 || l.State().Status.Sites[0].URLs != 8 || len(out.held) != 3 || len(out.list) != 1 {
			t.Errorf("%d snapshots, %+v, held %v, list %q", snapshots, l.State().Status, out.held, out.list)
		}
	})
}

// Clocks that jump, the order of lines and pauses have no influence. Event time alone
// decides which hits are in the window, and so the list.
func TestEventTimeAlone(t *testing.T) {
	var want []string
	for seed := range uint64(30) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 2))
			o := testOptions()
			o.NoWithhold, o.MaxClockSkew, o.Miner.Table.Window = true, time.Hour, 120
			begin := time.Now()
			o.Now = func() time.Time { // steps by up to half a day either way
				return begin.Add(time.Duration(rng.Int64N(int64(24*time.Hour))) - 12*time.Hour)
			}
			batches := hours(begin.Unix() - 3600)
			if seed > 0 {
				rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
			}
			source := &script{pause: time.Duration(1 + rng.Int64N(int64(5*time.Hour)))}
			for i, b := range batches {
				b.End = int64(i)
				source.batches = append(source.batches, b)
				if rng.IntN(10) == 0 && seed > 0 {
					source.batches = append(source.batches, nil)
				}
			}
			out := &recorder{}
			must(t, start(t, o, open(t, dir), out).Run(t.Context(), source))
			if seed == 0 {
				want = out.list
			}
			if !slices.Equal(out.list, want) || len(want) == 0 {
				t.Errorf("seed %d: list %q, want %q", seed, out.list, want)
			}
		})
	}
}

// hours are hits in steps of a pane, some of which fall out of the window.
func hours(from int64) (batches []*records.Batch) {
	for i := range 20 {
		b := see(1, 0, int64(1000+100*i), 1, fmt.Sprintf("/story?id=%d", i), fmt.Sprintf("/story_%d", i))
		old := see(1, 0, 50, 1, fmt.Sprintf("/story?id=%d", i)) // would spoil the rule if the hit came later
		for k := range b.Records {
			b.Records[k].Time = from + 10*int64(i)
		}
		old.Records[0].Time = from - 200
		batches = append(batches, b, old)
	}
	return batches
}

var errDamaged = &journal.StateError{Kind: journal.ErrDamaged}

// A journal that can no longer be read is rewritten from the table.
func TestJournalIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := open(t, dir)
		damaged := &damaging{Journal: store}
		l := start(t, testOptions(), damaged, &recorder{})
		source := &script{batches: append(stories(0, 3, 1), nil, see(1, 9, 9, 1, "/new"), nil), pause: 3 * time.Second}
		must(t, l.Run(t.Context(), source))
		if _, compacted := store.Size(); compacted < 100 || damaged.compacted != 2 {
			t.Errorf("compacted to %d bytes at the attempt %d", compacted, damaged.compacted)
		}
		must(t, store.Close())
		if n := urls(start(t, testOptions(), open(t, dir), &recorder{})); n != 7 {
			t.Errorf("%d URLs restored, want 7", n)
		}
	})
}

// damaging is a journal that is found damaged at the first checkpoint, until the journal is
// made anew.
type damaging struct {
	checkpoint.Journal
	compacted int
}

func (d *damaging) Save(changes iter.Seq[checkpoint.Change]) error {
	if d.compacted == 0 {
		return errDamaged
	}
	return d.Journal.Save(changes)
}

func (d *damaging) Compact(all iter.Seq[checkpoint.Change]) error {
	if d.compacted++; d.compacted == 1 {
		return errors.New("no room")
	}
	return d.Journal.Compact(all)
}
