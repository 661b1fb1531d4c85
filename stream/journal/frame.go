package journal

import (
	"bytes"
	"cmp"
	"slices"
)

// Observation is the content of the hits on a URL in one pane, as the table stores it.
// Observations are a fold: any number of them, in any order, repeated or not, equal
// their union.
type Observation struct {
	Site                 string
	URL                  []byte // mined string
	Pane                 int64  // number of the pane; the length of a pane is Options.Pane
	Class                uint8  // class of the sizes
	Min, Max             int64  // bytes
	DigestMin, DigestMax uint64 // digests of the contents; two zeros take no room
	ClientMin, ClientMax uint8  // keyed hashes of the clients
}

// Act is something done in the world that cannot be computed again: a verdict, a
// publication. Load returns acts in the order of appending. [Acts] keeps the greatest
// act of each key.
type Act struct {
	Key     string
	Version Version
	Value   []byte // opaque
}

// Version orders the acts of one key: epoch, generation and sequence, or fewer parts.
type Version [3]uint64

// Compare returns -1, 0 or +1 if v is less than, equal to or greater than w.
func (v Version) Compare(w Version) int { return slices.Compare(v[:], w[:]) }

// Frame is a checkpoint, or a piece of one.
type Frame struct {
	Positions    []byte // opaque; replaces the previous positions; nil: unchanged
	Observations []Observation
	Acts         []Act
}

// Acts is the fold of acts, by key.
type Acts map[string]Act

// Fold adds an act, copying its value, and reports whether the act is greater than the
// act held. Acts of equal versions are ordered by their values, so the result does not
// depend on the order.
func (m Acts) Fold(a Act) bool {
	held, ok := m[a.Key]
	if ok && cmp.Or(a.Version.Compare(held.Version), bytes.Compare(a.Value, held.Value)) <= 0 {
		return false
	}
	a.Value = bytes.Clone(a.Value)
	m[a.Key] = a
	return true
}
