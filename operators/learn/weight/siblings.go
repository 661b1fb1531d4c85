package weight

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"

	"github.com/dchest/siphash"
)

// asked is a substring rule whose own weight is asked for.
type asked struct {
	rule   *rule.Likely
	votes  []vote
	k      int // similar votes
	chance float64
}

// The siblings of a vote are the pages whose URLs differ from both of its URLs in just the key in
// which these differ from each other: other values in the same place. If they are alike as well,
// the two texts of the rule have no part in it.
const (
	mostKeys     = 24 // of a URL with siblings
	mostSiblings = 20 // that are compared, those with the smallest hashes
	fewSiblings  = 3  // with fewer siblings a vote says nothing about them
)

// family is the keys of a URL and all its values but one, as hashes.
type family struct {
	keys, others uint64
	place        int // of the key whose value is left out
}

// families are the pages of the families that were asked for.
type families map[family][]uint32

// setOwn sets the own weights of the rules that were weighed. It reads the URLs once for all of
// them: O(bytes of URLs with as many keys as some vote).
func (w *Weigher) setOwn() {
	all := families{}
	shapes := map[uint64]bool{}
	of := make([][]family, len(w.asked))
	for i, a := range w.asked {
		of[i] = make([]family, len(a.votes))
		for j, v := range a.votes {
			if f, ok := w.familyOf(v); ok {
				of[i][j] = f
				all[f] = nil
				shapes[f.keys] = true
			}
		}
	}
	w.enroll(all, shapes)
	for i, a := range w.asked {
		if w.stopped {
			return
		}
		w.setOwnOf(a, of[i], all)
	}
}

// setOwnOf sets the own weight of a rule.
func (w *Weigher) setOwnOf(a asked, of []family, all families) {
	sum := 0.0
	for j, v := range a.votes {
		q := a.chance
		if share, ok := w.alikeSiblings(v, all[of[j]]); ok {
			q = max(q, share)
		}
		sum += q
	}
	a.rule.Own = ratio(len(a.votes), a.k, min(sum/float64(len(a.votes)), 0.999))
}

// alikeSiblings returns the share of a vote's siblings that are similar to one of its pages.
func (w *Weigher) alikeSiblings(v vote, members []uint32) (share float64, ok bool) {
	n, alike := 0, 0
	for _, id := range members {
		if n == mostSiblings {
			break
		}
		if id == v.u || id == v.v || !w.comparable(id, v.u) || !w.comparable(id, v.v) {
			continue
		}
		n++
		if w.similar(id, v.u) || w.similar(id, v.v) {
			alike++
		}
	}
	return float64(alike) / float64(n), n >= fewSiblings
}

// familyOf returns the family of a vote, if its URLs differ in the value of just one key.
func (w *Weigher) familyOf(v vote) (f family, ok bool) {
	keys, fits := rule.KeysOf(w.keys[:0], w.url(v.u))
	n := len(keys)
	keys, fitsToo := rule.KeysOf(keys, w.url(v.v))
	w.keys = keys
	if !fits || !fitsToo || n > mostKeys || len(keys) != 2*n {
		return f, false
	}
	place, differ := 0, 0
	for i := range keys[:n] {
		a, b := &keys[i], &keys[n+i]
		if a.Name != b.Name {
			return f, false
		}
		if a.Value != b.Value || a.Any != b.Any {
			place = i
			differ++
		}
	}
	w.hash(keys[:n])
	return w.family(place), differ == 1
}

// enroll adds the pages to the families that were asked for, by their hashes.
func (w *Weigher) enroll(all families, shapes map[uint64]bool) {
	if len(all) == 0 {
		return
	}
	for id := range w.all {
		if w.stops() {
			return
		}
		keys, ok := rule.KeysOf(w.keys[:0], w.url(uint32(id)))
		w.keys = keys
		if !ok || len(keys) > mostKeys {
			continue
		}
		w.hash(keys)
		if !shapes[w.names] {
			continue
		}
		for place := range keys {
			f := w.family(place)
			if members, wanted := all[f]; wanted {
				all[f] = append(members, uint32(id))
			}
		}
	}
	for _, members := range all {
		slices.SortFunc(members, func(a, b uint32) int { return cmp.Or(cmp.Compare(w.hashes[a], w.hashes[b]), cmp.Compare(a, b)) })
	}
}

// hash sets the hashes of keys: of all names, and of each value at its place.
func (w *Weigher) hash(keys []rule.Key) {
	w.names, w.sum, w.values = 0, 0, w.values[:0]
	for i := range keys {
		k := &keys[i]
		place := uint64(2 * i)
		if k.Any {
			place++
		}
		w.names = siphash.Hash(w.names, uint64(i), []byte(k.Name))
		value := siphash.Hash(w.o.Key[0], place, []byte(k.Value))
		w.values, w.sum = append(w.values, value), w.sum+value
	}
}

// family returns the family of the keys hashed last, but one.
func (w *Weigher) family(place int) family {
	return family{w.names, w.sum - w.values[place], place}
}
