package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/metadata"
	"github.com/segmentio/kafka-go/sasl"
)

// Cluster is the brokers of a cluster, reached over one pool of connections. Any goroutine
// may use a Cluster.
type Cluster struct {
	options   Options
	mechanism sasl.Mechanism
	sockets   *sockets
	transport *kafkago.Transport
	address   net.Addr

	mutex   sync.Mutex
	leaders map[string][]int32 // by topic and partition; -1: there is none now
}

// Open connects to one of the brokers and authenticates, so that Open itself reports a
// mistake: no broker reachable, TLS on one side only, an unknown certificate, a wrong
// password. The error says what to do.
func Open(ctx context.Context, o Options) (*Cluster, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	mechanism, err := o.SASL.mechanism()
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		options:   o,
		mechanism: mechanism,
		sockets:   newSockets(&o, o.Timeout, 3*o.Timeout),
		address:   kafkago.TCP(o.Brokers...),
		leaders:   map[string][]int32{},
	}
	c.transport = &kafkago.Transport{
		Dial:           c.sockets.dial,
		DialTimeout:    o.Timeout,
		ClientID:       clientID,
		SASL:           mechanism,
		MetadataTTL:    3 * time.Second, // of the brokers' addresses
		MetadataTopics: []string{},      // no topic: leaders are requested when needed
		Context:        c.sockets.ctx,
	}
	if err = c.probe(ctx); err == nil {
		err = c.reach(ctx)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// reach asks a broker under the address that the brokers advertise. With a wrong advertised
// address, every request but the first would fail.
func (c *Cluster) reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*c.options.Timeout)
	defer cancel()
	return c.retry(ctx, 0, "open kafka", func(ctx context.Context) error {
		res, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		err = errors.New("the brokers name no brokers")
		var told []string
		for _, b := range res.Brokers {
			if _, err = call[*metadata.Response](ctx, c, b.NodeID, &metadata.Request{TopicNames: []string{}}); err == nil {
				return nil
			}
			told = append(told, net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port))))
		}
		return fmt.Errorf("no broker can be reached at the addresses that the brokers advertise, %s: check their advertised.listeners: %w", strings.Join(told, ", "), err)
	})
}

// Close ends all connections at once, even if the network does not answer. Requests under
// way fail with ErrClosed.
func (c *Cluster) Close() {
	c.sockets.cancel()
	c.transport.CloseIdleConnections()
	c.sockets.close()
}

// probe speaks to one broker directly, which gives the most precise error. Over the pool, a
// wrong password is only an unexpected end of the connection.
func (c *Cluster) probe(ctx context.Context) error {
	var wrong []string
	for _, broker := range c.options.Brokers {
		err := c.probeBroker(ctx, broker)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("open kafka: broker %s: %w", broker, ctx.Err())
		}
		hint, certain := explain(err, c.options)
		err = fmt.Errorf("broker %s: %w: %s", broker, cause(err), hint)
		if certain {
			return fmt.Errorf("open kafka: %w", err)
		}
		wrong = append(wrong, err.Error())
	}
	return errors.New("open kafka: no broker can be reached: " + strings.Join(wrong, "; "))
}

func (c *Cluster) probeBroker(ctx context.Context, broker string) error {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	sockets := newSockets(&c.options, c.options.Timeout, c.options.Timeout)
	defer sockets.close()
	defer context.AfterFunc(ctx, sockets.cancel)() // authenticating heeds no context
	conn, err := c.dialer(sockets).DialContext(ctx, "tcp", broker)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(c.options.Timeout)); err != nil {
		return err
	}
	_, err = conn.Brokers()
	return err
}

func (c *Cluster) dialer(s *sockets) *kafkago.Dialer {
	return &kafkago.Dialer{
		ClientID:      clientID,
		DialFunc:      s.dial,
		Timeout:       c.options.Timeout,
		SASLMechanism: c.mechanism,
	}
}

// metadata asks a broker about topics and remembers their leaders.
func (c *Cluster) metadata(ctx context.Context, topics ...string) (*metadata.Response, error) {
	res, _, err := c.describeTopics(ctx, anyBroker, topics...)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, t := range res.Topics {
		if t.ErrorCode == 0 {
			c.leaders[t.Name] = leadersOf(t.Partitions)
		} else {
			delete(c.leaders, t.Name)
		}
	}
	return res, nil
}

// leadersOf returns the leaders of a topic by partition.
func leadersOf(partitions []metadata.ResponsePartition) []int32 {
	leaders := slices.Repeat([]int32{-1}, len(partitions))
	for _, p := range partitions {
		if p.PartitionIndex >= 0 && int(p.PartitionIndex) < len(leaders) {
			leaders[p.PartitionIndex] = p.LeaderID
		}
	}
	return leaders
}

// lead returns the leaders of a topic's partitions, as of the last answer.
func (c *Cluster) lead(ctx context.Context, topic string) ([]int32, error) {
	c.mutex.Lock()
	leaders, ok := c.leaders[topic]
	c.mutex.Unlock()
	if ok {
		return leaders, nil
	}
	t, err := c.topic(ctx, topic)
	if err != nil {
		return nil, err
	}
	return leadersOf(t.Partitions), nil
}

// leader returns one partition's leader.
func (c *Cluster) leader(ctx context.Context, topic string, partition int) (int32, error) {
	leaders, err := c.lead(ctx, topic)
	if err != nil {
		return 0, err
	}
	err = kafkago.LeaderNotAvailable
	switch {
	case partition < 0 || partition >= len(leaders): // the topic may have grown
		err = ErrNoTopic
	case leaders[partition] >= 0:
		return leaders[partition], nil
	}
	c.forget(topic)
	return 0, err
}

// forget drops the cached leaders of a topic. The next request for a leader asks the
// brokers again.
func (c *Cluster) forget(topic string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.leaders, topic)
}
