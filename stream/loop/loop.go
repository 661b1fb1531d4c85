package loop

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
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

// New returns a loop with an empty state. The store keeps the whole state.
func New(o Options, store checkpoint.Store, list Publisher, news Emitter) *Loop {
	o.Miner.Table.Track = true
	l := assemble(o, list, news)
	l.save.to, l.save.beside = checkpoint.New(store, l.cuts, &tables{sites: l.sites}, l.acts, l.curves, &l.forgot), true
	return l
}

// NewDerived returns a loop with an empty state, whose tables are made of the source again at
// each start. The store keeps the acts alone, and nobody reads lists.
func NewDerived(o Options, store checkpoint.Store, news Emitter) *Loop {
	l := assemble(o, nil, news)
	l.save.to = checkpoint.New(store, l.cuts, l.acts, l.curves)
	return l
}

// assemble returns a loop without a checkpointer.
func assemble(o Options, list Publisher, news Emitter) *Loop {
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	if o.Folded == nil {
		o.Folded = func(uint64, int64) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jobs == nil {
		o.Jobs = job.NewQueue()
	}
	o.Miner.Slices = true
	l := &Loop{o: o, sites: miner.NewSites(o.MaxSites, o.Miner), known: map[*miner.Machine]*site.Site{}, jobs: o.Jobs.NewHost(),
		acts: &untried{}, curves: newCurves(), asked: make(chan asked), lists: lists{shown: map[string]*book.Publication{}}}
	l.each = site.Options{Miner: &l.o.Miner, LookURLs: o.LookURLs, NoWithhold: o.NoWithhold}
	l.cuts = &windowCuts{sites: l.sites, cut: map[*miner.Machine]bool{}}
	if o.Validate != nil {
		l.trials = newTrials(o.Validate, l.markChange)
		o.Validate.TakeWindows(l.windowOf)
		l.acts = l.trials
	}
	l.events = announcer{to: news, ended: func(doing string, err error) { l.ended(EmitFailed, doing, err) }}
	l.out = lister{to: list, ended: func(doing string, err error) { l.ended(PublishFailed, doing, err) }}
	l.status.Started = time.Now()
	l.share()
	return l
}

// SetPace changes the pace of the next Run.
func (l *Loop) SetPace(p Pace) { l.o.Pace = p }

// Positions returns the positions of a source after a run, to open another source with.
func (l *Loop) Positions(source Source) ([]byte, error) { return source.Positions(l.in.ends) }

// Run reads until the source or ctx ends. Then Run refines and saves once more. The error
// is the source's, or the last checkpoint's. The loop may then be run with another source,
// which begins where the last source ended.
func (l *Loop) Run(ctx context.Context, source Source) error {
	l.in, l.status.CaughtUp = reading{ends: map[uint64]int64{}}, false
	defer l.turned.Store(0)
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	in := records.Pump(reading, source)
	l.looks.on = l.o.Learn > 0
	err := l.turn(ctx, source, in)
	l.endLooks(ctx)
	if s, ok := source.(Stopper); ok {
		s.Stop()
		defer time.AfterFunc(l.o.FlushTimeout, stop).Stop()
	} else {
		stop()
	}
	for next := range in { // batches already read are folded; the pump ends when the source or ctx has ended
		if next.Batch != nil {
			l.fold(next.Batch)
		}
	}
	return errors.Join(err, l.finish(source))
}

// turn is the loop.
func (l *Loop) turn(ctx context.Context, source Source, in <-chan records.Pumped) error {
	refine, checkpoint := time.NewTicker(l.o.Refine), time.NewTicker(l.o.Checkpoint)
	defer refine.Stop()
	defer checkpoint.Stop()
	rest := time.NewTicker(restAfter)
	defer rest.Stop()
	for {
		l.turned.Store(time.Now().Unix())
		select {
		case next, ok := <-in:
			switch {
			case !ok:
				return nil
			case next.Batch != nil:
				l.fold(next.Batch)
				l.emitPairs(ctx)
			case records.AboutOneFile(next.Err):
				l.status.Errors[ReadFailed]++
				l.o.Failed("read logs", next.Err)
			default:
				return next.Err
			}
		case <-refine.C:
			if l.beginRefinement(ctx); !l.refining.active {
				l.beginLooks()
			}
			l.report()
		case do := <-l.jobs.Inbox():
			do(ctx)
		case <-l.more():
			l.doMore(ctx)
		case a := <-l.asked:
			l.give(a)
		case <-rest.C:
			l.resting = slices.Collect(l.sites.Held())
		case <-checkpoint.C:
			l.beginSave(ctx, source)
		case <-ctx.Done():
			return nil
		}
		l.catchUp(source)
		l.goOn(ctx)
		l.shareFailing()
	}
}

// finish refines and saves at the end.
func (l *Loop) finish(source Source) error {
	ctx, cancel := context.WithTimeout(context.Background(), l.o.FlushTimeout)
	defer cancel()
	l.jobs.Wait(ctx, job.Save)
	l.in.ending = true
	l.refine(ctx)
	return l.saveNow(ctx, source)
}

// Sites yields the machine of each site with its rules at its last refinement, in the order
// of their names, when Run has ended.
func (l *Loop) Sites(yield func(*miner.Machine, []rule.Likely)) {
	for m := range l.sites.All() {
		yield(m, l.of(m).List())
	}
}

// ClockSkew returns how far a line may be ahead of the clock: an hour, and at most an eighth of the
// window, since a line from a wrong clock moves the window on by as much. A window of 0 has no end.
func ClockSkew(window time.Duration) time.Duration {
	if window <= 0 {
		return time.Hour
	}
	return min(time.Hour, window/8)
}

// fold takes in a batch.
func (l *Loop) fold(b *records.Batch) {
	l.status.Counts.Add(&b.Counts)
	l.budget()
	for _, site := range b.Silent {
		l.unload(site)
	}
	l.forgot.note(b.Forgotten)
	latest := int64(0)
	if l.o.MaxClockSkew > 0 {
		latest = l.o.Now().Add(l.o.MaxClockSkew).Unix()
	}
	for i := range b.Records {
		r := &b.Records[i]
		if latest > 0 && r.Time > latest {
			l.status.Ahead++
			continue
		}
		l.foldOne(r.Site, &r.Observation)
	}
	l.noteCuts()
	if b.End > 0 { // else a line goes on in the next batch
		l.in.ends[b.File] = b.End
		l.o.Folded(b.File, b.End)
	}
	l.in.folded += b.Bytes
	l.save.due = true
	b.Release()
}

func (l *Loop) foldOne(name string, o *evidence.Observation) {
	m, outcome := l.sites.Fold(name, o)
	switch outcome {
	case table.Late:
		l.status.Late++
	case table.Shed, table.KeptInstead: // the other URL had at least one hit
		l.status.Shed++
	}
	s := l.of(m)
	s.Took(outcome)
	if n := m.Unsettled(); n > 0 {
		if l.changed.add(s); n > lagBefore {
			l.lagging.add(s)
		}
	}
	for _, m := range l.sites.Pruned() {
		l.drop(m)
	}
}

// of returns the site of a window.
func (l *Loop) of(m *miner.Machine) *site.Site {
	s := l.known[m]
	if s == nil {
		s = site.New(m, &l.each)
		l.known[m] = s
	}
	return s
}

// unload drops a site's table without an event. Readers keep the site's rules.
func (l *Loop) unload(name string) {
	if m := l.sites.Remove(name); m != nil {
		l.drop(m)
	}
}
