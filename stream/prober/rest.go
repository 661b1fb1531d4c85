package prober

import (
	"time"

	"dustbuster/operators/judge/lifecycle"
)

// choose asks the machine for a pair. Requests kept for the trial of the set are released once
// it is published. Only the owner calls it.
func (s *site) choose(now int64) (lifecycle.Look, bool) {
	for {
		rest := s.rest()
		s.machine.Rest(rest)
		pair, ok := s.machine.Next(now)
		owes, rests := s.machine.Answers.Owes(), rest > lifecycle.NoRest
		s.note(owes, rests && !ok && !owes)
		if ok || !rests || s.rest() > lifecycle.NoRest {
			return pair, ok
		}
	}
}

// rest returns the rest that leaves the remaining requests to the trials of sets.
func (s *site) rest() lifecycle.Rest {
	w := s.worker
	if w.finishing.Load() {
		return lifecycle.FullRest
	}
	rest := lifecycle.NoRest
	if !w.o.Once || s.now.owes {
		rest = restAt(w.o.Fetcher.Left(s.name), w.o.Reserve)
	}
	if owing := int(w.owing.Load()); owing > 0 {
		rest = max(rest, restAt(w.o.Fetcher.LeftInAll()/owing, w.o.Kept))
	}
	return rest
}

// restAt returns the rest when some requests are left. A rule's trial that has begun may take
// half of the requests kept for that of the set.
func restAt(left, kept int) lifecycle.Rest {
	switch {
	case left <= kept/2:
		return lifecycle.FullRest
	case left <= kept:
		return lifecycle.LastRule
	}
	return lifecycle.NoRest
}

// note takes in the state of a site after a question to its machine. Only the owner calls it.
func (s *site) note(owes, rested bool) {
	if owes != s.now.owes {
		s.worker.owing.Add(map[bool]int64{true: 1, false: -1}[owes])
	}
	s.now.owes, s.now.rested = owes, rested
}

// Rested returns the sites that stopped in favor of other sites, once the other sites have
// stopped as well. The caller should give these sites again.
func (w *Worker) Rested() (names []string) {
	if w.finishing.Load() || w.Busy() {
		return nil
	}
	for _, s := range w.all() {
		if s.seen().rested {
			names = append(names, s.name)
		}
	}
	return names
}

// Finish ends the trials of single rules, for good. Sets of valid rules are still tried and
// published. Finish reports whether there are such sets.
func (w *Worker) Finish() bool {
	w.finishing.Store(true)
	return w.owing.Load() > 0
}

// Conclude publishes the sets that were tried and never refuted, after Close.
func (w *Worker) Conclude() {
	for _, s := range w.all() {
		s.conclude()
	}
}

func (s *site) conclude() {
	s.inbox.Do(func() {
		s.machine.Close(time.Now().Unix())
		s.machine.Answers.LookNotTried(time.Now().Unix())
		if s.now.status != nil {
			status := *s.now.status // others hold the last
			status.NotTried = s.machine.Answers.Status().NotTried
			s.now.status = &status
		}
		s.tellRejudged()
	})
}
