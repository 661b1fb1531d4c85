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
// each place one kind after another. O(forms · tokens) once for each window and list.
func (w *View) Decoys() []Decoy {
	if w.decoys == nil {
		w.decoys = w.drawDecoys()
	}
	return w.decoys
}

// kindAt is a kind of forms that may be decoys.
type kindAt struct {
	Decoy        // its form of the least hash
	place uint64 // the least place of its pages in the order of pairs
	round int    // its number among the kinds of the place
}

func (w *View) drawDecoys() []Decoy {
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
			k = &kindAt{Decoy: d, place: place}
			kinds[d.Kind] = k
		}
		k.place = min(k.place, place)
		if d.hash < k.hash {
			k.Decoy = d
		}
	}
	all := slices.SortedFunc(maps.Values(kinds), func(a, b *kindAt) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.hash, b.hash))
	})
	for i, k := range all {
		if i > 0 && k.place == all[i-1].place {
			k.round = all[i-1].round + 1
		}
	}
	slices.SortStableFunc(all, func(a, b *kindAt) int { return a.round - b.round })
	decoys := make([]Decoy, min(len(all), MostDecoys))
	for i := range decoys {
		decoys[i] = all[i].Decoy
	}
	return decoys
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
