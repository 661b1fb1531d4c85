package rulelog

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"dustbuster/operators/publish/owner"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
)

// Save writes acts, cuts and politeness. Observations and positions are left out: the topic
// of observations has them. After an error the acts must come again, first among those of
// the next Save.
func (s *Store) Save(changes iter.Seq[checkpoint.Change]) error {
	c := collect(changes)
	if len(c.acts) == 0 && len(c.cuts) == 0 && c.polite == nil {
		return nil
	}
	again := 0 // acts already brought into the ledger by the last Save
	for again < min(len(s.failed), len(c.acts)) && s.failed[again] == c.acts[again] {
		again++
	}
	polite, err := s.due(c.polite, time.Now())
	if err != nil {
		return err
	}
	begun := false
	err = s.write(func(o *owner.Owner) []owner.Batch {
		begun = true
		return append(o.Mend(), o.Write(c.ledgerActs(again), polite)...)
	})
	switch {
	case err == nil:
		s.failed = nil
	case begun:
		s.failed = c.acts
	default:
		s.polite = nil // the due politeness comes again
	}
	if err != nil {
		return fmt.Errorf("save to partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	return nil
}

// Compact writes the difference from the given acts, which replace all other acts.
func (s *Store) Compact(all iter.Seq[checkpoint.Change]) error {
	c := collect(all)
	polite, err := s.due(c.polite, time.Now())
	if err != nil {
		return err
	}
	err = s.write(func(o *owner.Owner) []owner.Batch {
		return append(o.Mend(), o.Compact(c.ledgerActs(0), polite)...)
	})
	if err != nil {
		return fmt.Errorf("compact partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	s.failed, s.compacted = nil, s.Stats().Bytes
	return nil
}

// collected is the part of a checkpoint that the log keeps.
type collected struct {
	cuts   []owner.Act
	acts   []checkpoint.Act
	polite checkpoint.Politeness // nil: none
}

func collect(changes iter.Seq[checkpoint.Change]) (all collected) {
	for change := range changes {
		switch c := change.(type) {
		case checkpoint.Cuts:
			all.cuts = append(all.cuts, owner.Act{Site: c.Site, Cuts: c.Cuts})
		case checkpoint.Act:
			all.acts = append(all.acts, c)
		case checkpoint.Politeness:
			all.polite = c
		}
	}
	return all
}

// ledgerActs returns the cuts, and the acts from a place on.
func (c *collected) ledgerActs(from int) []owner.Act {
	all := c.cuts
	for _, a := range c.acts[from:] {
		all = append(all, owner.Act{Site: a.Site, Act: *a.Act})
	}
	return all
}

// Load yields the acts of all owners, which replace those of earlier calls.
func (s *Store) Load() iter.Seq2[checkpoint.Change, error] {
	return func(yield func(checkpoint.Change, error) bool) {
		s.failed, s.compacted = nil, s.Stats().Bytes
		for _, change := range s.restored() {
			if !yield(change, nil) {
				return
			}
		}
	}
}

func (s *Store) restored() (all []checkpoint.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.book.Acts(s.pass, func(a owner.Act) bool {
		if a.Cuts != nil {
			all = append(all, checkpoint.Cuts{Site: a.Site, Cuts: a.Cuts})
		} else {
			all = append(all, checkpoint.Act{Site: a.Site, Act: &a.Act})
		}
		return true
	})
	value := s.book.Politeness()
	if s.polite = nil; value == nil {
		return all
	}
	var states checkpoint.Politeness
	if err := json.Unmarshal(value, &states); err != nil {
		s.pass(fmt.Errorf("read politeness: %w", err))
		return all
	}
	s.polite = map[string]fetch.State{}
	for _, state := range states {
		s.polite[state.Site] = state
	}
	return append(all, states)
}

// firstBad is the number of unreadable records that are reported; all are counted.
const firstBad = 10

// pass counts a record passed over.
func (s *Store) pass(err error) {
	if s.bad++; s.bad <= firstBad {
		s.o.Failed("read rules", err)
	}
}
