package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Measure returns what a look's two documents show. It calls compare only if both
// documents are pages.
func (pl *planner) Measure(t Look, u, v trial.Document, compare func() trial.Compared) trial.Seen {
	return trial.Look(trial.Pair{U: t.U, V: t.V, Maps: func(target string) bool { return pl.maps(&t, target) }}, u, v, compare)
}

// maps reports whether the rules on trial turn a URL into V.
func (pl *planner) maps(t *Look, target string) bool {
	if target == t.V {
		return false
	}
	rules := forms.RulesOf(pl.book.Valid())
	if t.Rule == "" && pl.publisher.out != nil {
		rules = forms.RulesOf(pl.publisher.out.list)
	}
	if e := pl.book.Entries[t.Rule]; e != nil && e.State != rule.Valid {
		rules = forms.With(rules, e.Rule)
	}
	if a := pl.attempts.rule; a != nil && a.IsNew && a.Candidate.ID == t.Rule {
		rules = forms.With(rules, pl.attempts.rule.Candidate.Rule)
	}
	out, _ := forms.Compile(rules).Canon(nil, []byte(target))
	return string(out) == t.V
}

// Outcome takes in the result of a look, in any order of arrival. For a second look, self
// is the smaller of the resemblances of u and of v to themselves, or 1 if neither was
// measured. Outcome returns the judgement of the pair at present.
func (pl *planner) Outcome(t Look, s trial.Seen, self float64, now int64) trial.Judgement {
	delete(pl.attempts.awaited, t.key)
	if t.Purpose == Report {
		r := pl.named.take(&t, s, self, now)
		j, _ := pl.judge(pl.now).Outcome(&r, t.U, t.V, pl.attempts.controlOn(pl.judge(pl.now), &t))
		return j
	}
	pl.publisher.count(&t, t.costOf(pl.book.Memory, &s, now))
	was, known := pl.book.Memory.Results()[t.key]
	r := book.Result{Looks: book.Looks{Seen: s, Mixed: t.Purpose == Control, URLs: pl.book.Memory.Keys.Requested(t.U, t.V, &s)}, At: now}
	switch {
	case t.Second:
		if was, known = pl.book.Memory.Known(t.U, t.V, 0, now); !known {
			break // the pair was forgotten in the meantime, so this is the first look
		}
		r.Looks, r.Mixed = was.Looks, was.Mixed
		r.Second, r.Self = &s, self
		pl.observe(self)
	case known && t.Purpose == Recheck:
		before, _ := pl.judge(pl.now).Outcome(&was, t.U, t.V, pl.attempts.controlOn(pl.judge(pl.now), &t))
		r.Was = before.Outcome
	}
	j, doubt := pl.judge(pl.now).Outcome(&r, t.U, t.V, pl.attempts.controlOn(pl.judge(pl.now), &t))
	p := book.PairAct{Key: t.key, Looks: r.Looks, At: now}
	if t.Purpose == Recheck && !doubt && r.Was != 0 && r.Was != trial.Skip && j.Outcome != trial.Skip {
		p.Rule, p.Changed = t.Rule, r.Was != j.Outcome
	}
	pl.do(book.Act{Pair: &p})
	r.Number = p.Number
	pl.book.Memory.Tell(t.U, t.V, j)
	if t.Purpose != Control {
		pl.attempts.receive(pl.judge(pl.now), &t, r)
	}
	return j
}

// observe takes in the resemblance to itself of a page that was fetched twice.
func (pl *planner) observe(self float64) {
	if n := pl.book.Noise; self < pl.o.Tau && n.Observe(self-book.Margin) {
		pl.do(book.Act{Noise: n.Lost})
	}
}

// The outcome of a pair is derived again whenever the control of the rule on trial changes, and when
// the words of its other pairs are known. Whoever keeps a record of the outcomes is told at the
// verdict which of them are no longer as they were told.

// Rejudged is an outcome that differs from what Machine.Outcome returned for the pair. After a
// restart, all outcomes that led to a verdict count as different.
type Rejudged struct {
	U, V    string
	Purpose Purpose
	Rule    string // id of the rule on trial
	trial.Judgement
	Compared *trial.Compared // nil unless both documents were there
}

// Rejudged returns the outcomes that were judged anew for verdicts since the last call, in order.
func (m *Machine) Rejudged() []Rejudged {
	all := m.rejudged
	m.rejudged = nil
	return all
}

// tellRejudged notes the outcomes of a trial that differ from those told before. It is called before a
// verdict.
func (pl *planner) tellRejudged(a *attempt.Attempt) {
	purpose := Trial
	if a == pl.attempts.recheck {
		purpose = Recheck
	}
	for p := range a.Tried {
		if p.Seen != nil && pl.book.Memory.Tell(p.U, p.V, p.Outcome) {
			pl.rejudged = append(pl.rejudged, Rejudged{p.U, p.V, purpose, a.Candidate.ID, p.Outcome, p.Seen.Compared})
		}
	}
}
