package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/createpartitions"
	"github.com/segmentio/kafka-go/protocol/createtopics"
	"github.com/segmentio/kafka-go/protocol/describeconfigs"
	"github.com/segmentio/kafka-go/protocol/incrementalalterconfigs"
)

// Brokers describes the brokers of a cluster.
type Brokers struct {
	Nodes  int               // running brokers
	IDs    bool              // the broker asked knows ids of topics
	Config map[string]string // of the broker asked; nil without the permission DescribeConfigs on the cluster
}

// Describe describes the brokers.
func (c *Cluster) Describe(ctx context.Context) (b Brokers, err error) {
	err = c.retry(ctx, 0, "describe the brokers", func(ctx context.Context) error {
		m, ids, err := c.describeTopics(ctx, anyBroker)
		if err != nil {
			return err
		}
		if len(m.Brokers) == 0 {
			return errors.New("the broker knows of no brokers")
		}
		b.Nodes, b.IDs = len(m.Brokers), ids != nil
		node := m.Brokers[0].NodeID
		b.Config, err = c.config(ctx, node, kafkago.ResourceTypeBroker, strconv.Itoa(int(node)))
		return err
	})
	return b, err
}

// config returns the settings of a broker or topic; nil without the permission to see them.
func (c *Cluster) config(ctx context.Context, node int32, of kafkago.ResourceType, name string) (map[string]string, error) {
	res, err := call[*describeconfigs.Response](ctx, c, node, &describeconfigs.Request{
		Resources: []describeconfigs.RequestResource{{ResourceType: int8(of), ResourceName: name}},
	})
	if err != nil {
		return nil, err
	}
	if len(res.Resources) != 1 {
		return nil, errors.New("the broker's response holds no settings")
	}
	err = answer(res.Resources[0].ErrorCode)
	if errors.Is(err, ErrNotAuthorized) {
		return nil, nil
	}
	config := map[string]string{}
	for _, e := range res.Resources[0].ConfigEntries {
		config[e.ConfigName] = e.ConfigValue
	}
	return config, err
}

// controlled sends a request to the controller, which alone changes topics. result returns the
// error in the response.
func controlled[R protocol.Message](ctx context.Context, c *Cluster, doing string, req protocol.Message, result func(R) error) error {
	return c.retry(ctx, unknownFor, doing, func(ctx context.Context) error {
		m, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		res, err := call[R](ctx, c, m.ControllerID, req)
		if err != nil {
			return err
		}
		return result(res)
	})
}

// errNoResult reports a response without the result of what was requested.
var errNoResult = errors.New("the broker's response holds no result")

// Create makes a topic, and waits until the partitions can be written. Settings left out,
// and replicas of -1, take the brokers' defaults. ErrExists: the topic exists.
func (c *Cluster) Create(ctx context.Context, t Topic) error {
	topic := createtopics.RequestTopic{Name: t.Name, NumPartitions: int32(t.Partitions), ReplicationFactor: int16(t.Replicas)}
	for k, v := range t.Config {
		topic.Configs = append(topic.Configs, createtopics.RequestConfig{Name: k, Value: v})
	}
	doing := fmt.Sprintf("make topic %q", t.Name)
	req := &createtopics.Request{Topics: []createtopics.RequestTopic{topic}, TimeoutMs: c.timeoutMs()}
	err := controlled(ctx, c, doing, req, func(res *createtopics.Response) error {
		if len(res.Topics) != 1 {
			return errNoResult
		}
		return explained(res.Topics[0].ErrorCode, res.Topics[0].ErrorMessage)
	})
	if err != nil {
		return err
	}
	return c.retry(ctx, madeFor, doing, func(ctx context.Context) error {
		c.forget(t.Name)
		for p := range t.Partitions {
			if _, err := c.leader(ctx, t.Name, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// Alter changes some of a topic's settings and leaves the others (Kafka 2.3).
func (c *Cluster) Alter(ctx context.Context, topic string, settings map[string]string) error {
	of := incrementalalterconfigs.RequestResource{ResourceType: int8(kafkago.ResourceTypeTopic), ResourceName: topic}
	for name, value := range settings {
		of.Configs = append(of.Configs, incrementalalterconfigs.RequestConfig{Name: name, Value: value}) // operation 0: set
	}
	req := &incrementalalterconfigs.Request{Resources: []incrementalalterconfigs.RequestResource{of}}
	return controlled(ctx, c, fmt.Sprintf("alter settings of topic %q", topic), req, func(res *incrementalalterconfigs.Response) error {
		if len(res.Responses) != 1 {
			return errNoResult
		}
		return explained(res.Responses[0].ErrorCode, res.Responses[0].ErrorMessage)
	})
}

// Grow gives a topic more partitions. Records with a key that were written before may then
// lie in another partition than later records of the same key.
func (c *Cluster) Grow(ctx context.Context, topic string, partitions int) error {
	defer c.forget(topic)
	req := &createpartitions.Request{Topics: []createpartitions.RequestTopic{{Name: topic, Count: int32(partitions)}}, TimeoutMs: c.timeoutMs()}
	return controlled(ctx, c, fmt.Sprintf("grow topic %q to %d partitions", topic, partitions), req, func(res *createpartitions.Response) error {
		if len(res.Results) != 1 {
			return errNoResult
		}
		return explained(res.Results[0].ErrorCode, res.Results[0].ErrorMessage)
	})
}

func (c *Cluster) timeoutMs() int32 { return int32(c.options.Timeout / time.Millisecond) }

// explained is answer with the broker's message added.
func explained(code int16, message string) error {
	err := answer(code)
	if err != nil && message != "" {
		return fmt.Errorf("%w (the broker says: %s)", err, message)
	}
	return err
}
