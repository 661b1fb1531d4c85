package prober

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
	"dustbuster/stream/inbox"
	"dustbuster/stream/turns"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// site is everything that the worker knows of one site. Whoever owns the inbox may use the fields of the owner.
// Others see the snapshot.
type site struct {
	name   string
	worker *Worker
	inbox  inbox.Inbox

	shown   atomic.Pointer[snapshot]
	offered atomic.Bool            // an offer waits in the inbox
	figure  atomic.Pointer[figure] // what the log says about the site, as of the last look; nil: nothing yet
	view    atomic.Int64           // bytes of what is in memory of the window, the pairs and the visits; 0: there is no view, or it is to be dropped
	turn    turn                   // under the lock of Turns

	owned // the fields of the owner
}

// owned is what the owner of a site may use.
type owned struct {
	machine     *lifecycle.Machine
	now         snapshot      // what others are shown next
	loaded      time.Time     // of the last window
	stale       bool          // candidates were given since
	windowBytes int64         // of the window, and of what is derived from it
	visits      visits        // pages fetched twice lately, dropped with the view
	measured    measured      // pages fetched for reports
	onTrial     string        // the rule
	told        lifecycle.Why // the reason reported last
	reported    bool          // the URLs never requested have been reported
	few         few           // what that report said of clients
}

func newSite(name string, w *Worker) *site {
	s := &site{name: name, worker: w, owned: owned{machine: w.machine(name)}}
	s.inbox.Leave = s.show
	return s
}

// take is the site's turn: one pair is fetched. goesOn reports whether the site should have another, with
// the rank.
func (s *site) take(ctx context.Context, pass *fetch.Pass) (rank turns.Rank, goesOn bool) {
	window, candidates, ok := s.load(ctx)
	if !ok {
		return rank, false
	}
	s.enter(window, candidates)
	mine, wait := s.isOurs(ctx, pass)
	if !mine {
		if wait != nil {
			s.waitFor(wait)
		}
		return rank, false
	}
	var pair lifecycle.Look
	ended := false
	s.inbox.Do(func() {
		if pair, ok = s.next(); !ok {
			s.tellIdle()
			return
		}
		s.told = lifecycle.Trying
		if ended = s.hasEnded(&pair); ended {
			s.machine.Dialogue.Release(pair)
			rank = s.rank(nil, false)
		}
	})
	s.worker.o.Turns.derived(s)
	if !ok || ended {
		return rank, ended
	}
	if wait := s.judge(ctx, pair, pass); wait != nil && ctx.Err() == nil {
		if wait.Reason == fetch.Spent {
			s.conclude()
		}
		s.waitFor(wait)
		return rank, false
	}
	return turns.Rank{Begun: true, First: s.turn.site.Rank.First, Expected: s.turn.site.Rank.Expected}, ctx.Err() == nil
}

// waitFor notes that no request to the site is allowed for a while.
func (s *site) waitFor(wait *fetch.Error) {
	s.inbox.Do(func() { s.now.wait = Wait{wait.Until, wait.Reason} })
	s.worker.o.Report(Report{Site: s.name, Wait: wait})
}

// hasEnded reports whether a pair is of another rule than the pairs before, so that other sites may come
// first. Only the owner calls it.
func (s *site) hasEnded(pair *lifecycle.Look) bool {
	if pair.Purpose != lifecycle.Trial && pair.Purpose != lifecycle.Proof {
		return false
	}
	ended := s.onTrial != "" && pair.Rule != s.onTrial
	if s.onTrial = pair.Rule; ended {
		s.onTrial = ""
	}
	return ended
}

// rank returns the rank of the site, with these candidates, or with the present candidates if nil. Only the owner
// calls it.
func (s *site) rank(candidates []rule.Candidate, begun bool) turns.Rank {
	return turns.Rank{Begun: begun, First: s.machine.Published().Sequence == 0, Expected: s.machine.Answers.Expected(candidates, time.Now().Unix())}
}

// load returns the current window of the site and its candidates, or nil if the site has a window which is not too old.
// False: nobody has a window of the site.
func (s *site) load(ctx context.Context) (window *forms.Window, candidates []rule.Candidate, ok bool) {
	w, had, needs := s.worker, s.view.Load() > 0, false
	s.inbox.Do(func() { needs = !had || s.stale || time.Since(s.loaded) >= w.o.Refresh })
	if !needs || w.windows == nil {
		return nil, nil, had
	}
	m, candidates := w.windows(ctx, s.name)
	if m == nil {
		return nil, nil, had
	}
	return forms.WindowOf(m), candidates, true
}

