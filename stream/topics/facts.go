package topics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

// Facts are the brokers' answers.
type Facts struct {
	Brokers    int    // number of running brokers
	NoIDs      bool   // the brokers know no ids of topics
	AutoCreate string // the brokers' auto.create.topics.enable; "": unknown
	Topics     map[string]Topic
}

// Topic describes one topic, as the brokers answer.
type Topic struct {
	kafka.Topic
	Missing bool
	Denied  bool            // the user may not see the topic, which may not exist
	ID      kafka.TopicID   // zero: not known
	Used    bool            // some record was written, or this is unknown
	Deleted int             // partitions that begin above offset 0: records were deleted
	Heads   []evidence.Head // of the newest observations: each once for each partition; nil: not asked for
	Unread  bool            // there are observations, whose heads were asked for and cannot be read
}

// Look asks the brokers about the topics of a plan.
func Look(ctx context.Context, c *kafka.Cluster, p Plan) (Facts, error) {
	b, err := c.Describe(ctx)
	if err != nil {
		return Facts{}, fmt.Errorf("describe the topics: %w", err)
	}
	f := Facts{Brokers: b.Nodes, NoIDs: !b.IDs, AutoCreate: b.Config["auto.create.topics.enable"], Topics: map[string]Topic{}}
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
	if t.ID, err = c.ID(ctx, name); err != nil {
		return t, err
	}
	ranges, err := c.Offsets(ctx, name)
	switch {
	case errors.Is(err, kafka.ErrNotAuthorized):
		return t, nil
	case err != nil:
		return t, err
	}
	for _, r := range ranges {
		if r.First > 0 {
			t.Deleted++
		}
	}
	t.Used = slices.ContainsFunc(ranges, func(r kafka.Range) bool { return r.End > 0 })
	if heads && (t.Allowed == nil || t.Allowed[kafka.Read]) {
		t.Heads = newest(ctx, c, name, ranges)
	}
	t.Unread = heads && len(t.Heads) == 0 && slices.ContainsFunc(ranges, func(r kafka.Range) bool { return r.End > r.First })
	return t, nil
}
