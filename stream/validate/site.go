package validate

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
	"dustbuster/operators/validator"
	"dustbuster/stream/fetch"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// site is one site's machine and what surrounds it.
type site struct {
	name   string
	worker *Worker

	mu      sync.Mutex // the machine; not held while documents are fetched
	machine *validator.Machine
	told    bool // what is never asked for was told
	alone   bool // and then, clients could not be told from each other

	visits *lru.LRU[string, visit] // pages that were fetched twice lately; the goroutine's

	slots      sync.Mutex        // what follows; taken after mu, if both
	window     *validator.Window // not yet loaded
	candidates []rule.Candidate
	given      time.Time
	busy       bool      // it has a goroutine
	wait       time.Time // nothing is asked before
	held       validator.Hold
	status     validator.Status
	owes       bool // it is busy, and rules hold that are not published
	rested     bool // it stopped for the sake of others

	expected float64 // forms merged for each pair, by its next trial; under the lock of Turns
}

// run tries rules until nothing is left to try, or ctx ends, or a trial has ended and
// another site is expected to bring more: then it reports true, and is to be run again.
func (s *site) run(ctx context.Context) (yielded bool) {
	trying := "" // the rule on trial
	for ctx.Err() == nil {
		test, ok := s.next()
		if !ok {
			return false
		}
		if test.Purpose == validator.Trial && test.Rule != trying {
			if trying != "" && s.worker.o.Turns.yields(s, s.expect(nil)) {
				s.release(test)
				return true
			}
			trying = test.Rule
		}
		if wait := s.try(ctx, test); wait != nil && ctx.Err() == nil {
			if wait.Reason == fetch.Spent {
				s.conclude()
			}
			s.slots.Lock()
			s.wait = wait.Until
			s.slots.Unlock()
			s.worker.o.Report(Report{Site: s.name, Wait: wait})
			return false
		}
	}
	return false
}

// expect is what the site's next trial is expected to bring, with these candidates, or nil
// for those that it has; 0 while its machine computes.
func (s *site) expect(candidates []rule.Candidate) float64 {
	if !s.mu.TryLock() {
		return 0 // it has its turn: what it brings is asked for when a trial ends
	}
	defer s.mu.Unlock()
	return s.machine.Expected(candidates, time.Now().Unix())
}

// next asks the machine for a pair, on the newest window.
func (s *site) next() (validator.Test, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots.Lock()
	window, candidates := s.window, s.candidates
	s.window, s.candidates = nil, nil
	s.slots.Unlock()
	if window != nil {
		s.machine.Load(window, candidates)
	}
	test, ok := s.ask(time.Now().Unix())
	hold, held := s.machine.Held()
	status := s.machine.Status()
	s.slots.Lock()
	news := held && hold.Mark != s.held.Mark
	s.held, s.status = hold, status
	s.slots.Unlock()
	if p := status.Private; p.URLs > 0 && (!s.told || p.Alone != s.alone) {
		s.told, s.alone = true, p.Alone
		s.worker.o.Report(Report{Site: s.name, Private: &p})
	}
	if news {
		s.worker.o.Report(Report{Site: s.name, Held: &hold})
	}
	return test, ok
}

// try fetches a pair and tells the machine what came of it. If nothing may be
// asked before some time, it returns why, and the pair is given again.
func (s *site) try(ctx context.Context, test validator.Test) (wait *fetch.Error) {
	ctx = fetch.For(ctx, test.Purpose.String())
	p, seen, self := s.look(ctx, test)
	if wait := postponed(p.uErr, p.vErr); wait != nil {
		s.release(test)
		return wait
	}
	s.mu.Lock()
	judged := s.machine.Outcome(test, seen, self, time.Now().Unix())
	s.mu.Unlock()
	s.worker.o.Report(Report{Site: s.name, Tested: tested(test, judged, &p)})
	return nil
}

// tested says what came of a pair.
func tested(test validator.Test, j trial.Judgement, p *fetched) *Tested {
	t := &Tested{Test: test, Outcome: j.Outcome.String(), Reason: j.Reason.String(), U: visited(p.u, p.uErr), V: visited(p.v, p.vErr)}
	if t.Compared = isPage(&t.U) && isPage(&t.V); t.Compared {
		t.Resemblance = compare(p.u, p.v).Alike
	}
	return t
}

func visited(d fetch.Document, err error) (v Visited) {
	var e *fetch.Error
	if errors.As(err, &e) {
		v.Failed = e.Reason
	}
	v.Status, v.Length = d.Status, d.Size
	return v
}

func isPage(v *Visited) bool { return v.Failed == "" && v.Status/100 == 2 }

// look fetches a pair and says what was seen of it, and of a second look also how much
// the pages resembled themselves.
func (s *site) look(ctx context.Context, test validator.Test) (p fetched, seen trial.Seen, self float64) {
	if test.Second {
		return s.lookAgain(ctx, test)
	}
	get := s.worker.o.Fetcher.Get
	if test.Fresh {
		get = s.worker.o.Fetcher.Again
	}
	p = s.fetch(ctx, test, get, get)
	return p, s.seen(test, p), 1
}

