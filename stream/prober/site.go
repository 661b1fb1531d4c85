package prober

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/turns"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// site is one site's machine and the state around the machine.
type site struct {
	name   string
	worker *Worker

	mu       lock // the machine; not held while documents are fetched
	machine  *lifecycle.Machine
	reported bool // the URLs never requested have been reported
	few      few  // what that report said of clients

	measured measured // pages fetched for reports; under mu

	visits     *lru.LRU[string, visit] // pages fetched twice lately, dropped with the view; used only by the goroutine; nil: none
	visitBytes int64                   // of visits
	approved   atomic.Bool             // an operator has said that the site is ours
	asksWhose  atomic.Bool             // it was reported that rules wait for that
	queued     atomic.Bool             // the site waits for its turn, and none of its trials is under way
	told       lifecycle.Why           // the reason reported last; used only by the goroutine
	onTrial    string                  // the rule; used only by the goroutine

	viewBytes   atomic.Int64 // of the view in memory, of visits, and of the machine's memory of pairs; 0: there is no view
	windowBytes int64        // of the view alone; under mu

	slots    sync.Mutex               // guards the fields below; taken after mu, if both
	given    time.Time                // of the last window or candidates
	loaded   time.Time                // of the last window
	stale    bool                     // candidates were given since
	decided  bool                     // an operator decided something, which the site does not obey yet
	busy     bool                     // the site waits for a turn, or has one
	named    bool                     // a reported pair waits for the next window
	heard    Reports                  // since the start
	wait     Wait                     // the last
	held     *lifecycle.PendingUpdate // nil: nothing is held
	status   *lifecycle.Status        // as of the last request for a pair; nil: there was none
	acts     []book.Act               // not yet drained
	evidence []checkpoint.Evidence    // of their verdicts
	owes     bool                     // the site is busy and has valid rules not yet published
	rested   bool                     // the site stopped in favor of other sites
	figure   figure                   // what the log says about the site, as of the last look
	origin   *origin                  // what the origin showed; nil: it was not asked

	turn     turns.Site // this and the fields below are under the lock of Turns
	waits    bool       // in the queue
	inTurn   bool
	deriving bool // in its turn, without a view yet
}

// locked calls a function that uses the fields under slots.
func (s *site) locked(use func()) {
	s.slots.Lock()
	defer s.slots.Unlock()
	use()
}

// take is the site's turn: one pair is fetched. goesOn reports whether the site should have another, with
// the rank.
func (s *site) take(ctx context.Context) (rank turns.Rank, goesOn bool) {
	window, candidates, ok := s.load(ctx)
	if !ok {
		return rank, false
	}
	s.enter(window, candidates)
	mine, wait := s.isOurs(ctx)
	if !mine {
		if wait != nil {
			s.waitFor(wait)
		}
		return rank, false
	}
	pair, ok := s.next()
	s.worker.o.Turns.derived(s)
	if !ok {
		s.onTrial = ""
		s.tellIdle()
		return rank, false
	}
	s.told = lifecycle.Trying
	if s.hasEnded(&pair) {
		s.release(pair)
		rank, _ = s.rank(nil, false)
		return rank, true
	}
	if wait := s.judge(ctx, pair); wait != nil && ctx.Err() == nil {
		if wait.Reason == fetch.Spent {
			s.conclude()
		}
		s.waitFor(wait)
		return rank, false
	}
	return turns.Rank{Begun: true, First: s.turn.Rank.First, Expected: s.turn.Rank.Expected}, ctx.Err() == nil
}

// waitFor notes that no request to the site is allowed for a while.
func (s *site) waitFor(wait *fetch.Error) {
	s.locked(func() { s.wait = Wait{wait.Until, wait.Reason} })
	s.worker.o.Report(Report{Site: s.name, Wait: wait})
}

// hasEnded reports whether a pair is of another rule than the pairs before, so that other sites may come
// first.
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

// rank returns the rank of the site, with these candidates, or with the present candidates if nil. The gain is
// not known while the machine of the site computes.
func (s *site) rank(candidates []rule.Candidate, begun bool) (r turns.Rank, known bool) {
	if !s.mu.TryLock() {
		return turns.Rank{Begun: begun}, false
	}
	defer s.mu.Unlock()
	return turns.Rank{Begun: begun, First: s.machine.Published().Sequence == 0, Expected: s.machine.Expected(candidates, time.Now().Unix())}, true
}

