package validate

import (
	"time"

	"dustbuster/operators/validator"
)

// ask asks the machine for a pair. What is kept for the trial of the set is given back
// once the set is published.
func (s *site) ask(now int64) (validator.Test, bool) {
	for {
		rest := s.mustRest()
		s.machine.Rest(rest)
		test, ok := s.machine.Next(now)
		owes := s.machine.Owes()
		s.note(owes, rest && !ok && !owes)
		if ok || !rest || s.mustRest() {
			return test, ok
		}
	}
}

// mustRest reports whether no rules are to be tried now, since the requests that are
// left are for the trial of sets.
func (s *site) mustRest() bool {
	w := s.worker
	if w.finishing.Load() {
		return true
	}
	if w.o.Fetcher.Left(s.name) <= w.o.Reserve && (!w.o.Once || s.owing()) {
		return true
	}
	owing := int(w.owing.Load())
	return owing > 0 && w.o.Fetcher.LeftInAll()/owing <= w.o.Kept
}

// note takes in how a site stands after its machine was asked.
func (s *site) note(owes, rested bool) {
	s.slots.Lock()
	defer s.slots.Unlock()
	if owes != s.owes {
		s.worker.owing.Add(map[bool]int64{true: 1, false: -1}[owes])
	}
	s.owes, s.rested = owes, rested
}

func (s *site) owing() bool {
	s.slots.Lock()
	defer s.slots.Unlock()
	return s.owes
}

// Rested are the sites that stopped for the sake of others, which have stopped as well.
// They want to be given again.
func (w *Worker) Rested() (names []string) {
	if w.finishing.Load() || w.Busy() {
		return nil
	}
	for _, s := range w.all() {
		s.slots.Lock()
		if s.rested {
			names = append(names, s.name)
		}
		s.slots.Unlock()
	}
	return names
}

// Finish has no more rules tried, for good. Sets of rules that hold are still tried, and
// published: it reports whether there are such.
func (w *Worker) Finish() bool {
	w.finishing.Store(true)
	return w.owing.Load() > 0
}

// Conclude publishes the sets that were tried and never found wrong, after Close.
func (w *Worker) Conclude() {
	for _, s := range w.all() {
		s.conclude()
	}
}

func (s *site) conclude() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.machine.Close(time.Now().Unix())
}
