package kafka

import (
	"context"
	"errors"
	"maps"
	"sync/atomic"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

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
