package loop

import (
	"maps"
	"time"

	"dustbuster/stream/job"
	"dustbuster/stream/site"
)

// State returns the state as of the last checkpoint or refinement. Any goroutine may call
// State.
func (l *Loop) State() *State { return l.state.Load() }

// Stalled returns for how long the loop has not turned, or a checkpoint or a list has been written, as
// when a disk hangs; 0 if the loop is not running. Any goroutine may call Stalled.
func (l *Loop) Stalled() time.Duration {
	longest := l.jobs.Oldest(job.Save, job.Publish)
	if turned := l.turned.Load(); turned != 0 {
		longest = max(longest, time.Since(time.Unix(turned, 0)))
	}
	return longest
}

// share publishes the loop's state. While catching up, share leaves out the indexes, which
// need not be up to date yet.
func (l *Loop) share() {
	l.status.Beyond, l.status.Events = l.sites.Beyond(), l.events.emitted
	l.status.Forgotten, l.status.LateSites = l.clientsForgotten(), 0
	if l.o.Memory != nil {
		l.status.MemoryBudget, l.status.MemoryUsed = l.o.Memory.total, l.used()
	}
	if l.in.live {
		l.status.Sites = make([]site.Status, 0, len(l.status.Sites)) // readers hold the last slice
	}
	for m := range l.sites.Held() {
		s := l.of(m)
		if s.Late() > 0 {
			l.status.LateSites++
		}
		if l.in.live && s.Counts() {
			one := s.Status()
			one.Curve = l.curves.of[one.Name]
			l.status.Sites = append(l.status.Sites, one)
		}
	}
	l.revision++
	l.state.Store(&State{l.status, l.revision, l.lists.rules, l.lists.listed, l.o.Validate != nil, maps.Clone(l.lists.shown)})
}

// ended notes how work that is tried again ended.
func (l *Loop) ended(what Failure, doing string, err error) {
	if err == nil {
		l.status.Failing[what] = ""
		return
	}
	l.fail(what, doing, err)
	l.status.Failing[what] = l.status.LastError
}

// shareFailing shares the state if other work fails than in the shared state.
func (l *Loop) shareFailing() {
	if l.state.Load().Status.Failing != l.status.Failing {
		l.share()
	}
}

// fail notes an error after which the loop goes on.
func (l *Loop) fail(what Failure, doing string, err error) {
	l.status.Errors[what]++
	l.status.LastError = doing + ": " + err.Error()
	l.o.Failed(doing, err)
}

// clientsForgotten returns how long clients are missing; nil if none are.
func (l *Loop) clientsForgotten() *Forgotten {
	if l.forgot.newest == 0 {
		return nil
	}
	o := &l.o.Miner.Table
	if o.Window <= 0 {
		return &Forgotten{}
	}
	until := time.Unix(l.forgot.newest+o.Pane+o.Window, 0).UTC()
	if !until.After(l.o.Now()) {
		return nil
	}
	return &Forgotten{until}
}
