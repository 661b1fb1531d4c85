package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
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
	First    []Test  // as many pairs as requested
}

// due returns the plan for a valid rule, or for the set, given a test returned by Next.
func (pl *planner) due(test Test, first int, now int64) Planned {
	p := Planned{Purpose: test.Purpose, ID: test.Rule, First: []Test{test}}
	draw := func() *attempt.Pair { return nil }
	if e := pl.book.Entries[p.ID]; e != nil {
		p.Rule, p.Support, p.Pairs = &e.Rule, e.Support, pl.book.Round.Quota[p.ID]
	}
	if pl.trials.recheck != nil && test.Purpose == Recheck {
		draw = pl.trials.recheck.Draw
	}
	if pl.trials.set != nil && test.Rule == "" {
		sum := pl.trials.set.Tally.Sum()
		p.Pairs, p.Barred = sum.Pairs, pl.trials.set.Barred
		draw = func() *attempt.Pair { return pl.trials.set.DrawUnknown(pl.book.Memory, now) }
	}
	return p.with(draw, first)
}

// with draws pairs until the requested number is reached.
func (p Planned) with(draw func() *attempt.Pair, first int) Planned {
	for len(p.First) < first {
		d := draw()
		if d == nil {
			break
		}
		p.First = append(p.First, Test{U: d.U, V: d.V, Purpose: p.Purpose, Rule: p.ID})
	}
	return p
}

func (pl *planner) planned(c *book.Candidate, first int, now int64) Planned {
	p := Planned{Purpose: Trial, ID: c.ID, Rule: &c.Rule, Support: c.Support, Gain: pl.view.Gain(c)}
	chance := pl.book.Chances()
	_, p.Outcomes = pl.o.Trial.Prospect(chance.Of(c), 0, p.Gain)
	a := attempt.New(pl.judge(now), *c, pl.view.Forms, pl.view.Moves(c), 0, pl.trials.awaited)
	sum := a.Tally.Sum()
	p.Pairs, p.Barred = sum.Pairs, a.Barred
	return p.with(a.Draw, first)
}

// plan returns the next trials in order: see Machine.Plan.
func (pl *planner) plan(first int, now int64) (plan []Planned) {
	test, ok := pl.next(now)
	if pl.view == nil {
		return nil
	}
	if ok && test.Purpose != Trial {
		plan = append(plan, pl.due(test, first, now))
	}
	if ok {
		pl.trials.release(test)
	}
	if ok && test.Purpose == SetRecheck {
		pl.rechecker.setTried--
	}
	for _, b := range pl.chooser(now).ranked() {
		plan = append(plan, pl.planned(b.c, first, now))
	}
	return plan
}
