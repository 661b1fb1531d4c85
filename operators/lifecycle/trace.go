package lifecycle

import "dustbuster/operators/trial"

// trace finds the cause of the negatives of an attempt. v is the result of the rule on the
// form that L makes of u. If u and its form differ already, the pair proves nothing about
// the rule, and L is wrong about u. For each negative pair in which L took part, u and its
// form are therefore compared as well.
func (m *Machine) trace(a *attempt, now int64) (Test, step) {
	for p := range a.tried {
		if p.u == p.form || p.outcome.Outcome != trial.Negative && !p.byList {
			continue
		}
		step := pair{u: p.u, v: p.form, key: m.keys.pair(p.u, p.form)}
		c := m.view.controlOf(m.view.canonizer, p.u)
		r, known := m.book.memory.known(step.u, step.v, 0, now)
		if (!known || r.Second == nil) && m.awaited[step.key] {
			return Test{}, waiting
		}
		if !known {
			return m.test(Trial, a.c.id, &step), gave
		}
		j, doubt := m.judge(now).outcome(&r, step.u, step.v, &c)
		switch {
		case doubt:
			step.seen = &r
			return m.second(Trial, a.c.id, &step), gave
		case j.Outcome == trial.Negative:
			step.outcome = j
			if test, done := m.sendBack(m.view.canonizer, &step, Trial, a.c.id, now); done != nothing {
				return test, done
			}
		}
	}
	return Test{}, nothing
}
