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
// all have been saved, and not before.
func (w *Worker) Drain() (changes []checkpoint.Change) {
	for _, s := range w.all() {
		if s.mu.TryLock() { // else the machine is computing, and its later acts come with the next checkpoint
			s.collect()
			s.mu.Unlock()
		}
		acts, evidence := s.collected()
		for _, a := range acts {
			changes = append(changes, checkpoint.Act{Site: s.name, Act: &a})
			s.reportAct(&a)
		}
		for _, e := range evidence {
			changes = append(changes, e)
		}
	}
	if len(changes) > 0 {
		changes = append(changes, w.politeness())
	}
	return changes
}

// collect moves the acts of the machine to where Drain finds them although the machine computes. The caller
// holds mu.
func (s *site) collect() {
	acts := s.machine.Acts()
	var evidence []checkpoint.Evidence
	for i := range acts {
		if e := acts[i].Rule; e != nil {
			evidence = append(evidence, s.settle(e)...)
		}
	}
	s.locked(func() { s.acts, s.evidence = append(s.acts, acts...), append(s.evidence, evidence...) })
}

// collected takes the acts that were collected, and the evidence of their verdicts.
func (s *site) collected() (acts []book.Act, evidence []checkpoint.Evidence) {
	s.locked(func() { acts, s.acts, evidence, s.evidence = s.acts, nil, s.evidence, nil })
	return acts, evidence
}

// reportAct reports the parts of an act that matter to the operator.
func (s *site) reportAct(a *book.Act) {
	if a.Rule != nil {
		s.worker.o.Report(Report{Site: s.name, Verdict: a.Rule})
	}
	if a.Publication != nil {
		s.worker.o.Report(Report{Site: s.name, Published: a.Publication})
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

func (s *site) dump(yield func(checkpoint.Change) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.collect()
	acts, _ := s.collected()
	for _, a := range acts { // these acts are in the dump, and Drain leaves them out
		s.reportAct(&a)
	}
	for a := range s.machine.Dump {
		if !yield(checkpoint.Act{Site: s.name, Act: &a}) {
			return false
		}
	}
	return true
}

// Restore applies a saved Act, Evidence or Politeness. All of them must be restored, in order, before
// the first Offer.
func (w *Worker) Restore(change checkpoint.Change) {
	switch c := change.(type) {
	case checkpoint.Politeness:
		w.o.Fetcher.Restore(c)
	case checkpoint.Act:
		s := w.site(c.Site)
		s.machine.Restore(*c.Act)
		if c.Wishes != nil {
			s.approved.Store(c.Wishes.Ours)
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
		s.mu.Lock()
		if p := s.machine.Published(); p.Sequence > 0 {
			all[s.name] = &p
		}
		s.mu.Unlock()
	}
	return all
}