// load returns the current window of the site and its candidates, or nil if the site has a window which is not too old.
// False: nobody has a window of the site.
func (s *site) load(ctx context.Context) (window *forms.Window, candidates []rule.Candidate, ok bool) {
	w, had := s.worker, s.viewBytes.Load() > 0
	needs := false
	s.locked(func() { needs = !had || s.stale || time.Since(s.loaded) >= w.o.Refresh })
	if !needs || w.windows == nil {
		return nil, nil, had
	}
	m, candidates := w.windows(ctx, s.name)
	if m == nil {
		return nil, nil, had
	}
	s.locked(func() { s.given, s.loaded, s.stale = time.Now(), time.Now(), false })
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewBytes.Load() == 0 { // else it was loaded again
		s.machine.Unload()
		s.machine.Pack()
		s.visits, s.visitBytes, s.windowBytes = nil, 0, 0
	}
}

// pack saves memory while other sites come first. A site whose trial goes on, and which has a view, is not packed: to unpack
// 100 pairs takes a millisecond.
func (s *site) pack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.machine.Pack()
	s.sizeView()
}

// sizeView notes the memory of the view, if there is one. The caller holds mu.
func (s *site) sizeView() {
	if s.windowBytes > 0 {
		s.viewBytes.Store(s.windowBytes + s.visitBytes + s.machine.Bytes())
	}
}

// enter gives the machine a new window, if there is one.
func (s *site) enter(window *forms.Window, candidates []rule.Candidate) {
	if window == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.machine.Load(window, candidates)
	s.windowBytes = bytesOf(window)
	s.sizeView()
}

