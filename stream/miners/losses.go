package miners

import "dustbuster/stream/kafka"

// An owner reads its partition from the start, so it meets unreadable records that earlier owners have met,
// and meets them again when it begins anew. They are counted once: what the group has committed is counted.

// countFrom takes in up to where the group has counted losses, by its last commit. A commit behind the end
// is of another topic.
func (p *partition) countFrom(generation *kafka.Generation, in kafka.Range) {
	for _, a := range generation.Partitions[p.member.o.Observations] {
		if a.Partition == p.id && a.Committed <= in.End {
			p.lossesTo.Store(max(p.lossesTo.Load(), a.Committed))
		}
	}
}

// loseOnce counts and reports lost offsets before a position, unless they were counted before.
func (p *partition) loseOnce(upto, offsets int64, why error) {
	if upto > p.lossesTo.Load() {
		p.lossesTo.Store(upto)
		p.lose(offsets, why)
	}
}
