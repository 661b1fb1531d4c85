package topics

import (
	"context"
	"fmt"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

// headsTime bounds the wait for the newest records, which lead only to warnings.
const headsTime = 3 * time.Second

// newest returns the head of the newest record of each partition, as far as readable.
func newest(ctx context.Context, c *kafka.Cluster, topic string, ranges []kafka.Range) (heads []evidence.Head) {
	ctx, cancel := context.WithTimeout(ctx, headsTime)
	defer cancel()
	r := kafka.NewReader(c, kafka.ReaderOptions{})
	defer r.Close()
	parts := map[int]*kafka.Partition{}
	for p, at := range ranges {
		if at.End > at.First {
			parts[p] = r.Add(topic, p, at.End-1)
		}
	}
	d := evidence.NewDecoder(nil)
	for _, p := range parts {
		b, err := p.Read(ctx)
		if err != nil || len(b.Records) == 0 {
			continue
		}
		if v, err := d.Decode(b.Records[len(b.Records)-1].Value); err == nil {
			heads = append(heads, v.Head)
		}
	}
	return heads
}

// foreign finds observations of agents with another configuration.
func foreign(p *Plan, w wanted, t *Topic) []Finding {
	if p.Head == nil || w.kind != observed {
		return nil
	}
	pane, key, rule := 0, 0, 0
	for _, h := range t.Heads {
		switch {
		case h.Pane != p.Head.Pane:
			pane++
		case h.Check != p.Head.Check:
			key++
		case h.Rule != p.Head.Rule:
			rule++
		}
	}
	found := Finding{Severity: Doubtful, Topic: w.name, Why: "miners do not count the clients of such records",
		Remedy: "give all agents and miners the same settings, and restart those with other settings; the records already written expire with time"}
	switch {
	case pane > 0:
		found.Why = "miners leave such records out"
		found.What = fmt.Sprintf("the newest records of %d of its partitions were written with another read.pane, or with another choice between a window and none", pane)
	case key > 0:
		found.What = fmt.Sprintf("the newest records of %d of its partitions were written with another hash_key", key)
	case rule > 0:
		found.What = fmt.Sprintf("the newest records of %d of its partitions were written by a version that counts clients in another way", rule)
		found.Remedy = "run one version everywhere; the records already written expire with time"
	default:
		return nil
	}
	return []Finding{found}
}
