package public

import (
	"cmp"
	"iter"
	"slices"
)

// entry is what clients asked for of one sub under one key: of a page under a part, or of a value under a
// name.
type entry struct {
	key, sub uint64 // hashes
	clients  uint16
	urls     uint32 // that have it
}

// Bounds of a fold.
const (
	leastKept = 1 << 12 // entries that are kept of few URLs, too
	mostSubs  = 1 << 10 // of a key, once there are too many entries
)

// fold joins entries of one key and sub. It holds at most twice as many as most, or as there are: those that
// one client alone asked for leave first.
type fold struct {
	most   int // entries kept
	all    []entry
	joined int // of all, those that were joined last
}

// add takes in an entry. Amortized O(log entries).
func (f *fold) add(e entry) {
	if len(f.all) >= 2*max(f.joined, leastKept) {
		f.join()
	}
	f.all = append(f.all, e)
}

// join sorts and joins all entries, and drops some if there are too many.
func (f *fold) join() {
	slices.SortFunc(f.all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.sub, b.sub)) })
	out := f.all[:0]
	for _, e := range f.all {
		if n := len(out); n > 0 && out[n-1].key == e.key && out[n-1].sub == e.sub {
			out[n-1].clients |= e.clients
			out[n-1].urls += e.urls
			continue
		}
		out = append(out, e)
	}
	f.all = out
	if len(f.all) > f.most {
		f.shed()
	}
	f.joined = len(f.all)
}

// shed drops keys that one client alone asked for, and of the others all but some subs, then keys of two
// clients, and at last the last keys.
func (f *fold) shed() {
	f.keep(func(r run) bool { return two(r.clients()) }, mostSubs)
	if len(f.all) > f.most {
		f.keep(func(r run) bool { return Several(r.clients()) }, mostSubs)
	}
	f.all = f.all[:min(len(f.all), f.most)]
}

// keep keeps the runs for which is holds, at most so many entries of each: those of the smallest hashes, and
// the one of the most URLs.
func (f *fold) keep(is func(run) bool, most int) {
	out := f.all[:0]
	for r := range runsOf(f.all) {
		if !is(r) {
			continue
		}
		if len(r) > most {
			largest := 0
			for i := range r {
				if r[i].urls > r[largest].urls {
					largest = i
				}
			}
			r[most-1], r = r[max(largest, most-1)], r[:most]
		}
		out = append(out, r...)
	}
	f.all = out
}

// runs yields the entries by key, in the order of their hashes.
func (f *fold) runs() iter.Seq[run] {
	f.join()
	return runsOf(f.all)
}

// run is all entries of one key, in the order of their subs.
type run []entry

func runsOf(all []entry) iter.Seq[run] {
	return func(yield func(run) bool) {
		for from := 0; from < len(all); {
			to := from + 1
			for to < len(all) && all[to].key == all[from].key {
				to++
			}
			if !yield(run(all[from:to])) {
				return
			}
			from = to
		}
	}
}

func (r run) key() uint64 { return r[0].key }

// clients returns the mask of all clients of a run.
func (r run) clients() (mask uint16) {
	for _, e := range r {
		mask |= e.clients
	}
	return mask
}

// table is the masks of clients by hash, sorted.
type table struct {
	keys  []uint64
	masks []uint16
}

// add takes in the next hash in order.
func (t *table) add(key uint64, mask uint16) {
	t.keys, t.masks = append(t.keys, key), append(t.masks, mask)
}

// clip frees the room that is not used.
func (t *table) clip() { t.keys, t.masks = slices.Clip(t.keys), slices.Clip(t.masks) }

// of returns the mask of a hash; 0 if there is none.
func (t *table) of(key uint64) uint16 {
	if i, known := slices.BinarySearch(t.keys, key); known {
		return t.masks[i]
	}
	return 0
}

func (t *table) has(key uint64) bool {
	_, known := slices.BinarySearch(t.keys, key)
	return known
}

// set is a sorted list of hashes.
type set []uint64

// setIf returns the keys of a fold for whose runs is holds.
func setIf(f *fold, is func(run) bool) (s set) {
	for r := range f.runs() {
		if is(r) {
			s = append(s, r.key())
		}
	}
	return s
}

func (s set) has(key uint64) bool {
	_, known := slices.BinarySearch(s, key)
	return known
}
