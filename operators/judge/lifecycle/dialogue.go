package lifecycle

import (
	"math"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/public"
)

// Dialogue is what is asked of pages, and what they answer.
type Dialogue struct {
	*life
	asks     *asks
	named    named      // pairs reported by crawlers
	rejudged []Rejudged // not yet taken
	failing  *failing   // nil: the server did not fail at the last look
}

// ask gives a pair out, for a first or a second look, unless it is awaited.
func (di *Dialogue) ask(purpose Purpose, rule string, p *trials.Pair) (Look, step) {
	if di.ongoing.awaited[p.Key] {
		return Look{}, waiting
	}
	return di.ongoing.look(purpose, rule, p), gave
}

// give gives out a pair that was drawn, if there is one, unless its outcome has become known.
func (di *Dialogue) give(a *trials.Trial, p *trials.Pair, purpose Purpose, now int64) (Look, step) {
	if p == nil {
		return Look{}, waiting
	}
	if r, known := di.book.Memory.Known(p.U, p.V, a.Since, now); known {
		a.Receive(p.Key, r)
		return Look{}, changed
	}
	return di.ongoing.look(purpose, a.Candidate.ID, p), gave
}

// corroborate continues the work that makes the outcomes of a trial credible: second looks at
// negatives, the decoys, and the pairs of the control.
func (di *Dialogue) corroborate(a *trials.Trial, purpose Purpose, missing *forms.Pair, now int64) (Look, step) {
	if p, outstanding := a.Doubtful(di.doubtsUntil(now)); p != nil {
		p.Awaited = true
		return di.ongoing.look(purpose, a.Candidate.ID, p), gave
	} else if outstanding {
		return Look{}, waiting
	}
	sum, decided := a.Tally.Sum(), a.Tally.Decide(di.o.Trial)
	if sum.Positives >= book.LeastPositives {
		if d := di.judge(now).DecoyDue(decided == trial.Valid); d != nil {
			return di.ask(Control, a.Candidate.ID, &trials.Pair{Pair: *d})
		}
	}
	ends := decided != trial.Open && (decided != trial.Refuted || !a.IsFirm())
	if missing != nil && (ends || sum.Outcomes()+sum.Skipped >= book.LeastPositives) {
		return di.ask(Control, a.Candidate.ID, &trials.Pair{Pair: *missing})
	}
	return Look{}, nothing
}

// mayFetch reports whether a look may be given out, and notes the stand-in that is fetched in the place of a
// private URL. All looks pass through it. One that may not be given out becomes a skip that costs no fetch.
func (di *Dialogue) mayFetch(t *Look) bool {
	switch ask, ok := di.asks.askFor(t); {
	case ok && ask == t.U:
		return true
	case ok && di.asks.mayStandIn(t.Rule):
		t.Ask = ask
		return true
	}
	di.Outcome(*t, trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NotAllowed}}, 1, di.now)
	return false
}

// Measure returns what a look's two documents show. It calls compare only if both
// documents are pages.
func (di *Dialogue) Measure(t Look, u, v trial.Document, compare func() trial.Compared) trial.Seen {
	return trial.Look(trial.Pair{U: t.Asked(), V: t.V, StandIn: t.Ask != "", Maps: func(target string) bool { return di.maps(&t, target) }}, u, v, compare)
}

// maps reports whether the rules on trial turn a URL into V.
func (di *Dialogue) maps(t *Look, target string) bool {
	if target == t.V {
		return false
	}
	rules := forms.RulesOf(di.book.Valid())
	if t.Rule == "" && di.publisher.out != nil {
		rules = forms.RulesOf(di.publisher.out.list)
	}
	if e := di.book.Entries[t.Rule]; e != nil && e.State != rule.Valid {
		rules = forms.With(rules, e.Rule)
	}
	if a := di.ongoing.rule; a != nil && a.IsNew && a.Candidate.ID == t.Rule {
		rules = forms.With(rules, di.ongoing.rule.Candidate.Rule)
	}
	out, _ := forms.Compile(rules).Canon(nil, []byte(target))
	return string(out) == t.V
}

