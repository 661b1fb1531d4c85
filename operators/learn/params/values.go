package params

import (
	"hash/maphash"
	"maps"
)

// values counts the distinct values of one parameter over all URLs of the list. A values
// exists while the rest of some comparable group has the parameter with a value. Other
// parameters have no scopes by value, and most never will.
//
// If there are few enough values, each value is counted. If there are many, only a floor
// is known. A value that leaves lowers the floor. When the floor no longer excludes few
// values, the values are recounted.
type values struct {
	counts  map[uint64]int32 // occurrences by keyed hash of the value; nil while there are many
	floor   int              // while counts is nil: a lower bound of the number of distinct values
	demand  int              // comparable groups with a value of the parameter in their rest
	counted bool             // the counters of scopes (3) and (5) are kept
	pass    bool             // the parameter takes part in the current recount or regain
}

const (
	countedFactor = 2  // counters by value are kept up to this multiple of MaxValues, so a parameter at the limit does not thrash
	trackedFactor = 16 // values are counted exactly up to this multiple of MaxValues
	recountLimit  = 1 << 16
)

func (v *values) few(most int) bool { return v.counts != nil && len(v.counts) <= most }

// unknown reports whether the values are not counted, but may be at most most.
func (v *values) unknown(most int) bool { return v.counts == nil && v.floor <= most }

// add counts a value, and reports whether the number of distinct values may have changed.
func (v *values) add(hash uint64, tracked int) bool {
	if v.counts == nil {
		return false
	}
	v.counts[hash]++
	if v.counts[hash] > 1 {
		return false
	}
	v.bound(tracked)
	return true
}

func (v *values) remove(hash uint64) bool {
	if v.counts == nil {
		v.floor--
		return true
	}
	if v.counts[hash]--; v.counts[hash] > 0 {
		return false
	}
	delete(v.counts, hash)
	return true
}

func (v *values) bound(tracked int) {
	if len(v.counts) > tracked {
		v.counts, v.floor = nil, len(v.counts)
	}
}

// addValues counts the values of the URL in x.q.
func (x *Index) addValues() {
	x.eachValue(func(v *values, hash uint64) {
		x.moved = v.add(hash, x.tracked) || x.moved
	})
}

func (x *Index) removeValues() {
	x.eachValue(func(v *values, hash uint64) {
		x.moved = v.remove(hash) || x.moved
	})
}

func (x *Index) eachValue(do func(v *values, hash uint64)) {
	if len(x.values) == 0 {
		return
	}
	for _, p := range x.q.Pieces {
		if p.Valued() {
			if v := x.values[string(x.q.NameOf(p))]; v != nil {
				do(v, maphash.Bytes(x.nameSeed, x.q.ValueOf(p)))
			}
		}
	}
}

// demand tracks the values of the parameters beside n, for the URL in x.q, and reports
// whether some values are not counted yet.
func (x *Index) demand(n int) (wait bool) {
	for m := range x.q.Names() {
		if m == n || !x.q.Valued(m) {
			continue
		}
		v := x.values[string(x.q.Name(m))]
		if v == nil {
			v = &values{}
			x.values[string(x.q.Name(m))] = v
			x.moved = true
		}
		wait = wait || v.unknown(x.o.MaxValues)
	}
	return wait
}

// settleValues follows the numbers of values. Unknown numbers are counted, and the
// counters by value are kept, dropped or rebuilt. The package comment lists the causes of
// a pass over the list or the groups.
func (x *Index) settleValues() {
	if !x.moved {
		return
	}
	x.moved, x.stale = false, true
	x.recount()
	lost, regained := false, false
	for _, v := range x.values {
		switch {
		case v.counted && !v.few(countedFactor*x.o.MaxValues):
			v.counted, lost = false, true
		case !v.counted && v.few(x.o.MaxValues):
			v.pass = v.demand > 0
			v.counted, regained = true, regained || v.pass
		}
	}
	if lost {
		x.dropCounters()
	}
	if regained {
		x.regain()
	}
}

// recount counts the values of all parameters for which few is unknown, in one pass over
// the list.
func (x *Index) recount() {
	open := false
	for _, v := range x.values {
		if v.pass = v.unknown(x.o.MaxValues); v.pass {
			v.counts, open = map[uint64]int32{}, true
		}
	}
	if !open {
		return
	}
	limit := max(recountLimit, x.tracked+1)
	for id := range x.urls.All() {
		x.q.Split(x.urls.Text(id), x.o.MaxParams)
		x.eachValue(func(v *values, hash uint64) {
			if _, known := v.counts[hash]; v.pass && (known || len(v.counts) < limit) {
				v.counts[hash]++
			}
		})
	}
	for _, v := range x.values {
		if v.pass {
			v.bound(x.tracked)
			v.pass = false
		}
	}
}

// dropCounters removes the counters by value of parameters that no longer have any.
// O(counters).
func (x *Index) dropCounters() {
	for k := range x.counters {
		if k.v != 0 && !x.values[x.words.text(k.m)].counted {
			if _, is := x.likely[k]; is {
				x.setLikely(k, false)
			}
			delete(x.counters, k)
			x.release(k)
		}
	}
}

// regain creates the counters by value of the marked parameters. O(groups).
func (x *Index) regain() {
	for g := range x.groups {
		gr := &x.groups[g]
		if gr.mark&countable == 0 {
			continue
		}
		n := x.read(gr)
		k := key{n: x.words.id(x.q.Name(n)), path: x.words.id(x.q.Path())}
		for m := range x.q.Names() {
			if m != n && x.q.Valued(m) && x.values[string(x.q.Name(m))].pass {
				k.m = x.words.id(x.q.Name(m))
				x.applyValues(k, m, change(0, gr.mark))
			}
		}
	}
	for _, v := range x.values {
		v.pass = false
	}
}

func (x *Index) forgetValues() {
	if x.idle {
		x.idle = false
		maps.DeleteFunc(x.values, func(_ string, v *values) bool { return v.demand == 0 })
	}
}
