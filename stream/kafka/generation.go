package kafka

import (
	"context"
	"slices"
	"sync"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// Assigned is a partition owned by this member for a generation.
type Assigned struct {
	Partition int
	Committed int64 // the group's last commit; -1: none, or the commit has been forgotten
}

// Generation is the time during which the assignment of the group's partitions does not
// change. Any goroutine may use a Generation.
type Generation struct {
	ID         int32
	Member     string
	Partitions map[string][]Assigned // by topic, in order

	cluster  *Cluster
	group    string
	patience time.Duration // for the answer to a commit
	lease    *lease
	expired  event // the generation is to end without a revocation
	revoked  event
	released event
	over     event // the wait for the owner has ended

	mutex sync.Mutex // held over a commit: no commit is sent after the partitions may be another member's
	gone  bool
}

// event happens once.
type event struct {
	context.Context // has ended once the event has happened
	happen          context.CancelFunc
}

func newEvent() (e event) {
	e.Context, e.happen = context.WithCancel(context.Background())
	return e
}

func (e event) happened() bool { return e.Err() != nil }

// newGeneration takes up a generation. The function started here ends the generation by
// returning. So it returns only when the owner has released the generation, or at the
// deadline.
func (c *Cluster) newGeneration(gen *kafkago.Generation, session time.Duration) *Generation {
	g := &Generation{
		ID: gen.ID, Member: gen.MemberID, Partitions: map[string][]Assigned{},
		cluster: c, group: gen.GroupID, patience: session / 3, lease: newLease(session / 2),
		expired: newEvent(), revoked: newEvent(), released: newEvent(), over: newEvent(),
	}
	for topic, assigned := range gen.Assignments {
		for _, a := range assigned {
			g.Partitions[topic] = append(g.Partitions[topic], Assigned{a.ID, max(a.Offset, -1)})
		}
		slices.SortFunc(g.Partitions[topic], func(a, b Assigned) int { return a.Partition - b.Partition })
	}
	gen.Start(func(ctx context.Context) {
		g.hold(ctx)
		g.revoked.happen()
		limit := time.NewTimer(session / 2)
		defer limit.Stop()
		select {
		case <-g.released.Done():
		case <-limit.C:
		}
		g.over.happen()
		g.mutex.Lock()
		g.gone = true
		g.mutex.Unlock()
	})
	return g
}

// hold returns when the generation ends: by the coordinator's word, a broken connection, its
// owner, Expire, or a gap in the clock.
func (g *Generation) hold(ctx context.Context) {
	tick := time.NewTicker(g.lease.longest / 10)
	defer tick.Stop()
	for g.lease.holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		case <-g.released.Done():
			return
		case <-g.expired.Done():
			return
		}
	}
}

// Done is closed when the partitions are revoked. Work under way may then be finished and
// committed. Release must be called within half of a session.
func (g *Generation) Done() <-chan struct{} { return g.revoked.Done() }

// Committed returns the group's last commit of a partition; -1 if there is none, or the partition is
// not assigned.
func (g *Generation) Committed(topic string, partition int) int64 {
	for _, a := range g.Partitions[topic] {
		if a.Partition == partition {
			return a.Committed
		}
	}
	return -1
}

// Expire ends the generation as the coordinator would: the partitions are revoked, and the
// group is joined anew after Release.
func (g *Generation) Expire() { g.expired.happen() }

// Holds is the lease: it reports whether this member still owns the partitions, for acts
// done at once. Holds is false from the revocation on, and after a gap of the clock longer
// than half of a session, since another member may then own the partitions. Call Holds
// before each act that only an owner may do.
func (g *Generation) Holds() bool {
	if g.revoked.happened() {
		return false
	}
	if !g.lease.holds() {
		g.revoked.happen()
		return false
	}
	return true
}

// Lasts reports whether an owner may still finish its work: while Holds is true, and after
// the revocation until Release or the deadline, while the group still waits. Lasts is false
// after a gap of the clock.
func (g *Generation) Lasts() bool {
	return !g.over.happened() && !g.released.happened() && g.lease.holds()
}

// Release ends all work for the partitions. Before the revocation, it ends the generation,
// and the member joins the group anew.
func (g *Generation) Release() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.gone = true
	g.revoked.happen()
	g.released.happen()
}

// lease detects times in which the process did not run: the process was stopped, or its
// machine was paused. The owner asks the lease many times within the longest allowed gap. A
// longer gap between two questions ends the lease for good.
type lease struct {
	longest time.Duration
	mutex   sync.Mutex
	last    time.Time
	lost    bool
}

func newLease(longest time.Duration) *lease { return &lease{longest: longest, last: time.Now()} }

func (l *lease) holds() bool { return l.at(time.Now()) }

// at reads both clocks. While a machine is suspended, the monotonic clock stands still and
// the wall clock does not.
func (l *lease) at(now time.Time) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if now.Sub(l.last) > l.longest || now.Round(0).Sub(l.last.Round(0)) > l.longest {
		l.lost = true
	}
	l.last = now
	return !l.lost
}
