package loop

import (
	"context"
	"slices"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// What the loop does at once, between two batches.
const (
	slice     = 1 << 12 // changed URLs that learners take in: about 20 ms
	askSlice  = 1 << 14 // URLs in which the clients of pairs are looked for
	tellSlice = 1 << 13 // rules that are compared with those of readers
	lagBefore = 1 << 14 // changed URLs from which on learners lag: fewer wait before the loop is live, so that a URL enters with all its sizes
)

// restAfter is how long nothing may change in a window, at least, before its learners rest.
const restAfter = 5 * time.Minute

// ask returns the pairs that may be told at once. Pairs that look like secrets wait for the next
// refinement, and the others for their clients.
func (l *Loop) ask(m *miner.Machine, pairs []rule.Likely) []rule.Likely {
	if l.o.NoWithhold || len(pairs) == 0 {
		return pairs
	}
	pairs = slices.DeleteFunc(pairs, func(r rule.Likely) bool { return secret.Veil{}.HidesBut(r.Rule.Text(), nowhere) })
	if !m.HadManyClients() {
		return pairs
	}
	if len(pairs) > 0 {
		l.asks = append(l.asks, &ask{m, pairs, m.SearchClients(pairs), map[rule.Rule]bool{}})
	}
	return nil
}

// nowhere says that no text is public.
func nowhere(string) bool { return false }

// answer looks for the clients of the first pairs in a slice of the window.
func (l *Loop) answer(ctx context.Context) {
	if len(l.asks) == 0 {
		return
	}
	a := l.asks[0]
	if !a.search.Step(askSlice) {
		return
	}
	l.asks = l.asks[1:]
	var likely []rule.Likely
	for i, r := range a.pairs {
		if !a.search.OneClient(i) && !a.faded[r.Rule] {
			likely = append(likely, r)
		}
	}
	l.events.announce(ctx, l.events.readers.Changes(a.m.Site(), l.of(a.m).Pane(), likely, nil)...)
	l.events.flush(ctx)
}

// settleAll brings all learners up to date.
func (l *Loop) settleAll() {
	for l.lagging.len() > 0 {
		s := l.lagging.first()
		for !s.Settle(slice) {
		}
		l.lagging.remove(s)
	}
}