// Outcome takes in the result of a look, in any order of arrival. For a second look, self
// is the smaller of the resemblances of u and of v to themselves, or 1 if neither was
// measured. Outcome returns the judgement of the pair at present.
func (di *Dialogue) Outcome(t Look, s trial.Seen, self float64, now int64) trial.Judgement {
	delete(di.ongoing.awaited, t.key)
	judge := di.judge(di.now)
	control := di.ongoing.controlOn(judge, &t)
	if t.Purpose == Report {
		r := di.named.take(&t, s, self, now)
		j, _ := judge.Outcome(&r, t.U, t.V, control)
		return j
	}
	cost := t.costOf(di.book.Memory, &s, now)
	di.publisher.early.count(&t, cost)
	di.yield.count(t.Purpose, cost)
	was, known := di.book.Memory.Results()[t.key]
	r := book.Result{Looks: book.Looks{Seen: s, Mixed: t.Purpose == Control, Ask: t.ask(now), URLs: di.book.Memory.Keys.Requested(t.Asked(), t.V, &s)}, At: now}
	switch {
	case known && s.Reason == trial.NotAllowed && (was.Reason == trial.StandInRefused || was.Reason == trial.StandInMoved): // for which the rule gets no stand-in
		r.Seen, r.Ask = was.Seen, was.Ask
	case t.Second:
		if was, known = di.book.Memory.Known(t.U, t.V, 0, now); !known {
			break // the pair was forgotten in the meantime, so this is the first look
		}
		r.Looks, r.Mixed = was.Looks, was.Mixed
		r.Second, r.Self = &s, self
		di.observe(self)
	case known && t.Purpose == Recheck:
		before, _ := judge.Outcome(&was, t.U, t.V, control)
		r.Was = before.Outcome
	}
	j, doubt := judge.Outcome(&r, t.U, t.V, control)
	p := book.PairAct{Key: t.key, Looks: r.Looks, At: now}
	if t.Purpose == Recheck && !doubt && r.Was != 0 && r.Was != trial.Skip && j.Outcome != trial.Skip {
		p.Rule, p.Changed = t.Rule, r.Was != j.Outcome
	}
	di.do(book.Act{Pair: &p})
	r.Number = p.Number
	di.book.Memory.Tell(t.U, t.V, j)
	if t.Purpose != Control {
		di.ongoing.receive(judge, &t, r)
	}
	return j
}

// Release takes back a look without an outcome. The pair is given out again.
func (di *Dialogue) Release(t Look) {
	di.ongoing.release(t)
}

// observe takes in the resemblance to itself of a page that was fetched twice.
func (di *Dialogue) observe(self float64) {
	if n := di.book.Noise; self < di.o.Tau && n.Observe(self-book.Margin) {
		di.do(book.Act{Noise: n.Lost})
	}
}

// The outcome of a pair is derived again whenever the control of the rule on trial changes, and when
// the words of its other pairs are known. Whoever keeps a record of the outcomes is told at the
// verdict which of them are no longer as they were told.

// Rejudged is an outcome that differs from what Outcome returned for the pair. After a
// restart, all outcomes that led to a verdict count as different.
type Rejudged struct {
	U, V    string
	Purpose Purpose
	Rule    string // id of the rule on trial
	trial.Judgement
	Compared *trial.Compared // nil unless both documents were there
}

// Rejudged returns the outcomes that were judged anew for verdicts since the last call, in order.
func (di *Dialogue) Rejudged() []Rejudged {
	all := di.rejudged
	di.rejudged = nil
	return all
}

// tellRejudged notes the outcomes of a trial that differ from those told before. It is called before a
// verdict.
func (di *Dialogue) tellRejudged(a *trials.Trial) {
	purpose := Trial
	if a == di.ongoing.recheck {
		purpose = Recheck
	}
	for p := range a.Tried {
		if p.Seen != nil && di.book.Memory.Tell(p.U, p.V, p.Outcome) {
			di.rejudged = append(di.rejudged, Rejudged{p.Asked(), p.V, purpose, a.Candidate.ID, p.Outcome, p.Seen.Compared})
		}
	}
}

// MayLead returns a function that reports whether a redirect of a URL that may be fetched may be
// followed to another URL. It is safe for concurrent use, and holds for the present window.
func (di *Dialogue) MayLead() func(from, to string) bool {
	if di.guard == nil {
		return func(from, to string) bool { return true }
	}
	return di.guard.Leads
}

// Specimen returns a URL of the window that may be fetched: of those for which most clients asked, three being many, the first. "": there is
// none. O(URLs).
func (di *Dialogue) Specimen() (url string) {
	if di.guard == nil {
		return ""
	}
	most := -1
	for i := range di.guard.Of {
		n := 0
		if di.window.Masks != nil {
			n = public.Count(di.window.Masks[i])
		}
		if di.guard.Of[i] == forms.Public && n > most {
			url, most = di.window.Pages[i].URL, n
		}
	}
	return url
}

// doubtsUntil returns the time up to which pairs that differ must have been looked at, if they are looked at again now.
func (di *Dialogue) doubtsUntil(now int64) int64 {
	if di.rest != NoRest {
		return math.MaxInt64
	}
	return now - di.o.SecondAfter
}
