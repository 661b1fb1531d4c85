package prober

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/stream/fetch"
)

// look fetches a pair by requests like q and returns the comparison. For a second look, self is how much the
// pages resembled themselves.
func (s *site) look(ctx context.Context, pair lifecycle.Look, q fetch.Request) (p fetched, seen trial.Seen, self float64) {
	if pair.Second {
		return s.lookAgain(ctx, pair, q)
	}
	q.Fresh = pair.Fresh
	get := s.getSince(pair.Since)
	p = s.fetch(ctx, pair, q, get, get)
	return p, s.measure(pair, p), 1
}

// getSince returns a function that gets documents which servers sent or confirmed at a time or later.
// With time 0, any document will do.
func (s *site) getSince(since int64) get {
	return func(ctx context.Context, q fetch.Request) (fetch.Document, error) {
		d, err := s.worker.o.Fetcher.Get(ctx, q)
		if err == nil && !q.Fresh && since > 0 && d.At.Unix() < since {
			q.Fresh = true
			return s.worker.o.Fetcher.Get(ctx, q)
		}
		return d, err
	}
}

// lookAgain fetches the pages of a negative anew. The documents of the first look are
// in the cache, or are fetched as well.
func (s *site) lookAgain(ctx context.Context, pair lifecycle.Look, q fetch.Request) (p fetched, seen trial.Seen, self float64) {
	self = 1
	getV := func(ctx context.Context, q fetch.Request) (fetch.Document, error) {
		d, resemblance, err := s.twice(ctx, q, pair.Since)
		self = min(self, resemblance)
		return d, err
	}
	getU := getV
	if pair.OnlyV {
		getU = s.getSince(pair.Since)
	}
	p = s.fetch(ctx, pair, q, getU, getV)
	return p, s.measure(pair, p), self
}

// twice returns a page as of now, and how much it resembles its last visit; 1 if unknown. A
// visit from before a time does not count, nor one whose later document a first look showed.
func (s *site) twice(ctx context.Context, q fetch.Request, since int64) (d fetch.Document, self float64, err error) {
	f, target := s.worker.o.Fetcher, q.Target
	before, err := f.Get(ctx, q)
	if err != nil {
		return before, 1, err
	}
	var v visit
	s.inbox.Do(func() { v = s.visits.get(target, false) })
	if !v.at.IsZero() && !v.shown && time.Since(v.at) < visitTerm && v.at.Unix() >= since {
		return before, v.self, nil
	}
	q.Fresh = true
	if d, err = f.Get(ctx, q); err != nil {
		return d, 1, err
	}
	v = visit{self: alike(before, d), words: wordsOf(before, d), at: time.Now()}
	s.inbox.Do(func() { s.visits.add(target, v) })
	return d, v.self, nil
}

// measure returns what a pair of documents shows. The pages are compared while nobody owns the site.
func (s *site) measure(pair lifecycle.Look, p fetched) (seen trial.Seen) {
	var visits [2]visit
	s.inbox.Do(func() {
		visits[0], visits[1] = s.visits.get(pair.Asked(), !pair.Second), s.visits.get(pair.V, !pair.Second)
	})
	u, v, compared := document(p.u, p.uErr), document(p.v, p.vErr), compare(p.u, p.v)
	compared.Lasting = lasting(&visits[0], &visits[1])
	s.inbox.Do(func() {
		seen = s.machine.Dialogue.Measure(pair, u, v, func() trial.Compared { return compared })
	})
	return seen
}

// lasting compares what lasts of two pages fetched twice, one of which never stands still; nil if the pages are not known
// to be such.
func lasting(u, v *visit) *trial.Lasting {
	if u.at.IsZero() || v.at.IsZero() || min(u.self, v.self) >= trial.MovesBelow {
		return nil
	}
	alike, lackU, lackV, ok := sketch.Lasting(u.words, v.words)
	if !ok {
		return nil
	}
	return trial.NewLasting(alike, lackU, lackV)
}

// fetch gets a pair by requests like q. If v may not be asked for, u is not asked for either.
func (s *site) fetch(ctx context.Context, pair lifecycle.Look, q fetch.Request, getU, getV get) (p fetched) {
	q.Target = pair.V
	if p.vErr = s.worker.o.Fetcher.Refusal(q); p.vErr != nil {
		return p
	}
	q.Target = pair.Asked()
	if p.u, p.uErr = getU(ctx, q); p.uErr != nil {
		return p
	}
	if p.u.Status/100 != 2 || pair.Ask != "" && p.u.Redirected { // the pair proves nothing
		return p
	}
	if pair.U == pair.V {
		p.v = p.u
		return p
	}
	q.Target = pair.V
	p.v, p.vErr = getV(ctx, q)
	return p
}

// get fetches a document: see Fetcher.
type get func(ctx context.Context, q fetch.Request) (fetch.Document, error)

// postponed returns the reason for which a pair has no outcome yet, because no request is
// allowed now, with the end of the wait. nil: the pair has an outcome.
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

// notNow reports whether an error is temporary and concerns the whole site. If one host of
// several is closed, the other hosts must not wait: the pair is skipped.
func notNow(e *fetch.Error) bool {
	return waits[e.Reason] != "" && (e.Reason != fetch.Closed || strings.HasPrefix(e.Target, "/"))
}

// pause is the wait if the end of a ban on requests is unknown; forever is the wait when all requests are made.
const pause, forever = time.Minute, 100 * 365 * 24 * time.Hour

// judgedOf returns the outcome of a pair.
func judgedOf(pair lifecycle.Look, j trial.Judgement, p *fetched) *Judged {
	t := &Judged{Pair: pair, Outcome: j.Outcome.String(), Reason: j.Reason.String(), U: visitedOf(p.u, p.uErr), V: visitedOf(p.v, p.vErr)}
	if t.Compared = isPage(&t.U) && isPage(&t.V); t.Compared {
		t.Resemblance = compare(p.u, p.v).Alike
	}
	return t
}

func visitedOf(d fetch.Document, err error) (v Visited) {
	var e *fetch.Error
	if errors.As(err, &e) {
		v.Failed = e.Reason
	}
	v.Status, v.Length = d.Status, d.Size
	if isPage(&v) {
		v.Target, v.Canonical = d.Target, canonical(d)
	}
	return v
}

func isPage(v *Visited) bool { return v.Failed == "" && v.Status/100 == 2 }

// fetched is a pair of documents.
type fetched struct {
	u, v       fetch.Document
	uErr, vErr error
}

// answered reports whether the server answered a request that was made at a time or later, and whether it failed at one:
// there was no answer, or one that says nothing of the page.
func (p *fetched) answered(since time.Time) (answered, failed bool) {
	for _, side := range []struct {
		d   fetch.Document
		err error
	}{{p.u, p.uErr}, {p.v, p.vErr}} {
		var e *fetch.Error
		switch {
		case errors.As(side.err, &e):
			failed = failed || e.Reason == fetch.Network || e.Reason == fetch.Timeout
		case side.err != nil || side.d.Status == 0 || side.d.At.Before(since):
		case side.d.Status >= 500, side.d.Status == http.StatusRequestTimeout, side.d.Status == http.StatusTooManyRequests:
			failed = true
		default:
			answered = true
		}
	}
	return answered, failed
}
