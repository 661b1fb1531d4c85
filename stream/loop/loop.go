package loop

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/job"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

// Options configure the loop: limits, intervals, and rules to withhold.
type Options struct {
	Miner    miner.Options
	MaxSites int
	Memory   *Memory    // of all loops of the process; nil: there is no bound
	LookURLs int        // of a larger window, learners look at a sample of so many URLs; 0: at any window
	Jobs     *job.Queue // of all loops of the process; nil: the loop's own
	Pace
	MaxClockSkew time.Duration // a line with a time further ahead of the clock is refused; 0: no line is
	NoWithhold   bool          // emit also rules that look like secrets, or that come from a single client

	Validate *prober.Worker // tries the rules; the published list then holds the valid rules. nil: rules are not tried, and the list holds the likely rules

	Shed   func(Shed)                       // called at most once an hour with the counts of URLs shed for want of memory; may be nil
	Hidden func(w site.Withheld, sites int) // called at most once an hour with the likely rules withheld, of so many sites; may be nil
	Late   func([]Late)                     // called at most once an hour with the sites most of whose newest hits are late; may be nil
	Live   func()                           // called when the lines that were there at the start are read and told; may be nil
	Folded func(file uint64, end int64)     // called as a file is folded, with the number of bytes folded; may be nil
	Failed func(doing string, err error)    // called with errors after which the loop goes on; may be nil
	Now    func() time.Time                 // the clock for MaxClockSkew; nil: time.Now
}

// Pace holds the intervals of the loop's work.
type Pace struct {
	Refine       time.Duration // at most this often phase 2 runs and the rule list is published
	Learn        time.Duration // at most this often learners look at the whole window of a site; 0: never
	Checkpoint   time.Duration // interval of checkpoints
	FlushTimeout time.Duration // this long the sinks may try when the loop ends
}

// Source is where records come from. Read may block, and ends with io.EOF if
// the source does.
type Source interface {
	Read(ctx context.Context) (*records.Batch, error)

	// CaughtUp reports whether the lines present at the start are among the first bytes
	// returned by Read. The argument is the number of bytes folded so far.
	CaughtUp(folded int64) bool

	// Positions encodes from where to go on, given how many bytes of each file have been
	// folded. nil: the store needs no positions.
	Positions(end map[uint64]int64) ([]byte, error)
}

// Stopper is a source that can stop reading. After Stop, Read returns the lines read ahead
// and then io.EOF. A source whose lines come only once must be a Stopper.
type Stopper interface{ Stop() }

// Loop is the host of all sites of a log, or of a partition. Run is its goroutine; State may be asked from any.
type Loop struct {
	o     Options
	sites *miner.Sites
	known map[*miner.Machine]*site.Site
	last  *site.Site // nearly always that of the next observation as well; may be nil
	each  site.Options
	jobs  *job.Host

	events announcer
	out    lister
	save   saving
	acts   acts
	curves *curves
	trials *trials // nil: rules are not tried
	cuts   *windowCuts

	in       reading
	refining refining
	looks    looks // at whole windows
	asks     asks
	asked    chan asked // windows for trials
	changed  line       // with pairs that may have crossed since their events
	lagging  line       // their learners are not up to date
	resting  []*miner.Machine
	lists    lists

	restored Restored
	forgot   forgotten
	told     told
	status   Status
	revision int64
	state    atomic.Pointer[State]
	turned   atomic.Int64 // time of the loop's last turn, Unix seconds; 0: the loop is not running
}

// reading says how far the source is read.
type reading struct {
	ends   map[uint64]int64 // by file, bytes folded
	folded int64            // bytes of all files
	live   bool             // caught up: events and rules are emitted
	ending bool             // the source has ended
}

// lists are the lists of rules of all sites, as readers get them.
type lists struct {
	rules  []rule.List                  // likely, of all sites with rules
	listed bool                         // the loop has once been live
	shown  map[string]*book.Publication // publications that agree with each other
	valid  jsonl.List                   // of all of these
}

