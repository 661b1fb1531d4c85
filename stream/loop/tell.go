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
	"dustbuster/operators/rule"
	"dustbuster/operators/secret"
)

// patience is the longest wait for a sink. Events not taken by then are emitted at the next
// refinement: events are the difference between the rules held by readers and the likely
// rules, so no event need be kept.
const patience = 2 * time.Second

// catchUp begins to emit events: first a snapshot of everything, since a reader may hold
// rules that faded without an event.
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

// tellPairs emits the pairs that the last batch has made likely or faded.
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

// refine runs phase 2 for the touched sites, emits the differences, and publishes the list.
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

// list merges the lists of all sites, and shares and publishes the merged list.
func (l *Loop) list(ctx context.Context) {
	l.rules = nil // readers hold the last list
	for m := range l.sites.All() {
		l.rules = append(l.rules, l.lists[m]...)
	}
	if l.o.Validate == nil || l.unpublished {
		l.publish(ctx)
	}
	l.share()
}

// publish publishes the list, which replaces the last list: the valid rules, or, if rules
// are not tried, the likely rules.
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

// tellAll emits the difference between the rules held by readers for a site and the likely
// rules: rules of parameters, and pairs whose withholding has changed.
func (l *Loop) tellAll(ctx context.Context, m *miner.Machine) {
	m.ForgetPairEvents() // the difference below includes these events
	likely := l.allowed(m, m.Likely())
	is := map[rule.Rule]bool{}
	for i := range likely {
		is[likely[i].Rule] = true
	}
	var faded []rule.Likely
	for id, r := range l.told[m.Site()] {
		if !is[id] {
			faded = append(faded, r)
		}
	}
	slices.SortFunc(faded, rule.Compare)
	l.tellRules(ctx, m, likely, faded)
}

// tellRules emits the likely rules not held by readers, and the fading of rules that
// readers should no longer hold.
func (l *Loop) tellRules(ctx context.Context, m *miner.Machine, likely, faded []rule.Likely) {
	told := l.told[m.Site()]
	add := func(kind event.Kind, r rule.Likely) {
		e := about(m, kind)
		e.Rule = r
		l.tell(ctx, e)
	}
	for _, r := range faded {
		if _, held := told[r.Rule]; held {
			add(event.Faded, r)
		}
	}
	for _, r := range likely {
		if _, held := told[r.Rule]; !held {
			add(event.Likely, r)
		}
	}
}

// about returns an event of a site without content.
func about(m *miner.Machine, kind event.Kind) event.Event {
	pane, _ := m.Newest()
	return event.Event{Kind: kind, Site: m.Site(), Pane: pane}
}

// together is the number of events emitted at once: for some sinks a batch costs as much as
// one event.
const together = 256

// tell queues an event, which emit sends at the latest. False: the sinks have failed.
func (l *Loop) tell(ctx context.Context, e event.Event) bool {
	if l.behind {
		return false
	}
	l.events = append(l.events, e)
	return len(l.events) < together || l.emit(ctx)
}

// emit sends the queued events. If a sink fails, emit notes that readers are behind and
// drops the events, since the next refinement computes the difference anew.
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

// hold updates the rules held by readers after an event.
func (l *Loop) hold(e *event.Event) {
	told := l.told[e.Site]
	if told == nil || e.Kind == event.Snapshot {
		told = make(map[rule.Rule]rule.Likely, len(e.Rules))
		l.told[e.Site] = told
	}
	switch e.Kind {
	case event.Snapshot:
		for _, r := range e.Rules {
			told[r.Rule] = r
		}
	case event.Likely:
		told[e.Rule.Rule] = e.Rule
	case event.Faded:
		delete(told, e.Rule.Rule)
	}
}

// allowed leaves out rules that look like secrets, and rules from a single client.
func (l *Loop) allowed(m *miner.Machine, rules []rule.Likely) []rule.Likely {
	if l.o.NoWithhold || len(rules) == 0 {
		return rules
	}
	alone, hidden := m.OneClient(rules), m.Hidden(rules, secret.Veil{})
	var kept []rule.Likely
	for i := range rules {
		if !alone[i] && !hidden[i] {
			kept = append(kept, rules[i])
		}
	}
	return kept
}
