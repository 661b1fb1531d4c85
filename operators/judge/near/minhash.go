package near

import (
	"encoding/binary"
	"math"

	"dustbuster/operators/judge/sketch"

	"github.com/cespare/xxhash/v2"
)

// shape is how min-hashes are grouped into keys.
type shape struct{ keys, rows int }

// superShingles are the numbers of Fetterly, Manasse and Najork.
var superShingles = shape{keys: 6, rows: 14}

const (
	bandKeys = 20
	missed   = 0.001 // the share of pairs that bands may miss, at the threshold less bandSlack
	// Sketches of estimated resemblance t have a Jaccard coefficient near t as sets. With a
	// slack of 0, bands miss 3 % of the pairs of clusters at 0.95 (TestAllPairs).
	bandSlack = 0.03
)

// bandsFor returns the shape with most rows that finds pairs at the threshold. More rows
// bring fewer pairs below the threshold together.
func bandsFor(threshold float64) shape {
	s := shape{bandKeys, 1}
	for s.rows < sketch.Size && 1-(shape{bandKeys, s.rows + 1}).Chance(threshold-bandSlack) <= missed {
		s.rows++
	}
	return s
}

// Chance returns the probability that two sketches share a key, if j is the Jaccard
// coefficient of the sketches as sets.
func (s shape) Chance(j float64) float64 {
	return 1 - math.Pow(1-math.Pow(j, float64(s.rows)), float64(s.keys))
}

// minHashes are the methods SuperShingles and Bands.
type minHashes struct {
	shape
	seeds []uint64
	mins  []uint64
	row   []byte
}

func newMinHashes(s shape) *minHashes {
	m := &minHashes{shape: s, seeds: make([]uint64, s.keys*s.rows), mins: make([]uint64, s.keys*s.rows)}
	for i := range m.seeds {
		m.seeds[i] = mix(uint64(i + 1))
	}
	return m
}

func (m *minHashes) Keys(keys []uint64, s *sketch.Sketch) []uint64 {
	hashes := hashesOf(s)
	if len(hashes) == 0 {
		return keys
	}
	for i, seed := range m.seeds {
		least := uint64(math.MaxUint64)
		for _, h := range hashes {
			least = min(least, mix(h^seed))
		}
		m.mins[i] = least
	}
	for key := range m.keys {
		m.row = binary.LittleEndian.AppendUint64(m.row[:0], uint64(key))
		for _, least := range m.mins[key*m.rows : (key+1)*m.rows] {
			m.row = binary.LittleEndian.AppendUint64(m.row, least)
		}
		keys = append(keys, xxhash.Sum64(m.row))
	}
	return keys
}

// mix is the finalizer of MurmurHash3, a permutation of 64 bits.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
