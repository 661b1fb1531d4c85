package loop

import (
	"context"
	"slices"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/stream/job"
	"dustbuster/stream/site"
)

// catchUp begins to emit events: first a snapshot of everything, since a reader may hold
// rules that faded without an event.
func (l *Loop) catchUp(source Source) {
	if l.in.live || l.refining.active || l.events.behind || !source.CaughtUp(l.in.folded) {
		return
	}
	l.events.readers.ForgetAll()
	l.refining.active, l.refining.snapshot, l.refining.lists = true, true, true
	for m := range l.sites.All() {
		l.refining.due.add(l.of(m))
	}
}

// beginRefinement begins to run phase 2 for the sites that have changed, or whose looks have results
// that are not listed yet.
func (l *Loop) beginRefinement(ctx context.Context) {
	l.events.retry()
	k := &l.refining
	if !l.in.live || k.active {
		return
	}
	l.tellFigures()
	for m := range l.sites.All() {
		s := l.of(m)
		if news := s.Touched() || s.HasNews(); news || l.needsRules(m) {
			k.lists = k.lists || news
			k.due.add(s)
		}
	}
	if k.active = k.lists || k.due.len() > 0; !k.active && l.out.due {
		l.publish(ctx)
	}
}

// goOn starts the job of the next site, or ends the run after the last site. The view of a site is taken once
// its learners are up to date.
func (l *Loop) goOn(ctx context.Context) {
	k := &l.refining
	switch {
	case !k.active || k.taken != nil || l.jobs.Busy(job.Refine):
	case k.due.len() == 0:
		l.endRefinement(ctx)
	case !k.due.first().Settle(slice):
		l.lagging.add(k.due.first())
	default:
		s := k.due.first()
		k.due.remove(s)
		k.at, k.crossed = s, map[rule.Rule]bool{}
		l.jobs.Go(job.Refine, func() job.Run { return l.refineSite(s) })
	}
}

// refineSite takes the view of a site, and returns the work on it. The changes until now count as refined.
func (l *Loop) refineSite(s *site.Site) job.Run {
	view, name, offer := s.View(l.refining.snapshot), s.Site(), l.needsRules(s.Machine)
	return func() job.Take {
		r := view.Refine()
		if offer {
			l.o.Validate.Offer(name, forms.Candidates(r.Rules))
		}
		return func(ctx context.Context) { l.takeRefined(ctx, r) }
	}
}

// takeRefined takes the result of the refinement of a site. Events are the difference to the rules
// held by readers, without pairs that have crossed since the view: their events came since.
func (l *Loop) takeRefined(ctx context.Context, r *site.Refined) {
	k := &l.refining
	switch s := k.at; {
	case s == nil, !r.Changed: // the site is gone, or trials got a window
	case k.snapshot:
		l.events.announce(ctx, event.Event{Kind: event.Snapshot, Site: s.Site(), Pane: r.Pane, Rules: r.Likely})
	default:
		faded := l.events.readers.Faded(s.Site(), r.Is, k.crossed)
		l.events.announce(ctx, l.events.readers.Changes(s.Site(), r.Pane, nil, faded)...)
		k.telling = r.Likely
	}
	k.taken = r
	l.tell(ctx)
}

// tell emits the next of the likely rules of a refined site that readers do not hold. After the last,
// the rules are listed.
func (l *Loop) tell(ctx context.Context) {
	k := &l.refining
	s, r := k.at, k.taken
	if s != nil && len(k.telling) > 0 {
		n := min(tellSlice, len(k.telling))
		events := l.events.readers.Changes(s.Site(), r.Pane, k.telling[:n], nil)
		l.events.announce(ctx, slices.DeleteFunc(events, func(e event.Event) bool { return k.crossed[e.Rule.Rule] })...)
		k.telling = k.telling[n:]
		return
	}
	k.at, k.taken, k.telling = nil, nil, nil
	if s != nil {
		k.done = append(k.done, s)
		s.Take(r)
	}
}

// endRefinement ends a run. If a sink has not taken the events, the next run emits what is missing.
func (l *Loop) endRefinement(ctx context.Context) {
	k := l.refining
	l.refining = refining{}
	flushed := l.events.flush(ctx)
	if !flushed {
		for _, s := range k.done {
			s.Touch()
		}
	}
	if k.snapshot {
		l.in.live, l.status.CaughtUp = flushed, flushed
	}
	if k.lists && l.in.live {
		l.list(ctx)
	}
	if k.snapshot && flushed {
		l.o.Live()
	}
	if !k.snapshot {
		l.beginLooks()
	}
}

// refine runs phase 2 at once.
func (l *Loop) refine(ctx context.Context) {
	l.endRefining(ctx)
	l.beginRefinement(ctx)
	l.endRefining(ctx)
}

// endRefining goes on with a run to its end.
func (l *Loop) endRefining(ctx context.Context) {
	for l.refining.active {
		l.settleAll()
		l.goOn(ctx)
		l.jobs.Wait(ctx, job.Refine)
		for l.refining.taken != nil {
			l.tell(ctx)
		}
	}
}

// emitPairs emits the pairs that the last batch has made likely or faded.
func (l *Loop) emitPairs(ctx context.Context) {
	if !l.in.live || l.events.behind {
		return
	}
	for _, s := range l.changed.takeAll() {
		switch {
		case !s.Counts():
			continue
		case !s.Settle(slice):
			l.lagging.add(s)
			l.changed.add(s)
			continue
		}
		likely, faded := s.PairEvents()
		s.Rest()
		if s == l.refining.at {
			l.refining.cross(likely)
			l.refining.cross(faded)
		}
		l.asks.fade(s.Machine, faded)
		l.events.announce(ctx, l.events.readers.Changes(s.Site(), s.Pane(), l.ask(s.Machine, likely), faded)...)
	}
	l.events.flush(ctx)
}

// list merges the lists of all sites, and shares and publishes the merged list.
func (l *Loop) list(ctx context.Context) {
	l.lists.rules, l.lists.listed = make([]rule.List, 0, len(l.lists.rules)), true // readers hold the last list
	for m := range l.sites.All() {
		if list := l.of(m).List(); len(list) > 0 {
			l.lists.rules = append(l.lists.rules, rule.List{Site: m.Site(), Rules: list})
		}
	}
	if l.o.Validate == nil || l.out.due {
		l.publish(ctx)
	}
	l.share()
}
