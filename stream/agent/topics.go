package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

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
// member. Topics is a Source whose files are the partitions.
type Topics struct {
	*records.Reader
	generation *kafka.Generation
	texts      *texts
}

// partitionBytes is the compressed size read ahead over all partitions.
const partitionBytes = 64 << 20

// OpenTopics begins to read at the group's last commits. A partition without a commit, or with a
// commit for another topic of the same name, is read from its start, and the start is committed
// at once. So records deleted before they were read count as lost, also for the partition's next
// reader.
func OpenTopics(ctx context.Context, c *kafka.Cluster, g *kafka.Generation, o TopicsOptions) (*Topics, error) {
	if o.Lost == nil {
		o.Lost = func(string, int64, error) {}
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	ids, err := identities(ctx, c, g)
	if err == nil {
		err = refuse(ctx, g, ids, o.Lost)
	}
	if err != nil {
		o.OnError(fmt.Errorf("ask whether topics are those of the last commits: %w", err))
	}
	ranges, err := offsets(ctx, c, g)
	if err == nil {
		err = commitStarts(g, ids, ranges)
	}
	if err != nil {
		o.OnError(fmt.Errorf("commit where partitions begin: %w", err))
	}
	t := newTexts(o)
	t.generation = g
	for topic, assigned := range g.Partitions {
		for _, a := range assigned {
			p := &part{topic: topic, number: a.Partition, from: a.Committed, path: pathOf(topic, a.Partition), id: ids[topic], file: uint64(len(t.parts))}
			p.begin(ranges[topic])
			t.parts = append(t.parts, p)
		}
	}
	t.reader = kafka.NewReader(c, kafka.ReaderOptions{OnError: o.OnError,
		PartitionBytes: min(1<<20, partitionBytes/max(1, len(t.parts)))})
	r, err := records.New(t, o.Records)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return &Topics{Reader: r, generation: g, texts: t}, nil
}

// offsets returns the offsets of the partitions of a generation's topics.
func offsets(ctx context.Context, c *kafka.Cluster, g *kafka.Generation) (map[string][]kafka.Range, error) {
	all := map[string][]kafka.Range{}
	for topic := range g.Partitions {
		ranges, err := c.Offsets(ctx, topic)
		if err != nil {
			return nil, err
		}
		all[topic] = ranges
	}
	return all, nil
}

// commitStarts commits the first offset of the partitions of which the group has committed
// nothing.
func commitStarts(g *kafka.Generation, ids map[string]kafka.TopicID, ranges map[string][]kafka.Range) error {
	starts := map[string]map[int]int64{}
	for topic, assigned := range g.Partitions {
		for i := range assigned {
			if a := &assigned[i]; a.Committed < 0 && a.Partition < len(ranges[topic]) {
				a.Committed = ranges[topic][a.Partition].First
				if starts[topic] == nil {
					starts[topic] = map[int]int64{}
				}
				starts[topic][a.Partition] = a.Committed
			}
		}
	}
	if len(starts) == 0 {
		return nil
	}
	return g.Commit(starts, func(topic string, partition int) string {
		return note{ids[topic], ranges[topic][partition].End}.String()
	})
}

// Commit commits the offsets up to which lines have been dealt with. Commit makes one
// attempt, and fails if the partitions may be another member's.
func (t *Topics) Commit(_ context.Context, ends map[uint64]int64) error {
	offsets := map[string]map[int]int64{}
	for file, end := range ends {
		p := t.texts.parts[file]
		if offsets[p.topic] == nil {
			offsets[p.topic] = map[int]int64{}
		}
		offsets[p.topic][p.number] = end
	}
	if err := t.generation.Commit(offsets, t.texts.note); err != nil {
		return err
	}
	for file, end := range ends {
		t.texts.parts[file].dealt.Store(end)
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

// text is a batch, or the error in place of a batch.
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
	lag    atomic.Int64
	away   atomic.Bool // the partition does not exist

	dealt   atomic.Int64 // committed; -1: nothing yet
	end     atomic.Int64 // of the partition, as last heard; -1: not heard yet
	goal    atomic.Int64 // its end at the start; -1: not known yet
	written atomic.Int64 // time of the last record read, Unix seconds; 0: none was read
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
			t.o.Lost(p.path, b.Lost, b.Why)
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
			t.add(b, rest[0].Value)
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

// add adds the lines of a record.
func (t *texts) add(b *lines.Batch, value []byte) {
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
