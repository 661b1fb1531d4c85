package loop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"dustbuster/operators/evidence"
	"dustbuster/operators/miner"
	"dustbuster/stream/journal"
)

// frameSize is the number of observations in one frame of a checkpoint: some hundred
// kilobytes, so that saving a million observations needs little memory.
const frameSize = 8192

// Restore folds the journal, and returns the positions to continue at; nil if there are
// none. Call Restore once, before Run.
func (l *Loop) Restore() (positions []byte, err error) {
	l.budget()
	before, decode := l.status, evidence.NewDecoder(nil)
	err = l.store.Load(func(f *journal.Frame) error {
		if f.Positions != nil {
			positions = append([]byte{}, f.Positions...)
		}
		for _, act := range f.Acts {
			if err := l.restoreAct(act); err != nil {
				return err
			}
		}
		for _, o := range f.Observations {
			value, err := decode.Decode(o.Value)
			if err != nil {
				return fmt.Errorf("restore site %q: %w", o.Site, err)
			}
			for i := range value.List {
				l.foldOne(o.Site, &value.List[i])
			}
		}
		l.noteCuts()
		return nil
	})
	l.status = before
	l.sites.ForgetCounts()
	l.forgetChanges()
	if l.o.Validate != nil {
		l.published = l.o.Validate.Published()
		l.listValid()
		l.out.due = true // publish again: a crash may have come between checkpoint and publication
	}
	l.share()
	return positions, err
}

// Save saves the worker's acts since Run ended.
func (l *Loop) Save(source Source) error {
	ctx, cancel := context.WithTimeout(context.Background(), l.o.FlushTimeout)
	defer cancel()
	return l.save(ctx, source)
}

// save appends a checkpoint: the changes, and the positions up to which the input has been
// folded. After a failure the changes are kept, and the next checkpoint saves everything.
func (l *Loop) save(ctx context.Context, source Source) error {
	l.take()
	if !l.unsaved && len(l.acts) == 0 {
		return nil
	}
	start := time.Now()
	err := l.checkpoint(source)
	if err == nil {
		l.unsaved, l.all, l.damaged, l.acts = false, false, false, nil
		clear(l.cut)
		l.status.Saved, l.status.SaveTook = start, time.Since(start)
	} else {
		l.all, l.damaged = true, l.damaged || errors.Is(err, journal.ErrDamaged)
		l.fail("save state", err)
	}
	l.status.StateBytes, _ = l.store.Size()
	if err == nil {
		l.letOut(ctx)
	}
	l.share()
	return err
}

func (l *Loop) checkpoint(source Source) error {
	positions, err := source.Positions(l.ends)
	if err != nil {
		return err
	}
	if l.damaged || l.store.Bloated() {
		err := l.store.Compact(l.frames((*miner.Machine).Observations, l.shares(true), l.dump, positions))
		if err == nil {
			l.forgetChanges()
		}
		l.damaged = err != nil // the acts taken for this checkpoint must go into the next checkpoint
		return err
	}
	if l.all {
		return l.store.Checkpoint(l.frames((*miner.Machine).Observations, l.shares(true), l.newActs, positions))
	}
	return l.store.Checkpoint(l.frames((*miner.Machine).Unsaved, l.shares(false), l.newActs, positions))
}

// forgetChanges marks all observations as saved.
func (l *Loop) forgetChanges() {
	for m := range l.sites.Held() {
		for range m.Unsaved() {
		}
	}
}

// frames writes a checkpoint of some observations of each machine and some acts, in pieces.
// The positions go with the last piece. Shares come first, so that a process folding the
// checkpoint never holds more than this process holds.
func (l *Loop) frames(of func(*miner.Machine) iter.Seq[*evidence.Observation], shares []journal.Act, acts func(func(journal.Act) error) error, positions []byte) func(func(*journal.Frame) error) error {
	return func(emit func(*journal.Frame) error) error {
		if len(shares) > 0 { // in a separate frame: within a frame, observations come first
			if err := emit(&journal.Frame{Acts: shares}); err != nil {
				return err
			}
		}
		if err := l.observations(of, emit); err != nil {
			return err
		}
		var f journal.Frame
		err := acts(func(a journal.Act) error {
			if f.Acts = append(f.Acts, a); len(f.Acts) < frameSize {
				return nil
			}
			err := emit(&f)
			f.Acts = f.Acts[:0]
			return err
		})
		if err != nil {
			return err
		}
		f.Positions = positions
		return emit(&f)
	}
}

// observations emits some observations of each machine, encoded. Their URLs are the
// table's, and the table does not change while a checkpoint is written.
func (l *Loop) observations(of func(*miner.Machine) iter.Seq[*evidence.Observation], emit func(*journal.Frame) error) error {
	if l.o.ActsOnly {
		return nil
	}
	var list []evidence.Observation
	var value []byte
	head := evidence.Head{Pane: l.o.Miner.Table.Pane}
	flush := func(site string) (err error) {
		for rest := list; len(rest) > 0 && err == nil; {
			var n int
			value, n = evidence.Append(value[:0], head, rest)
			err, rest = emit(&journal.Frame{Observations: []journal.Observations{{Site: site, Value: value}}}), rest[n:]
		}
		list = list[:0]
		return err
	}
	for m := range l.sites.Held() {
		var err error
		for o := range of(m) { // to its end, error or not: Unsaved must be taken whole
			if err != nil {
				continue
			}
			if list = append(list, *o); len(list) >= frameSize {
				err = flush(m.Site())
			}
		}
		if err == nil {
			err = flush(m.Site())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
