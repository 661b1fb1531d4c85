package prober

import (
	"encoding/json"
	"fmt"
	"slices"

	"dustbuster/operators/lifecycle"
	"dustbuster/stream/fetch"
	"dustbuster/stream/journal"
)

// politeness is the key of the act with the Fetcher's states. The key of a machine's act is
// a colon and the site.
const politeness = "fetch"

// Taken is the work done since the last Take.
type Taken struct {
	Acts      []journal.Act
	Published map[string]*lifecycle.Publication // by site, if changed since the last Take
}

// Take returns the work done since the last call. Acts of one site are in order.
// Publications must be published after the acts have been saved, and not before.
func (w *Worker) Take() Taken {
	t := Taken{Published: map[string]*lifecycle.Publication{}}
	for _, s := range w.all() {
		if !s.mu.TryLock() {
			continue // the machine is computing; the next checkpoint takes its acts
		}
		acts := s.machine.Acts()
		if p := s.machine.Published(); hasPublication(acts) {
			t.Published[s.name] = &p
		}
		s.mu.Unlock()
		for i := range acts {
			t.Acts = append(t.Acts, actOf(s.name, &acts[i]))
			s.tell(&acts[i])
		}
	}
	if len(t.Acts) > 0 {
		t.Acts = append(t.Acts, w.politeness())
	}
	return t
}

func hasPublication(acts []lifecycle.Act) bool {
	for i := range acts {
		if acts[i].Publication != nil {
			return true
		}
	}
	return false
}

// tell reports the parts of an act that matter to the operator.
func (s *site) tell(a *lifecycle.Act) {
	if a.Rule != nil {
		s.worker.o.Report(Report{Site: s.name, Verdict: a.Rule})
	}
	if a.Publication != nil {
		s.worker.o.Report(Report{Site: s.name, Published: a.Publication})
	}
}

func actOf(site string, a *lifecycle.Act) journal.Act {
	return journal.Act{Key: ":" + site, Value: a.Encode()}
}

func (w *Worker) politeness() journal.Act {
	states := w.o.Fetcher.States()
	if w.o.Mine != nil {
		states = slices.DeleteFunc(states, func(s fetch.State) bool { return !w.o.Mine(s.Site) })
	}
	value, err := json.Marshal(states)
	if err != nil {
		panic(err) // names, times and numbers have a form
	}
	return journal.Act{Key: politeness, Value: value}
}

// Dump emits acts that restore new machines to the present state. These acts replace all
// acts ever taken, and the acts of the next Take. Dump waits for machines that are
// computing.
func (w *Worker) Dump(emit func(journal.Act) error) (Taken, error) {
	t := Taken{Published: map[string]*lifecycle.Publication{}}
	for _, s := range w.all() {
		if err := s.dump(&t, emit); err != nil {
			return t, err
		}
	}
	return t, emit(w.politeness())
}

func (s *site) dump(t *Taken, emit func(journal.Act) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	acts := s.machine.Acts()
	if p := s.machine.Published(); hasPublication(acts) {
		t.Published[s.name] = &p
	}
	for i := range acts { // these acts are in the dump, and Take leaves them out
		s.tell(&acts[i])
	}
	for a := range s.machine.Dump {
		if err = emit(actOf(s.name, &a)); err != nil {
			return err
		}
	}
	return nil
}

// Restore applies a saved act. All acts must be restored, in order, before the first Give.
func (w *Worker) Restore(a journal.Act) error {
	if a.Key == politeness {
		var states []fetch.State
		if err := json.Unmarshal(a.Value, &states); err != nil {
			return fmt.Errorf("read politeness: %w", err)
		}
		w.o.Fetcher.Restore(states)
		return nil
	}
	act, err := lifecycle.Decode(a.Value)
	if err != nil {
		return err
	}
	s := w.site(a.Key[1:])
	s.machine.Restore(act)
	return nil
}

// Published returns the publication of each site, by site.
func (w *Worker) Published() map[string]*lifecycle.Publication {
	all := map[string]*lifecycle.Publication{}
	for _, s := range w.all() {
		s.mu.Lock()
		if p := s.machine.Published(); p.Sequence > 0 {
			all[s.name] = &p
		}
		s.mu.Unlock()
	}
	return all
}
