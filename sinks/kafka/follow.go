package kafka

import (
	"context"
	"errors"
	"fmt"

	"dustbuster/operators/ledger"
	"dustbuster/stream/journal"
	stream "dustbuster/stream/kafka"
)

// claims is how often a claim is made again when another came first.
const claims = 5

// Load reads the partition, claims it, and gives the acts that stand before the claim.
// From then on the Store follows the log.
func (s *Store) Load(fold func(*journal.Frame) error) error {
	p := s.o.Log.Add(s.o.Rules, s.o.Partition, stream.First)
	if err := s.acquire(p); err != nil {
		p.Close()
		return fmt.Errorf("load partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	_, s.compacted = s.book.Size()
	if err := s.restore(fold); err != nil {
		p.Close()
		return err
	}
	s.done.Go(func() {
		defer p.Close()
		s.follow(p)
	})
	return nil
}

// acquire reads up to the end, claims, and reads up to the claim.
func (s *Store) acquire(p Partition) error {
	next := int64(0)
	for range claims {
		end, err := s.end()
		if err != nil {
			return err
		}
		for next < end {
			if next, err = s.read(s.ctx, p); err != nil {
				return err
			}
		}
		if err := s.claim(end); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(s.ctx, s.o.Timeout)
		for err == nil && !s.book.Sure() && !s.book.Lost() {
			next, err = s.read(ctx, p)
		}
		cancel()
		if err != nil {
			return fmt.Errorf("wait for the claim: %w", err)
		}
		if s.book.Sure() {
			return nil
		}
	}
	return fmt.Errorf("%w: others claim it", ErrNotOwner)
}

func (s *Store) end() (int64, error) {
	ranges, err := s.o.Log.Offsets(s.ctx, s.o.Rules)
	if err != nil {
		return 0, err
	}
	if s.o.Partition >= len(ranges) {
		return 0, fmt.Errorf("there are %d partitions; the three topics must have the same number: see dustbuster topics check", len(ranges))
	}
	return ranges[s.o.Partition].End, nil
}

func (s *Store) claim(end int64) error {
	if !s.o.Holds() {
		return ErrNotOwner
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.o.Timeout)
	defer cancel()
	return s.append(ctx, ledger.Batch{s.book.Claim(s.o.Member, s.o.Generation, end)})
}

// read takes in what comes next, and returns the position behind it.
func (s *Store) read(ctx context.Context, p Partition) (next int64, err error) {
	b, err := p.Read(ctx)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.Lost > 0 {
		s.pass(fmt.Errorf("%d offsets are gone: %w", b.Lost, b.Why))
	}
	for i := range b.Records {
		r, err := Record(&b.Records[i])
		if err == nil {
			err = s.book.Read(b.Records[i].Offset, r)
		}
		if err != nil {
			s.pass(fmt.Errorf("offset %d: %w", b.Records[i].Offset, err))
		}
	}
	return b.Next, nil
}

// follow covers again what older owners write, until a later one shows.
func (s *Store) follow(p Partition) {
	defer s.lose()
	for {
		ctx, cancel := s.ctx, context.CancelFunc(func() {})
		if s.covered() {
			ctx, cancel = context.WithTimeout(s.ctx, s.o.Pause)
		}
		_, err := s.read(ctx, p)
		late := ctx.Err() != nil
		cancel()
		switch {
		case s.ctx.Err() != nil:
			return
		case err != nil && !late:
			s.o.Failed("follow rules", err)
			return
		case s.another():
			return
		}
		s.mend()
	}
}

func (s *Store) covered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.Covered()
}

func (s *Store) another() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.Lost()
}

// mend writes again what is covered.
func (s *Store) mend() {
	if !s.covered() {
		return
	}
	n := 0
	err := s.write(func(o *ledger.Owner) []ledger.Batch {
		all := o.Mend()
		for _, b := range all {
			n += len(b)
		}
		return all
	})
	switch {
	case err == nil:
		s.mended.Add(int64(n))
	case !errors.Is(err, ErrNotOwner): // of which somebody else will tell
		s.o.Failed("cover rules again", err)
	}
}
