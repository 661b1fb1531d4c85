package subscribe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"dustbuster/stream/rules"
)

// agree leaves out sites that cannot be held beside newer ones, such as a host beside
// its domain, which both have rules for a while after agents were told to see sites by
// domain. The error names them. O(sites · log sites) for each.
func agree(sites []*held) (kept []*held, clashes error) {
	kept = slices.SortedFunc(slices.Values(sites), func(a, b *held) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.Name, b.Name))
	})
	for {
		n := sort.Search(len(kept), func(i int) bool { return together(kept[:i+1]) != nil })
		if n == len(kept) {
			return kept, clashes
		}
		clashes = errors.Join(clashes, fmt.Errorf("the rules of site %q are left out beside newer ones: %w", kept[n].Name, together(kept[:n+1])))
		kept = slices.Delete(kept, n, n+1)
	}
}

// together tells whether sites can be held together, whatever their rules.
func together(sites []*held) error {
	list := &rules.List{}
	for _, s := range sites {
		list.Sites = append(list.Sites, rules.Site{Name: s.Name, ByDomain: s.ByDomain, Hosts: s.Hosts})
	}
	_, err := list.Compile()
	return err
}

// listOf is the list of sites, in the order of their names.
func listOf(sites []*held) *rules.List {
	list := &rules.List{}
	for _, s := range sites {
		list.Sites = append(list.Sites, s.Site)
	}
	slices.SortFunc(list.Sites, func(a, b rules.Site) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
