package prober

import (
	"context"
	"time"

	"dustbuster/operators/rule/report"
)

// lock is a mutex whose holder may compute for long. Callers who serve people wait for answerWait at most.
type lock chan struct{}

// answerWait is the longest wait for a machine that computes. It computes for a second at most on most sites.
const answerWait = 2 * time.Second

func newLock() lock { return make(lock, 1) }

// Lock waits for the lock.
func (l lock) Lock() { l <- struct{}{} }

// Unlock gives the lock back.
func (l lock) Unlock() { <-l }

// TryLock reports whether the lock was free, and takes it.
func (l lock) TryLock() bool {
	select {
	case l <- struct{}{}:
		return true
	default:
		return false
	}
}

// LockSoon waits for the lock, for answerWait and not beyond the end of ctx. The error is report.ErrBusy: the lock is
// not taken.
func (l lock) LockSoon(ctx context.Context) error {
	if l.TryLock() {
		return nil
	}
	timer := time.NewTimer(answerWait)
	defer timer.Stop()
	select {
	case l <- struct{}{}:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return report.ErrBusy
}
