package lifecycle

import (
	"cmp"
	"slices"
	"strings"
)

// decoy is a page of the site that is unrelated to the rule on trial.
type decoy struct {
	url, kind string
	key       key // of the pair (decoy, decoy)
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
// may be fetched. O(forms) once for each window and list.
func (w *view) decoys() []decoy {
	if w.drawn != nil {
		return w.drawn
	}
	type drawn struct {
		hash uint64
		form int32
	}
	least := map[string]drawn{}
	for n, text := range w.forms.texts {
		if w.guard.of[w.forms.reps[n]] != Public {
			continue
		}
		kind := kindOf(text)
		d := drawn{w.keys.hash(text, 3), int32(n)}
		if l, has := least[kind]; !has || d.hash < l.hash {
			least[kind] = d
		}
	}
	all := make([]drawn, 0, len(least))
	for _, d := range least {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b drawn) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.form, b.form)) })
	w.drawn = []decoy{}
	for _, d := range all[:min(len(all), mostDecoys)] {
		u := w.forms.rep(d.form)
		w.drawn = append(w.drawn, decoy{u, kindOf(w.forms.texts[d.form]), w.keys.pair(u, u)})
	}
	return w.drawn
}