// lookAgain fetches the pages of a negative anew. The documents of the first look are
// in the cache, or are fetched as well.
func (s *site) lookAgain(ctx context.Context, test validator.Test) (p fetched, seen trial.Seen, self float64) {
	selfU, selfV := 1.0, 1.0
	getU := func(ctx context.Context, _, target string) (d fetch.Document, err error) {
		d, selfU, err = s.twice(ctx, target)
		return d, err
	}
	getV := func(ctx context.Context, _, target string) (d fetch.Document, err error) {
		d, selfV, err = s.twice(ctx, target)
		return d, err
	}
	if test.OnlyV {
		getU = s.worker.o.Fetcher.Get
	}
	p = s.fetch(ctx, test, getU, getV)
	return p, s.seen(test, p), min(selfU, selfV)
}

// visit is what fetching a page twice has shown.
type visit struct {
	self float64 // how much the page resembled itself
	at   time.Time
}

// Of the pages that were fetched twice so many are remembered, for so long: the later
// document is in the cache, and need not be fetched a third time.
const (
	mostVisits = 1024
	visitTerm  = time.Hour
)

// twice is a page as it is now, and how much it resembles what it was at the visit
// before; 1 if that is not known.
func (s *site) twice(ctx context.Context, target string) (d fetch.Document, self float64, err error) {
	f := s.worker.o.Fetcher
	before, err := f.Get(ctx, s.name, target)
	if err != nil {
		return before, 1, err
	}
	if v, known := s.visits.Get(target); known && time.Since(v.at) < visitTerm {
		return before, v.self, nil
	}
	if d, err = f.Again(ctx, s.name, target); err != nil {
		return d, 1, err
	}
	self = alike(before, d)
	s.visits.Add(target, visit{self, time.Now()})
	return d, self, nil
}

// fetched is a pair of documents.
type fetched struct {
	u, v       fetch.Document
	uErr, vErr error
}

// get fetches a document: see Fetcher.
type get func(ctx context.Context, site, target string) (fetch.Document, error)

func (s *site) fetch(ctx context.Context, test validator.Test, getU, getV get) (p fetched) {
	if p.u, p.uErr = getU(ctx, s.name, test.U); p.uErr != nil {
		return p
	}
	if test.U == test.V {
		p.v = p.u
		return p
	}
	p.v, p.vErr = getV(ctx, s.name, test.V)
	return p
}

func (s *site) seen(test validator.Test, p fetched) trial.Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.Look(test, document(p.u, p.uErr), document(p.v, p.vErr), func() trial.Compared { return compare(p.u, p.v) })
}

func (s *site) release(test validator.Test) {
	s.mu.Lock()
	s.machine.Release(test)
	s.mu.Unlock()
}

// pause is how long nothing is asked when it is not known for how long; forever, when all
// requests are made.
const (
	pause   = time.Minute
	forever = 100 * 365 * 24 * time.Hour
)

// postponed tells why a pair has no outcome yet, since nothing may be asked now,
// and until when; nil: it has one.
func postponed(errs ...error) *fetch.Error {
	for _, err := range errs {
		var e *fetch.Error
		if !errors.As(err, &e) || !notNow(e) {
			continue
		}
		wait := *e
		switch {
		case wait.Reason == fetch.Spent:
			wait.Until = time.Now().Add(forever)
		case wait.Until.IsZero():
			wait.Until = time.Now().Add(pause)
		}
		return &wait
	}
	return nil
}

// notNow tells whether an error is of this moment, and of the whole site. One host
// of several that is closed must not keep the others waiting: there it is a skip.
func notNow(e *fetch.Error) bool {
	switch e.Reason {
	case fetch.Budget, fetch.Spent, fetch.Held, fetch.Resting, fetch.Full, fetch.Barred, fetch.Cancelled:
		return true
	case fetch.Closed:
		return strings.HasPrefix(e.Target, "/")
	}
	return false
}

// document is what a fetch brought, as a trial sees it.
func document(d fetch.Document, err error) trial.Document {
	var e *fetch.Error
	switch {
	case err == nil && d.Truncated:
		return trial.Document{Failure: trial.TooLarge}
	case err == nil:
		return trial.Document{Status: d.Status, Redirected: d.Redirected, Target: d.Target}
	case !errors.As(err, &e):
		return trial.Document{Failure: trial.Unreachable}
	}
	return trial.Document{Failure: failureOf(e.Reason)}
}

func failureOf(why fetch.Reason) trial.Failure {
	switch why {
	case fetch.Robots, fetch.Closed:
		return trial.Robots
	case fetch.Action, fetch.Pattern, fetch.Secret:
		return trial.Action
	case fetch.Timeout:
		return trial.Timeout
	case fetch.Loop:
		return trial.Endless
	case fetch.Address, fetch.NoOrigin, fetch.Target, fetch.OffSite:
		return trial.Forbidden
	}
	return trial.Unreachable
}
