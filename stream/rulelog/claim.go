package rulelog

import (
	"context"
	"fmt"

	"dustbuster/operators/publish/owner"
	stream "dustbuster/stream/kafka"
)

// claims is the number of attempts to claim while other members claim first.
const claims = 5

// Claim makes a member the owner of the partition, in a generation of its group. still
// reports that the member has been the owner all along, so the state built from the log's
// acts is valid. Otherwise Load returns the acts anew. From then on the Store follows the
// log.
func (s *Store) Claim(ctx context.Context, member string, generation int64) (still bool, err error) {
	if !s.o.Holds() {
		return false, ErrNotOwner
	}
	still, err = s.claimAgain(ctx, member, generation)
	if err == nil && !still {
		err = s.claimAnew(ctx, member, generation)
	}
	if err != nil {
		return false, fmt.Errorf("claim partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	return still, nil
}

// claimAgain continues as the owner, if there was no other owner in between.
func (s *Store) claimAgain(ctx context.Context, member string, generation int64) (still bool, err error) {
	if !s.owns() {
		return false, nil
	}
	end, err := s.end(ctx)
	if err != nil {
		return false, err
	}
	if err := s.await(ctx, func() bool { return s.next >= end }); err != nil || !s.owns() {
		return false, err
	}
	if err := s.claim(ctx, member, generation); err != nil {
		return false, err
	}
	err = s.await(ctx, s.claimed)
	return s.owns(), err
}

// claimed reports whether the outcome of a claim is known. The caller holds the lock.
func (s *Store) claimed() bool { return s.book.Claimed() || s.book.Lost() }

// await waits until something is so, or the log is followed no more.
func (s *Store) await(ctx context.Context, so func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	for {
		s.mu.Lock()
		done, moved, lost := s.ended || so(), s.moved, s.lost
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-moved:
		case <-lost:
		case <-ctx.Done():
			return fmt.Errorf("wait for the log: %w", ctx.Err())
		}
	}
}

// claim writes a claim at the position read so far.
func (s *Store) claim(ctx context.Context, member string, generation int64) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if !s.o.Holds() {
		return ErrNotOwner
	}
	s.mu.Lock()
	b := owner.Batch{s.book.Claim(member, generation, s.next)}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	return s.append(ctx, b)
}

// claimAnew reads the partition from its start to its end, claims it, and reads up to the
// claim.
func (s *Store) claimAnew(ctx context.Context, member string, generation int64) error {
	s.leave()
	s.reader.Wait()
	s.mu.Lock()
	s.book, s.next = &owner.Owner{}, 0
	s.mu.Unlock()
	p := s.o.Log.Add(s.o.Rules, s.o.Partition, stream.First)
	for range claims {
		err := s.claimOnce(ctx, p, member, generation)
		switch {
		case err != nil:
			p.Close()
			return err
		case s.book.Sure():
			s.start(p)
			return nil
		}
	}
	p.Close()
	return fmt.Errorf("%w: others claim it", ErrNotOwner)
}

// claimOnce reads a partition to its end, claims it, and reads up to the claim.
func (s *Store) claimOnce(ctx context.Context, p Partition, member string, generation int64) error {
	end, err := s.end(ctx)
	for err == nil && s.next < end {
		err = s.read(ctx, p)
	}
	if err == nil {
		err = s.book.OtherVersion()
	}
	if err == nil {
		err = s.claim(ctx, member, generation)
	}
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	for err == nil && !s.claimed() {
		err = s.read(ctx, p)
	}
	return err
}

func (s *Store) end(ctx context.Context) (int64, error) {
	ranges, err := s.o.Log.Offsets(ctx, s.o.Rules)
	if err != nil {
		return 0, err
	}
	if s.o.Partition >= len(ranges) {
		return 0, fmt.Errorf("topic %q has %d partitions: %w", s.o.Rules, len(ranges), ErrPartitions)
	}
	s.cut(ranges[s.o.Partition].First)
	return ranges[s.o.Partition].End, nil
}

// cut notes the log's first offset, and reports it if records were deleted.
func (s *Store) cut(first int64) {
	s.mu.Lock()
	news := first > s.deleted
	s.deleted = first
	s.mu.Unlock()
	if news {
		s.o.Failed("read all rules", fmt.Errorf("partition %d of %s begins at offset %d: the records before were deleted, and with them verdicts and rules; compaction deletes no record that counts", s.o.Partition, s.o.Rules, first))
	}
}
