package prober

import (
	"slices"
	"sync"
)

// Turns choose the sites tried at once, over all workers of a process: those whose next trial
// has the greatest expected gain, in merged URLs per pair. A site whose trial has ended gives
// way to one with a greater gain. Any goroutine may use Turns.
type Turns struct {
	mu      sync.Mutex
	waiting []*site // in the order of their arrival
	running int
}

// join puts a site in the line.
func (t *Turns) join(s *site, expected float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.expected = expected
	if !slices.Contains(t.waiting, s) {
		t.wait(s)
	}
	t.start()
}

// wait puts a site at the end of the line. The caller holds mu.
func (t *Turns) wait(s *site) {
	t.waiting = append(t.waiting, s)
	s.queued.Store(true)
}

// start starts the best sites of the queue, as many as may run. The caller holds mu.
func (t *Turns) start() {
	for len(t.waiting) > 0 && t.running < t.waiting[0].worker.atOnce() {
		at := t.best()
		s := t.waiting[at]
		t.waiting = slices.Delete(t.waiting, at, at+1)
		t.running++
		s.queued.Store(false)
		s.worker.done.Go(func() { t.run(s) })
	}
}

// best returns the place of the site with the greatest expected gain; of equal sites, the
// first.
func (t *Turns) best() (at int) {
	for i, s := range t.waiting {
		if s.expected > t.waiting[at].expected {
			at = i
		}
	}
	return at
}

func (t *Turns) run(s *site) {
	yielded := s.run(s.worker.ctx)
	if !yielded {
		s.stopped()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	if yielded {
		t.wait(s)
	}
	t.start()
}

// yields reports whether a running site should give way to another. yields notes the
// running site's expected gain.
func (t *Turns) yields(s *site, expected float64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.expected = expected
	return len(t.waiting) > 0 && t.waiting[t.best()].expected > expected
}

// leave takes a worker's sites out of the line.
func (t *Turns) leave(w *Worker) {
	t.mu.Lock()
	var gone []*site
	t.waiting = slices.DeleteFunc(t.waiting, func(s *site) bool {
		if s.worker == w {
			gone = append(gone, s)
		}
		return s.worker == w
	})
	t.mu.Unlock()
	for _, s := range gone {
		s.queued.Store(false)
		s.stopped()
	}
}
