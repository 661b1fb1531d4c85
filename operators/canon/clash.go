package canon

import "sort"

// Clashes are the sites that cannot be held beside those before them, by their places,
// and why: a host beside its domain, a host that is in two groups, a name that is none.
// Rules are not looked at. O(sites · log sites) for each clash; nil if there is none.
func Clashes(sites []Site) (clashes map[int]error) {
	var kept []Site
	var places []int
	for i, s := range sites {
		s.Rules = nil
		kept, places = append(kept, s), append(places, i)
	}
	of := func(n int) error { _, err := NewSites(kept[:n]); return err }
	for of(len(kept)) != nil {
		n := sort.Search(len(kept), func(i int) bool { return of(i+1) != nil })
		if clashes == nil {
			clashes = map[int]error{}
		}
		clashes[places[n]] = of(n + 1)
		kept, places = append(kept[:n], kept[n+1:]...), append(places[:n], places[n+1:]...)
	}
	return clashes
}
