package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// GroupOptions name the group and its topics.
type GroupOptions struct {
	Group   string
	Topics  []string
	Session time.Duration  // silence after which the coordinator drops a member; 10 s if 0. Brokers allow no less than group.min.session.timeout.ms, 6 s
	OnError func(error)    // called with temporary errors, from any goroutine; may be nil
	Looked  func(Coverage) // called now and then with the group's coverage, from a goroutine of the group; may be nil
}

// Group is this process's membership in a consumer group. One goroutine calls
// Next, and Close.
type Group struct {
	options GroupOptions
	cluster *Cluster
	sockets *sockets
	group   *kafkago.ConsumerGroup
	sticky  *sticky
	current *Generation
	seeking seeking

	watch    *watch
	watching sync.WaitGroup
	unwatch  context.CancelFunc
}

const defaultSession = 10 * time.Second

// Join becomes a member of a group. The topics must exist. Other errors are returned by
// Next.
//
// A coordinator drops a member after a session without an answer. So all other times are
// shorter: a fifth of it between heartbeats, a third to await an answer, and half to release
// revoked partitions.
func (c *Cluster) Join(ctx context.Context, o GroupOptions) (*Group, error) {
	o.Session = cmp.Or(o.Session, defaultSession)
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	if o.Looked == nil {
		o.Looked = func(Coverage) {}
	}
	for _, topic := range o.Topics {
		if _, err := c.Topic(ctx, topic); err != nil {
			return nil, fmt.Errorf("join group %q: %w", o.Group, err)
		}
	}
	g := &Group{options: o, cluster: c, sockets: newSockets(&c.options, o.Session/3, 3*o.Session), sticky: &sticky{count: c.counting(o.Session / 3)}}
	dialer := c.dialer(g.sockets)
	dialer.Timeout = o.Session / 3
	var err error
	g.group, err = kafkago.NewConsumerGroup(kafkago.ConsumerGroupConfig{
		ID:                o.Group,
		Brokers:           c.options.Brokers,
		Dialer:            dialer,
		Topics:            o.Topics,
		GroupBalancers:    []kafkago.GroupBalancer{g.sticky},
		HeartbeatInterval: o.Session / 5,
		SessionTimeout:    o.Session,
		RebalanceTimeout:  o.Session,
		JoinGroupBackoff:  300 * time.Millisecond,
		Timeout:           o.Session / 3,
		StartOffset:       kafkago.FirstOffset,
	})
	if err != nil {
		g.sockets.close()
		return nil, fmt.Errorf("join group %q: %w", o.Group, err)
	}
	g.watch = &watch{looked: o.Looked, onError: o.OnError, look: func(ctx context.Context) (Coverage, error) {
		return c.coverage(ctx, o.Group, o.Topics)
	}}
	watching, stop := context.WithCancel(c.sockets.ctx)
	g.unwatch = stop
	g.watching.Go(func() { g.watch.run(watching) })
	return g, nil
}

// counting returns a function that counts the partitions of a topic within some time. A topic
// that cannot be counted has none: the watch finds them later.
func (c *Cluster) counting(within time.Duration) func(topic string) int {
	return func(topic string) int {
		ctx, stop := context.WithTimeout(c.sockets.ctx, within)
		defer stop()
		n, _ := c.Partitions(ctx, topic)
		return n
	}
}

// Coverage returns the partitions owned by the whole group when a member looked last. ok is
// false if the coverage is unknown.
func (g *Group) Coverage() (Coverage, bool) { return g.watch.coverage() }

// Next waits for a new assignment of partitions to this member, which may be empty. The
// caller must release the last generation first, or Next waits until its deadline. Temporary
// errors are passed to OnError and retried; that the group has no coordinator is such an
// error only after a while. A returned error is the context's, or final.
func (g *Group) Next(ctx context.Context) (*Generation, error) {
	for {
		gen, err := g.group.Next(ctx)
		switch {
		case err == nil:
			g.seeking = seeking{}
			g.current = g.cluster.newGeneration(gen, g.options.Session)
			g.watch.begin(g.current.Expire)
			g.sticky.own(g.current)
			return g.current, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, kafkago.ErrGroupClosed):
			return nil, fmt.Errorf("group %q: %w", g.options.Group, ErrClosed)
		}
		if code, ok := errors.AsType[kafkago.Error](err); ok {
			err = answer(int16(code))
		}
		err = fmt.Errorf("group %q: %w", g.options.Group, err)
		if permanent(err) && !errors.Is(err, ErrNoTopic) {
			return nil, err
		}
		if !g.seeking.excuses(err) {
			g.options.OnError(err)
		}
	}
}

// Close releases the current generation and leaves the group, so that the other members
// need not wait for the session's end. It takes two seconds at the most, even if the network
// does not answer.
func (g *Group) Close() {
	g.unwatch()
	g.watching.Wait()
	if g.current != nil {
		g.current.Release()
	}
	left := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		g.group.Close() //nolint:errcheck // always nil
		close(left)
	})
	select {
	case <-left:
	case <-time.After(2 * time.Second):
	}
	g.sockets.close()
	done.Wait()
}
