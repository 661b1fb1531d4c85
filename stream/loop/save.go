package loop

import (
	"context"
	"errors"
	"strconv"
	"time"

	"dustbuster/stream/checkpoint"
	"dustbuster/stream/job"
)

// Restore folds the changes in the store, and returns the positions to continue at; nil if
// there are none. Call Restore once, before Run.
func (l *Loop) Restore() (positions []byte, err error) {
	l.budget()
	before, restored := l.status, Restored{}
	for change, err := range l.save.to.Load() {
		if bad, ok := errors.AsType[*checkpoint.CutsError](err); ok {
			l.fail(RestoreFailed, "read the cuts of site "+strconv.Quote(bad.Site), bad)
			continue
		}
		if err != nil {
			return nil, err
		}
		if p, ok := change.(checkpoint.Positions); ok {
			positions = p
			continue
		}
		if o, ok := change.(checkpoint.Observations); ok {
			restored.Observations += len(o.List)
		}
		l.restore(change)
	}
	before.Errors, before.LastError = l.status.Errors, l.status.LastError
	l.status = before // what was folded was counted by an earlier process
	l.sites.ForgetCounts()
	for _, s := range l.known {
		s.ForgetLate()
	}
	for site := range l.curves.of {
		if l.sites.Of(site) == nil {
			l.curves.drop(site)
		}
	}
	l.save.to.MarkSaved()
	if l.trials != nil {
		l.o.Validate.Pack()
		l.trials.published = l.o.Validate.Published()
		l.listValid()
		l.out.due = true // publish again: a crash may have come between checkpoint and publication
	}
	for range l.sites.Held() {
		restored.Sites++
	}
	restored.Rules = len(l.lists.valid)
	l.restored = restored
	l.share()
	return positions, nil
}

// Restored counts what Restore has folded. Call Restored after Restore.
func (l *Loop) Restored() Restored { return l.restored }

// restore applies a change.
func (l *Loop) restore(change checkpoint.Change) {
	switch c := change.(type) {
	case checkpoint.Observations:
		for i := range c.List {
			l.foldOne(c.Site, &c.List[i])
		}
		l.noteCuts()
	case checkpoint.Forgotten:
		l.forgot.note(int64(c))
	case checkpoint.Cuts:
		l.sites.Restore(c.Site, c.Cuts)
		l.noteCuts()
	case checkpoint.Days:
		l.curves.restore(c)
	default:
		l.acts.restore(c)
	}
}

// Save saves the worker's acts since Run ended.
func (l *Loop) Save(source Source) error {
	ctx, cancel := context.WithTimeout(context.Background(), l.o.FlushTimeout)
	defer cancel()
	return l.saveNow(ctx, source)
}

// saveNow saves the changes, and the positions up to which the input has been folded. After a
// failure the next checkpoint saves the changes. Publications are published once the
// checkpoint that contains them is saved.
func (l *Loop) saveNow(ctx context.Context, source Source) error {
	l.jobs.Wait(ctx, job.Save)
	var err error
	if write := l.startSave(ctx, source); write != nil {
		began := time.Now()
		err = write()
		l.endSave(ctx, began, err)
	}
	l.jobs.Wait(ctx, job.Publish)
	return err
}

// beginSave saves in a job, where the store allows that. While a checkpoint is being written, no other begins.
func (l *Loop) beginSave(ctx context.Context, source Source) {
	if l.jobs.Busy(job.Save) {
		return
	}
	if len(l.asks) > 0 && !l.save.postponed { // their events come first
		l.save.postponed = true
		return
	}
	began := time.Now()
	write := l.startSave(ctx, source)
	switch {
	case write == nil:
	case !l.save.beside:
		l.endSave(ctx, began, write())
	default:
		l.jobs.Go(job.Save, func() job.Run {
			return func() job.Take {
				err := write()
				return func(ctx context.Context) { l.endSave(ctx, began, err) }
			}
		})
	}
}

// startSave takes the changes, and returns a function that writes them; nil if there are none. Events
// are emitted before the checkpoint that contains their cause.
func (l *Loop) startSave(ctx context.Context, source Source) (write func() error) {
	l.drainTrials()
	if !l.save.due && (l.trials == nil || len(l.trials.pending) == 0) {
		return nil
	}
	for l.save.postponed = false; len(l.asks) > 0; {
		l.answer(ctx)
	}
	l.save.due = false
	positions, err := source.Positions(l.in.ends)
	if err != nil {
		return func() error { return err }
	}
	return l.save.to.Begin(positions)
}

// endSave takes the result of writing a checkpoint.
func (l *Loop) endSave(ctx context.Context, began time.Time, err error) {
	l.save.to.End(err)
	l.ended(SaveFailed, "save state", err)
	l.status.StateBytes = l.save.to.Size()
	if err == nil {
		l.status.Saved, l.status.SaveTook = began, time.Since(began)
		l.publishSaved(ctx)
	} else {
		l.save.due = true
	}
	l.share()
}
