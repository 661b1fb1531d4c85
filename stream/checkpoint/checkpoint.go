// Package checkpoint saves the state of a process.
//
//	parts ──changes──> Checkpointer ──Save, Compact──> Store: a journal, or a topic
//
// A part of the state knows its changes since the last checkpoint, and can yield the whole
// part. Changes are typed until a store makes bytes of them.
package checkpoint

import (
	"errors"
	"iter"

	"dustbuster/stream/journal"
)

// Part is a part of the state that outlives the process.
type Part interface {
	Changes() iter.Seq[Change] // since the last Saved
	All() iter.Seq[Change]     // the whole part
	Saved()                    // the changes are saved, up to the last call of Changes or All
}

// Checkpointer saves parts of the state in a store. A Checkpointer belongs to one goroutine.
type Checkpointer struct {
	store Store
	parts []Part
	anew  bool // the next checkpoint replaces the content of the store: the store is damaged, or changes taken for a compaction are not saved
}

// New returns a checkpointer, which saves the changes of the parts in their order.
func New(store Store, parts ...Part) *Checkpointer { return &Checkpointer{store: store, parts: parts} }

// Load yields the changes in the store: see Store.
func (c *Checkpointer) Load() iter.Seq2[Change, error] { return c.store.Load() }

// MarkSaved marks all parts as saved, as they are after the changes of Load.
func (c *Checkpointer) MarkSaved() {
	for _, p := range c.parts {
		p.Saved()
	}
}

// Size returns the bytes of the store.
func (c *Checkpointer) Size() int64 {
	now, _ := c.store.Size()
	return now
}

// Save saves the changes of all parts, with the positions up to which the input is part of
// them. nil: the store needs no positions. After an error the parts keep their changes for
// the next Save.
func (c *Checkpointer) Save(positions Positions) error {
	var err error
	if c.anew || c.store.Bloated() {
		err = c.store.Compact(c.gather(Part.All, positions))
		c.anew = err != nil
	} else {
		err = c.store.Save(c.gather(Part.Changes, positions))
		c.anew = errors.Is(err, journal.ErrDamaged)
	}
	if err == nil {
		c.MarkSaved()
	}
	return err
}

// gather yields the changes of all parts, and the positions last.
func (c *Checkpointer) gather(of func(Part) iter.Seq[Change], positions Positions) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		for _, p := range c.parts {
			for change := range of(p) {
				if !yield(change) {
					return
				}
			}
		}
		if positions != nil {
			yield(positions)
		}
	}
}
