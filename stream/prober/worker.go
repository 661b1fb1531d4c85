package prober

import (
	"context"
	"maps"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/urllist"
)

// New returns a worker with an empty state.
func New(o Options) *Worker {
	w := &Worker{o: o.withDefaults(), machine: lifecycle.Maker(o.Lifecycle), sites: map[string]*site{}, strangers: map[string]bool{}}
	w.ours.Store(o.Ours)
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Close ends the present trials and waits for their goroutines. Drain still returns their
// acts.
func (w *Worker) Close() {
	w.mu.Lock()
	w.stop()
	w.mu.Unlock()
	w.o.Turns.leave(w)
	w.done.Wait()
}

// CanTry reports whether a site may be fetched from.
func (w *Worker) CanTry(site string) bool { return w.o.Fetcher.CanFetch(site) }

// site returns the state of a site.
func (w *Worker) site(name string) *site {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sites[name]
	if s == nil {
		s = newSite(name, w)
		w.sites[name] = s
	}
	return s
}

// known returns a site that was offered or restored, else nil: callers may invent names.
func (w *Worker) known(name string) *site {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sites[name]
}

// all are the sites known.
func (w *Worker) all() []*site {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.sites))
}

// Needs reports whether a site should get its present candidates: see Offer.
func (w *Worker) Needs(name string) bool {
	if !w.CanTry(name) || w.ctx.Err() != nil || w.o.Dry {
		return false
	}
	s, now := w.site(name), time.Now()
	if of := s.whose(now); of.Why == "" && !of.Due {
		s.withdraw()
		s.tellStrange()
		return false
	}
	see := s.seen()
	given := now.Sub(see.given)
	switch {
	case s.offered.Load(), now.Before(see.wait.Until): // an offer waits in the inbox
		return false
	case see.decided:
		return given >= urgentWait
	case w.o.Turns.busy(s):
		return given >= w.o.Refresh
	case see.named:
		return given >= min(w.o.Every, reportWait)
	}
	return given >= w.every()
}

// viewTime is the time that a view of a small site takes, with room for other work.
const viewTime = 10 * time.Millisecond

// urgentWait is the shortest time between two looks at a site because of decisions.
const urgentWait = time.Second

// every returns the interval of new looks at a site with nothing left to try: longer if there are many
// sites.
func (w *Worker) every() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(w.o.Every, time.Duration(len(w.sites))*viewTime)
}

// Offer puts a site in the line for a turn, in which the worker asks for its window: see TakeWindows. The
// candidates are those of now, which the caller must not change afterwards. Of a site that computes, the last
// offer counts.
func (w *Worker) Offer(name string, candidates []rule.Candidate) {
	s := w.site(name)
	s.offered.Store(true)
	s.inbox.Post("offer", func() {
		s.offered.Store(false)
		urgent := s.now.named || s.now.decided
		s.now.given, s.now.named, s.now.decided, s.stale = time.Now(), false, false, true
		w.o.Turns.join(s, s.rank(candidates, urgent))
	})
}

// TakeWindows tells the worker where the windows of sites are, before the first Offer.
func (w *Worker) TakeWindows(from Windows) { w.windows = from }

// URLs returns the URLs of a site's current window, as mined; nil: there are none. It may wait until ctx ends.
func (w *Worker) URLs(ctx context.Context, name string) *urllist.Copy {
	if w.windows == nil || w.known(name) == nil {
		return nil
	}
	m, _ := w.windows(ctx, name)
	if m == nil {
		return nil
	}
	return m.Window()
}

// stopped notes that the site has no turn any more, and does not wait for one.
func (s *site) stopped() { s.inbox.Do(func() { s.note(false, s.now.rested) }) }

// Plan returns the rules to try for a site with this window and these candidates, with the
// first pairs of each rule. Plan sends no request. Planned sites must not be offered.
func (w *Worker) Plan(name string, window *forms.Window, candidates []rule.Candidate, first int) []lifecycle.Planned {
	s := w.site(name)
	var plan []lifecycle.Planned
	s.inbox.Do(func() {
		s.machine.Load(window, candidates)
		plan = s.machine.Plan(first, time.Now().Unix())
		s.machine.Answers.LookNotTried(time.Now().Unix())
		s.tellStatus()
	})
	return plan
}

// Busy reports whether any site is under trial.
func (w *Worker) Busy() bool { return slices.ContainsFunc(w.all(), w.o.Turns.busy) }

// decide passes an operator's decision to the machine of a site, which must be known. After an error, ErrNoSite,
// report.ErrBusy or that of take, it is not taken and will not be. Else the site gets a new window soon, with which it
// obeys. What is held is told without the decided rules at once.
func (w *Worker) decide(name string, take func(*lifecycle.Machine) error) error {
	return w.change(name, take, func(s *site) {
		s.now.held, s.now.given, s.now.decided = s.heldNow(), time.Time{}, true
	})
}

// change asks a site, which must be known, for a change of its machine, and calls then once it is made. The error is
// ErrNoSite, report.ErrBusy, or that of take.
func (w *Worker) change(name string, take func(*lifecycle.Machine) error, then func(*site)) error {
	s := w.known(name)
	if s == nil {
		return ErrNoSite
	}
	var err error
	if busy := s.ask(context.Background(), func() {
		if err = take(s.machine); err == nil {
			then(s)
		}
	}); busy != nil {
		return busy
	}
	return err
}

