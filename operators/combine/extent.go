package combine

import (
	"math"

	"dustbuster/operators/table"
	"dustbuster/operators/urllist"
)

// extent is what observations of one identity span: minimum and maximum of each
// part, the minimum above the maximum where nothing was seen.
type extent struct {
	min, max             int64
	digestMin, digestMax uint64
	clientMin, clientMax uint8
}

// extentOf reads an observation as a table does.
func extentOf(o *table.Observation) extent {
	e := extent{math.MaxInt64, math.MinInt64, math.MaxUint64, 0, o.ClientMin, o.ClientMax}
	if o.Class != urllist.Digest && o.Max > 0 {
		e.min, e.max = o.Min, o.Max
	}
	if o.DigestMax != 0 {
		e.digestMin, e.digestMax = o.DigestMin, o.DigestMax
	}
	return e
}

// covers tells whether f says nothing that e does not.
func (e *extent) covers(f *extent) bool {
	return f.min >= e.min && f.max <= e.max && f.digestMin >= e.digestMin && f.digestMax <= e.digestMax &&
		f.clientMin >= e.clientMin && f.clientMax <= e.clientMax
}

// join takes in what f says.
func (e *extent) join(f *extent) {
	e.min, e.max = min(e.min, f.min), max(e.max, f.max)
	e.digestMin, e.digestMax = min(e.digestMin, f.digestMin), max(e.digestMax, f.digestMax)
	e.clientMin, e.clientMax = min(e.clientMin, f.clientMin), max(e.clientMax, f.clientMax)
}

// fill is the inverse of extentOf.
func (e *extent) fill(o *table.Observation) {
	if e.max > 0 {
		o.Min, o.Max = e.min, e.max
	}
	if e.digestMax != 0 {
		o.DigestMin, o.DigestMax = e.digestMin, e.digestMax
	}
	o.ClientMin, o.ClientMax = e.clientMin, e.clientMax
}
