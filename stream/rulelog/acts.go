package rulelog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/lifecycle"
	"dustbuster/operators/owner"
	"dustbuster/stream/fetch"
	"dustbuster/stream/journal"
)

// politeness is the key of the act of the same name. The key of a machine's act is a colon
// and the site: see package prober.
const politeness = "fetch"

// share begins the key of an act by which a site's window was cut; the site follows.
const share = "share:"

// heldAct is an act in the form given by the loop.
type heldAct struct {
	key   string
	value []byte
}

// Checkpoint writes the acts of the frames. Observations and positions are left out:
// the topic of observations has them. After an error the acts must come again, first
// among those of the next checkpoint.
func (s *Store) Checkpoint(write func(emit func(*journal.Frame) error) error) error {
	acts, err := collect(write)
	if err != nil {
		return err
	}
	again := 0 // acts already brought into the ledger by the last checkpoint
	for again < min(len(s.failed), len(acts)) && s.failed[again].key == acts[again].key && bytes.Equal(s.failed[again].value, acts[again].value) {
		again++
	}
	if len(acts) == 0 {
		return nil
	}
	fresh, polite, err := decode(acts[again:])
	if err == nil {
		polite, err = s.due(polite, time.Now())
	}
	if err != nil {
		return err
	}
	begun := false
	err = s.write(func(o *owner.Owner) []owner.Batch {
		begun = true
		return append(o.Mend(), o.Write(fresh, polite)...)
	})
	switch {
	case err == nil:
		s.failed = nil
	case begun:
		s.failed = acts
	default:
		s.polite = nil // the due acts come again
	}
	if err != nil {
		return fmt.Errorf("save to partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	return nil
}

// Compact writes the difference from the acts of the frames, which replace all other acts.
func (s *Store) Compact(live func(emit func(*journal.Frame) error) error) error {
	acts, err := collect(live)
	if err != nil {
		return err
	}
	dump, polite, err := decode(acts)
	if err == nil {
		polite, err = s.due(polite, time.Now())
	}
	if err != nil {
		return err
	}
	err = s.write(func(o *owner.Owner) []owner.Batch {
		return append(o.Mend(), o.Compact(dump, polite)...)
	})
	if err != nil {
		return fmt.Errorf("compact partition %d of %s: %w", s.o.Partition, s.o.Rules, err)
	}
	s.failed, s.compacted = nil, s.Stats().Bytes
	return nil
}

func collect(write func(emit func(*journal.Frame) error) error) (acts []heldAct, err error) {
	err = write(func(f *journal.Frame) error {
		for _, a := range f.Acts {
			acts = append(acts, heldAct{a.Key, bytes.Clone(a.Value)})
		}
		return nil
	})
	return acts, err
}

func decode(acts []heldAct) (all []owner.Act, polite []byte, err error) {
	for _, a := range acts {
		site, ok := strings.CutPrefix(a.key, ":")
		cut, isShare := strings.CutPrefix(a.key, share)
		switch {
		case ok:
			act, err := lifecycle.Decode(a.value)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, owner.Act{Site: site, Act: act})
		case isShare:
			all = append(all, owner.Act{Site: cut, Share: a.value})
		case a.key == politeness:
			polite = a.value
		}
	}
	return all, polite, nil
}

// frameActs is the number of acts in one frame.
const frameActs = 1024

// Load returns the acts of all owners, which replace the acts of earlier calls.
func (s *Store) Load(fold func(*journal.Frame) error) error {
	acts := s.restored()
	s.failed, s.compacted = nil, s.Stats().Bytes
	for part := range slices.Chunk(acts, frameActs) {
		if err := fold(&journal.Frame{Acts: part}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) restored() (all []journal.Act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.book.Acts(s.pass, func(a owner.Act) bool {
		if a.Share != nil {
			all = append(all, journal.Act{Key: share + a.Site, Value: a.Share})
		} else {
			all = append(all, journal.Act{Key: ":" + a.Site, Value: a.Act.Encode()})
		}
		return true
	})
	value := s.book.Politeness()
	if s.polite = nil; value == nil {
		return all
	}
	var states []fetch.State
	if err := json.Unmarshal(value, &states); err != nil {
		s.pass(fmt.Errorf("read politeness: %w", err))
		return all
	}
	s.polite = map[string]fetch.State{}
	for _, state := range states {
		s.polite[state.Site] = state
	}
	return append(all, journal.Act{Key: politeness, Value: value})
}

// firstBad is the number of unreadable records that are reported; all are counted.
const firstBad = 10

// pass counts a record passed over.
func (s *Store) pass(err error) {
	if s.bad++; s.bad <= firstBad {
		s.o.Failed("read rules", err)
	}
}
