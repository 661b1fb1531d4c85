package loop

import (
	"context"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/secret"
)

// refining is a run of phase 2 over the sites that have changed, one after the other. The loop takes a
// view of a site, and goes on reading lines while a goroutine refines the view.
type refining struct {
	active   bool             // a run is under way
	snapshot bool             // of all sites, before the loop is live
	lists    bool             // some list may change
	due      []*miner.Machine // sites whose views are not taken yet
	done     []*miner.Machine // sites that are refined
	refined  chan refined     // the results

	busy    bool               // a site is being refined, or its events are being emitted
	at      *miner.Machine     // the site; nil: it is gone
	crossed map[rule.Rule]bool // its pairs that have become likely or faded since the view
	taken   *refined           // its result; nil: there is none yet
	telling []rule.Likely      // likely rules that are not compared yet with those of readers
}

// view is what a refinement of a site needs.
type view struct {
	*miner.Machine             // if the list may change, a view; else the goroutine reads only its name
	changed        bool        // the list may change
	listed         rule.Packed // the list so far
	look           look        // the last one
	offer          bool        // trials need the rules
	pane           int64
}

// refined is the result of a refinement of a site.
type refined struct {
	changed  bool // the list may have changed; otherwise there are no likely rules here
	pane     int64
	likely   []rule.Likely // without the withheld rules
	is       event.Set     // likely
	rules    rule.Packed   // the list
	withheld Withheld
}

// catchUp begins to emit events: first a snapshot of everything, since a reader may hold
// rules that faded without an event.
func (l *Loop) catchUp(source Source) {
	if l.live || l.refining.active || l.events.behind || !source.CaughtUp(l.folded) {
		return
	}
	l.events.readers.ForgetAll()
	l.refining.active, l.refining.snapshot, l.refining.lists = true, true, true
	for m := range l.sites.All() {
		l.refining.due = append(l.refining.due, m)
	}
}

// beginRefinement begins to run phase 2 for the sites that have changed, or whose looks have results
// that are not listed yet.
func (l *Loop) beginRefinement(ctx context.Context) {
	l.events.retry()
	k := &l.refining
	if !l.live || k.active {
		return
	}
	k.lists = len(l.touched) > 0 || l.looks.news
	l.looks.news = false
	l.tellFigures()
	for m := range l.sites.All() {
		if l.touched[m] || l.looks.has(m) || l.needsRules(m) {
			k.due = append(k.due, m)
		}
	}
	if k.active = k.lists || len(k.due) > 0; !k.active && l.out.due {
		l.publish(ctx)
	}
}

// goOn gives the goroutine the view of the next site, or ends the run after the last site. The view of
// a site is taken once its learners are up to date.
func (l *Loop) goOn(ctx context.Context) {
	k := &l.refining
	switch {
	case !k.active || k.busy:
	case len(k.due) == 0:
		l.endRefinement(ctx)
	case !k.due[0].Settle(slice):
		l.lagging[k.due[0]] = true
	default:
		m := k.due[0]
		k.due = k.due[1:]
		k.at, k.busy, k.crossed = m, true, map[rule.Rule]bool{}
		v := l.view(m)
		go func() { k.refined <- v.refine(&l.o) }()
	}
}

// view takes the view of a site. The changes until now count as refined.
func (l *Loop) view(m *miner.Machine) *view {
	v := &view{Machine: m, changed: l.touched[m], listed: l.lists[m], offer: l.needsRules(m), pane: paneOf(m)}
	if last := l.looks.last[m]; last != nil {
		v.changed = v.changed || last.news
		last.news = false
		v.look = *last
	}
	if v.changed = v.changed || l.refining.snapshot; v.changed {
		v.Machine = m.View()
		m.ForgetPairEvents() // are among the likely rules of the view
	}
	m.Rest()
	if l.touched[m] {
		l.looks.noteChange(m)
	}
	delete(l.touched, m)
	return v
}

// refine finds the rules of a view, and offers them to the trials. Any goroutine may call refine.
func (v *view) refine(o *Options) (r refined) {
	r = refined{changed: v.changed, pane: v.pane, rules: v.listed}
	if v.changed {
		v.list(o, &r)
	}
	if v.offer {
		o.Validate.Offer(v.Site(), forms.Candidates(r.rules.Unpack()))
	}
	return r
}

// list sets the rules of a site: the online rules with their weights at the last look, and behind them
// those that it has found, without the withheld rules.
func (v *view) list(o *Options, r *refined) {
	likely, rules := v.Likely(), v.Rules()
	online := len(rules)
	known := make(map[rule.Rule]int, online)
	for i := range rules {
		known[rules[i].Rule] = i
	}
	weighed := v.look.listed.Unpack()
	for i := range weighed {
		if at, listed := known[weighed[i].Rule]; listed {
			rules[at].SetWeight(&weighed[i])
		}
	}
	for _, r := range v.look.rules.Unpack() {
		if _, listed := known[r.Rule]; !listed {
			rules = append(rules, r)
		}
	}
	hides := o.sift(v.Machine, append(slices.Clone(likely), rules[online:]...)) // the online rules are likely
	r.likely, _ = hides.without(likely)
	rules, r.withheld = hides.without(rules)
	r.rules = rule.Pack(rules)
	r.is = event.SetOf(r.likely)
}

