package prober

import (
	"iter"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
)

// Drain returns the acts done since the last Drain or Dump, and the present politeness if
// there are any. Acts of one site are in order. A publication among them must go out after
// all have been saved, and not before. The acts of a site that computes come later.
func (w *Worker) Drain() (changes []checkpoint.Change) {
	sites, of := w.out.all()
	for _, name := range sites {
		for _, a := range of[name].acts {
			changes = append(changes, checkpoint.Act{Site: name, Act: &a})
			w.reportAct(name, &a)
		}
		for _, e := range of[name].evidence {
			changes = append(changes, e)
		}
	}
	if len(changes) > 0 {
		changes = append(changes, w.politeness())
	}
	return changes
}

// reportAct reports the parts of an act that matter to the operator.
func (w *Worker) reportAct(site string, a *book.Act) {
	if a.Rule != nil {
		w.o.Report(Report{Site: site, Verdict: a.Rule})
	}
	if a.Publication != nil {
		w.o.Report(Report{Site: site, Published: a.Publication})
	}
}

func (w *Worker) politeness() checkpoint.Politeness {
	states := w.o.Fetcher.States()
	if w.o.Mine != nil {
		states = slices.DeleteFunc(states, func(s fetch.State) bool { return !w.o.Mine(s.Site) })
	}
	return states
}

// Dump yields the changes that restore new machines to the present state. They replace all
// acts ever drained, and the acts of the next Drain. Dump waits for machines that are
// computing.
func (w *Worker) Dump() iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		for _, s := range w.all() {
			if !s.dump(yield) {
				return
			}
		}
		for _, e := range w.o.Evidence.all(func(site string) bool { return w.known(site) != nil }) {
			if !yield(e) {
				return
			}
		}
		yield(w.politeness())
	}
}

func (s *site) dump(yield func(checkpoint.Change) bool) (goesOn bool) {
	goesOn = true
	s.inbox.Do(func() {
		s.collect()
		for _, a := range s.worker.out.take(s.name) { // these acts are in the dump, and Drain leaves them out
			s.worker.reportAct(s.name, &a)
		}
		for a := range s.machine.Dump {
			if goesOn = yield(checkpoint.Act{Site: s.name, Act: &a}); !goesOn {
				return
			}
		}
	})
	return goesOn
}

// Restore applies a saved Act, Evidence or Politeness. All of them must be restored, in order, before
// the first Offer. Pack follows at last.
func (w *Worker) Restore(change checkpoint.Change) {
	switch c := change.(type) {
	case checkpoint.Politeness:
		w.o.Fetcher.Restore(c)
	case checkpoint.Act:
		s := w.site(c.Site)
		s.machine.Restore(*c.Act)
		if c.Wishes != nil {
			s.now.approved = c.Wishes.Ours
		}
		if c.Pair != nil {
			if w.restored++; w.restored%packEvery == 0 {
				w.Pack()
			}
		}
	case checkpoint.Evidence:
		w.o.Evidence.put(ofRule{c.Site, c.Rule}, c.Pairs)
	}
}

// packEvery is the number of restored pairs after which they are packed. Until then they take 22 MB (book.PairBytes).
const packEvery = 50_000

// Pack packs what is known of the pairs of all sites. The caller of Restore calls Pack at last.
func (w *Worker) Pack() {
	for _, s := range w.all() {
		s.pack()
	}
}

// Published returns the publication of each site, by site.
func (w *Worker) Published() map[string]*book.Publication {
	all := map[string]*book.Publication{}
	for _, s := range w.all() {
		if p := s.seen().published; p != nil {
			all[s.name] = p
		}
	}
	return all
}
