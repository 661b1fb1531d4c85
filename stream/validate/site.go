package validate

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/sketch"
	"dustbuster/operators/trial"
	"dustbuster/operators/validator"
	"dustbuster/stream/fetch"
)

// site is one site's machine and what surrounds it.
type site struct {
	name   string
	worker *Worker

	mu      sync.Mutex // the machine; not held while documents are fetched
	machine *validator.Machine
	commons commons

	slots      sync.Mutex        // what follows; taken after mu, if both
	window     *validator.Window // not yet loaded
	candidates []validator.Candidate
	given      time.Time
	busy       bool      // it has a goroutine
	wait       time.Time // nothing is asked before
	held       validator.Hold
	status     validator.Status
	owes       bool // it is busy, and rules hold that are not published
	rested     bool // it stopped for the sake of others
}

// run tries rules until nothing is left to try, or ctx ends.
func (s *site) run(ctx context.Context) {
	for ctx.Err() == nil {
		test, ok := s.next()
		if !ok {
			return
		}
		if wait := s.try(ctx, test); wait != nil && ctx.Err() == nil {
			s.slots.Lock()
			s.wait = wait.Until
			s.slots.Unlock()
			s.worker.o.Report(Report{Site: s.name, Wait: wait})
			return
		}
	}
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
	if news {
		s.worker.o.Report(Report{Site: s.name, Held: &hold})
	}
	return test, ok
}

// try fetches a pair and tells the machine what came of it. If nothing may be
// asked before some time, it returns why, and the pair is given again.
func (s *site) try(ctx context.Context, test validator.Test) (wait *fetch.Error) {
	ctx = fetch.For(ctx, test.Purpose.String())
	get := s.worker.o.Fetcher.Get
	if test.Fresh {
		get = s.worker.o.Fetcher.Again
	}
	var v fetch.Document
	var vErr error
	u, uErr := get(ctx, s.name, test.U)
	if uErr == nil {
		v, vErr = get(ctx, s.name, test.V)
	}
	if wait := postponed(uErr, vErr); wait != nil {
		s.release(test)
		return wait
	}
	judged := s.judge(test, u, v, uErr, vErr, trial.Noise{})
	if judged.Reason == trial.Different && resemblance(u, v) >= trial.Floor {
		if noise, noisy := s.selfNoise(ctx, test, u, v); noisy { // u is no more like itself
			judged = s.judge(test, u, v, uErr, vErr, noise)
		}
	}
	s.mu.Lock()
	if judged.Outcome == trial.Positive {
		judged = s.uncommon(test, u, judged)
	}
	s.machine.Outcome(test, judged, time.Now().Unix())
	s.mu.Unlock()
	s.worker.o.Report(Report{Site: s.name, Tested: tested(test, judged, u, v, uErr, vErr)})
	return nil
}

// tested says what came of a pair.
func tested(test validator.Test, j trial.Judgement, u, v fetch.Document, uErr, vErr error) *Tested {
	t := &Tested{Test: test, Outcome: j.Outcome.String(), Reason: j.Reason.String(), U: visited(u, uErr), V: visited(v, vErr)}
	if t.Compared = isPage(&t.U) && isPage(&t.V); t.Compared {
		t.Resemblance = resemblance(u, v)
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

func (s *site) judge(test validator.Test, u, v fetch.Document, uErr, vErr error, noise trial.Noise) trial.Judgement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.Judge(test, document(u, uErr), document(v, vErr), func() float64 { return resemblance(u, v) }, noise)
}

// uncommon is the judgement on a pair whose page u may be one that the server shows
// everywhere. What such a page was believed before is taken back.
func (s *site) uncommon(test validator.Test, u fetch.Document, positive trial.Judgement) trial.Judgement {
	is, before := s.commons.meets(u, test, s.machine.Unlike, s.worker.o.Validator.Tau)
	if !is {
		return positive
	}
	none := trial.Judgement{Outcome: trial.Skip, Reason: trial.Everywhere}
	for _, b := range before {
		s.machine.Outcome(b, none, time.Now().Unix())
	}
	return none
}

// selfNoise is by how much u differs from itself; false if by nothing that matters. A
// page that differs by more than two pages may is judged by the noise of the site, one
// that does so by less than an estimate may be wrong by its own. The others are not
// judged by noise: where some name the time at which they were made, the others may not
// differ for that. A page that seems to be quiet is looked at once more where that
// matters, since noise is not always seen.
func (s *site) selfNoise(ctx context.Context, test validator.Test, u, v fetch.Document) (own trial.Noise, noisy bool) {
	tau := s.worker.o.Validator.Tau
	for look := range 2 {
		if look > 0 && resemblance(u, v) < min(s.siteNoise().Threshold(tau), own.Threshold(tau)) {
			break
		}
		again, err := s.worker.o.Fetcher.Again(ctx, s.name, test.U)
		if err != nil || again.Status != u.Status || again.Target != u.Target {
			break
		}
		self := resemblance(u, again)
		if self < tau {
			s.mu.Lock()
			s.machine.Noise(self - margin)
			s.mu.Unlock()
			return s.siteNoise(), true
		}
		own.Observe(self - margin)
	}
	return own, own.Threshold(tau) < tau
}

func (s *site) siteNoise() trial.Noise {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.SiteNoise()
}

// margin is twice the standard error of a sketch: two visits to one page may
// resemble each other by so much less than two others.
const margin = 0.05

func (s *site) release(test validator.Test) {
	s.mu.Lock()
	s.machine.Release(test)
	s.mu.Unlock()
}

// pause is how long nothing is asked when it is not known for how long.
const pause = time.Minute

// postponed tells why a pair has no outcome yet, since nothing may be asked now,
// and until when; nil: it has one.
func postponed(errs ...error) *fetch.Error {
	for _, err := range errs {
		var e *fetch.Error
		if !errors.As(err, &e) || !notNow(e) {
			continue
		}
		wait := *e
		if wait.Until.IsZero() {
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
	case fetch.Action, fetch.Pattern:
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

// Digest is what a Fetcher keeps of a body.
func Digest(contentType string, body []byte) any { return sketch.Of(contentType, body) }

// resemblance compares two documents that are there.
func resemblance(u, v fetch.Document) float64 {
	a, ok := u.Content.(sketch.Sketch)
	b, also := v.Content.(sketch.Sketch)
	if !ok || !also {
		return 0
	}
	return sketch.Resemblance(&a, &b)
}
