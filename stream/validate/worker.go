package validate

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/validator"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// Worker tries the rules of all sites. Its methods may be called from any
// goroutine, but Restore only before the first Give.
type Worker struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	finishing atomic.Bool  // no more rules are tried
	owing     atomic.Int64 // busy sites that owe a publication

	mu    sync.Mutex
	sites map[string]*site
}

// New returns a worker that knows nothing yet.
func New(o Options) *Worker {
	w := &Worker{o: o.withDefaults(), sites: map[string]*site{}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Close ends the trials at hand and waits for their goroutines. Take still gives
// what was learned.
func (w *Worker) Close() {
	w.stop()
	w.o.Turns.leave(w)
	w.done.Wait()
}

// CanTry tells whether a site may be fetched from.
func (w *Worker) CanTry(site string) bool { return w.o.Fetcher.CanFetch(site) }

// site returns what is known of a site.
func (w *Worker) site(name string) *site {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sites[name]
	if s == nil {
		visits, err := lru.NewLRU[string, visit](mostVisits, nil)
		if err != nil {
			panic(err) // its size is positive
		}
		s = &site{name: name, worker: w, machine: validator.New(name, w.o.Validator), visits: visits}
		w.sites[name] = s
	}
	return s
}

// known returns a site that was given or restored, else nil: callers may invent names.
func (w *Worker) known(name string) *site {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sites[name]
}

// all are the sites known.
func (w *Worker) all() []*site {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]*site, 0, len(w.sites))
	for _, s := range w.sites {
		all = append(all, s)
	}
	return all
}

// Wants tells whether a site should get a new window.
func (w *Worker) Wants(name string) bool {
	if !w.CanTry(name) || w.ctx.Err() != nil || w.o.Dry {
		return false
	}
	s, now := w.site(name), time.Now()
	s.slots.Lock()
	defer s.slots.Unlock()
	switch {
	case now.Before(s.wait):
		return false
	case s.busy:
		return now.Sub(s.given) >= w.o.Refresh
	}
	return now.Sub(s.given) >= w.o.Every
}

// Give gives a site its window as it is now and its candidates, and has it tried.
// Neither is changed any more.
func (w *Worker) Give(name string, window *validator.Window, candidates []rule.Candidate) {
	s := w.site(name)
	expected := s.expect(candidates)
	s.slots.Lock()
	defer s.slots.Unlock()
	s.window, s.candidates, s.given = window, candidates, time.Now()
	if s.busy || w.ctx.Err() != nil {
		return
	}
	s.busy = true
	w.o.Turns.join(s, expected)
}

// Each site that is tried has requestsOfSite requests, where they are limited: rules of
// which all are tried a little have no verdict.
const requestsOfSite = 500

func (w *Worker) atOnce() int {
	if w.o.Sites > 0 {
		return w.o.Sites
	}
	return max(1, min(w.o.MostSites, w.o.Fetcher.LeftInAll()/requestsOfSite))
}

func (s *site) stopped() {
	s.slots.Lock()
	defer s.slots.Unlock()
	s.busy = false
	if s.owes {
		s.owes = false
		s.worker.owing.Add(-1)
	}
}

// Plan is what would be tried of a site with this window and these candidates, with the
// first pairs of each rule. Nothing is fetched. Sites that are planned must not be given.
func (w *Worker) Plan(name string, window *validator.Window, candidates []rule.Candidate, first int) []validator.Planned {
	s := w.site(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.machine.Load(window, candidates)
	plan := s.machine.Plan(first, time.Now().Unix())
	status := s.machine.Status()
	s.slots.Lock()
	s.status = status
	s.slots.Unlock()
	return plan
}

// Busy tells whether any site is being tried.
func (w *Worker) Busy() bool {
	for _, s := range w.all() {
		s.slots.Lock()
		busy := s.busy
		s.slots.Unlock()
		if busy {
			return true
		}
	}
	return false
}

// Approve has an update published that was held back: see validator.Hold. False if no
// update of the site with this mark is.
func (w *Worker) Approve(name, mark string) bool {
	s := w.known(name)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if hold, held := s.machine.Held(); !held || hold.Mark != mark {
		return false
	}
	s.machine.Approve(mark)
	s.slots.Lock()
	s.given = time.Time{} // a new window will have it published
	s.slots.Unlock()
	return true
}

// Recheck has the published rules of a site tried again now, or the one with an id. False
// if the site has none, or none with that id.
func (w *Worker) Recheck(name, id string) bool {
	s := w.known(name)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.machine.Recheck(id, time.Now().Unix()) {
		return false
	}
	s.slots.Lock()
	s.given = time.Time{} // who does not try anything gets a new window, and with it the round goes on
	s.slots.Unlock()
	return true
}

// See tells what separates parameters in the queries of a site. What the site has published
// says so at the next Take, whether or not the site may be fetched from now. A machine that
// is computing is not told: call See again soon.
func (w *Worker) See(m *miner.Machine) {
	w.mu.Lock()
	s := w.sites[m.Site()]
	w.mu.Unlock()
	if s == nil || w.o.Dry || !s.mu.TryLock() { // the first window will say it
		return
	}
	defer s.mu.Unlock()
	s.machine.See(m.Separators(), time.Now().Unix())
}

// Resume has no site wait any longer: who could not fetch for a while can again.
func (w *Worker) Resume() {
	for _, s := range w.all() {
		s.slots.Lock()
		s.wait, s.given = time.Time{}, time.Time{}
		s.slots.Unlock()
	}
}

// Status is how the rules of each site stood when a pair was last asked for, by
// site. Not to be changed.
func (w *Worker) Status() map[string]validator.Status {
	all := map[string]validator.Status{}
	for _, s := range w.all() {
		s.slots.Lock()
		if s.status.States != nil {
			all[s.name] = s.status
		}
		s.slots.Unlock()
	}
	return all
}

// Held are the updates that wait for a person, by site.
func (w *Worker) Held() map[string]validator.Hold {
	all := map[string]validator.Hold{}
	for _, s := range w.all() {
		s.slots.Lock()
		if s.held.Mark != "" {
			all[s.name] = s.held
		}
		s.slots.Unlock()
	}
	return all
}
