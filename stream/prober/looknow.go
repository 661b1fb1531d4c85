package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
)

// LookNow fetches the two pages of a pair of a rule's verdict anew, with the limits and delays of trials, and keeps
// beside the pair what they show. Pairs are numbered from 0. LookNow waits 15 seconds: seen is nil if the look takes
// longer, and goes on. The error is ErrNoSite, report.ErrBusy (the site computes), book.ErrNoPair or book.ErrBusy (other
// looks are under way). The look decides nothing.
func (w *Worker) LookNow(name, id string, pair int) (seen *book.Opened, err error) {
	s := w.known(name)
	if s == nil || w.o.Dry || !w.CanTry(name) || s.whose(time.Now()).Why == "" {
		return nil, ErrNoSite
	}
	var (
		e   book.Entry
		ok  bool
		may func(from, to string) bool
	)
	if err := s.ask(context.Background(), func() {
		e, ok = s.machine.Answers.Entry(id)
		may = s.machine.Dialogue.MayLead()
	}); err != nil {
		return nil, err
	}
	if s.view.Load() == 0 { // what the public asks for is not known without a window
		may = func(_, to string) bool { return to == e.Verdict.Examples[pair].U || to == e.Verdict.Examples[pair].V }
	}
	if !ok || pair < 0 || pair >= len(e.Verdict.Examples) {
		return nil, book.ErrNoPair
	}
	if !w.o.Evidence.begin() {
		return nil, book.ErrBusy
	}
	done := make(chan *book.Opened, 1)
	if !w.goes(func() {
		defer w.o.Evidence.end()
		done <- s.lookNow(&e, pair, may)
	}) {
		w.o.Evidence.end()
		return nil, ErrNoSite
	}
	select {
	case seen = <-done:
	case <-time.After(waitLook):
	}
	return seen, nil
}

// goes starts a goroutine that Close waits for. False: the worker is closed.
func (w *Worker) goes(do func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() != nil {
		return false
	}
	w.done.Go(do)
	return true
}

// lookNow fetches a pair of a verdict, and keeps what the pages show.
func (s *site) lookNow(e *book.Entry, pair int, may func(from, to string) bool) *book.Opened {
	w, example := s.worker, e.Verdict.Examples[pair]
	ctx, cancel := context.WithTimeout(w.ctx, longLook)
	defer cancel()
	pass, end := w.o.Fetcher.Pass(s.name)
	defer end()
	q := fetch.Request{Site: s.name, Fresh: true, Purpose: "look", MayLead: may, Pass: pass}
	p := s.fetch(ctx, lifecycle.Look{U: example.U, V: example.V}, q, w.o.Fetcher.Get, w.o.Fetcher.Get)
	told := &Judged{U: visitedOf(p.u, p.uErr), V: visitedOf(p.v, p.vErr)}
	if told.Compared = isPage(&told.U) && isPage(&told.V); told.Compared {
		told.Resemblance = compare(p.u, p.v).Alike
	}
	told.Reason = outcomeNow(&p, example, told, e.Verdict.Threshold)
	seen := s.open(example.U, example.V, &p, told)
	pairs := w.Opened(s.name, e)
	pairs[pair].Now = seen
	w.o.Evidence.put(ofRule{s.name, e.ID}, pairs)
	w.out.add(s.name, nil, []checkpoint.Evidence{{Site: s.name, Rule: e.ID, Pairs: pairs}})
	return seen
}

// outcomeNow returns the reason by which two pages just fetched would be judged without a control.
func outcomeNow(p *fetched, e rule.Example, told *Judged, threshold float64) string {
	seen := trial.Look(trial.Pair{U: e.U, V: e.V}, document(p.u, p.uErr), document(p.v, p.vErr), func() trial.Compared { return trial.Compared{} })
	switch {
	case seen.Reason != 0:
		return seen.Reason.String()
	case told.Resemblance >= threshold:
		return trial.Similar.String()
	}
	return trial.Different.String()
}