// The memory of a view: see TestMemoryOfSites.
const (
	viewSite = 16 << 10
	viewURL  = 400 // beside the text
)

// bytesOf estimates the memory of a view of a window.
func bytesOf(w *forms.Window) (n int64) {
	for i := range w.Pages {
		n += viewURL + 2*int64(len(w.Pages[i].URL))
	}
	return n + viewSite
}

// unload drops the window, what was derived from it, and visits of its pages.
func (s *site) unload() {
	s.inbox.Do(func() {
		if s.view.Load() == 0 { // else it was loaded again
			s.machine.Unload()
			s.machine.Pack()
			s.visits, s.windowBytes = visits{}, 0
		}
	})
}

// pack saves memory while other sites come first. A site whose trial goes on, and which has a view, is not packed: to unpack
// 100 pairs takes a millisecond.
func (s *site) pack() {
	s.inbox.Do(func() {
		s.machine.Pack()
		s.sizeView()
	})
}

// sizeView notes the memory of the view, if there is one. Only the owner calls it.
func (s *site) sizeView() {
	if s.windowBytes > 0 {
		s.view.Store(s.windowBytes + s.visits.bytes + s.machine.Bytes())
	}
}

// enter gives the machine a new window, if there is one.
func (s *site) enter(window *forms.Window, candidates []rule.Candidate) {
	if window == nil {
		return
	}
	s.inbox.Do(func() {
		s.now.given, s.loaded, s.stale = time.Now(), time.Now(), false
		s.machine.Load(window, candidates)
		s.windowBytes = bytesOf(window)
		s.sizeView()
	})
}

// next asks the machine for a pair. Only the owner calls it.
func (s *site) next() (lifecycle.Look, bool) {
	pair, ok := s.choose(time.Now().Unix())
	s.tellRejudged()
	held := s.heldNow()
	news := held != nil && (s.now.held == nil || held.Mark != s.now.held.Mark)
	s.now.held = held
	s.tellStatus()
	s.sizeView()
	if p := s.now.status.Private; p.URLs > 0 {
		if now := (few{p.Alone, p.Single, p.Nobody}); !s.reported || now != s.few {
			s.reported, s.few = true, now
			s.worker.o.Report(Report{Site: s.name, Private: &p})
		}
	}
	if news {
		s.worker.o.Report(Report{Site: s.name, Pending: held})
	}
	return pair, ok
}

// few says in which ways the clients of a log are too few.
type few struct{ alone, single, nobody bool }

// heldNow returns the pending update, or nil. Only the owner calls it.
func (s *site) heldNow() *lifecycle.PendingUpdate {
	if u, held := s.machine.Operator.PendingUpdate(); held {
		return &u
	}
	return nil
}

// tellRejudged reports the outcomes that were judged anew. Only the owner calls it.
func (s *site) tellRejudged() {
	for _, r := range s.machine.Dialogue.Rejudged() {
		s.worker.o.Report(Report{Site: s.name, Rejudged: &r})
	}
}

// judge fetches a pair and tells the machine the outcome. If no request is allowed before
// some time, it returns the reason, and the pair comes again.
func (s *site) judge(ctx context.Context, pair lifecycle.Look, pass *fetch.Pass) (wait *fetch.Error) {
	var may func(from, to string) bool
	s.inbox.Do(func() { may = s.machine.Dialogue.MayLead() })
	p, seen, self := s.look(ctx, pair, fetch.Request{Site: s.name, Purpose: pair.Purpose.String(), MayLead: may, Pass: pass})
	if wait := postponed(p.uErr, p.vErr); wait != nil {
		s.release(pair)
		return wait
	}
	var judged trial.Judgement
	s.inbox.Do(func() {
		judged = s.machine.Dialogue.Outcome(pair, seen, self, time.Now().Unix())
		if pair.Purpose == lifecycle.Report {
			s.measured.note(pair.Asked(), p.u, p.uErr)
			s.measured.note(pair.V, p.v, p.vErr)
		}
	})
	told := judgedOf(pair, judged, &p)
	if pair.Purpose != lifecycle.Control {
		s.worker.o.Evidence.look(s.name, s.open(pair.Asked(), pair.V, &p, told))
	}
	s.worker.o.Report(Report{Site: s.name, Judged: told})
	return nil
}

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
	return v
}

