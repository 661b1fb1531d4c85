package prober

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/ours"
	"dustbuster/stream/checkpoint"
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
	watched     time.Time     // when the newest sizes were last compared with the published rules, between two windows
	watching    time.Duration // what that took
	windowBytes int64         // of the window, and of what is derived from it
	visits      visits        // pages fetched twice lately, dropped with the view
	measured    measured      // pages fetched for reports
	onTrial     string        // the rule
	later       int64         // no turn before, in Unix seconds; 0: at once
	told        lifecycle.Why // the reason reported last
	reported    bool          // the URLs never requested have been reported
	few         few           // what that report said of clients
}

// few says in which ways the clients of a log are too few.
type few struct{ alone, single, nobody bool }

// Worker tries the rules of all sites. Any goroutine may call its methods, but Restore only
// before the first Offer.
type Worker struct {
	o    Options
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	windows Windows                              // may be nil
	machine func(site string) *lifecycle.Machine // makes one

	ours      atomic.Pointer[ours.Sites]
	finishing atomic.Bool  // no more rules are tried
	owing     atomic.Int64 // busy sites that owe a publication
	out       outbox

	restored int // pairs, before the first Offer

	mu        sync.Mutex
	sites     map[string]*site
	strangers map[string]bool // sites of which it was reported that their rules wait
	main      *string         // the site that nearly all lines name; nil: none
}

// Turns give the sites of all workers of a process their turns: see package turns. A turn is given when
// the Fetcher may make a request. Any goroutine may use Turns.
type Turns struct {
	fetcher Fetcher
	o       TurnsOptions

	mu     sync.Mutex
	queue  turns.Queue
	timer  *time.Timer           // of the next start
	loaded *lru.LRU[*site, view] // sites with views, by their last turns
	used   int64                 // bytes of all views
	begun  int                   // sites with a trial under way, or in their turn

	deriving int // sites in their turn whose views are not in memory yet
}

// turn is what Turns knows of a site.
type turn struct {
	site     turns.Site
	waits    bool // in the queue
	later    bool // it waits although its hosts may be asked
	now      bool // it has its turn
	deriving bool // in its turn, without a view yet
}

// view is what is known of a view in memory.
type view struct {
	bytes int64
	at    time.Time // of the last turn
}

// TurnsOptions are what limits the trials of a process, beside its Fetcher.
type TurnsOptions struct {
	Views       int64         // bytes of the views in memory, of one site at least; 0: there is no bound
	Rate        float64       // requests a second, for the status; 0: no limit
	OriginDelay time.Duration // between two requests to an origin, for the status
}

// snapshot is what others see of a site without asking it. The owner has one that changes. Others have a copy that
// never does, and that is replaced whenever the owner leaves.
type snapshot struct {
	given    time.Time // of the last window or candidates
	decided  bool      // an operator decided something, which the site does not obey yet
	named    bool      // a reported pair waits for the next window
	owes     bool      // the site has valid rules not yet published, and a turn
	rested   bool      // the site stopped in favor of other sites
	approved bool      // an operator has said that the site is ours
	wait     Wait      // the last
	origin   origin    // what the origin showed when it was asked
	heard    Reports   // since the start

	held      *lifecycle.PendingUpdate // nil: nothing is held
	status    *lifecycle.Status        // as of the last request for a pair; nil: there was none
	published *book.Publication        // nil: there was none
}

// figure is what the log says about a site: see ours.Figure.
type figure struct {
	count, rules int32
	clients      uint16
}

// origin is what the origin showed when it was asked whether it tells a site's host apart.
type origin struct {
	at    time.Time // zero: it was not asked
	apart bool
	told  string
}

