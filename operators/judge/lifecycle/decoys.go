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

// decoys returns forms drawn by keyed hash, at most one of each kind, from the forms that may be
// fetched. The places of pages are taken in the order in which the pairs of rules are drawn, and of
// each place one kind after another. Among the first kinds, those whose document is known come
// first: most decoys then cost no request. O(forms · tokens) once for each window and list.
func (w *view) decoys(m *memory, now int64) []decoy {
	if w.drawn == nil {
		w.drawn = w.drawDecoys()
	}
	if c := &w.chosen; len(c.all) == 0 || c.last != m.last || c.now != now {
		c.all, c.last, c.now = chooseDecoys(m, w.drawn, w.o.Off.KnownDecoys, now), m.last, now
	}
	return w.chosen.all
}

// chosenDecoys are the decoys after the last pair, at a time.
type chosenDecoys struct {
	all       []decoy
	last, now int64
}

// priced is a decoy with the requests that it costs.
type priced struct {
	decoy
	requests int
}

func (p priced) compare(q priced) int { return p.requests - q.requests }

// chooseDecoys returns the decoys from what was drawn. If alike, decoys whose document is known are as
// dear as others. The choice does not change while the decoys
// are fetched. O(forms drawn).
func chooseDecoys(m *memory, drawn [][]*kindAt, alike bool, now int64) []decoy {
	places, most := make([][]priced, len(drawn)), 0
	for i, kinds := range drawn {
		for _, k := range kinds {
			best := priced{requests: unpriced}
			for _, d := range k.forms {
				n := d.requests(m, now)
				if alike {
					n = 0
				}
				if n < best.requests {
					best = priced{d, n}
				}
			}
			places[i] = append(places[i], best)
		}
		slices.SortStableFunc(places[i], priced.compare)
		most = max(most, len(kinds))
	}
	var all []priced
	for round := range most {
		for _, decoys := range places {
			if round < len(decoys) && len(all) < amongDecoys*mostDecoys {
				all = append(all, decoys[round])
			}
		}
	}
	slices.SortStableFunc(all, priced.compare)
	chosen := make([]decoy, min(len(all), mostDecoys))
	for i := range chosen {
		chosen[i] = all[i].decoy
	}
	return chosen
}

// unpriced is more than any decoy costs.
const unpriced = 3

// kindAt holds the forms of one kind that may be decoys, the least hash first.
type kindAt struct {
	place uint64 // the least place of the kind's pages in the order of pairs
	forms []decoy
}

const (
	amongDecoys  = 4 // forms among which each decoy is chosen
	kindsOfPlace = 4 // kinds of one place that may be decoys, if there are many places
	mostOfKind   = 8 // forms of one kind that may be decoys
)

// drawDecoys returns the kinds of the first places, by place.
func (w *view) drawDecoys() (places [][]*kindAt) {
	kinds := map[string]*kindAt{}
	for n, text := range w.forms.texts {
		if w.guard.of[w.forms.reps[n]] != Public {
			continue
		}
		u := w.forms.rep(int32(n))
		d := decoy{url: u, kind: kindOf(text), key: w.keys.pair(u, u), hash: w.keys.hash(text, 3)}
		place := turnOf(w.keys, w.window.held, text, text).places[0]
		k := kinds[d.kind]
		if k == nil {
			k = &kindAt{place: place}
			kinds[d.kind] = k
		}
		k.place = min(k.place, place)
		at, _ := slices.BinarySearchFunc(k.forms, d, func(a, b decoy) int { return cmp.Compare(a.hash, b.hash) })
		k.forms = slices.Insert(k.forms, at, d)
		k.forms = k.forms[:min(len(k.forms), mostOfKind)]
	}
	all := slices.SortedFunc(maps.Values(kinds), func(a, b *kindAt) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.forms[0].hash, b.forms[0].hash))
	})
	for i, k := range all {
		if i == 0 || k.place != all[i-1].place {
			if len(places) == amongDecoys*mostDecoys {
				break
			}
			places = append(places, nil)
		}
		last := &places[len(places)-1]
		*last = append(*last, k)
	}
	for i, kinds := range places {
		places[i] = kinds[:min(len(kinds), max(kindsOfPlace, amongDecoys*mostDecoys/len(places)))]
	}
	return places
}

// requests orders decoys by what they cost: 0 for a decoy that was compared, 1 for a decoy
// whose document is known, and else 2.
func (d *decoy) requests(m *memory, now int64) int {
	if r, known := m.recent(d.key, now); known && now < r.at+day {
		return 0
	}
	if m.has(m.keys.document(d.url), now) {
		return 1
	}
	return 2
}
