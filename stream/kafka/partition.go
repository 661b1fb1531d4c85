package kafka

import (
	"context"
	"fmt"
	"time"
)

// Partition is one partition as it is read, by one goroutine at a time.
type Partition struct {
	reader *Reader
	topic  string
	number int
	ready  chan struct{} // one token: something has changed

	// Under the reader's lock:
	position int64   // that is asked for next
	locate   bool    // the position is to be found anew: it is symbolic, or out of range
	leader   int32   // -1: unknown
	empty    bool    // the last answer was empty short of the end: ask alone, to tell a hole from a full response
	asked    bool    // a request is under way
	queue    []chunk // what was fetched and not yet read
	held     int     // bytes of it
	end      int64   // last stable offset, as last heard
	told     Batch   // Next and End as last queued
	failed   error   // told when the queue is empty
	closed   bool
	retryAt  time.Time
	pause    time.Duration
	denied   time.Time // since when brokers say that there is no such topic
}

// chunk is what one response brought for a partition.
type chunk struct {
	batches []raw
	from    int64 // what lies before is skipped: a batch is given whole
	next    int64
	size    int
	lost    int64
	why     error
}

// readSize is how much one Read may decode beyond the first batch.
const readSize = 1 << 20

// Read returns what comes next, waiting for it. Without records it still says
// that Next or End has moved. Errors other than the context's are final; then
// the partition must be added anew, if at all: ErrBeyondEnd, ErrNoTopic,
// ErrNotAuthorized, ErrClosed.
func (p *Partition) Read(ctx context.Context) (*Batch, error) {
	for {
		p.reader.mutex.Lock()
		switch {
		case p.closed:
			p.reader.mutex.Unlock()
			return nil, ErrClosed
		case len(p.queue) > 0:
			work, end := p.take(), p.end
			p.reader.mutex.Unlock()
			p.reader.wake()
			b := work.decode()
			b.End = max(end, b.Next)
			return b, nil
		case p.failed != nil:
			err := p.failed
			p.reader.mutex.Unlock()
			return nil, fmt.Errorf("read partition %d of topic %q: %w", p.number, p.topic, err)
		}
		p.reader.mutex.Unlock()
		select {
		case <-p.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take cuts about readSize off the queue.
func (p *Partition) take() chunk {
	whole := p.queue[0]
	n, size := 0, 0
	for n < len(whole.batches) && (n == 0 || size < readSize) {
		size += len(whole.batches[n].data)
		n++
	}
	if n == len(whole.batches) {
		p.queue[0] = chunk{}
		p.queue = p.queue[1:]
		p.held -= whole.size
		return whole
	}
	part := whole
	part.batches, part.next = whole.batches[:n:n], whole.batches[n-1].last+1
	rest := &p.queue[0]
	rest.batches, rest.lost, rest.why = whole.batches[n:], 0, nil
	rest.size -= size
	p.held -= size
	return part
}

// decode looks into the batches. What cannot be read is passed over and told.
func (c chunk) decode() *Batch {
	b := &Batch{Next: c.next, Lost: c.lost, Why: c.why}
	for _, r := range c.batches {
		err := r.err
		if err == nil {
			b.Records, err = r.appendRecords(b.Records, c.from, maxBatch)
		}
		if err != nil {
			b.Lost += r.last + 1 - max(r.base, c.from)
			b.Why = fmt.Errorf("offsets %d to %d cannot be read: %w", r.base, r.last, err)
		}
	}
	return b
}

// Close ends reading. A response that is under way is thrown away.
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

// push queues what came; what says nothing new is left out.
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

// later asks again after a pause that doubles up to two seconds.
func (p *Partition) later(now time.Time) {
	p.pause = min(max(2*p.pause, 50*time.Millisecond), 2*time.Second)
	p.retryAt = now.Add(p.pause)
}