// Reports counts the reports of one site since the start.
type Reports struct {
	Different int    `json:"different"`       // the crawler saw different pages
	Alike     int    `json:"alike"`           // the crawler saw equal pages: nothing is tried
	Refused   int    `json:"refused"`         // too many waited
	Lately    int    `json:"compared_lately"` // the pair was compared within the hour
	Apart     int    `json:"not_joined"`      // no rule joins the URLs
	Unasked   int    `json:"not_asked_for"`   // a URL is neither in the log nor public
	Rules     string `json:"rules,omitempty"` // version of the rules named by the last report
}

// count counts a report by what becomes of it.
func (n *Reports) count(answer report.Answer, err error) {
	switch {
	case err != nil:
		n.Refused++
	case answer == report.Taken:
		n.Different++
	case answer == report.Alike:
		n.Alike++
	case answer == report.Lately:
		n.Lately++
	case answer == report.Apart:
		n.Apart++
	case answer == report.Unasked:
		n.Unasked++
	}
}

// Wait is a time without requests.
type Wait struct {
	Until  time.Time
	Reason fetch.Reason
}

// Windows returns a miner with the current window of a site, which nothing else uses, and the candidates; nil: there is
// none. It may wait until ctx ends.
type Windows func(ctx context.Context, site string) (*miner.Machine, []rule.Candidate)

// newLRU returns a map of at most size entries, those used last.
func newLRU[K comparable, V any](size int, evicted func(K, V)) *lru.LRU[K, V] {
	m, err := lru.NewLRU(size, evicted)
	if err != nil {
		panic(err) // size is positive
	}
	return m
}

// waits says why nothing is tried while no request to a site is allowed.
var waits = map[fetch.Reason]lifecycle.Why{
	fetch.Budget: lifecycle.Budget, fetch.Spent: lifecycle.Spent, fetch.Held: lifecycle.Rests, fetch.Resting: lifecycle.Rests,
	fetch.Closed: lifecycle.Robots, fetch.Full: lifecycle.Hosts, fetch.Barred: lifecycle.Moved, fetch.Cancelled: lifecycle.Ended,
}

// ErrNoSite is the error of a site without rules.
var ErrNoSite = report.ErrNoSite

// known returns what the log says about the site.
func (s *site) known() (f figure) {
	if last := s.figure.Load(); last != nil {
		f = *last
	}
	return f
}

// seen returns what others see of the site.
func (s *site) seen() *snapshot {
	if shown := s.shown.Load(); shown != nil {
		return shown
	}
	return &unseen
}

// unseen is what others see of a site that nobody has owned. It is never changed.
var unseen snapshot

// collect moves the acts of the machine to the outbox. Only the owner calls it.
func (s *site) collect() {
	acts := s.machine.Acts()
	var evidence []checkpoint.Evidence
	for i := range acts {
		if e := acts[i].Rule; e != nil {
			evidence = append(evidence, s.settle(e)...)
		}
	}
	s.worker.out.add(s.name, acts, evidence)
}

// show shows others what the owner has done: the acts to the next checkpoint, and the rest to everybody.
func (s *site) show() {
	s.collect()
	if p := s.machine.Published(); p.Sequence > 0 && (s.now.published == nil || s.now.published.Sequence != p.Sequence) {
		published := p // p stays on the stack
		s.now.published = &published
	}
	if s.now != *s.seen() {
		now := s.now
		s.shown.Store(&now)
	}
}

// ask asks a site that may be computing. The error is report.ErrBusy: do was not called, and will not be.
func (s *site) ask(ctx context.Context, do func()) error {
	if s.inbox.Ask(ctx, answerWait, do) {
		return nil
	}
	return report.ErrBusy
}

// answerWait is the longest wait for a site that computes. It computes for a second at most on most sites.
const answerWait = 2 * time.Second

// settle keeps the pairs of a verdict, and returns what is to be saved of them.
func (s *site) settle(e *book.Entry) []checkpoint.Evidence {
	veiled := *e
	s.worker.o.Lifecycle.VeilExamples(&veiled.Verdict)
	return s.worker.o.Evidence.settle(s.name, &veiled)
}
