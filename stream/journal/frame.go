package journal

import (
	"bytes"
	"cmp"
	"slices"
)

// Observation is what the hits on a URL in one pane say, as the table has it.
// It is a fold: any number, in any order, repeated or not, are worth their union.
type Observation struct {
	Site                 string
	URL                  []byte // mined string
	Pane                 int64  // number of the pane; its length is Options.Pane
	Class                uint8  // of the sizes
	Min, Max             int64  // bytes
	DigestMin, DigestMax uint64 // of the contents; both 0 takes no room
	ClientMin, ClientMax uint8  // keyed hashes of the clients
}

// Act is something done in the world that cannot be computed again: a verdict, a
// publication. Load gives acts in the order in which they were appended; who wants
// only the greatest of each key folds them: see [Acts].
type Act struct {
	Key     string
	Version Version
	Value   []byte // opaque
}

// Version orders acts of one key: epoch, generation and sequence, or fewer.
type Version [3]uint64

// Compare is -1, 0 or +1 as v is less than, equal to or greater than w.
func (v Version) Compare(w Version) int { return slices.Compare(v[:], w[:]) }

// Frame is a checkpoint, or a piece of one.
type Frame struct {
	Positions    []byte // opaque, in the place of the last; nil: as they were
	Observations []Observation
	Acts         []Act
}

// Acts is the fold of acts, by key.
type Acts map[string]Act

// Fold takes in an act, copying its value, and tells whether it is greater than
// the one held. Equal versions are ordered by their values, so that the outcome
// is the same in every order.
func (m Acts) Fold(a Act) bool {
	held, ok := m[a.Key]
	if ok && cmp.Or(a.Version.Compare(held.Version), bytes.Compare(a.Value, held.Value)) <= 0 {
		return false
	}
	a.Value = bytes.Clone(a.Value)
	m[a.Key] = a
	return true
}
