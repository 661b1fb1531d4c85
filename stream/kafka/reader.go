package kafka

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// ReaderOptions bound a reader's memory and waiting.
//
// If no records come short of a partition's end, either its last records are compacted away,
// or the broker has given up waiting for its remote storage (KIP-405), which it does not
// report. Remote storage holds no compacted topics, so Compacted tells the two apart. Without
// Compacted, the reader asks for the records until they come.
type ReaderOptions struct {
	Compacted      bool        // the topics are
	MaxBytes       int         // of a response; 8 MiB if 0
	PartitionBytes int         // compressed bytes of one partition in a response; 1 MiB if 0. A larger batch is still read
	OnError        func(error) // called with errors, from goroutines of the reader; may be nil
}

// maxWait is how long a broker may hold a request when there is nothing.
const maxWait = 250 * time.Millisecond

func (o ReaderOptions) complete() ReaderOptions {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.PartitionBytes = cmp.Or(o.PartitionBytes, 1<<20)
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	return o
}

// Where reading may begin, instead of at an offset.
const (
	First int64 = -2 // the first existing record
	End   int64 = -1 // the current end
)

// Reader reads many partitions with one request under way for each broker. The request
// names only partitions of which the reader holds less than PartitionBytes. So a slow
// consumer delays no other, and memory is bounded: three times PartitionBytes for each
// partition, or its greatest batch, and a response for each broker. The consumer's goroutine
// decompresses batches, a megabyte at a time.
type Reader struct {
	cluster *Cluster
	options ReaderOptions
	ctx     context.Context
	cancel  context.CancelFunc
	done    sync.WaitGroup
	woken   chan struct{} // holds at most one token

	mutex      sync.Mutex
	partitions map[*Partition]struct{}
	busy       map[int32]bool // by broker; finder: leaders and offsets are being asked for
	turn       int            // rotates the order of partitions: a response may be full before the last partitions
}

// unwatched is for how long a partition may go without requests until its topic's id is asked
// for again. While a request is under way, a broker reports that the topic was deleted.
const unwatched = 100 * time.Millisecond

// finder stands where a broker's number does.
const finder = -1

// NewReader starts a reader without partitions. The caller must close the reader.
func NewReader(c *Cluster, o ReaderOptions) *Reader {
	r := &Reader{
		cluster:    c,
		options:    o.complete(),
		woken:      make(chan struct{}, 1),
		partitions: map[*Partition]struct{}{},
		busy:       map[int32]bool{},
	}
	r.ctx, r.cancel = context.WithCancel(c.sockets.ctx)
	r.done.Go(r.run)
	return r
}

// Add begins to read a partition from an offset, or from First or End. Read reports whether
// the partition exists. A partition must not be added while it is being read.
func (r *Reader) Add(topic string, partition int, from int64) *Partition {
	return r.Resume(topic, TopicID{}, partition, from)
}

// Resume is Add for an offset that belongs to the topic with an id. If the topic has another id,
// Read fails with ErrRecreated. A zero id stands for any.
func (r *Reader) Resume(topic string, id TopicID, partition int, from int64) *Partition {
	p := &Partition{
		id:     id,
		reader: r, topic: topic, number: partition, ready: make(chan struct{}, 1),
		position: max(from, First), locate: from < 0, leader: -1, told: Batch{Next: -1},
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for other := range r.partitions {
		if other.topic == topic && other.number == partition && other.failed == nil {
			p.failed = errors.New("the partition is already being read: close the earlier reader first")
			return p
		}
	}
	if r.ctx.Err() != nil {
		p.closed = true
		return p
	}
	r.partitions[p] = struct{}{}
	r.wake()
	return p
}

// Close ends all reading and waits for the reader's goroutines, which heed no
// network.
func (r *Reader) Close() {
	r.cancel()
	r.done.Wait()
}

func (r *Reader) wake() {
	select {
	case r.woken <- struct{}{}:
	default:
	}
}

func (r *Reader) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for r.ctx.Err() == nil {
		next := r.start()
		timer.Reset(next)
		select {
		case <-r.woken:
		case <-timer.C:
		case <-r.ctx.Done():
		}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for p := range r.partitions {
		p.closed = true
		p.notify()
	}
}

// start sends all requests that are due, and returns when the next may be due.
func (r *Reader) start() (next time.Duration) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	now, next := time.Now(), time.Minute
	jobs, full := map[int32][]*Partition{}, map[int32]bool{}
	for p := range r.partitions {
		switch {
		case p.failed != nil || p.asked:
		case p.retryAt.After(now):
			next = min(next, p.retryAt.Sub(now))
		case p.locate || p.leader < 0:
			jobs[finder] = append(jobs[finder], p)
		case p.held > r.options.PartitionBytes:
			full[p.leader] = true
			if p.paused.IsZero() {
				p.paused = now
			}
		case !p.paused.IsZero() && now.Sub(p.paused) > unwatched:
			p.paused, p.leader = time.Time{}, -1
			jobs[finder] = append(jobs[finder], p)
		default:
			p.paused = time.Time{}
			jobs[p.leader] = append(jobs[p.leader], p)
		}
	}
	for node, parts := range jobs {
		if r.busy[node] {
			continue
		}
		r.busy[node] = true
		for _, p := range parts {
			p.asked = true
		}
		r.done.Go(func() {
			if node == finder {
				r.find(parts)
			} else {
				r.fetch(node, parts, full[node])
			}
			r.mutex.Lock()
			for _, p := range parts {
				p.asked = false
			}
			r.busy[node] = false
			r.mutex.Unlock()
			r.wake()
		})
	}
	return next
}
