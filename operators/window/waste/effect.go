package waste

import (
	"math/bits"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/evidence"
)

// Effect is what a rule touches: the URLs that it edits on their way to their forms.
type Effect struct {
	URLs     int
	Bytes    int64   // their smallest sizes, in a class
	Families [32]int // of the URLs, those that a family of clients asked for, by its bit
}

// Add adds a page, of which clients of some families asked for the URL. Sizes are of the class of
// [CommonClass].
func (e *Effect) Add(p *evidence.Page, families uint32, class uint8) {
	size, _ := sizeOf(p.Evidence, class)
	e.URLs, e.Bytes = e.URLs+1, e.Bytes+size
	for ; families != 0; families &= families - 1 {
		e.Families[bits.TrailingZeros32(families)]++
	}
}

// EffectRecord is an effect as JSON.
type EffectRecord struct {
	URLs     int            `json:"urls"`
	Bytes    int64          `json:"bytes"`
	Families []FamilyRecord `json:"families"` // that asked for any of the URLs
}

// FamilyRecord is the number of URLs that a family of clients asked for.
type FamilyRecord struct {
	Family string `json:"family"`
	URLs   int    `json:"urls"`
}

// Record returns the effect as JSON has it.
func (e *Effect) Record() *EffectRecord {
	r := &EffectRecord{e.URLs, e.Bytes, []FamilyRecord{}}
	for bit, n := range e.Families {
		if n > 0 {
			r.Families = append(r.Families, FamilyRecord{crawler.Name(bit), n})
		}
	}
	return r
}
