package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"dustbuster/operators/read/input"
	"dustbuster/stream/pipe"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// Input is a set of logs that are followed and parsed in one way.
type Input struct {
	Name    string          // by which its positions are found again
	Tail    *tail.Reader    // nil: a pipe, which has no positions
	Pipe    *pipe.Reader    // nil: logs
	Records *records.Reader // of the lines
}

// Inputs are several inputs as one Source.
type Inputs struct {
	inputs []Input
	out    chan records.Pumped
	passed *passed // lines of the batch that Read returned last; nil: none
	pumps  sync.WaitGroup
	piped  atomic.Int64 // bytes delivered of pipes
	bytes  int64        // delivered when all inputs had caught up; -1: they have not
}

// passed are lines that are dealt with, though they are read again after a restart.
type passed struct {
	file uint64
	end  int64
}

// fileBits are the bits of a file's number that the input assigns. The bits above hold the
// number of the input.
const fileBits = 48

// NewInputs returns a source of inputs. Nothing is started.
func NewInputs(inputs []Input) *Inputs { return &Inputs{inputs: inputs, bytes: -1} }

// Saved are positions by the name of their input.
type Saved map[string][]tail.Position

// DecodePositions is the inverse of Inputs.Positions. Empty bytes decode to no positions.
func DecodePositions(state []byte) (Saved, error) {
	saved := Saved{}
	if len(state) == 0 {
		return saved, nil
	}
	if err := json.Unmarshal(state, &saved); err != nil {
		return nil, fmt.Errorf("read positions: %w", err)
	}
	return saved, nil
}

// Of returns the positions of an input: those saved under its name or, for a new input, those
// of its paths, whichever input they belonged to.
func (s Saved) Of(name string, paths []string) (from []tail.Position) {
	if saved, ok := s[name]; ok {
		return saved
	}
	for _, saved := range s {
		for _, p := range saved {
			if tail.Follows(paths, p.Path) {
				from = append(from, p)
			}
		}
	}
	return from
}

// Positions encodes the positions of all inputs.
func (s *Inputs) Positions(end map[uint64]int64) ([]byte, error) {
	ends := make([]map[uint64]int64, len(s.inputs))
	for file, n := range end {
		i := file >> fileBits
		if ends[i] == nil {
			ends[i] = map[uint64]int64{}
		}
		ends[i][file&(1<<fileBits-1)] = n
	}
	saved := Saved{}
	for i, in := range s.inputs {
		if in.Tail == nil {
			continue
		}
		positions := in.Tail.Positions(ends[i])
		for k := range positions {
			p := &positions[k]
			p.Format = cmp.Or(in.Records.Format(p.Path), p.Format)
		}
		saved[in.Name] = append(saved[in.Name], positions...)
	}
	return json.Marshal(saved)
}

// CaughtUp reports whether all inputs have reached the ends seen at their start, and the
// consumer has, too.
func (s *Inputs) CaughtUp(folded int64) bool {
	if s.bytes < 0 {
		bytes := s.piped.Load()
		for t := range s.tails {
			select {
			case <-t.CaughtUp():
				bytes += t.Stats().Bytes
			default:
				return false
			}
		}
		s.bytes = bytes
	}
	return folded >= s.bytes
}

// Stats returns the sums of the counts of all followed logs. Any goroutine may call Stats.
func (s *Inputs) Stats() (all tail.Stats) {
	for t := range s.tails {
		one := t.Stats()
		all.Bytes += one.Bytes
		all.Oversized += one.Oversized
		all.Skipped += one.Skipped
		all.NullRuns += one.NullRuns
		all.Rotations += one.Rotations
		all.Truncations += one.Truncations
		all.Abandoned += one.Abandoned
		all.AbandonedBy += one.AbandonedBy
		all.Damaged += one.Damaged
		all.Errors += one.Errors
		all.Following += one.Following
	}
	return all
}

// Lags lists the followed files, each with its lag. Any goroutine may call Lags.
func (s *Inputs) Lags() (all []tail.Lag) {
	for t := range s.tails {
		all = append(all, t.Lags()...)
	}
	return all
}

