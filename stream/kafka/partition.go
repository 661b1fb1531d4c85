package kafka

import (
	"context"
	"fmt"
	"time"
)

// Partition is a partition being read. One goroutine at a time may read a Partition.
type Partition struct {
	reader *Reader
	topic  string
	number int
	ready  chan struct{} // holds a token when something has changed
	work   *chunk        // the chunk being read; used only by the goroutine of Read

	// Under the reader's lock:
	position int64   // the next offset to request
	id       TopicID // of the topic to which the position belongs; zero: not known yet
	locate   bool    // the position must be looked up: it is symbolic, or out of range
	leader   int32   // -1: unknown
	empty    bool    // the last answer was empty short of the end: a hole, a full response, a slow remote storage
	asked    bool    // a request is under way
	queue    []chunk // fetched and not yet read
	held     int     // bytes of the queue
	end      int64   // last stable offset, as of the last answer
	told     Batch   // Next and End as last queued
	failed   error   // reported when the queue is empty
	closed   bool
	retryAt  time.Time
	pause    time.Duration
	paused   time.Time // since when nothing has been requested, for want of room
	denied   time.Time // since when brokers deny the topic
	beyond   time.Time // since when the position lies beyond the end
	hung     held      // by a transaction
}

// chunk is a partition's part of one response.
type chunk struct {
	batches []raw
	from    int64 // records before are skipped: a broker returns whole batches
	next    int64
	size    int
	lost    int64
	why     error
}

// readSize is when a Read stops looking into further batches, in bytes of memory.
const readSize = 1 << 20

// Read waits for the next batch and returns it. A batch without records still moves Next or
// End. Errors other than the context's are final: ErrBeyondEnd, ErrRecreated, ErrNoTopic,
// ErrNotAuthorized, ErrClosed. After a final error the partition can only be added anew.
func (p *Partition) Read(ctx context.Context) (*Batch, error) {
	for {
		end, err := p.take()
		switch {
		case err != nil:
			return nil, err
		case p.work != nil:
			b := p.work.decode()
			b.End = max(end, b.Next)
			if len(p.work.batches) == 0 {
				p.work = nil
			}
			return b, nil
		}
		select {
		case <-p.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take moves to the next chunk if the last one has been read.
func (p *Partition) take() (end int64, err error) {
	p.reader.mutex.Lock()
	defer p.reader.mutex.Unlock()
	switch {
	case p.closed:
		p.work = nil
		return 0, ErrClosed
	case p.work != nil:
	case len(p.queue) > 0:
		work := p.queue[0]
		p.work = &work
		p.queue[0] = chunk{}
		p.queue = p.queue[1:]
		p.held -= work.size
		p.reader.wake()
	case p.failed != nil:
		return 0, fmt.Errorf("read partition %d of topic %q: %w", p.number, p.topic, p.failed)
	}
	return p.end, nil
}

// decode decodes some batches and removes them from the chunk. Unreadable batches are
// passed over and reported.
func (c *chunk) decode() *Batch {
	b := &Batch{Lost: c.lost, Why: c.why}
	c.lost, c.why = 0, nil
	for size := 0; len(c.batches) > 0 && size < readSize; c.batches = c.batches[1:] {
		r := c.batches[0]
		cost, err := 0, r.err
		if err == nil {
			b.Records, cost, err = r.appendRecords(b.Records, c.from, maxBatch)
		}
		if err != nil {
			b.Lost += r.last + 1 - max(r.base, c.from)
			b.Why = fmt.Errorf("offsets %d to %d cannot be read: %w", r.base, r.last, err)
		}
		size += cost
		b.Next = r.last + 1
	}
	if len(c.batches) == 0 {
		b.Next = c.next
	}
	return b
}

// ID returns the id of the topic that is read; zero if it is not known.
func (p *Partition) ID() TopicID {
	p.reader.mutex.Lock()
	defer p.reader.mutex.Unlock()
	return p.id
}

// Close ends reading. A response under way is thrown away.
func (p *Partition) Close() {
	p.reader.mutex.Lock()
	p.closed = true
	p.queue, p.held = nil, 0
	delete(p.reader.partitions, p)
	p.reader.mutex.Unlock()
	p.notify()
	p.reader.wake()
}

func (p *Partition) notify() {
	select {
	case p.ready <- struct{}{}:
	default:
	}
}

// push queues a response's chunk. A chunk without news is dropped.
func (p *Partition) push(c chunk) {
	if len(c.batches) == 0 && c.lost == 0 {
		if p.told.Next == c.next && p.told.End == p.end {
			return
		}
		if n := len(p.queue); n > 0 && c.from == p.queue[n-1].next { // the queue does not grow by holes
			p.queue[n-1].next = c.next
			p.told.Next, p.told.End = c.next, p.end
			return
		}
	}
	p.told.Next, p.told.End = c.next, p.end
	p.queue = append(p.queue, c)
	p.held += c.size
	p.notify()
}

// fail ends reading for good.
func (p *Partition) fail(err error) {
	p.failed = err
	p.notify()
}

// later asks again after a pause, which doubles up to two seconds.
func (p *Partition) later(now time.Time) {
	p.pause = min(max(2*p.pause, 50*time.Millisecond), 2*time.Second)
	p.retryAt = now.Add(p.pause)
}

// A reader of committed records ends at the last stable offset: before the first transaction that is open.
// A producer that dies, and brokers that forget its transaction, leave it open for ever. Then no record comes,
// and nothing seems to be wrong: the end that counts does not move. So the end of the log is compared.

// hangingFor is how long a transaction may hold records back before that is an error: what Kafka gives a
// producer by default.
const hangingFor = time.Minute

// held says which offsets are behind an open transaction.
type held struct {
	stable  int64     // the last stable offset
	offsets int64     // behind it
	since   time.Time // it has been the same since; zero: nothing is held back
	told    time.Time
}

// look takes in the ends of a partition, and reports whether it is time to tell that a transaction hangs.
func (h *held) look(stable, high int64, now time.Time) (tell bool) {
	switch {
	case stable < 0 || stable >= high:
		*h = held{}
		return false
	case h.since.IsZero() || stable != h.stable:
		*h = held{stable: stable, since: now}
	}
	h.offsets = high - stable
	if tell = h.hangs(now) && now.Sub(h.told) >= hangingFor; tell {
		h.told = now
	}
	return tell
}

func (h *held) hangs(now time.Time) bool { return !h.since.IsZero() && now.Sub(h.since) >= hangingFor }

// error returns what a partition's reader tells.
func (h *held) error(topic string, partition int) error {
	return fmt.Errorf("read topic %q, partition %d: %d offsets cannot be read, since a transaction at offset %d has been open since %s: end it with kafka-transactions.sh abort",
		topic, partition, h.offsets, h.stable, h.since.UTC().Format(time.RFC3339))
}

// Hanging returns how many offsets cannot be read since a transaction has been open for a minute; 0: none.
// Any goroutine may call Hanging.
func (p *Partition) Hanging() int64 {
	p.reader.mutex.Lock()
	defer p.reader.mutex.Unlock()
	if !p.hung.hangs(time.Now()) {
		return 0
	}
	return p.hung.offsets
}