// next asks the machine for a pair.
func (s *site) next() (lifecycle.Look, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pair, ok := s.ask(time.Now().Unix())
	s.tellRejudged()
	s.collect()
	held := s.heldNow()
	status := s.machine.Status()
	s.sizeView()
	s.slots.Lock()
	news := held != nil && (s.held == nil || held.Mark != s.held.Mark)
	s.held, s.status = held, &status
	s.slots.Unlock()
	if p := status.Private; p.URLs > 0 {
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

// heldNow returns the pending update, or nil. The caller holds mu.
func (s *site) heldNow() *lifecycle.PendingUpdate {
	if u, held := s.machine.PendingUpdate(); held {
		return &u
	}
	return nil
}

// tellRejudged reports the outcomes that were judged anew. The caller holds mu.
func (s *site) tellRejudged() {
	for _, r := range s.machine.Rejudged() {
		s.worker.o.Report(Report{Site: s.name, Rejudged: &r})
	}
}

// judge fetches a pair and tells the machine the outcome. If no request is allowed before
// some time, it returns the reason, and the pair comes again.
func (s *site) judge(ctx context.Context, pair lifecycle.Look) (wait *fetch.Error) {
	s.mu.Lock()
	may := s.machine.MayLead()
	s.mu.Unlock()
	ctx = fetch.Leading(fetch.For(ctx, pair.Purpose.String()), may)
	p, seen, self := s.look(ctx, pair)
	if wait := postponed(p.uErr, p.vErr); wait != nil {
		s.release(pair)
		return wait
	}
	s.mu.Lock()
	judged := s.machine.Outcome(pair, seen, self, time.Now().Unix())
	if pair.Purpose == lifecycle.Report {
		s.measured.note(pair.Asked(), p.u, p.uErr)
		s.measured.note(pair.V, p.v, p.vErr)
	}
	s.mu.Unlock()
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

// look fetches a pair and returns the comparison. For a second look, self is how much the
// pages resembled themselves.
func (s *site) look(ctx context.Context, pair lifecycle.Look) (p fetched, seen trial.Seen, self float64) {
	if pair.Second {
		return s.lookAgain(ctx, pair)
	}
	get := s.getSince(pair.Since)
	if pair.Fresh {
		get = s.worker.o.Fetcher.Again
	}
	p = s.fetch(ctx, pair, get, get)
	return p, s.seen(pair, p), 1
}

// getSince returns a function that gets documents which servers sent or confirmed at a time or later.
// With time 0, any document will do.
func (s *site) getSince(since int64) get {
	return func(ctx context.Context, site, target string) (fetch.Document, error) {
		d, err := s.worker.o.Fetcher.Get(ctx, site, target)
		if err == nil && since > 0 && d.At.Unix() < since {
			return s.worker.o.Fetcher.Again(ctx, site, target)
		}
		return d, err
	}
}

// lookAgain fetches the pages of a negative anew. The documents of the first look are
// in the cache, or are fetched as well.
func (s *site) lookAgain(ctx context.Context, pair lifecycle.Look) (p fetched, seen trial.Seen, self float64) {
	self = 1
	getV := func(ctx context.Context, _, target string) (fetch.Document, error) {
		d, resemblance, err := s.twice(ctx, target, pair.Since)
		self = min(self, resemblance)
		return d, err
	}
	getU := getV
	if pair.OnlyV {
		getU = s.getSince(pair.Since)
	}
	p = s.fetch(ctx, pair, getU, getV)
	return p, s.seen(pair, p), self
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

// twice returns a page as of now, and how much it resembles its last visit; 1 if unknown. A
// visit from before a time does not count.
func (s *site) twice(ctx context.Context, target string, since int64) (d fetch.Document, self float64, err error) {
	f := s.worker.o.Fetcher
	before, err := f.Get(ctx, s.name, target)
	if err != nil {
		return before, 1, err
	}
	if v, known := s.visited(target); known && time.Since(v.at) < visitTerm && v.at.Unix() >= since {
		return before, v.self, nil
	}
	if d, err = f.Again(ctx, s.name, target); err != nil {
		return d, 1, err
	}
	self = alike(before, d)
	if s.visits == nil {
		s.visits = newLRU(mostVisits, func(_ string, v visit) { s.visitBytes -= v.bytes() })
	}
	v := visit{self, wordsOf(before, d), time.Now()}
	s.visits.Remove(target)
	s.visits.Add(target, v)
	s.visitBytes += v.bytes()
	return d, self, nil
}

// visited returns the last two visits of a page.
func (s *site) visited(target string) (v visit, known bool) {
	if s.visits != nil {
		v, known = s.visits.Get(target)
	}
	return v, known
}

// fetched is a pair of documents.
type fetched struct {
	u, v       fetch.Document
	uErr, vErr error
}

// get fetches a document: see Fetcher.
type get func(ctx context.Context, site, target string) (fetch.Document, error)

func (s *site) fetch(ctx context.Context, pair lifecycle.Look, getU, getV get) (p fetched) {
	if p.u, p.uErr = getU(ctx, s.name, pair.Asked()); p.uErr != nil {
		return p
	}
	if pair.Ask != "" && (p.u.Redirected || p.u.Status/100 != 2) { // the pair proves nothing
		return p
	}
	if pair.U == pair.V {
		p.v = p.u
		return p
	}
	p.v, p.vErr = getV(ctx, s.name, pair.V)
	return p
}

func (s *site) seen(pair lifecycle.Look, p fetched) trial.Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.Measure(pair, document(p.u, p.uErr), document(p.v, p.vErr), func() trial.Compared {
		c := compare(p.u, p.v)
		c.Lasting = s.lasting(pair.Asked(), pair.V)
		return c
	})
}

// lasting compares what lasts of two pages fetched twice, one of which never stands still; nil if the pages are not known
// to be such.
func (s *site) lasting(u, v string) *trial.Lasting {
	ofU, knownU := s.visited(u)
	ofV, knownV := s.visited(v)
	if !knownU || !knownV || min(ofU.self, ofV.self) >= trial.MovesBelow {
		return nil
	}
	alike, lackU, lackV, ok := sketch.Lasting(ofU.words, ofV.words)
	if !ok {
		return nil
	}
	return trial.NewLasting(alike, lackU, lackV)
}

func (s *site) release(pair lifecycle.Look) {
	s.mu.Lock()
	s.machine.Release(pair)
	s.mu.Unlock()
}

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
