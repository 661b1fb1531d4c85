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

// Part is a part of the state that outlives the process. What Changes and All yield is of the moment
// of the call, though another goroutine may use it later. Saved or Failed follows.
type Part interface {
	Changes() iter.Seq[Change] // since the last call of Changes or All that Saved has followed
	All() iter.Seq[Change]     // the whole part
	Saved()                    // the changes up to the last call of Changes or All are saved
	Failed()                   // they are not; if All has yielded them, All comes next
}

// Checkpointer saves parts of the state in a store. A Checkpointer belongs to one goroutine.
type Checkpointer struct {
	store Store
	parts []Part

	compacts bool // the checkpoint under way replaces the content of the store
	anew     bool // the next checkpoint replaces the content of the store: the store is damaged, or changes taken for a compaction are not saved
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
	err := c.Begin(positions)()
	c.End(err)
	return err
}

// Begin is the first half of Save. It takes the changes, and returns a function that writes them.
// Another goroutine may call that function. End follows with its result, and nothing else before.
func (c *Checkpointer) Begin(positions Positions) (write func() error) {
	if c.compacts = c.anew || c.store.Bloated(); c.compacts {
		all := c.gather(Part.All, positions)
		return func() error { return c.store.Compact(all) }
	}
	changes := c.gather(Part.Changes, positions)
	return func() error { return c.store.Save(changes) }
}

// End is the second half of Save.
func (c *Checkpointer) End(err error) {
	c.anew = err != nil && (c.compacts || errors.Is(err, journal.ErrDamaged))
	c.compacts = false
	if err == nil {
		c.MarkSaved()
		return
	}
	for _, p := range c.parts {
		p.Failed()
	}
}

// gather yields the changes of all parts, and the positions last.
func (c *Checkpointer) gather(of func(Part) iter.Seq[Change], positions Positions) iter.Seq[Change] {
	var all []iter.Seq[Change]
	for _, p := range c.parts {
		all = append(all, of(p))
	}
	return func(yield func(Change) bool) {
		for _, changes := range all {
			for change := range changes {
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
