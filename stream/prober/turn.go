package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
	"dustbuster/stream/turns"
)

// take is the site's turn: one pair is fetched. goesOn reports whether the site should have another, with
// the rank, at s.later or later.
func (s *site) take(ctx context.Context, pass *fetch.Pass) (rank turns.Rank, goesOn bool) {
	window, candidates, ok := s.load(ctx)
	if !ok {
		return rank, false
	}
	s.enter(window, candidates)
	mine, wait := s.isOurs(ctx, pass)
	if !mine {
		if wait != nil {
			s.waitFor(wait)
		}
		return rank, false
	}
	var pair lifecycle.Look
	ended := false
	s.inbox.Do(func() {
		pair, ok = s.next()
		if s.later = s.secondLook(); !ok {
			if s.later == 0 {
				s.tellIdle()
			}
			return
		}
		s.told = lifecycle.Trying
		if ended = s.hasEnded(&pair); ended {
			s.machine.Dialogue.Release(pair)
			rank = s.rank(nil, false)
		}
	})
	s.worker.o.Turns.derived(s)
	if !ok || ended {
		rank.Begun = rank.Begun || s.later > 0
		return rank, ended || s.later > 0
	}
	if wait := s.judge(ctx, pair, pass); wait != nil && ctx.Err() == nil {
		if wait.Reason == fetch.Spent {
			s.conclude()
		}
		s.waitFor(wait)
		return rank, false
	}
	return turns.Rank{Begun: true, First: s.turn.site.Rank.First, Expected: s.turn.site.Rank.Expected}, ctx.Err() == nil
}

// secondLook returns when the site should have another turn, if nothing is left but pairs that are looked at again later;
// else 0. Only the owner calls it.
func (s *site) secondLook() int64 {
	if now := s.now.status.Now; now.Why == lifecycle.SecondLook {
		return now.Until
	}
	return 0
}

// waitFor notes that no request to the site is allowed for a while.
func (s *site) waitFor(wait *fetch.Error) {
	s.inbox.Do(func() { s.now.wait = Wait{wait.Until, wait.Reason} })
	s.worker.o.Report(Report{Site: s.name, Wait: wait})
}

// hasEnded reports whether a pair is of another rule than the pairs before, so that other sites may come
// first. Only the owner calls it.
func (s *site) hasEnded(pair *lifecycle.Look) bool {
	if pair.Purpose != lifecycle.Trial && pair.Purpose != lifecycle.Proof {
		return false
	}
	ended := s.onTrial != "" && pair.Rule != s.onTrial
	if s.onTrial = pair.Rule; ended {
		s.onTrial = ""
	}
	return ended
}

// rank returns the rank of the site, with these candidates, or with the present candidates if nil. Only the owner
// calls it.
func (s *site) rank(candidates []rule.Candidate, begun bool) turns.Rank {
	return turns.Rank{Begun: begun, First: s.machine.Published().Sequence == 0, Expected: s.machine.Answers.Expected(candidates, time.Now().Unix())}
}

// load returns the current window of the site and its candidates, or nil if the site has a window which is not too old, and
// which the newest sizes do not contradict.
// False: nobody has a window of the site.
func (s *site) load(ctx context.Context) (window *forms.Window, candidates []rule.Candidate, ok bool) {
	w, had, needs, watches := s.worker, s.view.Load() > 0, false, false
	s.inbox.Do(func() {
		needs = !had || s.stale || time.Since(s.loaded) >= w.o.Refresh
		watches = time.Since(s.loaded) >= w.o.Every && time.Since(s.watched) >= max(w.o.Every, mostWatching*s.watching) && s.now.published != nil
	})
	if !needs && !watches || w.windows == nil {
		return nil, nil, had
	}
	began := time.Now()
	m, candidates := w.windows(ctx, s.name)
	if m == nil || !needs && !s.contradicted(m, began) {
		return nil, nil, had
	}
	return forms.WindowOf(m), candidates, true
}

// mostWatching is the reciprocal of the share of the time that a site with trials watches the newest sizes.
const mostWatching = 100

// contradicted reports whether the newest sizes contradict a published rule. A new window would end the trial under way, so it
// is loaded for these alone.
func (s *site) contradicted(m *miner.Machine, began time.Time) (contradicted bool) {
	s.inbox.Do(func() {
		contradicted = s.machine.Contradicted(m, time.Now().Unix())
		s.watched, s.watching = began, time.Since(began)
	})
	return contradicted
}

// unload drops the window, what was derived from it, and visits of its pages.
func (s *site) unload() {
	s.inbox.Do(func() {
		if s.view.Load() == 0 { // else it was loaded again
			s.machine.Unload()
			s.machine.Pack()
			s.visits, s.windowBytes = visits{}, 0
		}
	})
}

// pack saves memory while other sites come first. A site whose trial goes on, and which has a view, is not packed: to unpack
// 100 pairs takes a millisecond.
func (s *site) pack() {
	s.inbox.Do(func() {
		s.machine.Pack()
		s.sizeView()
	})
}

