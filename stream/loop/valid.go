package loop

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/ours"
)

// needsRules reports whether the trials of a site need its present rules.
func (l *Loop) needsRules(m *miner.Machine) bool {
	return l.trials != nil && l.in.live && !l.in.ending && l.trials.worker.Needs(m.Site())
}

// drainTrials takes the worker's acts since the last checkpoint, and first shows it the
// parameter separators of each site.
func (l *Loop) drainTrials() {
	if l.trials == nil {
		return
	}
	if l.in.live {
		for m := range l.sites.All() {
			l.trials.worker.See(m)
		}
	}
	l.trials.drain()
}

// publishSaved publishes the saved publications.
func (l *Loop) publishSaved(ctx context.Context) {
	if l.trials != nil && l.trials.takeOutgoing() {
		l.listValid()
		l.publish(ctx)
	}
}

// listValid makes the list of the published rules of all sites.
func (l *Loop) listValid() {
	before := l.lists.shown
	l.lists.shown, l.lists.valid = l.agreeing(), nil
	for m := range l.sites.All() {
		if l.lists.shown[m.Site()] != before[m.Site()] {
			l.of(m).NeedLook() // the waste is another
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.lists.shown)) {
		l.lists.valid = append(l.lists.valid, jsonl.Valid(l.lists.shown[name])...)
	}
}

// publishedOf returns the published rules of a site.
func (l *Loop) publishedOf(name string) []rule.Record {
	if p := l.lists.shown[name]; p != nil {
		return p.Records
	}
	return nil
}

// agreeing leaves out sites that conflict with newer sites: if --site-by was changed, a
// host and its domain both have rules, and no crawler would accept that list.
func (l *Loop) agreeing() map[string]*book.Publication {
	var sites []canon.Site
	for _, name := range slices.Sorted(maps.Keys(l.trials.published)) {
		if records := l.trials.published[name].Records; len(records) > 0 {
			sites = append(sites, canon.Site{Name: name, ByDomain: records[0].ByDomain, Hosts: records[0].Hosts})
		}
	}
	slices.SortStableFunc(sites, func(a, b canon.Site) int {
		return cmp.Compare(l.trials.published[b.Name].At, l.trials.published[a.Name].At)
	})
	shown := maps.Clone(l.trials.published)
	for i, err := range canon.Clashes(sites) {
		delete(shown, sites[i].Name)
		l.fail(ClashFailed, "show the rules of site "+strconv.Quote(sites[i].Name)+" beside newer ones", err)
	}
	return shown
}

// tellFigures tells the trials what the log says about its sites.
func (l *Loop) tellFigures() {
	if l.trials == nil || l.trials.worker == nil {
		return
	}
	var all []ours.Figure
	for m := range l.sites.All() {
		urls, _ := m.Sizes()
		p := l.trials.published[m.Site()]
		all = append(all, ours.Figure{Site: m.Site(), Count: urls, Clients: m.SeenClients(), Rules: len(l.of(m).List()), Published: p != nil && len(p.Records) > 0})
	}
	l.trials.worker.Figures(all, 0)
}

// markChange notes, on the newest day of a site, which rules a publication brings and which it takes
// away.
func (l *Loop) markChange(site string, before, now *book.Publication) {
	m := l.sites.Of(site)
	if m == nil {
		return
	}
	newest, ok := m.Newest()
	came, left := missing(now, before), missing(before, now)
	if !ok || newest == 0 || came+left == 0 {
		return
	}
	next, changed := l.curves.of[site].Marked(evidence.PaneOf(newest, evidence.SecondsOfDay), came, left)
	l.curves.set(site, next, changed)
}

// missing counts the rules of one publication that another lacks. Either may be nil.
func missing(in, from *book.Publication) (n int) {
	if in == nil {
		return 0
	}
	for i := range in.Records {
		if from == nil || !slices.ContainsFunc(from.Records, func(r rule.Record) bool { return r.ID == in.Records[i].ID }) {
			n++
		}
	}
	return n
}
