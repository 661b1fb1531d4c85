package loop

import (
	"context"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
)

// catchUp begins to emit events: first a snapshot of everything, since a reader may hold
// rules that faded without an event.
func (l *Loop) catchUp(ctx context.Context, source Source) {
	if l.live || l.events.behind || !source.CaughtUp(l.folded) {
		return
	}
	l.events.readers.ForgetAll()
	for m := range l.sites.All() {
		m.ForgetPairEvents() // are in the snapshot
		snapshot := event.Event{Kind: event.Snapshot, Site: m.Site(), Pane: paneOf(m), Rules: l.allowed(m, m.Likely())}
		if !l.events.announce(ctx, snapshot) {
			return
		}
		if l.touched[m] {
			l.looks.noteChange(m)
		}
		l.lists[m] = l.rulesOf(m)
	}
	if !l.events.flush(ctx) {
		return
	}
	clear(l.touched)
	l.live, l.status.CaughtUp = true, true
	l.list(ctx)
}

// emitPairs emits the pairs that the last batch has made likely or faded.
func (l *Loop) emitPairs(ctx context.Context) {
	if !l.live || l.events.behind {
		return
	}
	for _, m := range slices.SortedFunc(maps.Keys(l.touched), func(a, b *miner.Machine) int { return strings.Compare(a.Site(), b.Site()) }) {
		if m.Counts() {
			likely, faded := m.PairEvents()
			l.events.announce(ctx, l.events.readers.Changes(m.Site(), paneOf(m), l.allowed(m, likely), faded)...)
		}
	}
	l.events.flush(ctx)
}

// refine runs phase 2 for the touched sites, emits the differences, and publishes the list,
// with the results of looks.
func (l *Loop) refine(ctx context.Context) {
	l.events.retry()
	if !l.live {
		return
	}
	if len(l.touched) == 0 && !l.looks.news {
		if l.out.due {
			l.publish(ctx)
		}
		return
	}
	for m := range l.sites.All() {
		if l.touched[m] {
			l.looks.noteChange(m)
			l.emitDifference(ctx, m)
		}
		if l.touched[m] || l.looks.has(m) {
			l.lists[m] = l.rulesOf(m)
		}
	}
	l.looks.news = false
	if l.events.flush(ctx) {
		clear(l.touched)
	}
	l.list(ctx)
}

// emitDifference emits the difference between the rules held by readers for a site and the
// likely rules: rules of parameters, and pairs whose withholding has changed.
func (l *Loop) emitDifference(ctx context.Context, m *miner.Machine) {
	m.ForgetPairEvents() // the difference includes these events
	l.events.announce(ctx, l.events.readers.Difference(m.Site(), paneOf(m), l.allowed(m, m.Likely()))...)
}

// paneOf returns the start of a site's newest pane, as events name the pane.
func paneOf(m *miner.Machine) int64 {
	pane, _ := m.Newest()
	return pane
}

// list merges the lists of all sites, and shares and publishes the merged list.
func (l *Loop) list(ctx context.Context) {
	l.rules = nil // readers hold the last list
	for m := range l.sites.All() {
		l.rules = append(l.rules, l.lists[m]...)
	}
	if l.o.Validate == nil || l.out.due {
		l.publish(ctx)
	}
	l.share()
}

// publish publishes the list, which replaces the last list: the valid rules, or, if rules
// are not tried, the likely rules.
func (l *Loop) publish(ctx context.Context) {
	list := l.valid
	if l.o.Validate == nil {
		list = jsonl.Likely(l.rules)
	}
	l.out.publish(ctx, list)
}

// allowed leaves out rules that look like secrets, and rules from a single client.
func (l *Loop) allowed(m *miner.Machine, rules []rule.Likely) []rule.Likely {
	kept, _ := l.sift(m, rules)
	return kept
}

// sift is allowed with the counts of the rules left out.
func (l *Loop) sift(m *miner.Machine, rules []rule.Likely) (kept []rule.Likely, left Withheld) {
	if l.o.NoWithhold || len(rules) == 0 {
		return rules, left
	}
	alone, hidden := m.OneClient(rules), m.Hidden(rules, secret.Veil{})
	for i := range rules {
		switch {
		case hidden[i]:
			left.Secret++
		case alone[i]:
			left.OneClient++
		default:
			kept = append(kept, rules[i])
		}
	}
	return kept, left
}
