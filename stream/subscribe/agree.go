package subscribe

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"dustbuster/operators/rule/canon"
	"dustbuster/stream/rules"
)

// agree leaves out sites that conflict with newer sites. For example, a host and its
// domain both have rules for a while after agents were configured to group sites by
// domain. The error names the sites left out.
func agree(sites []*held) (kept []*held, left error) {
	sites = slices.SortedFunc(slices.Values(sites), func(a, b *held) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.Name, b.Name))
	})
	var names []canon.Site
	for _, s := range sites {
		names = append(names, canon.Site{Name: s.Name, ByDomain: s.ByDomain, Hosts: s.Hosts})
	}
	clashes := canon.Clashes(names)
	for i, s := range sites {
		if err := clashes[i]; err != nil {
			left = errors.Join(left, fmt.Errorf("the rules of site %q are left out because they conflict with newer rules: %w", s.Name, err))
		} else {
			kept = append(kept, s)
		}
	}
	return kept, left
}

// listOf returns the list of sites, in the order of their names.
func listOf(sites []*held) *rules.List {
	list := &rules.List{}
	for _, s := range sites {
		list.Sites = append(list.Sites, s.Site)
	}
	slices.SortFunc(list.Sites, func(a, b rules.Site) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
