package lifecycle

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// decoy is a page of the site that is unrelated to the rule on trial.
type decoy struct {
	url, kind string
	key       key    // of the pair (decoy, decoy)
	hash      uint64 // by which the decoy was drawn
}

// kindOf returns the kind of a URL: the URL's directory and the names of the parameters
// that have a "=". A name without a value counts as a value.
func kindOf(url string) string {
	path, query, _ := strings.Cut(url, "?")
	var names []string
	for _, piece := range pieces(query) {
		if name, _, valued := strings.Cut(piece, "="); valued {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	kind := path[:strings.LastIndexByte(path, '/')+1]
	for _, n := range slices.Compact(names) {
		kind += "\n" + n
	}
	return kind
}

// decoys returns forms drawn by keyed hash, at most one of each kind, from the forms that
// may be fetched. The kinds are drawn in the order in which the pairs of rules are drawn, and
// of each kind a form whose document is known, if there is one: most decoys then cost no
// request. O(forms · tokens) once for each window and list.
func (w *view) decoys(m *memory, now int64) []decoy {
	if w.drawn == nil {
		w.drawn = w.drawDecoys()
	}
	if c := &w.chosen; len(c.all) == 0 || c.last != m.last || c.now != now {
		c.all, c.last, c.now = c.all[:0], m.last, now
		for _, k := range w.drawn {
			c.all = append(c.all, slices.MinFunc(k.forms, func(a, b decoy) int { return m.requests(&a, now) - m.requests(&b, now) }))
		}
	}
	return w.chosen.all
}

// chosenDecoys are the decoys after the last pair, at a time.
type chosenDecoys struct {
	all       []decoy
	last, now int64
}

// decoysOf holds the forms of one kind that may be decoys, the least hash first.
type decoysOf struct {
	place uint64 // the least place of the kind's pages in the order of pairs
	forms []decoy
}

// mostOfKind is the number of forms of one kind that may be decoys.
const mostOfKind = 8

func (w *view) drawDecoys() []*decoysOf {
	kinds := map[string]*decoysOf{}
	for n, text := range w.forms.texts {
		if w.guard.of[w.forms.reps[n]] != Public {
			continue
		}
		u := w.forms.rep(int32(n))
		d := decoy{url: u, kind: kindOf(text), key: w.keys.pair(u, u), hash: w.keys.hash(text, 3)}
		place := w.keys.turn(w.window.held, text, text).places[0]
		k := kinds[d.kind]
		if k == nil {
			k = &decoysOf{place: place}
			kinds[d.kind] = k
		}
		k.place = min(k.place, place)
		at, _ := slices.BinarySearchFunc(k.forms, d, func(a, b decoy) int { return cmp.Compare(a.hash, b.hash) })
		k.forms = slices.Insert(k.forms, at, d)
		k.forms = k.forms[:min(len(k.forms), mostOfKind)]
	}
	all := slices.Collect(maps.Values(kinds))
	slices.SortFunc(all, func(a, b *decoysOf) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.forms[0].hash, b.forms[0].hash))
	})
	return slices.Clone(all[:min(len(all), mostDecoys)])
}

// requests orders decoys by what they cost: 0 for a decoy that was compared, 1 for a decoy
// whose document is known, and else 2.
func (m *memory) requests(d *decoy, now int64) int {
	if r, known := m.recent(d.key, now); known && now < r.at+day {
		return 0
	}
	if m.has(m.keys.document(d.url), now) {
		return 1
	}
	return 2
}
