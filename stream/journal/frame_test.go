package journal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// The kinds of entry in these tests.
const (
	kindPositions = iota
	kindObservations
	kindAct
)

// Observations are observations of one site, in the bytes that package evidence gives them.
type Observations struct {
	Site  string
	Value []byte
}

// Act is an act with a version: the greatest act of each key counts.
type Act struct {
	Key     string
	Version Version
	Value   []byte
}

// Version orders the acts of one key.
type Version [3]uint64

// Compare returns -1, 0 or +1 if v is less than, equal to or greater than w.
func (v Version) Compare(w Version) int { return slices.Compare(v[:], w[:]) }

// frame is a checkpoint of these tests, or a piece of one.
type frame struct {
	Positions    []byte
	Observations []Observations
	Acts         []Act
}

// entries yields the entries of a frame.
func (f *frame) entries(yield func(Entry) bool) {
	for _, o := range f.Observations {
		if !yield(Entry{kindObservations, o.Site, o.Value}) {
			return
		}
	}
	for _, a := range f.Acts {
		var value []byte
		for _, v := range a.Version {
			value = binary.BigEndian.AppendUint64(value, v)
		}
		if !yield(Entry{kindAct, a.Key, append(value, a.Value...)}) {
			return
		}
	}
	if f.Positions != nil {
		yield(Entry{kindPositions, "", f.Positions})
	}
}

// pieceOf returns an entry as a frame.
func pieceOf(e *Entry) *frame {
	switch e.Kind {
	case kindObservations:
		return &frame{Observations: []Observations{{e.Name, e.Value}}}
	case kindAct:
		a := Act{Key: e.Name, Value: e.Value[24:]}
		for i := range a.Version {
			a.Version[i] = binary.BigEndian.Uint64(e.Value[8*i:])
		}
		return &frame{Acts: []Act{a}}
	}
	return &frame{Positions: e.Value}
}

// load folds the entries of a journal.
func load(j *Journal, fold func(*frame)) error {
	for e, err := range j.Load() {
		if err != nil {
			return err
		}
		fold(pieceOf(&e))
	}
	return nil
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
