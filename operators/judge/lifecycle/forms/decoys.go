package forms

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/window/public"
)

// Decoy is a page of the site that is unrelated to the rule on trial.
type Decoy struct {
	URL, Kind string
	Key       book.Key // of the pair (decoy, decoy)
	hash      uint64   // by which the decoy was drawn
}

// Pair returns the pair by which a decoy is requested.
func (d *Decoy) Pair() *Pair { return &Pair{U: d.URL, V: d.URL, Key: d.Key} }

// KindOf returns the kind of a URL: its directory and the names of the parameters that have a "=". One
// without it counts as a value. Directories that differ in numbers or hexadecimal digits alone, such
// as sessions, are one.
func KindOf(url string) string {
	path, query, _ := strings.Cut(url, "?")
	var names []string
	for _, piece := range pieces(query) {
		if name, _, valued := strings.Cut(piece, "="); valued {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	kind := path[:strings.LastIndexByte(path, '/')+1]
	for _, value := range public.Values(path) {
		kind = strings.Replace(kind, "/"+value+"/", "/#/", 1)
	}
	for _, n := range slices.Compact(names) {
		kind += "\n" + n
	}
	return kind
}

// Decoys returns forms drawn by keyed hash, at most one of each kind, from the forms that may be
// fetched. The places of pages are taken in the order in which the pairs of rules are drawn, and of
// each place one kind after another. Among the first kinds, those whose document is known come
// first: most decoys then cost no request. O(forms · tokens) once for each window and list.
func (w *View) Decoys(m *book.Memory, now int64) []Decoy {
	if w.Drawn == nil {
		w.Drawn = w.drawDecoys()
	}
	if c := &w.chosen; len(c.all) == 0 || c.last != m.Last || c.now != now {
		c.all, c.last, c.now = chooseDecoys(m, w.Drawn, w.Options.Off.KnownDecoys, now), m.Last, now
	}
	return w.chosen.all
}

// chosenDecoys are the decoys after the last pair, at a time.
type chosenDecoys struct {
	all       []Decoy
	last, now int64
}

// priced is a decoy with the requests that it costs.
type priced struct {
	Decoy
	requests int
}

func (p priced) compare(q priced) int { return p.requests - q.requests }

// chooseDecoys returns the decoys from what was drawn. If alike, all decoys cost the same. The choice
// does not change while they are fetched. O(forms drawn).
func chooseDecoys(m *book.Memory, drawn [][]*kindAt, alike bool, now int64) []Decoy {
	places, most := make([][]priced, len(drawn)), 0
	for i, kinds := range drawn {
		for _, k := range kinds {
			best := priced{requests: unpriced}
			for _, d := range k.Forms {
				n := d.Requests(m, now)
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
			if round < len(decoys) && len(all) < amongDecoys*MostDecoys {
				all = append(all, decoys[round])
			}
		}
	}
	slices.SortStableFunc(all, priced.compare)
	chosen := make([]Decoy, min(len(all), MostDecoys))
	for i := range chosen {
		chosen[i] = all[i].Decoy
	}
	return chosen
}

// unpriced is more than any decoy costs.
const unpriced = 3

// kindAt holds the forms of one kind that may be decoys, the least hash first.
type kindAt struct {
	place uint64 // the least place of the kind's pages in the order of pairs
	Forms []Decoy
}

const (
	amongDecoys  = 4 // forms among which each decoy is chosen
	kindsOfPlace = 4 // kinds of one place that may be decoys, if there are many places
	mostOfKind   = 8 // forms of one kind that may be decoys
)

// drawDecoys returns the kinds of the first places, by place.
func (w *View) drawDecoys() (places [][]*kindAt) {
	kinds := map[string]*kindAt{}
	for n, text := range w.Forms.Texts {
		if w.Guard.Of[w.Forms.reps[n]] != Public {
			continue
		}
		u := w.Forms.Rep(int32(n))
		d := Decoy{URL: u, Kind: KindOf(text), Key: w.Keys.Pair(u, u), hash: w.Keys.Hash(text, 3)}
		place := TurnOf(w.Keys, w.Window.Held, text, text).Places[0]
		k := kinds[d.Kind]
		if k == nil {
			k = &kindAt{place: place}
			kinds[d.Kind] = k
		}
		k.place = min(k.place, place)
		at, _ := slices.BinarySearchFunc(k.Forms, d, func(a, b Decoy) int { return cmp.Compare(a.hash, b.hash) })
		k.Forms = slices.Insert(k.Forms, at, d)
		k.Forms = k.Forms[:min(len(k.Forms), mostOfKind)]
	}
	all := slices.SortedFunc(maps.Values(kinds), func(a, b *kindAt) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.Forms[0].hash, b.Forms[0].hash))
	})
	for i, k := range all {
		if i == 0 || k.place != all[i-1].place {
			if len(places) == amongDecoys*MostDecoys {
				break
			}
			places = append(places, nil)
		}
		last := &places[len(places)-1]
		*last = append(*last, k)
	}
	for i, kinds := range places {
		places[i] = kinds[:min(len(kinds), max(kindsOfPlace, amongDecoys*MostDecoys/len(places)))]
	}
	return places
}

// Requests orders decoys by what they cost: 0 if it was compared, 1 if its document is known, and else
// 2.
func (d *Decoy) Requests(m *book.Memory, now int64) int {
	if r, known := m.Recent(d.Key, now); known && now < r.At+book.Day {
		return 0
	}
	if m.Has(m.Keys.Document(d.URL), now) {
		return 1
	}
	return 2
}

// MostDecoys is the most decoys of a site at a time.
const MostDecoys = 20
