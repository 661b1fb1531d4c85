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

// asks are pairs that have become likely, and are told once several clients are known to have
// requested both sides.
type asks []*ask

type ask struct {
	m      *miner.Machine
	pairs  []rule.Likely
	search *miner.ClientSearch
	faded  map[rule.Rule]bool // since
}

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

// ready is a channel from which the loop can always receive.
var ready = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// more returns a channel that is ready if some work goes on in slices.
func (l *Loop) more() <-chan struct{} {
	if l.lagging.len()+len(l.asks)+len(l.resting) == 0 && l.refining.taken == nil {
		return nil
	}
	return ready
}

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

// settleAll brings all learners up to date.
func (l *Loop) settleAll() {
	for l.lagging.len() > 0 {
		s := l.lagging.first()
		for !s.Settle(slice) {
		}
		l.lagging.remove(s)
	}
}
