package records

import "dustbuster/operators/weblog"

// noteAgents tells Options.Agentless of a format whose records name clients and no user
// agents, once.
func (r *Reader) noteAgents(b *Batch) {
	if r.o.Agentless == nil || len(b.Records) == 0 || r.agentless[b.Format] {
		return
	}
	for _, p := range r.file.parsers {
		if has := p.Fields(); has&weblog.HasAgent == 0 && has&weblog.HasClient != 0 {
			r.agentless[b.Format] = true
			r.o.Agentless(b.Path, b.Format)
			return
		}
	}
}
