package loop

import (
	"context"
	"slices"

	"dustbuster/operators/miner"
	"dustbuster/operators/secret"
	"dustbuster/sinks/event"
)

// catchUp begins to tell: first everything, since a reader may hold what has
// faded while nobody told it.
func (l *Loop) catchUp(ctx context.Context, source Source) {
	if l.live || !source.CaughtUp(l.folded) {
		return
	}
	l.live = true
	l.status.CaughtUp = true
	for m := range l.sites.All() {
		m.PairEvents() // are in the snapshot
		likely := l.allowed(m, m.Likely())
		for i := range likely {
			l.told[likely[i].Identity()] = likely[i]
		}
		snapshot := about(m, event.Snapshot)
		snapshot.Rules = likely
		l.emit(ctx, []event.Event{snapshot})
		l.touched[m] = true
	}
	l.refine(ctx)
}

// tellPairs tells the pairs that the last batch has made likely or has faded.
func (l *Loop) tellPairs(ctx context.Context) {
	if !l.live {
		return
	}
	for m := range l.sites.All() {
		if l.touched[m] {
			likely, faded := m.PairEvents()
			l.tell(ctx, m, l.allowed(m, likely), faded)
		}
	}
}

// refine runs phase 2 for the sites that were touched, tells what has not been
// told yet, and publishes the list.
func (l *Loop) refine(ctx context.Context) {
	if !l.live || len(l.touched) == 0 {
		return
	}
	var rules []miner.Rule
	for m := range l.sites.All() {
		if l.touched[m] {
			l.tellAll(ctx, m)
			l.lists[m] = l.allowed(m, m.Rules())
		}
		rules = append(rules, l.lists[m]...)
	}
	clear(l.touched)
	l.rules = rules
	if err := l.list.Publish(ctx, l.rules); err != nil {
		l.fail("publish rules", err)
	}
	l.share()
}

// tellAll tells the difference between what readers hold of a site and what is
// likely: rules of parameters, and pairs that may be told now and could not be
// before, or the other way round.
func (l *Loop) tellAll(ctx context.Context, m *miner.Machine) {
	m.PairEvents() // are in what follows
	likely := l.allowed(m, m.Likely())
	is := map[any]bool{}
	for i := range likely {
		is[likely[i].Identity()] = true
	}
	var faded []miner.Rule
	for id, r := range l.told {
		if r.Site == m.Site() && !is[id] {
			faded = append(faded, r)
		}
	}
	slices.SortFunc(faded, miner.Compare)
	l.tell(ctx, m, likely, faded)
}

// tell emits the events of rules that readers do not hold and of those that they
// hold and should not.
func (l *Loop) tell(ctx context.Context, m *miner.Machine, likely, faded []miner.Rule) {
	var events []event.Event
	for _, r := range faded {
		if _, held := l.told[r.Identity()]; held {
			delete(l.told, r.Identity())
			events = append(events, about(m, event.Faded))
			events[len(events)-1].Rule = r
		}
	}
	for _, r := range likely {
		if _, held := l.told[r.Identity()]; !held {
			l.told[r.Identity()] = r
			events = append(events, about(m, event.Likely))
			events[len(events)-1].Rule = r
		}
	}
	l.emit(ctx, events)
}

// about is an event of a site, without what it says.
func about(m *miner.Machine, kind event.Kind) event.Event {
	pane, _ := m.Newest()
	return event.Event{Kind: kind, Site: m.Site(), Pane: pane}
}

func (l *Loop) emit(ctx context.Context, events []event.Event) {
	if len(events) == 0 {
		return
	}
	if err := l.news.Emit(ctx, events); err != nil {
		l.fail("emit events", err)
	}
	l.status.Events += len(events)
}

// allowed leaves out the rules that look like a secret, and those that one
// client alone produced.
func (l *Loop) allowed(m *miner.Machine, rules []miner.Rule) []miner.Rule {
	if l.o.NoWithhold || len(rules) == 0 {
		return rules
	}
	alone := m.OneClient(rules)
	var kept []miner.Rule
	for i := range rules {
		if !alone[i] && !secret.Looks(rules[i].Text()) {
			kept = append(kept, rules[i])
		}
	}
	return kept
}
