package weight

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"

	"dustbuster/operators/rule"
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

// family is the hash of the keys of a URL and all its values but one, under the seed of the list. Two of n families are
// confused with a probability of n² / 2⁶⁵.
type family uint64

// families are the pages of the families that were asked for.
type families map[family][]uint32

// kin is the family of a vote.
type kin struct {
	family family
	names  uint64 // the hash of the names of the keys
	ok     bool   // the vote has a family
}

// setOwn sets the own weights of the rules that were weighed. The parts of the Weigher read the URLs once for all of
// them: O(bytes of the URLs).
func (w *Weigher) setOwn() {
	all := families{}
	shapes := map[uint64]bool{}
	for _, p := range w.parts {
		for _, k := range p.kin {
			if k.ok {
				all[k.family] = nil
				shapes[k.names] = true
			}
		}
	}
	if len(all) > 0 {
		w.fill(all, shapes)
	}
	w.eachPart(func(p *Weigher) { p.setOwnOf(all) })
}

// fill adds the pages to the families that were asked for, by their hashes.
func (w *Weigher) fill(all families, shapes map[uint64]bool) {
	w.eachPart(func(p *Weigher) { p.enroll(all, shapes) })
	for _, p := range w.parts {
		for _, m := range p.members {
			all[m.family] = append(all[m.family], m.page)
		}
		p.members = nil
	}
	for _, members := range all {
		slices.SortFunc(members, func(a, b uint32) int { return cmp.Or(cmp.Compare(w.hashes[a], w.hashes[b]), cmp.Compare(a, b)) })
	}
}

// setOwnOf sets the own weights of this part's rules.
func (w *Weigher) setOwnOf(all families) {
	left := w.kin
	w.kin = nil
	for _, a := range w.asked {
		if w.stopped {
			return
		}
		sum := 0.0
		for j, v := range a.votes {
			q := a.chance
			if k := left[j]; k.ok {
				if share, ok := w.alikeSiblings(v, all[k.family]); ok {
					q = max(q, share)
				}
			}
			sum += q
		}
		left = left[len(a.votes):]
		a.rule.Own = ratio(len(a.votes), a.k, min(sum/float64(len(a.votes)), 0.999))
	}
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

// kinOf returns the family of a vote, if its URLs differ in the value of just one key.
func (w *Weigher) kinOf(v vote) (k kin) {
	keys, fits := rule.KeysOf(w.keys[:0], w.url(v.u))
	n := len(keys)
	keys, fitsToo := rule.KeysOf(keys, w.url(v.v))
	w.keys = keys
	if !fits || !fitsToo || n > mostKeys || len(keys) != 2*n {
		return k
	}
	place, differ := 0, 0
	for i := range keys[:n] {
		a, b := &keys[i], &keys[n+i]
		if a.Name != b.Name {
			return k
		}
		if a.Value != b.Value || a.Any != b.Any {
			place = i
			differ++
		}
	}
	k.names, k.ok = w.hashNames(keys[:n]), differ == 1
	w.hashValues(keys[:n])
	k.family = w.family(k.names, place)
	return k
}

// member is a page of a family.
type member struct {
	family family
	page   uint32
}

// enroll finds the members of families among this part's share of the pages.
func (w *Weigher) enroll(all families, shapes map[uint64]bool) {
	from := len(w.all) * w.part / w.of
	for id := from; id < len(w.all)*(w.part+1)/w.of; id++ {
		if w.stops() {
			return
		}
		keys, ok := rule.KeysOf(w.keys[:0], w.url(uint32(id)))
		w.keys = keys
		if !ok || len(keys) > mostKeys {
			continue
		}
		names := w.hashNames(keys)
		if !shapes[names] {
			continue
		}
		w.hashValues(keys)
		for place := range keys {
			f := w.family(names, place)
			if _, wanted := all[f]; wanted {
				w.members = append(w.members, member{f, uint32(id)})
			}
		}
	}
}

// hashNames returns the hash of the names of keys, in their order.
func (w *Weigher) hashNames(keys []rule.Key) (names uint64) {
	for i := range keys {
		names = mix(names, maphash.String(w.seed, keys[i].Name))
	}
	return names
}

// hashValues sets the hashes of the values, each at its place.
func (w *Weigher) hashValues(keys []rule.Key) {
	w.sum, w.values = 0, w.values[:0]
	for i := range keys {
		k := &keys[i]
		place := uint64(2 * i)
		if k.Any {
			place++
		}
		value := mix(place, maphash.String(w.seed, k.Value))
		w.values, w.sum = append(w.values, value), w.sum+value
	}
}

// family returns the family of the keys whose values were hashed last, but for the value at a place.
func (w *Weigher) family(names uint64, place int) family {
	return family(mix(names+uint64(place), w.sum-w.values[place]))
}

// mix returns the hash of a number and a hash.
func mix(n, hash uint64) uint64 {
	high, low := bits.Mul64(n*0x9e3779b97f4a7c15^hash, 0xd6e8feb86659fd93)
	return high ^ low
}
