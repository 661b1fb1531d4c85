package canon

import "sort"

// Clashes returns the sites that cannot be held together with those before them, by
// index, and the reasons: a host that stands beside its domain or in two groups, or a
// name that is not valid. It ignores the rules, and returns nil if all sites can be held
// together. O(sites · log sites) for each clash.
func Clashes(sites []Site) (clashes map[int]error) {
	var kept []Site
	var places []int
	for i, s := range sites {
		s.Rules, s.Compiled = nil, nil
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
