package kafka

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/metadata"
)

// TopicID is the identity of a topic. A topic that is deleted and created again under the same
// name has another. The zero TopicID is unknown: brokers before Kafka 2.8 give topics no id.
type TopicID [16]byte

// String returns the id as Kafka's tools print it; "" for an unknown id.
func (id TopicID) String() string {
	if id == (TopicID{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// ParseTopicID reads an id as String returns it. Other text is an unknown id.
func ParseTopicID(text string) (id TopicID) {
	if b, err := base64.RawURLEncoding.DecodeString(text); err == nil && len(b) == len(id) {
		return TopicID(b)
	}
	return id
}

// Another reports whether two known ids differ.
func (id TopicID) Another(other TopicID) bool {
	return id != (TopicID{}) && other != (TopicID{}) && id != other
}

// ID returns the identity of a topic, as one broker knows it.
func (c *Cluster) ID(ctx context.Context, topic string) (id TopicID, err error) {
	err = c.retry(ctx, unknownFor, fmt.Sprintf("ask for the id of topic %q", topic), func(ctx context.Context) error {
		id, err = c.idAt(ctx, anyBroker, topic)
		return err
	})
	return id, err
}

// idAt asks a broker for the id of a topic. There is no retry.
func (c *Cluster) idAt(ctx context.Context, node int32, topic string) (id TopicID, err error) {
	res, ids, err := c.describeTopics(ctx, node, topic)
	if err != nil {
		return id, err
	}
	for _, t := range res.Topics {
		err = errors.Join(err, answer(t.ErrorCode))
	}
	return ids[topic], err
}

// describeTopics asks a broker about topics. ids is nil if the broker knows no ids.
func (c *Cluster) describeTopics(ctx context.Context, node int32, topics ...string) (res *metadata.Response, ids map[string]TopicID, err error) {
	if topics == nil {
		topics = []string{} // nil would be all
	}
	f, err := c.ask(ctx, node, &topicsRequest{metadata.Request{TopicNames: topics, IncludeTopicAuthorizedOperations: true}}, maxFrame, 0)
	if err != nil {
		return nil, nil, err
	}
	if f.version == idVersion {
		return decodeTopics(f.data)
	}
	res, err = decode[*metadata.Response](f)
	return res, nil, err
}

const (
	idVersion                       = 10 // of the metadata request; kafka-go knows the versions up to 8
	describeCluster protocol.ApiKey = 60 // a request that brokers with ids answer, and no others: both came with Kafka 2.8
)

// topicsRequest is a request about topics, with ids if the broker knows them.
type topicsRequest struct{ metadata.Request }

// appendTo appends the request in version 10 of the protocol.
func (r *topicsRequest) appendTo(b []byte, client string) []byte {
	at := len(b)
	b = append(b, 0, 0, 0, 0) // the size
	b = binary.BigEndian.AppendUint16(b, uint16(protocol.Metadata))
	b = binary.BigEndian.AppendUint16(b, idVersion)
	b = binary.BigEndian.AppendUint32(b, correlation)
	b = binary.BigEndian.AppendUint16(b, uint16(len(client)))
	b = append(append(b, client...), 0) // no tagged fields
	b = binary.AppendUvarint(b, uint64(len(r.TopicNames)+1))
	for _, name := range r.TopicNames {
		b = append(b, make([]byte, len(TopicID{}))...)
		b = binary.AppendUvarint(b, uint64(len(name)+1))
		b = append(append(b, name...), 0)
	}
	operations := byte(0)
	if r.IncludeTopicAuthorizedOperations {
		operations = 1
	}
	b = append(b, 0, 0, operations, 0) // create no topic; no permissions of the cluster; those of the topics; no tagged fields
	binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// decodeTopics decodes a response of version 10 in bounded memory.
func decodeTopics(data []byte) (*metadata.Response, map[string]TopicID, error) {
	c, res, ids := cursor{data: data}, &metadata.Response{}, map[string]TopicID{}
	c.int32() // correlation id
	c.tags()
	c.int32() // throttled for so many milliseconds
	for range c.compactCount(11) {
		b := metadata.ResponseBroker{NodeID: c.int32(), Host: c.compactString(), Port: c.int32(), Rack: c.compactString()}
		c.tags()
		res.Brokers = append(res.Brokers, b)
	}
	res.ClusterID, res.ControllerID = c.compactString(), c.int32()
	for range c.compactCount(26) {
		t := metadata.ResponseTopic{ErrorCode: c.int16(), Name: c.compactString()}
		var id TopicID
		copy(id[:], c.take(len(id)))
		t.IsInternal = c.bool()
		for range c.compactCount(18) {
			t.Partitions = append(t.Partitions, metadata.ResponsePartition{ErrorCode: c.int16(), PartitionIndex: c.int32(), LeaderID: c.int32(),
				LeaderEpoch: c.int32(), ReplicaNodes: c.compactInt32s(), IsrNodes: c.compactInt32s(), OfflineReplicas: c.compactInt32s()})
			c.tags()
		}
		t.TopicAuthorizedOperations = c.int32()
		c.tags()
		res.Topics = append(res.Topics, t)
		ids[t.Name] = id
	}
	c.int32() // permissions of the cluster
	c.tags()
	if c.bad {
		return nil, nil, fmt.Errorf("decode a response to %s: %w", protocol.Metadata, errMalformed)
	}
	maps.DeleteFunc(ids, func(_ string, id TopicID) bool { return id == TopicID{} })
	return res, ids, nil
}

func (c *cursor) bool() bool { return c.number(1) != 0 }

func (c *cursor) uvarint() uint64 {
	n, size := binary.Uvarint(c.data)
	c.take(cmp.Or(size, -1)) // 0: there is no whole number
	return n
}

// compactCount is count for a length in the compact form: one more, 0 for none.
func (c *cursor) compactCount(least int) int {
	return c.fits(int(min(c.uvarint(), math.MaxInt32))-1, least)
}

func (c *cursor) compactString() string { return string(c.take(c.compactCount(1))) }

func (c *cursor) compactInt32s() (all []int32) {
	for range c.compactCount(4) {
		all = append(all, c.int32())
	}
	return all
}

// tags passes over tagged fields, of which none are known.
func (c *cursor) tags() {
	for n := c.uvarint(); n > 0 && !c.bad; n-- {
		c.uvarint()
		c.take(int(min(c.uvarint(), math.MaxInt32)))
	}
}
