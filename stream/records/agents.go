package records

import "dustbuster/operators/read/weblog"

// noteAgents calls Options.Agentless for a format whose records name clients but no
// user agents, once per format.
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
