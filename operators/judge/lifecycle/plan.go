package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

// Planned is a rule, or the set of valid rules, that would be tried, with the first pairs
// to fetch.
type Planned struct {
	Purpose  Purpose
	ID       string     // "": the set
	Rule     *rule.Rule // nil: the set
	Support  int
	Gain     int     // forms that the rule would merge
	Pairs    int     // that may be fetched
	Barred   int     // pairs left out because one of their URLs is never fetched
	Outcomes float64 // expected number of outcomes until the verdict
	First    []Look  // as many pairs as requested
}

// plans plans trials without a look.
type plans struct {
	*life
	asks   *asks
	prover *prover
}

// due returns the plan for a valid rule, or for the set, given a look returned by Next.
func (pl *plans) due(look Look, first int, now int64) Planned {
	p := Planned{Purpose: look.Purpose, ID: look.Rule, First: []Look{look}}
	draw, asks := func() *trials.Pair { return nil }, pl.asks.asksOf(&look)
	if e := pl.book.Entries[p.ID]; e != nil {
		p.Rule, p.Support, p.Pairs = &e.Rule, e.Support, pl.book.Round.Quota[p.ID]
	}
	if pl.ongoing.recheck != nil && look.Purpose == Recheck {
		draw = pl.ongoing.recheck.Draw
	}
	if a := pl.ongoing.rule; a != nil && look.Purpose == Proof {
		p, draw = pl.proof(a, p.First), a.Draw
	}
	if pl.ongoing.set != nil && look.Rule == "" {
		sum := pl.ongoing.set.Tally.Sum()
		p.Pairs, p.Barred = sum.Pairs, pl.ongoing.set.Barred
		draw = func() *trials.Pair { return pl.ongoing.set.DrawUnknown(pl.book.Memory, now) }
	}
	return pl.with(p, draw, asks, first)
}

// with draws pairs until the requested number is reached.
func (pl *plans) with(p Planned, draw func() *trials.Pair, asks *forms.Asks, first int) Planned {
	for len(p.First) < first {
		d := draw()
		if d == nil {
			break
		}
		look := Look{U: d.U, V: d.V, Purpose: p.Purpose, Rule: p.ID}
		if ask, ok := asks.URL(d.U, d.V, pl.asks.roundOf(&look)); ok && ask != d.U {
			look.Ask = ask
		}
		p.First = append(p.First, look)
	}
	return p
}

// proof returns the plan for the proof of a provisional rule.
func (pl *plans) proof(a *trials.Trial, first []Look) Planned {
	e, sum := pl.book.Entries[a.Candidate.ID], a.Tally.Sum()
	more := pl.o.Trial.Missing(sum.Pairs, sum.Outcomes())
	return Planned{Purpose: Proof, ID: e.ID, Rule: &e.Rule, Support: e.Support, Gain: e.Gain, Pairs: sum.Pairs, Barred: a.Barred, Outcomes: float64(more), First: first}
}

func (pl *plans) candidate(c *book.Candidate, first int, now int64) Planned {
	p := Planned{Purpose: Trial, ID: c.ID, Rule: &c.Rule, Support: c.Support, Gain: pl.view.Gain(c)}
	chance := pl.book.Chances()
	_, p.Outcomes = pl.o.Trial.Prospect(chance.Of(c), 0, p.Gain)
	a := trials.New(pl.judge(now), *c, pl.view.Forms, pl.view.Moves(c), 0, pl.ongoing.awaited)
	sum := a.Tally.Sum()
	p.Pairs, p.Barred = sum.Pairs, a.Barred
	return pl.with(p, a.Draw, a.Asks, first)
}

// Plan returns the next trials of the machine, in order, with the first few pairs of each: first the
// trials due for valid rules, then all candidates by their worth. Each verdict changes the trials
// after it. Plan gives out no look, and changes only state that Next would change before its next
// look. O(window · rules + moves of all candidates · log).
func (m *Machine) Plan(first int, now int64) (plan []Planned) {
	look, ok := m.Next(now)
	if m.view == nil {
		return nil
	}
	pl := &plans{m.life, m.asks, m.prover}
	if ok && look.Purpose != Trial {
		plan = append(plan, pl.due(look, first, now))
	}
	if ok {
		m.ongoing.unask(look)
	}
	if ok && look.Purpose == SetRecheck {
		m.rechecker.setTried--
	}
	proofs, chooser := pl.proofs(plan, first, now), chooserOf(m.life, now)
	planned := map[*book.Candidate]Planned{}
	ranked := chooser.ranked(func(c *book.Candidate) { planned[c] = pl.candidate(c, first, now) })
	few := m.prover.fewFrom(ranked)
	for i, b := range ranked {
		for len(proofs) > 0 && m.prover.provesFirst(m.prover.placeOf(proofs[0].ID), b.c, i >= few, chooser) {
			plan, proofs = append(plan, proofs[0]), proofs[1:]
		}
		plan = append(plan, planned[b.c])
	}
	return append(plan, proofs...)
}

// fewFrom returns the number of the ranked candidates up to the last that merges more than few forms.
func (pr *prover) fewFrom(ranked []bound) int {
	for i := len(ranked); i > 0; i-- {
		if c := ranked[i-1].c; !c.Late && !pr.mergesFew(c) {
			return i
		}
	}
	return 0
}

// proofs returns the plans for the proofs that are not planned yet, in order.
func (pl *plans) proofs(known []Planned, first int, now int64) (plan []Planned) {
	for _, place := range pl.prover.provable(now) {
		if e := pl.view.List[place]; !slices.ContainsFunc(known, func(p Planned) bool { return p.ID == e.ID }) {
			a := pl.prover.proofOf(place, now)
			plan = append(plan, pl.with(pl.proof(a, nil), a.Draw, a.Asks, first))
		}
	}
	return plan
}