// tails yields the readers of the inputs that are logs.
func (s *Inputs) tails(yield func(*tail.Reader) bool) {
	for _, in := range s.inputs {
		if in.Tail != nil && !yield(in.Tail) {
			return
		}
	}
}

// Describe describes all inputs as they are configured, and the logs of each in the order of
// their paths. Any goroutine may call Describe.
func (s *Inputs) Describe() (all []input.State) {
	for i := range s.inputs {
		in := &s.inputs[i]
		if in.Tail == nil {
			all = append(all, in.describePipe())
			continue
		}
		for _, one := range in.Tail.Inputs() {
			in.Records.Describe(&one, one.Name)
			all = append(all, one)
		}
	}
	return all
}

// describePipe describes a pipe. What it holds is not known before it is read, so it never
// lags.
func (in *Input) describePipe() input.State {
	s := input.State{Kind: input.Pipe, Name: in.Name, CaughtUp: true, Ended: in.Pipe != nil && in.Pipe.Ended()}
	s.Offset = in.Records.Describe(&s, in.Name)
	return s
}

// Unreadable lists the existing files most of whose last lines cannot be read. Any
// goroutine may call Unreadable.
func (s *Inputs) Unreadable() (all []*records.UnreadableError) {
	for _, in := range s.inputs {
		for _, e := range in.Records.Unreadable() {
			if _, err := os.Stat(e.Path); in.Tail == nil || err == nil {
				all = append(all, e)
			}
		}
	}
	for t := range s.tails {
		for path, err := range t.Unreadable() {
			all = append(all, &records.UnreadableError{Path: path, Err: err})
		}
	}
	return all
}

// Missing lists the paths of logs at which no file was ever found. Any goroutine may call Missing.
func (s *Inputs) Missing() (all []string) {
	for t := range s.tails {
		all = append(all, t.Missing()...)
	}
	return all
}

// Read returns the next batch of any input, and io.EOF when all have ended, as they
// do after Stop. Its goroutines end with the context of the first Read.
func (s *Inputs) Read(ctx context.Context) (*records.Batch, error) {
	if s.out == nil {
		s.out = make(chan records.Pumped)
		for i := range s.inputs {
			s.pumps.Go(func() { s.pump(ctx, i) })
		}
		go func() {
			s.pumps.Wait()
			close(s.out)
		}()
	}
	if p := s.passed; p != nil {
		s.inputs[p.file>>fileBits].Tail.Passed(p.file&(1<<fileBits-1), p.end)
		s.passed = nil
	}
	select {
	case next, ok := <-s.out:
		switch {
		case ok:
			if b := next.Batch; b != nil && b.End == 0 && b.Passed > 0 && s.inputs[b.File>>fileBits].Tail != nil {
				s.passed = &passed{b.File, b.Passed} // once the consumer has taken the batch
			}
			return next.Batch, next.Err
		case ctx.Err() == nil:
			return nil, io.EOF
		}
	case <-ctx.Done():
	}
	return nil, ctx.Err() // the pumps end with ctx, so both cases may be ready
}

func (s *Inputs) pump(ctx context.Context, i int) {
	for {
		b, err := s.inputs[i].Records.Read(ctx)
		if errors.Is(err, io.EOF) {
			return
		}
		if b != nil {
			b.File |= uint64(i) << fileBits
			if s.inputs[i].Tail == nil {
				s.piped.Add(b.Bytes)
			}
		}
		select {
		case s.out <- records.Pumped{Batch: b, Err: err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !records.AboutOneFile(err) {
			return
		}
	}
}

// Stop makes Read return the batches read ahead and then end.
func (s *Inputs) Stop() {
	for _, in := range s.inputs {
		in.Records.Stop()
	}
}

// Close waits for the goroutines of Read and ends all inputs. The context of the first
// Read must have ended.
func (s *Inputs) Close() error {
	s.pumps.Wait() // no Read may run while the pipes are closed
	var errs []error
	for _, in := range s.inputs {
		errs = append(errs, in.Records.Close())
	}
	return errors.Join(errs...)
}