// Memory is the budget shared by the loops of a process. A loop may use the part left by
// the other loops, and at least an equal part. Any goroutine may use a Memory.
type Memory struct {
	mu    sync.Mutex
	total int64
	used  map[*Loop]int64
}

// saving is the state of checkpoints.
type saving struct {
	to        *checkpoint.Checkpointer
	beside    bool // checkpoints are written by jobs
	due       bool // something has changed since the last checkpoint
	postponed bool // a checkpoint, to the next tick
}

// refining is a run of phase 2 over the sites that have changed, one after the other. The loop takes a
// view of a site, and goes on reading lines while a job refines the view.
type refining struct {
	active   bool // a run is under way
	snapshot bool // of all sites, before the loop is live
	lists    bool // some list may change
	due      line // sites whose views are not taken yet
	done     []*site.Site

	at      *site.Site         // is being refined, or its events are being emitted; nil: none is, or it is gone
	crossed map[rule.Rule]bool // its pairs that have become likely or faded since the view
	taken   *site.Refined      // its result; nil: there is none yet
	telling []rule.Likely      // likely rules that are not compared yet with those of readers
}

// forget drops a site.
func (k *refining) forget(s *site.Site) {
	k.due.remove(s)
	k.done = slices.DeleteFunc(k.done, func(d *site.Site) bool { return d == s })
	if k.at == s {
		k.at = nil
	}
}

// cross notes pairs that have crossed since the view.
func (k *refining) cross(pairs []rule.Likely) {
	for i := range pairs {
		k.crossed[pairs[i].Rule] = true
	}
}

// looks are the looks of learners at whole windows, one site after the other. A site is looked at again once
// its window has changed and Pace.Learn has passed.
type looks struct {
	on     bool
	due    line
	at     *site.Site   // its window is being looked at; nil: none is, or the site is gone
	giveUp *atomic.Bool // of the look under way
}

// forget drops a site.
func (k *looks) forget(s *site.Site) {
	k.due.remove(s)
	if k.at == s {
		k.at = nil
		k.giveUp.Store(true)
	}
}

// told is what was reported last.
type told struct {
	shed   Shed
	sheds  hourly
	hidden site.Withheld
	hides  hourly
	late   hourly
}

// hourly bounds how often something is reported.
type hourly struct{ last time.Time }

// take reports whether an hour has passed since the last report, which is now if so.
func (h *hourly) take() bool {
	if !h.last.IsZero() && time.Since(h.last) < time.Hour {
		return false
	}
	h.last = time.Now()
	return true
}

// asks are pairs that have become likely, and are told once several clients are known to have
// requested both sides.
type asks []*ask

type ask struct {
	m      *miner.Machine
	pairs  []rule.Likely
	search *miner.ClientSearch
	faded  map[rule.Rule]bool // since
}

// fade notes pairs that have faded.
func (a asks) fade(m *miner.Machine, faded []rule.Likely) {
	for _, one := range a {
		if one.m == m {
			for i := range faded {
				one.faded[faded[i].Rule] = true
			}
		}
	}
}

// forget drops a site.
func (a *asks) forget(m *miner.Machine) {
	*a = slices.DeleteFunc(*a, func(one *ask) bool { return one.m == m })
}

// asked is a site whose window is wanted: its turn in the trials has come, or its rules are exported.
type asked struct {
	site   string
	answer chan<- given // has room
}

// given is the content of a site's window, and its list of rules; nil: the site is gone.
type given struct {
	content *miner.Machine
	rules   []rule.Likely
}

// Late is a site most of whose newest hits are older than its window.
type Late struct {
	Site   string
	Hits   int       // of the newest 64, how many are late
	Newest time.Time // start of the newest pane
}

// Shed counts the URLs and hits left out for want of memory, since the start.
type Shed struct {
	URLs         int   // URLs removed from the windows, as the sites exceeded their shares of the memory
	Sites        int   // sites with windows cut for this reason
	Hits         int   // hits on URLs already left out, at least
	Beyond       int   // hits on sites beyond MaxSites
	Used, Budget int64 // bytes
}
