package topics

import (
	"context"
	"errors"
	"fmt"

	"dustbuster/operators/evidence"
	"dustbuster/stream/kafka"
)

// Facts is what the brokers say.
type Facts struct {
	Brokers    int    // that run
	AutoCreate string // the brokers' auto.create.topics.enable; "": not told
	Topics     map[string]Topic
}

// Topic is what the brokers say of one topic.
type Topic struct {
	kafka.Topic
	Missing bool
	Denied  bool               // the user may not see it; there may be none
	Used    bool               // something was written once, or that is not known
	Allowed map[Operation]bool // what the user may do with it; nil: not told
	Heads   []evidence.Head    // of the newest observations of its partitions
}

// Operation is what a user may be allowed to do with a topic.
type Operation = kafka.Operation

// Those that are needed here.
const (
	Read  = kafka.Read
	Write = kafka.Write
)

// Look asks the brokers about the topics of a plan.
func Look(ctx context.Context, c *kafka.Cluster, p Plan) (Facts, error) {
	b, err := c.Describe(ctx)
	if err != nil {
		return Facts{}, fmt.Errorf("look at the brokers: %w", err)
	}
	f := Facts{Brokers: b.Nodes, AutoCreate: b.Config["auto.create.topics.enable"], Topics: map[string]Topic{}}
	for _, t := range p.topics() {
		if f.Topics[t.name], err = look(ctx, c, t.name, p.Head != nil && t.kind == observed); err != nil {
			return Facts{}, err
		}
	}
	return f, nil
}

func look(ctx context.Context, c *kafka.Cluster, name string, heads bool) (Topic, error) {
	t := Topic{Used: true}
	var err error
	t.Topic, err = c.Topic(ctx, name)
	switch {
	case errors.Is(err, kafka.ErrNoTopic):
		return Topic{Missing: true}, nil
	case errors.Is(err, kafka.ErrNotAuthorized):
		return Topic{Denied: true}, nil
	case err != nil:
		return t, err
	}
	if t.Allowed, err = c.Allowed(ctx, name); err != nil {
		return t, err
	}
	ranges, err := c.Offsets(ctx, name)
	switch {
	case errors.Is(err, kafka.ErrNotAuthorized):
		return t, nil
	case err != nil:
		return t, err
	}
	t.Used = false
	for _, r := range ranges {
		t.Used = t.Used || r.End > 0
	}
	if heads && (t.Allowed == nil || t.Allowed[Read]) {
		t.Heads = newest(ctx, c, name, ranges)
	}
	return t, nil
}