// Decide takes in what an operator says to a held update of a site. The error is ErrNoSite, report.ErrBusy, or that of
// lifecycle.Operator.Decide.
func (w *Worker) Decide(name string, d book.Decision) error {
	return w.decide(name, func(m *lifecycle.Machine) error { return m.Operator.Decide(d) })
}

// Recheck starts new trials of the published rules of a site, or of the rule with an id. The error is ErrNoSite,
// report.ErrBusy, or book.ErrNoRule: the site has no published rules, or no rule with that id.
func (w *Worker) Recheck(name, id string) error {
	return w.decide(name, func(m *lifecycle.Machine) error {
		if !m.Operator.Recheck(id, time.Now().Unix()) {
			return book.ErrNoRule
		}
		return nil
	})
}

// Wish takes in a decision of an operator about the rules of a site. The error is ErrNoSite, report.ErrBusy, or
// that of lifecycle.Operator.Wish.
func (w *Worker) Wish(name string, wish book.Wish) error {
	take := func(m *lifecycle.Machine) error {
		err := m.Operator.Wish(wish)
		if err == nil && wish.Ours {
			w.site(name).now.approved = !wish.Undo
		}
		return err
	}
	if wish.Drop != nil {
		return w.change(name, take, (*site).tellAnew)
	}
	return w.decide(name, take)
}

// Take notes that an operator takes a file with published rules of a site. The error is ErrNoSite, report.ErrBusy, or
// that of lifecycle.Operator.Take.
func (w *Worker) Take(name string, f *book.File) error {
	return w.change(name, func(m *lifecycle.Machine) error { return m.Operator.Take(f) }, (*site).tellAnew) // this needs no new window
}

// tellStatus tells the present status of the site. Only the owner calls it.
func (s *site) tellStatus() {
	status := s.machine.Answers.Status()
	s.now.status = &status
}

// tellAnew tells the status of the site anew, if it was told. Only the owner calls it.
func (s *site) tellAnew() {
	if s.now.status != nil {
		s.tellStatus()
	}
}

// See notes the separators of parameters in the queries of a site. Its publication names them from the next Drain
// on, whether or not it may be fetched from now. A machine that computes takes notice later.
func (w *Worker) See(m *miner.Machine) {
	s := w.known(m.Site())
	if s == nil || w.o.Dry { // the first window will name the separators
		return
	}
	separators := m.Separators()
	s.inbox.Post("see", func() { s.machine.See(separators, time.Now().Unix()) })
}

// Resume ends the waits of all sites: a site that could not fetch for a while can fetch
// again.
func (w *Worker) Resume() {
	for _, s := range w.all() {
		s.inbox.Post("resume", func() { s.now.wait, s.now.given = Wait{}, time.Time{} })
	}
}

func newSite(name string, w *Worker) *site {
	s := &site{name: name, worker: w, owned: owned{machine: w.machine(name)}}
	s.inbox.Leave = s.show
	return s
}

func (s *site) conclude() {
	s.inbox.Do(func() {
		s.machine.Close(time.Now().Unix())
		s.machine.Answers.LookNotTried(time.Now().Unix())
		if s.now.status != nil {
			status := *s.now.status // others hold the last
			status.NotTried = s.machine.Answers.Status().NotTried
			s.now.status = &status
		}
		s.tellRejudged()
	})
}

func (o Options) withDefaults() Options {
	if o.Turns == nil {
		o.Turns = NewTurns(o.Fetcher, TurnsOptions{})
	}
	if o.Evidence == nil {
		o.Evidence = NewEvidence()
	}
	if o.Every <= 0 {
		o.Every = time.Minute
	}
	if o.Refresh <= 0 {
		o.Refresh = 10 * time.Minute
	}
	if o.Report == nil {
		o.Report = func(Report) {}
	}
	return o
}

// Rested returns the sites that stopped in favor of other sites, once the other sites have
// stopped as well. The caller should give these sites again.
func (w *Worker) Rested() (names []string) {
	if w.finishing.Load() || w.Busy() {
		return nil
	}
	for _, s := range w.all() {
		if s.seen().rested {
			names = append(names, s.name)
		}
	}
	return names
}

// Finish ends the trials of single rules, for good. Sets of valid rules are still tried and
// published. Finish reports whether there are such sets.
func (w *Worker) Finish() bool {
	w.finishing.Store(true)
	return w.owing.Load() > 0
}

// Conclude publishes the sets that were tried and never refuted, after Close.
func (w *Worker) Conclude() {
	for _, s := range w.all() {
		s.conclude()
	}
}

// Detail returns what a site's machine knows. The error is ErrNoSite, or report.ErrBusy if the machine went on
// computing for two seconds. Detail delays the trials of the site by milliseconds, and no other work.
func (w *Worker) Detail(ctx context.Context, name string, q lifecycle.Query) (d lifecycle.Detail, err error) {
	s := w.known(name)
	if s == nil {
		return d, ErrNoSite
	}
	if err := s.ask(ctx, func() { d = s.machine.Answers.Detail(q, time.Now().Unix()) }); err != nil {
		return d, err
	}
	d.Pairs = map[string][]book.Opened{}
	for _, e := range d.Tried {
		d.Pairs[e.ID] = w.o.Evidence.of(name, &e)
	}
	return d, nil
}
