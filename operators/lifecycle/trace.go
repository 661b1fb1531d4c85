package lifecycle

import "dustbuster/operators/trial"

// trace finds the cause of the negatives of an attempt. v is the result of the rule on the
// form that L makes of u. If u and its form differ already, the pair proves nothing about
// the rule, and L is wrong about u. For each negative pair in which L took part, u and its
// form are therefore compared as well.
func (pl *planner) trace(a *attempt, now int64) (Test, step) {
	for p := range a.tried {
		if p.u == p.form || p.outcome.Outcome != trial.Negative && !p.byList {
			continue
		}
		step := pair{u: p.u, v: p.form, key: pl.book.memory.keys.pair(p.u, p.form)}
		c := pl.view.controlOf(pl.view.canonizer, p.u)
		r, known := pl.book.memory.known(step.u, step.v, 0, now)
		if (!known || r.Second == nil) && pl.trials.awaited[step.key] {
			return Test{}, waiting
		}
		if !known {
			return pl.trials.test(Trial, a.c.id, &step), gave
		}
		j, doubt := pl.judge(now).outcome(&r, step.u, step.v, &c)
		switch {
		case doubt:
			step.seen = &r
			return pl.trials.second(Trial, a.c.id, &step), gave
		case j.Outcome == trial.Negative:
			step.outcome = j
			if test, done := pl.sendBack(pl.view.canonizer, &step, Trial, a.c.id, now); done != nothing {
				return test, done
			}
		}
	}
	return Test{}, nothing
}
