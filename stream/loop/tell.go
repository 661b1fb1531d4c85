package loop

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/event"
	"dustbuster/operators/jsonl"
	"dustbuster/operators/miner"
	"dustbuster/operators/secret"
)

// patience is how long a sink is waited for. What it has not taken by then is
// told at the next refinement: events are the difference between what readers
// hold and what is likely, so nothing that is told late need be kept.
const patience = 2 * time.Second

// catchUp begins to tell: first everything, since a reader may hold what has
// faded while nobody told it.
func (l *Loop) catchUp(ctx context.Context, source Source) {
	if l.live || l.behind || !source.CaughtUp(l.folded) {
		return
	}
	clear(l.told)
	for m := range l.sites.All() {
		m.ForgetPairEvents() // are in the snapshot
		snapshot := about(m, event.Snapshot)
		snapshot.Rules = l.allowed(m, m.Likely())
		if !l.tell(ctx, snapshot) {
			return
		}
		l.lists[m] = l.allowed(m, m.Rules())
	}
	if !l.emit(ctx) {
		return
	}
	clear(l.touched)
	l.live, l.status.CaughtUp = true, true
	l.list(ctx)
}

// tellPairs tells the pairs that the last batch has made likely or has faded.
func (l *Loop) tellPairs(ctx context.Context) {
	if !l.live || l.behind {
		return
	}
	for _, m := range slices.SortedFunc(maps.Keys(l.touched), func(a, b *miner.Machine) int { return strings.Compare(a.Site(), b.Site()) }) {
		if m.Counts() {
			likely, faded := m.PairEvents()
			l.tellRules(ctx, m, l.allowed(m, likely), faded)
		}
	}
	l.emit(ctx)
}

// refine runs phase 2 for the sites that were touched, tells what has not been
// told yet, and publishes the list.
func (l *Loop) refine(ctx context.Context) {
	l.behind = false // the sinks get another chance
	if !l.live {
		return
	}
	if len(l.touched) == 0 {
		if l.unpublished {
			l.publish(ctx)
		}
		return
	}
	for m := range l.sites.All() {
		if l.touched[m] {
			l.lists[m] = l.allowed(m, m.Rules())
			l.tellAll(ctx, m)
		}
	}
	if l.emit(ctx) {
		clear(l.touched)
	}
	l.list(ctx)
}

// list makes one list of those of all sites, and shows and publishes it.
func (l *Loop) list(ctx context.Context) {
	l.rules = nil // the last one is others' now
	for m := range l.sites.All() {
		l.rules = append(l.rules, l.lists[m]...)
	}
	if l.o.Validate == nil || l.unpublished {
		l.publish(ctx)
	}
	l.share()
}

// publish puts the list in the place of the last: the valid rules, or if none are
// tried, the likely ones.
func (l *Loop) publish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list := l.valid
	if l.o.Validate == nil {
		list = jsonl.Likely(l.rules)
	}
	err := l.out.Publish(ctx, list)
	if l.unpublished = err != nil; l.unpublished {
		l.fail("publish rules", err)
	}
}

// tellAll tells the difference between what readers hold of a site and what is
// likely: rules of parameters, and pairs that may be told now and could not be
// before, or the other way round.
func (l *Loop) tellAll(ctx context.Context, m *miner.Machine) {
	m.ForgetPairEvents() // are in what follows
	likely := l.allowed(m, m.Likely())
	is := map[any]bool{}
	for i := range likely {
		is[likely[i].Identity()] = true
	}
	var faded []miner.Rule
	for id, r := range l.told[m.Site()] {
		if !is[id] {
			faded = append(faded, r)
		}
	}
	slices.SortFunc(faded, miner.Compare)
	l.tellRules(ctx, m, likely, faded)
}

// tellRules tells of rules that readers do not hold and of those that they hold and
// should not.
func (l *Loop) tellRules(ctx context.Context, m *miner.Machine, likely, faded []miner.Rule) {
	told := l.told[m.Site()]
	add := func(kind event.Kind, r miner.Rule) {
		e := about(m, kind)
		e.Rule = r
		l.tell(ctx, e)
	}
	for _, r := range faded {
		if _, held := told[r.Identity()]; held {
			add(event.Faded, r)
		}
	}
	for _, r := range likely {
		if _, held := told[r.Identity()]; !held {
			add(event.Likely, r)
		}
	}
}

// about is an event of a site, without what it says.
func about(m *miner.Machine, kind event.Kind) event.Event {
	pane, _ := m.Newest()
	return event.Event{Kind: kind, Site: m.Site(), Pane: pane}
}

// together is how many events go out at once: for some sinks, that costs as much
// as one.
const together = 256

// tell hands an event over with others, at emit at the latest. False: it could not.
func (l *Loop) tell(ctx context.Context, e event.Event) bool {
	if l.behind {
		return false
	}
	l.events = append(l.events, e)
	return len(l.events) < together || l.emit(ctx)
}

// emit hands over what is to be told, or notes that readers are behind: then it is
// forgotten, since the next refinement tells the difference anew.
func (l *Loop) emit(ctx context.Context) bool {
	events := l.events
	l.events = l.events[:0]
	if l.behind || len(events) == 0 {
		return !l.behind
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := l.news.Emit(ctx, events); err != nil {
		l.behind = true
		l.fail("emit events", err)
		return false
	}
	l.status.Events += len(events)
	for i := range events {
		l.hold(&events[i])
	}
	clear(events)
	return true
}

// hold notes what readers hold after an event.
func (l *Loop) hold(e *event.Event) {
	told := l.told[e.Site]
	if told == nil || e.Kind == event.Snapshot {
		told = make(map[any]miner.Rule, len(e.Rules))
		l.told[e.Site] = told
	}
	switch e.Kind {
	case event.Snapshot:
		for _, r := range e.Rules {
			told[r.Identity()] = r
		}
	case event.Likely:
		told[e.Rule.Identity()] = e.Rule
	case event.Faded:
		delete(told, e.Rule.Identity())
	}
}

// allowed leaves out the rules that look like a secret, and those that one
// client alone produced.
func (l *Loop) allowed(m *miner.Machine, rules []miner.Rule) []miner.Rule {
	if l.o.NoWithhold || len(rules) == 0 {
		return rules
	}
	alone, hidden := m.OneClient(rules), m.Hidden(rules, secret.Veil{})
	var kept []miner.Rule
	for i := range rules {
		if !alone[i] && !hidden[i] {
			kept = append(kept, rules[i])
		}
	}
	return kept
}
