package agent

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"dustbuster/stream/kafka"
)

// note is the text on a commit: the topic to which the offset belongs, and the partition's end.
// If the topic is recreated, the offset is refused, and the end tells what was lost.
type note struct {
	id  kafka.TopicID
	end int64 // as last heard
}

func (n note) String() string { return fmt.Sprintf("%v %d", n.id, n.end) }

// readNote reads a note. Other text is a note of an unknown topic.
func readNote(text string) (n note) {
	id, end, _ := strings.Cut(text, " ")
	n.id = kafka.ParseTopicID(id)
	n.end, _ = strconv.ParseInt(end, 10, 64) // 0 if it is no number
	return n
}

// identify asks for the ids of the topics, as far as brokers know them. It drops the commits
// that belong to other topics of the same names. The offsets between them and the last known ends are
// lost.
func (t *texts) identify(ctx context.Context, c *kafka.Cluster) error {
	ids := map[string]kafka.TopicID{}
	for topic := range t.generation.Partitions {
		id, err := c.ID(ctx, topic)
		if err != nil && !errors.Is(err, kafka.ErrNoTopic) {
			return err
		}
		ids[topic] = id
	}
	for _, p := range t.parts {
		p.id = ids[p.topic]
	}
	notes, err := t.generation.Notes(ctx)
	if err != nil {
		return err
	}
	for _, p := range t.parts {
		n := readNote(notes[p.topic][p.number])
		if p.from >= 0 && n.id.Another(p.id) {
			p.owe(0, max(0, n.end-p.from), fmt.Errorf("%w: its id is %v and was %v", kafka.ErrRecreated, p.id, n.id))
			p.from = -1
		}
	}
	return nil
}

// commit returns a commit of the partition.
func (p *part) commit(offset int64) kafka.Offset {
	return kafka.Offset{Topic: p.topic, Partition: p.number, Offset: offset, Note: note{p.id, p.end.Load()}.String()}
}

// recommit commits the positions in a topic that was recreated, since brokers drop commits with
// their topic. So the next reader counts what was lost.
func (t *texts) recommit(topic string) error {
	var offsets []kafka.Offset
	for _, p := range t.parts {
		if dealt := p.dealt.Load(); p.topic == topic && dealt >= 0 {
			offsets = append(offsets, p.commit(dealt))
		}
	}
	return t.generation.Commit(offsets...)
}
