package loop

import (
	"context"
	"errors"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/job"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
)

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
	if o.Live == nil {
		o.Live = func() {}
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
		acts: &untried{}, curves: newCurves(), asked: make(chan asked), in: reading{ends: map[uint64]int64{}}, lists: lists{shown: map[string]*book.Publication{}}}
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
	l.endLooks(context.WithoutCancel(ctx)) // what comes home meanwhile is told as at other times
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

// more returns a channel that is ready if some work goes on in slices.
func (l *Loop) more() <-chan struct{} {
	if l.lagging.len()+len(l.asks)+len(l.resting) == 0 && l.refining.taken == nil {
		return nil
	}
	return ready
}

// ready is a channel from which the loop can always receive.
var ready = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// doMore does a slice of the work.
func (l *Loop) doMore(ctx context.Context) {
	if l.lagging.len() > 0 {
		if s := l.lagging.first(); s.Settle(slice) {
			l.lagging.remove(s)
			l.emitPairs(ctx)
		}
	}
	l.answer(ctx)
	if n := len(l.resting); n > 0 {
		l.resting[n-1].RestIfQuiet()
		l.resting = l.resting[:n-1]
	}
	if l.refining.taken != nil {
		l.tell(ctx)
	}
}
