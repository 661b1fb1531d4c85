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

func pathOf(topic string, partition int) string { return fmt.Sprintf("%s/%d", topic, partition) }

// identities returns the ids of a generation's topics, as far as brokers know the topics.
func identities(ctx context.Context, c *kafka.Cluster, g *kafka.Generation) (map[string]kafka.TopicID, error) {
	ids := map[string]kafka.TopicID{}
	for topic := range g.Partitions {
		id, err := c.ID(ctx, topic)
		if err != nil && !errors.Is(err, kafka.ErrNoTopic) {
			return nil, err
		}
		ids[topic] = id
	}
	return ids, nil
}

// refuse drops the commits that belong to other topics of the same names, and reports the
// offsets between these commits and the last known ends.
func refuse(ctx context.Context, g *kafka.Generation, ids map[string]kafka.TopicID, lost func(path string, offsets int64, why error)) error {
	notes, err := g.Notes(ctx)
	if err != nil {
		return err
	}
	for topic, assigned := range g.Partitions {
		for i := range assigned {
			a := &assigned[i]
			n := readNote(notes[topic][a.Partition])
			if a.Committed < 0 || !n.id.Another(ids[topic]) {
				continue
			}
			lost(pathOf(topic, a.Partition), max(0, n.end-a.Committed), fmt.Errorf("%w: its id is %v and was %v", kafka.ErrRecreated, ids[topic], n.id))
			a.Committed = -1
		}
	}
	return nil
}

// note returns the note on a commit of a partition.
func (t *texts) note(topic string, partition int) string {
	for _, p := range t.parts {
		if p.topic == topic && p.number == partition {
			return note{p.id, p.end.Load()}.String()
		}
	}
	return ""
}

// recommit commits the positions in a topic that was recreated, since brokers drop commits with
// their topic. So the next reader counts what was lost.
func (t *texts) recommit(topic string) error {
	offsets := map[int]int64{}
	for _, p := range t.parts {
		if dealt := p.dealt.Load(); p.topic == topic && dealt >= 0 {
			offsets[p.number] = dealt
		}
	}
	return t.generation.Commit(map[string]map[int]int64{topic: offsets}, t.note)
}