func isPage(v *Visited) bool { return v.Failed == "" && v.Status/100 == 2 }

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

// visit is the result of fetching a page twice.
type visit struct {
	self  float64 // how much the page resembled itself
	words sketch.Visits
	at    time.Time
}

func (v *visit) bytes() int64 { return visitBytes + 4*int64(len(v.words.First)+len(v.words.Last)) }

// Limits of the memory of pages fetched twice. The later document is in the cache, and need
// not be fetched a third time.
const (
	mostVisits = 1024
	visitTerm  = time.Hour
	visitBytes = 300 // beside the words
)

// visits are the pages of a site that were fetched twice lately.
type visits struct {
	of    *lru.LRU[string, visit] // nil: none
	bytes int64
}

// add adds a visit of a page.
func (k *visits) add(target string, v visit) {
	if k.of == nil {
		k.of = newLRU[string, visit](mostVisits, nil)
	}
	if old, known := k.of.Peek(target); known {
		k.bytes -= old.bytes()
	} else if k.of.Len() == mostVisits {
		_, oldest, _ := k.of.GetOldest()
		k.bytes -= oldest.bytes()
	}
	k.of.Add(target, v)
	k.bytes += v.bytes()
}

// get returns the last two visits of a page.
func (k *visits) get(target string) (v visit, known bool) {
	if k.of != nil {
		v, known = k.of.Get(target)
	}
	return v, known
}

// twice returns a page as of now, and how much it resembles its last visit; 1 if unknown. A
// visit from before a time does not count.
func (s *site) twice(ctx context.Context, q fetch.Request, since int64) (d fetch.Document, self float64, err error) {
	f, target := s.worker.o.Fetcher, q.Target
	before, err := f.Get(ctx, q)
	if err != nil {
		return before, 1, err
	}
	var v visit
	known := false
	s.inbox.Do(func() { v, known = s.visits.get(target) })
	if known && time.Since(v.at) < visitTerm && v.at.Unix() >= since {
		return before, v.self, nil
	}
	q.Fresh = true
	if d, err = f.Get(ctx, q); err != nil {
		return d, 1, err
	}
	v = visit{alike(before, d), wordsOf(before, d), time.Now()}
	s.inbox.Do(func() { s.visits.add(target, v) })
	return d, v.self, nil
}

// fetched is a pair of documents.
type fetched struct {
	u, v       fetch.Document
	uErr, vErr error
}

// get fetches a document: see Fetcher.
type get func(ctx context.Context, q fetch.Request) (fetch.Document, error)

// fetch gets a pair by requests like q.
func (s *site) fetch(ctx context.Context, pair lifecycle.Look, q fetch.Request, getU, getV get) (p fetched) {
	q.Target = pair.Asked()
	if p.u, p.uErr = getU(ctx, q); p.uErr != nil {
		return p
	}
	if pair.Ask != "" && (p.u.Redirected || p.u.Status/100 != 2) { // the pair proves nothing
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

// measure returns what a pair of documents shows.
func (s *site) measure(pair lifecycle.Look, p fetched) (seen trial.Seen) {
	s.inbox.Do(func() {
		seen = s.machine.Dialogue.Measure(pair, document(p.u, p.uErr), document(p.v, p.vErr), func() trial.Compared {
			c := compare(p.u, p.v)
			c.Lasting = s.lasting(pair.Asked(), pair.V)
			return c
		})
	})
	return seen
}

// lasting compares what lasts of two pages fetched twice, one of which never stands still; nil if the pages are not known
// to be such.
func (s *site) lasting(u, v string) *trial.Lasting {
	ofU, knownU := s.visits.get(u)
	ofV, knownV := s.visits.get(v)
	if !knownU || !knownV || min(ofU.self, ofV.self) >= trial.MovesBelow {
		return nil
	}
	alike, lackU, lackV, ok := sketch.Lasting(ofU.words, ofV.words)
	if !ok {
		return nil
	}
	return trial.NewLasting(alike, lackU, lackV)
}

func (s *site) release(pair lifecycle.Look) { s.inbox.Do(func() { s.machine.Dialogue.Release(pair) }) }

// pause is the wait if the end of a ban on requests is unknown; forever is the wait when
// all requests are made.
const (
	pause   = time.Minute
	forever = 100 * 365 * 24 * time.Hour
)

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

// document returns the result of a fetch in the form used by trials.
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
	case fetch.Action, fetch.Pattern, fetch.Secret, fetch.Unasked:
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
