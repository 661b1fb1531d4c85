package loop

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"dustbuster/operators/canon"
	"dustbuster/operators/jsonl"
	"dustbuster/operators/lifecycle"
	"dustbuster/stream/journal"
)

// judged is the loop's knowledge of tried rules.
type judged struct {
	acts      []journal.Act                     // taken, and not yet saved
	idle      []journal.Act                     // saved by a process that tried rules; kept while this process tries none
	outgoing  map[string]*lifecycle.Publication // publications among acts: out once those are saved
	published map[string]*lifecycle.Publication // by site
	shown     map[string]*lifecycle.Publication // publications that agree with each other
	valid     jsonl.List                        // of all of these
}

// offer gives the worker the windows of the sites wanted by the worker.
func (l *Loop) offer() {
	if l.o.Validate == nil || !l.live {
		return
	}
	for m := range l.sites.All() {
		if l.o.Validate.Wants(m.Site()) {
			l.o.Validate.Give(m.Site(), lifecycle.WindowOf(m), lifecycle.Candidates(l.lists[m]))
		}
	}
}

// take takes the worker's acts since the last checkpoint, and first tells the worker the
// parameter separators of each site.
func (l *Loop) take() {
	if l.o.Validate == nil {
		return
	}
	if l.live {
		for m := range l.sites.All() {
			l.o.Validate.See(m)
		}
	}
	t := l.o.Validate.Take()
	l.acts = append(l.acts, t.Acts...)
	l.expect(t.Published)
}

// expect notes publications that the next checkpoint saves.
func (l *Loop) expect(published map[string]*lifecycle.Publication) {
	if l.outgoing == nil {
		l.outgoing = map[string]*lifecycle.Publication{}
	}
	maps.Copy(l.outgoing, published)
}

// letOut publishes the saved publications.
func (l *Loop) letOut(ctx context.Context) {
	if len(l.outgoing) == 0 {
		return
	}
	maps.Copy(l.published, l.outgoing)
	clear(l.outgoing)
	l.listValid()
	l.publish(ctx)
}

// listValid makes the list of the published rules of all sites.
func (l *Loop) listValid() {
	l.shown, l.valid = l.agreeing(), nil
	for _, site := range slices.Sorted(maps.Keys(l.shown)) {
		l.valid = append(l.valid, jsonl.Valid(l.shown[site])...)
	}
}

// agreeing leaves out sites that conflict with newer sites: if --site-by was changed, a
// host and its domain both have rules, and no crawler would accept that list.
func (l *Loop) agreeing() map[string]*lifecycle.Publication {
	var sites []canon.Site
	for _, name := range slices.Sorted(maps.Keys(l.published)) {
		if records := l.published[name].Records; len(records) > 0 {
			sites = append(sites, canon.Site{Name: name, ByDomain: records[0].ByDomain, Hosts: records[0].Hosts})
		}
	}
	slices.SortStableFunc(sites, func(a, b canon.Site) int { return cmp.Compare(l.published[b.Name].At, l.published[a.Name].At) })
	shown := maps.Clone(l.published)
	for i, err := range canon.Clashes(sites) {
		delete(shown, sites[i].Name)
		l.fail("show the rules of site "+strconv.Quote(sites[i].Name)+" beside newer ones", err)
	}
	return shown
}

// newActs emits those not yet saved.
func (l *Loop) newActs(emit func(journal.Act) error) error {
	for _, a := range l.acts {
		if err := emit(a); err != nil {
			return err
		}
	}
	return nil
}

// dump emits acts that replace all acts saved before.
func (l *Loop) dump(emit func(journal.Act) error) error {
	if l.o.Validate == nil {
		for _, a := range l.idle {
			if err := emit(a); err != nil {
				return err
			}
		}
		return nil
	}
	t, err := l.o.Validate.Dump(emit)
	l.expect(t.Published)
	return err
}

func (l *Loop) restoreAct(a journal.Act) error {
	if l.restoreShare(a) {
		return nil
	}
	if l.o.Validate != nil {
		return l.o.Validate.Restore(a)
	}
	a.Value = bytes.Clone(a.Value)
	l.idle = append(l.idle, a)
	return nil
}
