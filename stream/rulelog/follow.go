package rulelog

import (
	"context"
	"errors"
	"fmt"

	"dustbuster/operators/publish/owner"
)

// start follows a partition owned by the Store, from the position read so far.
func (s *Store) start(p Partition) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.leave, s.ended, s.lost = cancel, false, make(chan struct{})
	s.mu.Unlock()
	s.reader.Go(func() {
		defer p.Close()
		s.follow(ctx, p)
		s.mu.Lock()
		s.ended = true
		close(s.lost)
		s.mu.Unlock()
	})
}

// follow covers again the late writes of older owners, until a later owner appears.
func (s *Store) follow(ctx context.Context, p Partition) {
	for !s.ask((*owner.Owner).Lost) {
		s.mend()
		waiting, cancel := ctx, context.CancelFunc(func() {})
		if s.ask((*owner.Owner).Covered) { // still covered: mend has failed
			waiting, cancel = context.WithTimeout(ctx, s.o.Pause)
		}
		err := s.read(waiting, p)
		late := waiting.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !late:
			s.o.Failed("follow rules", err)
			return
		}
	}
}

// read takes in the next batch.
func (s *Store) read(ctx context.Context, p Partition) error {
	b, err := p.Read(ctx)
	if err != nil {
		return err
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
	s.next = b.Next
	close(s.moved)
	s.moved = make(chan struct{})
	return nil
}

// mend rewrites covered records.
func (s *Store) mend() {
	if !s.ask((*owner.Owner).Covered) {
		return
	}
	n := 0
	err := s.write(func(o *owner.Owner) []owner.Batch {
		all := o.Mend()
		for _, b := range all {
			n += len(b)
		}
		return all
	})
	switch {
	case err == nil:
		s.mu.Lock()
		s.mended += n
		s.mu.Unlock()
	case !errors.Is(err, ErrNotOwner): // ErrNotOwner is reported elsewhere
		s.o.Failed("cover rules again", err)
	}
}
