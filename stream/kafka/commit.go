package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/offsetcommit"
	"github.com/segmentio/kafka-go/protocol/offsetfetch"
)

// Offset is the next offset to read of a partition.
type Offset struct {
	Topic     string
	Partition int
	Offset    int64
	Note      string // returned by Notes
}

// Commit saves offsets, in one attempt. ErrRevoked: the partitions are, or may be, another
// member's.
func (g *Generation) Commit(offsets ...Offset) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.gone || !g.lease.holds() {
		return fmt.Errorf("commit: %w", ErrRevoked)
	}
	topics := map[string][]offsetcommit.RequestPartition{}
	for _, o := range offsets {
		topics[o.Topic] = append(topics[o.Topic], offsetcommit.RequestPartition{PartitionIndex: int32(o.Partition), CommittedOffset: o.Offset,
			CommitTimestamp: -1, CommittedLeaderEpoch: -1, CommittedMetadata: o.Note})
	}
	req := &offsetcommit.Request{GroupID: g.group, GenerationID: g.ID, MemberID: g.Member, RetentionTimeMs: -1}
	for topic, partitions := range topics {
		req.Topics = append(req.Topics, offsetcommit.RequestTopic{Name: topic, Partitions: partitions})
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.patience)
	defer cancel()
	err := g.cluster.commit(ctx, req)
	switch code, _ := errors.AsType[kafkago.Error](err); code {
	case kafkago.IllegalGeneration, kafkago.UnknownMemberId, kafkago.RebalanceInProgress, kafkago.NotCoordinatorForGroup:
		g.gone = true
		return fmt.Errorf("commit: %w (%w)", ErrRevoked, err)
	}
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// commit sends a commit to the group's coordinator.
func (c *Cluster) commit(ctx context.Context, req *offsetcommit.Request) error {
	node, err := c.coordinator(ctx, req.GroupID)
	if err != nil {
		return err
	}
	res, err := call[*offsetcommit.Response](ctx, c, node, req)
	if err != nil {
		return err
	}
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			if err := answer(p.ErrorCode); err != nil {
				return fmt.Errorf("partition %d of topic %q: %w", p.PartitionIndex, t.Name, err)
			}
		}
	}
	return nil
}

// Notes returns the notes of the group's last commits of the partitions owned, by topic and
// partition. Errors are retried until ctx ends.
func (g *Generation) Notes(ctx context.Context) (notes map[string]map[int]string, err error) {
	req := &offsetfetch.Request{GroupID: g.group, Topics: []offsetfetch.RequestTopic{}} // nil would be all
	for topic, assigned := range g.Partitions {
		t := offsetfetch.RequestTopic{Name: topic}
		for _, a := range assigned {
			t.PartitionIndexes = append(t.PartitionIndexes, int32(a.Partition))
		}
		req.Topics = append(req.Topics, t)
	}
	err = g.cluster.retry(ctx, 0, fmt.Sprintf("ask for the commits of group %q", g.group), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, g.patience)
		defer cancel()
		notes, err = g.cluster.notes(ctx, req)
		return err
	})
	return notes, err
}

// LastCommit returns the group's last commit of a partition, which need not be one of the generation; an
// offset of -1: there is none. Errors are retried until ctx ends.
func (g *Generation) LastCommit(ctx context.Context, topic string, partition int) (o Offset, err error) {
	o = Offset{Topic: topic, Partition: partition, Offset: -1}
	req := &offsetfetch.Request{GroupID: g.group, Topics: []offsetfetch.RequestTopic{{Name: topic, PartitionIndexes: []int32{int32(partition)}}}}
	err = g.cluster.retry(ctx, 0, fmt.Sprintf("ask for a commit of group %q", g.group), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, g.patience)
		defer cancel()
		res, err := g.cluster.commits(ctx, req)
		if err == nil && len(res.Topics) == 1 && len(res.Topics[0].Partitions) == 1 {
			p := &res.Topics[0].Partitions[0]
			o.Offset, o.Note = p.CommittedOffset, p.Metadata
		}
		return err
	})
	return o, err
}

// commits asks the group's coordinator for commits.
func (c *Cluster) commits(ctx context.Context, req *offsetfetch.Request) (*offsetfetch.Response, error) {
	node, err := c.coordinator(ctx, req.GroupID)
	if err != nil {
		return nil, err
	}
	res, err := call[*offsetfetch.Response](ctx, c, node, req)
	if err == nil {
		err = answer(res.ErrorCode)
	}
	for i := 0; err == nil && i < len(res.Topics); i++ {
		for _, p := range res.Topics[i].Partitions {
			err = cmp.Or(err, answer(p.ErrorCode))
		}
	}
	return res, err
}

func (c *Cluster) notes(ctx context.Context, req *offsetfetch.Request) (map[string]map[int]string, error) {
	res, err := c.commits(ctx, req)
	if err != nil {
		return nil, err
	}
	notes := map[string]map[int]string{}
	for _, t := range res.Topics {
		notes[t.Name] = map[int]string{}
		for _, p := range t.Partitions {
			notes[t.Name][int(p.PartitionIndex)] = p.Metadata
		}
	}
	return notes, nil
}
