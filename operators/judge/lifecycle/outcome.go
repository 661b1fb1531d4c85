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
func (m *Machine) Measure(t Look, u, v trial.Document, compare func() trial.Compared) trial.Seen {
	return trial.Look(trial.Pair{U: t.Asked(), V: t.V, StandIn: t.Ask != "", Maps: func(target string) bool { return m.maps(&t, target) }}, u, v, compare)
}

// maps reports whether the rules on trial turn a URL into V.
func (m *Machine) maps(t *Look, target string) bool {
	if target == t.V {
		return false
	}
	rules := forms.RulesOf(m.book.Valid())
	if t.Rule == "" && m.publisher.out != nil {
		rules = forms.RulesOf(m.publisher.out.list)
	}
	if e := m.book.Entries[t.Rule]; e != nil && e.State != rule.Valid {
		rules = forms.With(rules, e.Rule)
	}
	if a := m.attempts.rule; a != nil && a.IsNew && a.Candidate.ID == t.Rule {
		rules = forms.With(rules, m.attempts.rule.Candidate.Rule)
	}
	out, _ := forms.Compile(rules).Canon(nil, []byte(target))
	return string(out) == t.V
}

// Outcome takes in the result of a look, in any order of arrival. For a second look, self
// is the smaller of the resemblances of u and of v to themselves, or 1 if neither was
// measured. Outcome returns the judgement of the pair at present.
func (m *Machine) Outcome(t Look, s trial.Seen, self float64, now int64) trial.Judgement {
	delete(m.attempts.awaited, t.key)
	if t.Purpose == Report {
		r := m.named.take(&t, s, self, now)
		j, _ := m.judge(m.now).Outcome(&r, t.U, t.V, m.attempts.controlOn(m.judge(m.now), &t))
		return j
	}
	m.publisher.count(&t, t.costOf(m.book.Memory, &s, now))
	was, known := m.book.Memory.Results()[t.key]
	r := book.Result{Looks: book.Looks{Seen: s, Mixed: t.Purpose == Control, Ask: t.ask(now), URLs: m.book.Memory.Keys.Requested(t.Asked(), t.V, &s)}, At: now}
	switch {
	case known && s.Reason == trial.NotAllowed && (was.Reason == trial.StandInRefused || was.Reason == trial.StandInMoved): // for which the rule gets no stand-in
		r.Seen, r.Ask = was.Seen, was.Ask
	case t.Second:
		if was, known = m.book.Memory.Known(t.U, t.V, 0, now); !known {
			break // the pair was forgotten in the meantime, so this is the first look
		}
		r.Looks, r.Mixed = was.Looks, was.Mixed
		r.Second, r.Self = &s, self
		m.observe(self)
	case known && t.Purpose == Recheck:
		before, _ := m.judge(m.now).Outcome(&was, t.U, t.V, m.attempts.controlOn(m.judge(m.now), &t))
		r.Was = before.Outcome
	}
	j, doubt := m.judge(m.now).Outcome(&r, t.U, t.V, m.attempts.controlOn(m.judge(m.now), &t))
	p := book.PairAct{Key: t.key, Looks: r.Looks, At: now}
	if t.Purpose == Recheck && !doubt && r.Was != 0 && r.Was != trial.Skip && j.Outcome != trial.Skip {
		p.Rule, p.Changed = t.Rule, r.Was != j.Outcome
	}
	m.do(book.Act{Pair: &p})
	r.Number = p.Number
	m.book.Memory.Tell(t.U, t.V, j)
	if t.Purpose != Control {
		m.attempts.receive(m.judge(m.now), &t, r)
	}
	return j
}

// ask returns what the memory keeps of a stand-in.
func (t *Look) ask(now int64) *book.Ask {
	if t.Ask == "" {
		return nil
	}
	return &book.Ask{URL: t.Ask, Rule: t.Rule, At: now}
}

// observe takes in the resemblance to itself of a page that was fetched twice.
func (m *Machine) observe(self float64) {
	if n := m.book.Noise; self < m.o.Tau && n.Observe(self-book.Margin) {
		m.do(book.Act{Noise: n.Lost})
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
func (m *Machine) tellRejudged(a *attempt.Attempt) {
	purpose := Trial
	if a == m.attempts.recheck {
		purpose = Recheck
	}
	for p := range a.Tried {
		if p.Seen != nil && m.book.Memory.Tell(p.U, p.V, p.Outcome) {
			m.rejudged = append(m.rejudged, Rejudged{p.Asked(), p.V, purpose, a.Candidate.ID, p.Outcome, p.Seen.Compared})
		}
	}
}
