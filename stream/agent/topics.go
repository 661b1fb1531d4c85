package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/read/wrap"
	"dustbuster/stream/kafka"
	"dustbuster/stream/lines"
	"dustbuster/stream/records"
)

// TopicsOptions configure the reading of lines from topics.
type TopicsOptions struct {
	MaxLine int // bytes of a line; longer ones are left out and counted
	Records records.Options
	Lost    func(path string, offsets int64, why error) // called for offsets deleted before they were read, or unreadable; may be nil
	OnError func(error)                                 // called with temporary errors; may be nil
}

// Topics are the lines in the partitions that a group's generation has assigned to this
// member: a Source whose files are the partitions.
type Topics struct {
	*records.Reader
	texts *texts
}

// partitionBytes is the compressed size read ahead over all partitions.
const partitionBytes = 64 << 20

// OpenTopics begins to read at the group's last commits. A partition without a commit, or with
// one for another topic of the same name, is read from its start, which is committed at once. So
// records deleted before they were read count as lost, also for the partition's next reader, and only once.
func OpenTopics(ctx context.Context, c *kafka.Cluster, g *kafka.Generation, o TopicsOptions) (*Topics, error) {
	if o.Lost == nil {
		o.Lost = func(string, int64, error) {}
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	t := newTexts(o)
	t.generation = g
	for topic, assigned := range g.Partitions {
		for _, a := range assigned {
			t.parts = append(t.parts, newPart(topic, a, uint64(len(t.parts))))
		}
	}
	if err := t.identify(ctx, c); err != nil {
		o.OnError(fmt.Errorf("ask whether topics are those of the last commits: %w", err))
	}
	if err := t.begin(ctx, c); err != nil {
		o.OnError(fmt.Errorf("commit where partitions begin: %w", err))
	}
	t.reader = kafka.NewReader(c, kafka.ReaderOptions{OnError: o.OnError,
		PartitionBytes: min(1<<20, partitionBytes/max(1, len(t.parts)))})
	r, err := records.New(t, o.Records)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return &Topics{r, t}, nil
}

// begin notes the ends of the partitions, if they are known, and where reading begins. It
// commits the first offset of the partitions of which the group has committed nothing, or an offset
// that is gone.
func (t *texts) begin(ctx context.Context, c *kafka.Cluster) error {
	ranges := map[string][]kafka.Range{}
	var failed error
	for topic := range t.generation.Partitions {
		var err error
		ranges[topic], err = c.Offsets(ctx, topic)
		failed = errors.Join(failed, err)
	}
	var starts []kafka.Offset
	var began []*part
	for _, p := range t.parts {
		if known := ranges[p.topic]; p.number < len(known) {
			p.end.Store(known[p.number].End)
			p.goal.Store(known[p.number].End)
			first := known[p.number].First
			if gone := p.skip(first); gone || p.from < 0 {
				p.from = first
				starts = append(starts, p.commit(p.from))
				began = append(began, p)
			}
		}
		p.dealt.Store(p.from)
	}
	if len(starts) == 0 {
		return failed
	}
	if err := t.generation.Commit(starts...); err != nil {
		return errors.Join(failed, err) // the next commit tells the losses
	}
	for _, p := range began {
		t.settle(p, p.from)
	}
	return failed
}

// Commit commits the offsets up to which lines have been dealt with. Commit makes one
// attempt, and fails if the partitions may be another member's.
func (t *Topics) Commit(_ context.Context, ends map[uint64]int64) error {
	var offsets []kafka.Offset
	for file, end := range ends {
		offsets = append(offsets, t.texts.parts[file].commit(end))
	}
	if err := t.texts.generation.Commit(offsets...); err != nil {
		return err
	}
	for file, end := range ends {
		p := t.texts.parts[file]
		p.dealt.Store(end)
		t.texts.settle(p, end)
	}
	return nil
}

// Lag returns the number of offsets not read yet, by the last answers of brokers. Any
// goroutine may call Lag.
func (t *Topics) Lag() (lag int64) {
	for _, p := range t.texts.parts {
		lag += p.lag.Load()
	}
	return lag
}

// Hanging returns the number of offsets that cannot be read, since a transaction has been open for a minute.
// Any goroutine may call Hanging.
func (t *Topics) Hanging() (offsets int64) {
	for _, p := range t.texts.parts {
		if log := p.log.Load(); log != nil {
			offsets += log.Hanging()
		}
	}
	return offsets
}

// texts turns records of partitions into batches of lines: records.Source. Each
// partition has a goroutine, which decompresses; all of them share the batches.
type texts struct {
	o          TopicsOptions
	generation *kafka.Generation
	reader     *kafka.Reader
	parts      []*part
	pool       *lines.Pool
	out        chan text
	pumps      sync.WaitGroup
	start      sync.Once
	stop       context.CancelFunc
}

// text is a batch, or the error in its place.
type text struct {
	batch *lines.Batch
	err   error
}

// part is a partition.
type part struct {
	topic  string
	number int
	from   int64 // where reading begins; below 0: at its start
	path   string
	id     kafka.TopicID // of the topic when the generation began; zero: not known
	file   uint64
	read   bool // a batch of the partition was handed out
	unfold wrap.Unfolder
	lag    atomic.Int64
	away   atomic.Bool // the partition does not exist

	log atomic.Pointer[kafka.Partition] // being read; nil: none is yet

	mu   sync.Mutex
	owes []owed // losses that are not told yet

	dealt   atomic.Int64 // committed; -1: nothing yet
	end     atomic.Int64 // of the partition, as last heard; -1: not heard yet
	goal    atomic.Int64 // its end at the start; -1: not known yet
	written atomic.Int64 // time of the last record read, Unix seconds; 0: none was read
}

func newPart(topic string, a kafka.Assigned, file uint64) *part {
	p := &part{topic: topic, number: a.Partition, from: a.Committed, path: fmt.Sprintf("%s/%d", topic, a.Partition), file: file}
	p.end.Store(-1)
	p.goal.Store(-1)
	return p
}

const (
	textBatches = 8         // most batches ready or parsed at once
	textSize    = 256 << 10 // bytes after which a batch ends with the record
	keptSize    = 2 << 20   // bytes of a reused buffer: a record may have been larger
)

func newTexts(o TopicsOptions) *texts {
	return &texts{o: o, pool: lines.NewPool(textBatches), out: make(chan text), stop: func() {}}
}

// Read returns lines of any partition. Its goroutines end with the context of
// the first Read, and with Close.
func (t *texts) Read(ctx context.Context) (*lines.Batch, error) {
	t.start.Do(func() {
		var reading context.Context
		reading, t.stop = context.WithCancel(ctx)
		for _, p := range t.parts {
			t.pumps.Go(func() { t.pump(reading, p) })
		}
	})
	select {
	case next := <-t.out:
		return next.batch, next.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the reading and waits for its goroutines.
func (t *texts) Close() error {
	t.start.Do(func() {})
	t.stop()
	t.reader.Close()
	t.pumps.Wait()
	return nil
}

// awayRest is the pause before a partition that does not exist is asked for again.
const awayRest = time.Second

// pump reads a partition to the end of ctx. A partition that does not exist is waited for.
func (t *texts) pump(ctx context.Context, p *part) {
	from := p.from
	if from < 0 {
		from = kafka.First
	}
	log := t.reader.Resume(p.topic, p.id, p.number, from)
	for {
		p.log.Store(log)
		b, err := log.Read(ctx)
		switch {
		case errors.Is(err, kafka.ErrRecreated):
			if err := t.recommit(p.topic); err != nil {
				t.o.OnError(err)
			}
			t.give(ctx, text{err: err})
			return
		case errors.Is(err, kafka.ErrBeyondEnd): // perhaps another topic of the same name: all its records are new
			t.o.Lost(p.path, 0, err)
			log.Close()
			log = t.reader.Resume(p.topic, p.id, p.number, kafka.First)
			continue
		case errors.Is(err, kafka.ErrNoTopic):
			p.away.Store(true)
			t.o.OnError(err)
			log.Close()
			select {
			case <-time.After(awayRest):
			case <-ctx.Done():
			}
			log = t.reader.Resume(p.topic, p.id, p.number, from)
			continue
		case ctx.Err() != nil:
			return
		case err != nil:
			t.give(ctx, text{err: err})
			return
		}
		p.heard(b)
		from = b.Next
		p.away.Store(false)
		if b.Lost > 0 {
			p.owe(b.Next, b.Lost, b.Why)
		}
		if !t.cut(ctx, p, b) {
			return
		}
		p.lag.Store(b.End - b.Next)
	}
}

func (t *texts) give(ctx context.Context, next text) bool {
	select {
	case t.out <- next:
		return true
	case <-ctx.Done():
		return false
	}
}

// cut hands out the lines of records in batches, which end where records do;
// false if ctx has ended.
func (t *texts) cut(ctx context.Context, p *part, in *kafka.Batch) bool {
	for rest := in.Records; ; {
		var b *lines.Batch
		select {
		case b = <-t.pool.Free:
		case <-ctx.Done():
			return false
		}
		if cap(b.Buffer) > keptSize {
			b.Buffer = nil
		}
		b.Path, b.File, b.First, b.Oversized, b.Data = p.path, p.file, !p.read, 0, b.Buffer[:0]
		p.read = true
		for len(rest) > 0 && len(b.Data) < textSize {
			t.add(b, &p.unfold, rest[0].Value)
			rest = rest[1:]
		}
		b.Buffer, b.End = b.Data, in.Next
		if len(rest) > 0 {
			b.End = rest[0].Offset
		}
		if !t.give(ctx, text{batch: b.Hold()}) {
			b.Release()
			return false
		}
		if len(rest) == 0 {
			return true
		}
	}
}

// add adds the lines of a record. A document may be longer than a line.
func (t *texts) add(b *lines.Batch, u *wrap.Unfolder, value []byte) {
	if wrap.Document(value) {
		if data, ok := u.Unfold(b.Data, value); ok {
			b.Data = data
			b.Oversized += u.Left
			u.Left = 0
			return
		}
	}
	if len(value) <= t.o.MaxLine { // nearly always
		if b.Data = append(b.Data, value...); len(value) > 0 && value[len(value)-1] != '\n' {
			b.Data = append(b.Data, '\n')
		}
		return
	}
	for line := range bytes.Lines(value) {
		if line = bytes.TrimSuffix(line, []byte{'\n'}); len(line) > t.o.MaxLine {
			b.Oversized++
			continue
		}
		b.Data = append(append(b.Data, line...), '\n')
	}
}
