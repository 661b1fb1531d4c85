package records

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/lines"
)

// Fold takes in an observation of a site, which is valid during the call. It returns false if it
// can take in no more.
type Fold func(site string, o *evidence.Observation) (more bool)

// Team is workers, goroutines that read lines for the Readers of finished logs (Options.Team). A
// worker reads a batch of lines with parsers of its own and folds the records at once, in any
// order. It leaves each line that its parsers cannot read to the batch's Reader, which takes up the
// batches in their order: of such lines, the order matters.
//
//	lines ──batches──> Reader ──batches──> workers ──records──> Fold of each worker
//	                     ^ └──records of left lines──> Read           │
//	                     └──────────── left lines, counts ────────────┘
type Team struct {
	tasks   chan *task
	workers int
	running sync.WaitGroup
	full    atomic.Bool  // a worker can fold no more
	folding sync.RWMutex // held by a worker while it folds a batch
	stopped bool         // no worker folds any longer
}

// task is a batch of lines that a worker reads.
type task struct {
	in      *lines.Batch
	parsers *shared
	host    []byte // of lines that name none; nil: not known
	counts  Counts // of the lines read
	left    []leftLine
	read    bool // a line was read after the last line left
	done    chan struct{}
}

// leftLine is a line that the worker left.
type leftLine struct {
	line []byte
	read bool // a line was read since the line left before it
}

// shared is the parsers of a file, with copies for each worker.
type shared struct {
	parsers []*wrap.Parser
	copies  [][]*wrap.Parser
}

// NewTeam starts a worker for each Fold. The error is that of admit.New. The caller must call Close.
func NewTeam(o admit.Options, folds []Fold) (*Team, error) {
	t := &Team{tasks: make(chan *task, len(folds)), workers: len(folds)}
	var workers []*worker
	for n, fold := range folds {
		gate, err := admit.New(o)
		if err != nil {
			return nil, err
		}
		workers = append(workers, &worker{number: n, gate: gate, fold: fold})
	}
	for _, w := range workers {
		t.running.Go(func() { t.run(w) })
	}
	return t, nil
}

func (t *Team) run(w *worker) {
	for task := range t.tasks {
		t.folding.RLock()
		w.full = w.full || t.stopped
		w.do(task)
		t.folding.RUnlock()
		if w.full {
			t.full.Store(true)
		}
		close(task.done)
	}
}

// Full reports whether a worker can fold no more. Then the caller should call Stop.
func (t *Team) Full() bool { return t.full.Load() }

// Stop waits until no worker folds. From then on, the Readers read all lines by themselves.
func (t *Team) Stop() {
	t.folding.Lock()
	t.stopped = true
	t.folding.Unlock()
	t.full.Store(true)
}

// Close waits for the workers. No Reader may use the team any longer.
func (t *Team) Close() {
	close(t.tasks)
	t.running.Wait()
}

// worker reads lines.
type worker struct {
	number int
	gate   *admit.Gate
	fold   Fold
	full   bool
	hit    weblog.Hit
	record evidence.Observation
}

func (w *worker) do(t *task) {
	parsers := t.parsers.of(w.number)
	for line := range t.in.Lines() {
		if w.full || !w.parse(parsers, line) {
			t.left = append(t.left, leftLine{line, t.read})
			t.read = false
			continue
		}
		t.read = true
		t.counts.Lines++
		hosted := setHost(&w.hit, t.host)
		site, why := w.gate.Admit(&w.record, &w.hit)
		t.counts.Reasons[why]++
		if why == admit.Admitted {
			if hosted {
				t.counts.Hosted++
			}
			w.full = !w.fold(site, &w.record)
		}
	}
}

// parse reports whether a line is a record for one of the parsers, in the way of Reader.line.
func (w *worker) parse(parsers []*wrap.Parser, line []byte) bool {
	for _, p := range parsers {
		switch kind, _ := p.Parse(&w.hit, line); kind {
		case wrap.Hit:
			return true
		case wrap.Malformed, wrap.Other:
		default:
			return false
		}
	}
	return false
}

// of returns the copies of a worker, which calls of alone.
func (s *shared) of(worker int) []*wrap.Parser {
	if s.copies[worker] == nil {
		for _, p := range s.parsers {
			s.copies[worker] = append(s.copies[worker], p.Fresh())
		}
	}
	return s.copies[worker]
}

// share returns the parsers of the present file for the workers, or nil if the lines depend on each
// other. A further parser of the file may come and go, so workers do without the last.
func (r *Reader) share() *shared {
	f := r.file
	if r.o.Team == nil || r.o.Team.Full() || f == nil || f == r.blank || len(f.parsers) == 0 {
		return nil
	}
	parsers := f.parsers[:min(len(f.parsers), maxParsers-1)]
	if slices.ContainsFunc(f.parsers, func(p *wrap.Parser) bool { return !p.Apart() }) {
		return nil
	}
	if f.shared == nil || len(f.shared.parsers) != len(parsers) {
		f.shared = &shared{slices.Clone(parsers), make([][]*wrap.Parser, r.o.Team.workers)}
	}
	return f.shared
}

// pass gives a batch to the team, or reads the batch if its lines need those before them. It takes
// up the batches that are done.
func (r *Reader) pass(ctx context.Context, in *lines.Batch) error {
	if in.First || r.files[in.Path] != r.file || r.share() == nil {
		if err := r.takeUp(ctx, 0); err != nil {
			in.Release()
			return err
		}
	}
	if err := r.begin(ctx, in); err != nil {
		in.Release()
		return err
	}
	parsers := r.share()
	if parsers == nil {
		defer in.Release()
		return r.read(ctx, in, nil)
	}
	t := &task{in: in, parsers: parsers, host: r.file.host, done: make(chan struct{})}
	r.pending = append(r.pending, t)
	r.o.Team.tasks <- t
	return r.takeUp(ctx, Ahead(r.o.Team.workers))
}

// Ahead returns the greatest number of batches that a Reader holds for a team of so many workers. Its
// source must have more.
func Ahead(workers int) int { return 2 * workers }

// takeUp takes up the batches that are done, in their order, and waits until at most so many are
// left.
func (r *Reader) takeUp(ctx context.Context, most int) (err error) {
	for len(r.pending) > 0 {
		t := r.pending[0]
		if len(r.pending) <= most {
			select {
			case <-t.done:
			default:
				return err
			}
		}
		<-t.done
		if err == nil {
			err = r.read(ctx, t.in, t)
		}
		t.in.Release()
		r.pending = r.pending[1:]
	}
	return err
}

// leftOf counts what a worker has read, and reads the lines that it left.
func (r *Reader) leftOf(b *Batch, t *task) {
	b.Counts.Add(&t.counts)
	for _, l := range t.left {
		if l.read {
			r.file.last = lineRead
		}
		r.line(b, l.line)
	}
	if t.read {
		r.file.last = lineRead
	}
}
