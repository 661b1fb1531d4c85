package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/describegroups"
	"github.com/segmentio/kafka-go/protocol/findcoordinator"
)

// GroupMember is a member of a consumer group, as the group's coordinator knows members.
type GroupMember struct {
	ID, Host   string           // the host is an address
	Partitions map[string][]int // owned partitions, by topic; empty while the group assigns its partitions
}

// Members returns the members of a group. There is no retry. A missing group has no
// members. In a group that is assigning its partitions, members own no partitions. The user
// needs the permission to describe the group, as members do.
func (c *Cluster) Members(ctx context.Context, group string) (all []GroupMember, err error) {
	g, err := c.group(ctx, group)
	if err != nil {
		return nil, fmt.Errorf("ask for the members of group %q: %w", group, err)
	}
	for _, m := range g.Members {
		partitions, _ := assignment(m.MemberAssignment)
		all = append(all, GroupMember{m.MemberID, strings.TrimPrefix(m.ClientHost, "/"), partitions})
	}
	return all, nil
}

// group asks a group's coordinator for its state and its members. There is no retry.
func (c *Cluster) group(ctx context.Context, name string) (*describegroups.ResponseGroup, error) {
	at, err := c.coordinator(ctx, name)
	if err != nil {
		return nil, err
	}
	res, err := call[*describegroups.Response](ctx, c, at, &describegroups.Request{Groups: []string{name}})
	if err != nil {
		return nil, err
	}
	if len(res.Groups) != 1 || res.Groups[0].GroupID != name {
		return nil, errors.New("the broker's response is about another group")
	}
	return &res.Groups[0], answer(res.Groups[0].ErrorCode)
}

// coordinator returns the broker that coordinates a group. There is no retry.
func (c *Cluster) coordinator(ctx context.Context, group string) (node int32, err error) {
	at, err := call[*findcoordinator.Response](ctx, c, anyBroker, &findcoordinator.Request{Key: group})
	if err == nil {
		err = answer(at.ErrorCode)
	}
	if err != nil {
		return 0, err
	}
	return at.NodeID, nil
}

// assignment decodes the partitions of a member from the consumers' protocol: a version,
// then topics with their partitions. kafka-go's decoder would allocate any length claimed
// by hostile bytes. Of malformed bytes, assignment returns the partitions that can be read,
// and ok is false.
func assignment(b []byte) (partitions map[string][]int, ok bool) {
	partitions = map[string][]int{}
	c := cursor{data: b}
	c.int16() // the version: later ones append
	for range c.count(6) {
		topic := string(c.take(int(c.int16())))
		for range c.count(4) {
			partitions[topic] = append(partitions[topic], int(c.int32()))
		}
	}
	return partitions, !c.bad
}

// Coverage is which partitions of its topics a group's members own between them.
type Coverage struct {
	Partitions map[string]int // partitions of each topic; 0: the topic does not exist
	Unowned    int            // existing partitions without an owner
	Gone       int            // owned partitions that do not exist
}

var (
	// errUnsettled reports a group that is assigning its partitions at this moment.
	errUnsettled = errors.New("the group is assigning its partitions")

	// errAssignment reports bytes of a member that are no assignment. Any member may send
	// any bytes.
	errAssignment = errors.New("a member's assignment cannot be decoded")
)

// coverage asks which partitions of some topics have an owner. There is no retry.
func (c *Cluster) coverage(ctx context.Context, group string, topics []string) (Coverage, error) {
	v := Coverage{Partitions: map[string]int{}}
	owned, err := c.ownedBy(ctx, group)
	if err != nil {
		return v, fmt.Errorf("ask what group %q owns: %w", group, err)
	}
	for _, topic := range topics {
		n, err := c.Partitions(ctx, topic)
		if err != nil && !errors.Is(err, ErrNoTopic) {
			return v, err
		}
		v.Partitions[topic] = n
		v.Unowned += n
		for p := range owned[topic] {
			if p < n {
				v.Unowned--
			} else {
				v.Gone++
			}
		}
	}
	return v, nil
}

