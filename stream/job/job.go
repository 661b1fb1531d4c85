// Package job runs work beside the goroutines that own what the work is about.
//
//	host ──Go──> turn of the class ──> begin ─────> run ──────────> take
//	             queue of the process   the host     any goroutine    the host
//
// A job has three parts. Begin takes a copy of what the job needs, on the goroutine of the host. Run works on
// that copy, for as long as it likes, on a goroutine of its own. Take brings the result home, on the goroutine
// of the host again. So a host shares nothing with its jobs, and never waits for one.
//
// # What comes home
//
// The host reads its inbox, and calls what it finds there: that begins a job whose turn has come, or takes a
// result. The inbox has room for all that its jobs can send. A host that ends cancels its jobs and waits for
// them: see Wait.
//
// # Classes
//
// A host has at most one job of each class at a time. Of some classes only so many run in the process: the
// others wait in the order in which they came, so that hosts take turns.
package job

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Begin is the first part of a job. It returns nil if there is nothing to run.
type Begin func() Run

// Run is the second part.
type Run func() Take

// Take is the last part. The context is that of what the host does now.
type Take func(ctx context.Context)

// Class is what a job is for.
type Class int

// The classes.
const (
	Refine  Class = iota // finds the rules of a site
	Look                 // looks at a whole window
	Save                 // writes a checkpoint
	Publish              // writes a list of rules
	classes
)

// Queue has the jobs of a process that wait for their turns. Any goroutine may use a Queue.
type Queue struct {
	mu      sync.Mutex
	most    [classes]int // that may run; 0: any number
	running [classes]int
	waiting [classes][]*Host
}

// NewQueue returns a queue of a process that looks at one window at a time.
func NewQueue() *Queue { return &Queue{most: [classes]int{Look: 1}} }

// Host owns what jobs are about. Its methods belong to one goroutine, but for Oldest.
type Host struct {
	queue *Queue
	inbox chan Take
	jobs  [classes]state
}

// state is the job of a host in a class.
type state struct {
	busy  bool
	begin Begin        // nil: it is cancelled
	since atomic.Int64 // when it began to run, in Unix seconds; 0: it does not
}

// NewHost returns a host without jobs.
func (q *Queue) NewHost() *Host { return &Host{queue: q, inbox: make(chan Take, classes)} }

// Inbox returns the channel of what the host is to call, with the context of what it does now.
func (h *Host) Inbox() <-chan Take { return h.inbox }

// Busy reports whether the host has a job of a class, which waits or runs.
func (h *Host) Busy(c Class) bool { return h.jobs[c].busy }

// Go starts a job. The host must have no other of its class. If its turn is there, begin is called at once. A
// begin that returns nil ends the job.
func (h *Host) Go(c Class, begin Begin) {
	h.jobs[c].busy, h.jobs[c].begin = true, begin
	if h.queue.enter(c, h) {
		h.begin(c)
	}
}

// begin begins the job whose turn has come. The job may have been cancelled since.
func (h *Host) begin(c Class) {
	j := &h.jobs[c]
	var run Run
	if j.begin != nil {
		run = j.begin()
	}
	if run == nil {
		h.end(c)
		return
	}
	j.since.Store(time.Now().Unix())
	go func() {
		take := run()
		h.inbox <- func(ctx context.Context) {
			h.end(c)
			take(ctx)
		}
	}()
}

func (h *Host) end(c Class) {
	h.jobs[c].busy, h.jobs[c].begin = false, nil
	h.jobs[c].since.Store(0)
	h.queue.leave(c)
}

// Cancel ends a job that has not begun. A job that runs goes on.
func (h *Host) Cancel(c Class) {
	if j := &h.jobs[c]; j.busy {
		j.begin = nil
		j.busy = !h.queue.remove(c, h)
	}
}

// Wait calls what comes into the inbox until the job of a class has ended, if there is one.
func (h *Host) Wait(ctx context.Context, c Class) {
	for h.Busy(c) {
		take := <-h.inbox
		take(ctx)
	}
}

// Oldest returns for how long the oldest job of some classes has been running; 0: none is. Any goroutine may
// call Oldest.
func (h *Host) Oldest(of ...Class) (longest time.Duration) {
	for _, c := range of {
		if since := h.jobs[c].since.Load(); since != 0 {
			longest = max(longest, time.Since(time.Unix(since, 0)))
		}
	}
	return longest
}

// enter reports whether a host has the turn of a class. Else the host waits.
func (q *Queue) enter(c Class, h *Host) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.most[c] > 0 && q.running[c] >= q.most[c] {
		q.waiting[c] = append(q.waiting[c], h)
		return false
	}
	q.running[c]++
	return true
}

// leave gives the turn of a class to the host that has waited longest.
func (q *Queue) leave(c Class) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting[c]) == 0 {
		q.running[c]--
		return
	}
	h := q.waiting[c][0]
	q.waiting[c] = q.waiting[c][1:]
	h.inbox <- func(context.Context) { h.begin(c) }
}

// remove reports whether a host waited for a class. It waits no more.
func (q *Queue) remove(c Class, h *Host) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiting[c] {
		if w == h {
			q.waiting[c] = append(q.waiting[c][:i:i], q.waiting[c][i+1:]...)
			return true
		}
	}
	return false
}