// takeRefined takes the result of the refinement of a site. Events are the difference to the rules
// held by readers, without pairs that have crossed since the view: their events came since.
func (l *Loop) takeRefined(ctx context.Context, r *refined) {
	k := &l.refining
	switch m := k.at; {
	case m == nil, !r.changed: // the site is gone, or trials got a window
	case k.snapshot:
		l.events.announce(ctx, event.Event{Kind: event.Snapshot, Site: m.Site(), Pane: r.pane, Rules: r.likely})
	default:
		faded := l.events.readers.Faded(m.Site(), r.is, k.crossed)
		l.events.announce(ctx, l.events.readers.Changes(m.Site(), r.pane, nil, faded)...)
		k.telling = r.likely
	}
	k.taken = r
	l.tell(ctx)
}

// tell emits the next of the likely rules of a refined site that readers do not hold. After the last,
// the rules are listed.
func (l *Loop) tell(ctx context.Context) {
	k := &l.refining
	m, r := k.at, k.taken
	if m != nil && len(k.telling) > 0 {
		n := min(tellSlice, len(k.telling))
		events := l.events.readers.Changes(m.Site(), r.pane, k.telling[:n], nil)
		l.events.announce(ctx, slices.DeleteFunc(events, func(e event.Event) bool { return k.crossed[e.Rule.Rule] })...)
		k.telling = k.telling[n:]
		return
	}
	k.at, k.busy, k.taken, k.telling = nil, false, nil, nil
	if m == nil {
		return
	}
	k.done = append(k.done, m)
	if r.changed {
		l.setList(m, r)
	}
}

// setList takes the list of a refinement.
func (l *Loop) setList(m *miner.Machine, r *refined) {
	if l.lists[m] = r.rules; r.withheld.Sum() > 0 {
		l.withheld[m] = r.withheld
	} else {
		delete(l.withheld, m)
	}
}

// endRefinement ends a run. If a sink has not taken the events, the next run emits what is missing.
func (l *Loop) endRefinement(ctx context.Context) {
	k := &l.refining
	flushed := l.events.flush(ctx)
	if !flushed {
		for _, m := range k.done {
			l.touched[m] = true
		}
	}
	lists, snapshot := k.lists, k.snapshot
	*k = refining{refined: k.refined}
	if snapshot {
		l.live, l.status.CaughtUp = flushed, flushed
	}
	if lists && l.live {
		l.list(ctx)
	}
	if !snapshot {
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
		for l.refining.taken != nil {
			l.tell(ctx)
		}
		if l.goOn(ctx); l.refining.busy {
			r := <-l.refining.refined
			for l.takeRefined(ctx, &r); l.refining.taken != nil; {
				l.tell(ctx)
			}
		}
	}
}

// forget drops a site.
func (k *refining) forget(m *miner.Machine) {
	gone := func(d *miner.Machine) bool { return d == m }
	k.due, k.done = slices.DeleteFunc(k.due, gone), slices.DeleteFunc(k.done, gone)
	if k.at == m {
		k.at = nil
	}
}

// paneOf returns the start of a site's newest pane, as events name the pane.
func paneOf(m *miner.Machine) int64 {
	pane, _ := m.Newest()
	return pane
}

// emitPairs emits the pairs that the last batch has made likely or faded.
func (l *Loop) emitPairs(ctx context.Context) {
	if !l.live || l.events.behind {
		return
	}
	for _, m := range slices.SortedFunc(maps.Keys(l.changed), func(a, b *miner.Machine) int { return strings.Compare(a.Site(), b.Site()) }) {
		if m.Counts() && !m.Settle(slice) {
			l.lagging[m] = true
			continue
		}
		delete(l.changed, m)
		if !m.Counts() {
			continue
		}
		likely, faded := m.PairEvents()
		m.Rest()
		if m == l.refining.at {
			l.refining.cross(likely)
			l.refining.cross(faded)
		}
		l.asks.fade(m, faded)
		l.events.announce(ctx, l.events.readers.Changes(m.Site(), paneOf(m), l.ask(m, likely), faded)...)
	}
	l.events.flush(ctx)
}

// cross notes pairs that have crossed since the view.
func (k *refining) cross(pairs []rule.Likely) {
	for i := range pairs {
		k.crossed[pairs[i].Rule] = true
	}
}

// list merges the lists of all sites, and shares and publishes the merged list.
func (l *Loop) list(ctx context.Context) {
	l.rules, l.listed = make([]rule.List, 0, len(l.lists)), true // readers hold the last list
	for m := range l.sites.All() {
		if list := l.lists[m]; list.Len() > 0 {
			l.rules = append(l.rules, rule.List{Site: m.Site(), Rules: list})
		}
	}
	if l.o.Validate == nil || l.out.due {
		l.publish(ctx)
	}
	l.share()
}

// hides are the withheld rules, with whether each looks like a secret.
type hides map[rule.Rule]bool

// sift returns the rules that look like secrets, and those of a single client.
func (o *Options) sift(m *miner.Machine, rules []rule.Likely) hides {
	if o.NoWithhold || len(rules) == 0 {
		return nil
	}
	h := hides{}
	alone, hidden := m.OneClient(rules), m.Hidden(rules, secret.Veil{})
	for i := range rules {
		if hidden[i] || alone[i] {
			h[rules[i].Rule] = hidden[i]
		}
	}
	return h
}

// without returns the rules that are not withheld, and counts the others.
func (h hides) without(rules []rule.Likely) (kept []rule.Likely, left Withheld) {
	if len(h) == 0 {
		return rules, left
	}
	for i := range rules {
		switch looksSecret, withheld := h[rules[i].Rule]; {
		case !withheld:
			kept = append(kept, rules[i])
		case looksSecret:
			left.Secret++
		default:
			left.OneClient++
		}
	}
	return kept, left
}
