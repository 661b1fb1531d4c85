package loop

import (
	"iter"
	"slices"
	"time"

	"dustbuster/stream/checkpoint"
)

// note notes an observation without its clients.
func (f *forgotten) note(at int64) {
	if at > f.newest {
		f.newest, f.changed = at, true
	}
}

// Changes yields the time if it has changed.
func (f *forgotten) Changes() iter.Seq[checkpoint.Change] {
	if !f.changed {
		return slices.Values([]checkpoint.Change(nil))
	}
	return f.All()
}

// All yields the time, if there is one.
func (f *forgotten) All() iter.Seq[checkpoint.Change] {
	f.taken, f.changed = f.changed, false
	if f.newest == 0 {
		return slices.Values([]checkpoint.Change(nil))
	}
	return slices.Values([]checkpoint.Change{checkpoint.Forgotten(f.newest)})
}

// Saved marks the time as saved.
func (f *forgotten) Saved() { f.taken = false }

// Failed marks the time as not saved.
func (f *forgotten) Failed() { f.changed = f.changed || f.taken }

// Forgotten says how long clients of observations are missing, which were counted by another version of
// the program or under another key.
type Forgotten struct {
	Until time.Time `json:"until,omitzero"` // when the last such observation leaves the window; zero: it never does
}

// forgotten is the part of the state that says of which time the newest observation is that has lost
// its clients.
type forgotten struct {
	newest  int64 // Unix seconds; 0: none has
	changed bool  // since the last checkpoint
	taken   bool  // is being saved
}