// sizeView notes the memory of the view, if there is one. Only the owner calls it.
func (s *site) sizeView() {
	if s.windowBytes > 0 {
		s.view.Store(s.windowBytes + s.visits.bytes + s.machine.Bytes())
	}
}

// enter gives the machine a new window, if there is one.
func (s *site) enter(window *forms.Window, candidates []rule.Candidate) {
	if window == nil {
		return
	}
	s.inbox.Do(func() {
		s.now.given, s.loaded, s.stale = time.Now(), time.Now(), false
		s.machine.Load(window, candidates)
		s.windowBytes = bytesOf(window)
		s.sizeView()
	})
}

// next asks the machine for a pair. Only the owner calls it.
func (s *site) next() (lifecycle.Look, bool) {
	pair, ok := s.choose(time.Now().Unix())
	s.tellRejudged()
	held := s.heldNow()
	news := held != nil && (s.now.held == nil || held.Mark != s.now.held.Mark)
	s.now.held = held
	s.tellStatus()
	s.sizeView()
	if p := s.now.status.Private; p.URLs > 0 {
		if now := (few{p.Alone, p.Single, p.Nobody}); !s.reported || now != s.few {
			s.reported, s.few = true, now
			s.worker.o.Report(Report{Site: s.name, Private: &p})
		}
	}
	if news {
		s.worker.o.Report(Report{Site: s.name, Pending: held})
	}
	return pair, ok
}

// heldNow returns the pending update, or nil. Only the owner calls it.
func (s *site) heldNow() *lifecycle.PendingUpdate {
	if u, held := s.machine.Operator.PendingUpdate(); held {
		return &u
	}
	return nil
}

// tellRejudged reports the outcomes that were judged anew. Only the owner calls it.
func (s *site) tellRejudged() {
	for _, r := range s.machine.Dialogue.Rejudged() {
		s.worker.o.Report(Report{Site: s.name, Rejudged: &r})
	}
}

// judge fetches a pair and tells the machine the outcome. If no request is allowed before
// some time, it returns the reason, and the pair comes again.
func (s *site) judge(ctx context.Context, pair lifecycle.Look, pass *fetch.Pass) (wait *fetch.Error) {
	var may func(from, to string) bool
	s.inbox.Do(func() { may = s.machine.Dialogue.MayLead() })
	began := time.Now()
	p, seen, self := s.look(ctx, pair, fetch.Request{Site: s.name, Purpose: pair.Purpose.String(), MayLead: may, Pass: pass})
	if wait := postponed(p.uErr, p.vErr); wait != nil {
		s.release(pair)
		return wait
	}
	var judged trial.Judgement
	s.inbox.Do(func() {
		if answered, failed := p.answered(began); answered || failed {
			s.machine.Dialogue.Answered(pair, failed, time.Now().Unix())
		}
		judged = s.machine.Dialogue.Outcome(pair, seen, self, time.Now().Unix())
		if pair.Purpose == lifecycle.Report {
			s.measured.note(pair.Asked(), p.u, p.uErr)
			s.measured.note(pair.V, p.v, p.vErr)
		}
	})
	told := judgedOf(pair, judged, &p)
	if pair.Purpose != lifecycle.Control {
		s.worker.o.Evidence.look(s.name, s.open(pair.Asked(), pair.V, &p, told))
	}
	s.worker.o.Report(Report{Site: s.name, Judged: told})
	return nil
}

func (s *site) release(pair lifecycle.Look) { s.inbox.Do(func() { s.machine.Dialogue.Release(pair) }) }

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
		rest = restAt(w.o.Fetcher.Limits(s.name).Left, w.o.Reserve)
	}
	if owing := int(w.owing.Load()); owing > 0 {
		rest = max(rest, restAt(w.o.Fetcher.Limits(s.name).LeftInAll/owing, w.o.Kept))
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

// bytesOf estimates the memory of a view of a window.
func bytesOf(w *forms.Window) (n int64) {
	for i := range w.Pages {
		n += viewURL + 2*int64(len(w.Pages[i].URL))
	}
	return n + viewSite
}

// The memory of a view: see TestMemoryOfSites.
const (
	viewSite = 16 << 10
	viewURL  = 400 // beside the text
)

// tellIdle reports why nothing is tried, unless the same reason was reported since the last trial. Only the owner
// calls it.
func (s *site) tellIdle() {
	s.onTrial = ""
	now := s.until(s.now.status.Now)
	if now.Why != s.told {
		s.told = now.Why
		s.worker.o.Report(Report{Site: s.name, Idle: &now})
	}
}

// until adds when requests that are kept will be more.
func (s *site) until(now lifecycle.Now) lifecycle.Now {
	if renews := s.worker.o.Fetcher.Limits(s.name).Renews; now.Why == lifecycle.Kept && !renews.IsZero() {
		now.Until = renews.Unix()
	}
	return now
}