// ownedBy returns the partitions that the members of a group own, by topic.
func (c *Cluster) ownedBy(ctx context.Context, group string) (map[string]map[int]bool, error) {
	g, err := c.group(ctx, group)
	if err != nil {
		return nil, err
	}
	if g.GroupState != "Stable" {
		return nil, errUnsettled
	}
	owned := map[string]map[int]bool{}
	for _, m := range g.Members {
		partitions, ok := assignment(m.MemberAssignment)
		if !ok {
			return nil, errAssignment
		}
		for topic, of := range partitions {
			if owned[topic] == nil {
				owned[topic] = map[int]bool{}
			}
			for _, p := range of {
				owned[topic][p] = true
			}
		}
	}
	return owned, nil
}

// watchEvery is how often a member looks whether the group owns all partitions. Two looks
// in a row must agree: a broker that has just started denies topics for a while.
const watchEvery = unknownFor

// watch looks at the partitions owned by the group, for as long as a member belongs to it.
// When partitions have come (as with a recreated topic) or have gone, it ends the generation,
// so that partitions are assigned anew.
//
// kafka-go's own watcher compares the brokers' partitions with those at the beginning of
// the generation. Partitions that appear between the assignment and that beginning stay
// without an owner.
type watch struct {
	look    func(context.Context) (Coverage, error)
	looked  func(Coverage) // called with the coverage that two looks agree on
	onError func(error)

	last   atomic.Pointer[Coverage] // nil: not known yet
	expire atomic.Pointer[func()]   // ends the current generation; nil: the generation was told to end
}

// run looks until ctx ends.
func (w *watch) run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var before *Coverage
	failed, coordinator := false, seeking{}
	for {
		v, err := w.look(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			before, failed, coordinator = w.take(before, &v), false, seeking{}
		case errors.Is(err, errUnsettled), coordinator.excuses(err):
			before = nil
		default:
			if before = nil; !failed {
				w.onError(err)
			}
			failed = true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// take takes in a look, and returns the one that the next must agree with: nil if another
// generation is to come.
func (w *watch) take(before, v *Coverage) *Coverage {
	w.last.Store(v)
	if before == nil || !before.equal(v) {
		return v
	}
	w.looked(*v)
	if v.Unowned == 0 && v.Gone == 0 {
		return v
	}
	expire := w.expire.Swap(nil)
	if expire == nil {
		return v
	}
	(*expire)()
	return nil
}

// begin takes the function that ends the new generation.
func (w *watch) begin(expire func()) { w.expire.Store(&expire) }

// coverage returns the last look. The bool reports whether there was one.
func (w *watch) coverage() (Coverage, bool) {
	if v := w.last.Load(); v != nil {
		return *v, true
	}
	return Coverage{}, false
}

func (c *Coverage) equal(d *Coverage) bool {
	return c.Unowned == d.Unowned && c.Gone == d.Gone && maps.Equal(c.Partitions, d.Partitions)
}

// coordinatorFor is how long a group may be without a coordinator before that is an error.
// Kafka makes the topic of the groups' offsets when the first group is joined, and a
// coordinator that begins or moves first loads its groups.
const coordinatorFor = 30 * time.Second

// seeking notes since when a group has no coordinator.
type seeking struct{ since time.Time }

// excuses takes in the result of a request, and reports whether it is an error that only says
// that the coordinator is not there yet.
func (s *seeking) excuses(err error) bool {
	switch code, _ := errors.AsType[kafkago.Error](err); code {
	case kafkago.GroupCoordinatorNotAvailable, kafkago.NotCoordinatorForGroup, kafkago.GroupLoadInProgress:
	default:
		s.since = time.Time{}
		return false
	}
	if s.since.IsZero() {
		s.since = time.Now()
	}
	return time.Since(s.since) < coordinatorFor
}
