package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/createpartitions"
	"github.com/segmentio/kafka-go/protocol/describeconfigs"
	"github.com/segmentio/kafka-go/protocol/incrementalalterconfigs"
	"github.com/segmentio/kafka-go/protocol/metadata"
)

// Brokers describes the brokers of a cluster.
type Brokers struct {
	Nodes  int               // running brokers
	IDs    bool              // the broker asked knows ids of topics
	Config map[string]string // of the broker asked; nil without the permission DescribeConfigs on the cluster
}

// Describe describes the brokers.
func (c *Cluster) Describe(ctx context.Context) (Brokers, error) {
	var b Brokers
	err := c.retry(ctx, 0, func(ctx context.Context) error {
		m, ids, err := c.describeTopics(ctx, anyBroker)
		if err != nil {
			return err
		}
		if len(m.Brokers) == 0 {
			return errors.New("the broker knows of no brokers")
		}
		b.Nodes, b.IDs = len(m.Brokers), ids != nil
		node := m.Brokers[0].NodeID
		b.Config, err = c.describe(ctx, node, kafkago.ResourceTypeBroker, strconv.Itoa(int(node)))
		if errors.Is(err, ErrNotAuthorized) {
			return nil
		}
		return err
	})
	if err != nil {
		return b, fmt.Errorf("describe the brokers: %w", err)
	}
	return b, nil
}

func (c *Cluster) describe(ctx context.Context, node int32, of kafkago.ResourceType, name string) (map[string]string, error) {
	res, err := call[*describeconfigs.Response](ctx, c, node, &describeconfigs.Request{
		Resources: []describeconfigs.RequestResource{{ResourceType: int8(of), ResourceName: name}},
	})
	if err != nil {
		return nil, err
	}
	if len(res.Resources) != 1 {
		return nil, errors.New("the broker's response holds no settings")
	}
	if err := answer(res.Resources[0].ErrorCode); err != nil {
		return nil, err
	}
	config := map[string]string{}
	for _, e := range res.Resources[0].ConfigEntries {
		config[e.ConfigName] = e.ConfigValue
	}
	return config, nil
}

// Operation is a user's operation on a topic, as Kafka numbers operations (AclOperation).
type Operation int

// Some operations.
const (
	Read  Operation = 3
	Write Operation = 4
)

// String is the operation's name in ACLs.
func (o Operation) String() string { return map[Operation]string{Read: "Read", Write: "Write"}[o] }

// Allowed reports which of Read and Write the user may do with a topic. The map is nil if
// the broker does not say.
func (c *Cluster) Allowed(ctx context.Context, topic string) (map[Operation]bool, error) {
	var allowed map[Operation]bool
	err := c.retry(ctx, unknownFor, func(ctx context.Context) error {
		res, err := call[*metadata.Response](ctx, c, anyBroker,
			&metadata.Request{TopicNames: []string{topic}, IncludeTopicAuthorizedOperations: true})
		if err != nil {
			return err
		}
		if len(res.Topics) != 1 || res.Topics[0].Name != topic {
			return errors.New("the broker's response is about another topic")
		}
		if err := answer(res.Topics[0].ErrorCode); err != nil {
			return err
		}
		bits := res.Topics[0].TopicAuthorizedOperations
		if bits <= 0 { // brokers before 2.3 do not answer; the smallest number stands for "no answer"
			return nil
		}
		allowed = map[Operation]bool{}
		for _, o := range []Operation{Read, Write} {
			allowed[o] = bits>>o&1 != 0
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("ask for permissions on topic %q: %w", topic, err)
	}
	return allowed, nil
}

// Alter changes some of a topic's settings and leaves the others (Kafka 2.3).
func (c *Cluster) Alter(ctx context.Context, topic string, settings map[string]string) error {
	of := incrementalalterconfigs.RequestResource{ResourceType: int8(kafkago.ResourceTypeTopic), ResourceName: topic}
	for name, value := range settings {
		of.Configs = append(of.Configs, incrementalalterconfigs.RequestConfig{Name: name, Value: value}) // operation 0: set
	}
	err := c.retry(ctx, unknownFor, func(ctx context.Context) error {
		m, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		res, err := call[*incrementalalterconfigs.Response](ctx, c, m.ControllerID,
			&incrementalalterconfigs.Request{Resources: []incrementalalterconfigs.RequestResource{of}})
		if err != nil {
			return err
		}
		if len(res.Responses) != 1 {
			return errors.New("the broker's response holds no result")
		}
		return explained(res.Responses[0].ErrorCode, res.Responses[0].ErrorMessage)
	})
	if err != nil {
		return fmt.Errorf("alter settings of topic %q: %w", topic, err)
	}
	return nil
}

// Grow gives a topic more partitions. Records with a key that were written before may then
// lie in another partition than later records of the same key.
func (c *Cluster) Grow(ctx context.Context, topic string, partitions int) error {
	err := c.retry(ctx, unknownFor, func(ctx context.Context) error {
		m, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		res, err := call[*createpartitions.Response](ctx, c, m.ControllerID, &createpartitions.Request{
			Topics:    []createpartitions.RequestTopic{{Name: topic, Count: int32(partitions)}},
			TimeoutMs: int32(c.options.Timeout / time.Millisecond),
		})
		if err != nil {
			return err
		}
		if len(res.Results) != 1 {
			return errors.New("the broker's response holds no result")
		}
		c.forget(topic)
		return explained(res.Results[0].ErrorCode, res.Results[0].ErrorMessage)
	})
	if err != nil {
		return fmt.Errorf("grow topic %q to %d partitions: %w", topic, partitions, err)
	}
	return nil
}
