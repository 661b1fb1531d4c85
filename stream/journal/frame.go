package journal

import (
	"bytes"
	"cmp"
	"slices"
)

// Observations are observations of one site, in the bytes that package evidence gives
// them. Observations are a fold: any number of them, in any order, repeated or not,
// equal their union.
type Observations struct {
	Site  string
	Value []byte // opaque
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
	Observations []Observations
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
