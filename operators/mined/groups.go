package mined

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Groups knows which hosts were put together as one site. The zero Groups has none;
// adding to it is for its maker alone.
type Groups struct {
	names map[string]bool
	exact map[string]string // host -> group
	below map[string]string // ".example.org" -> group
}

// Add puts hosts into a group; "*.example.org" is every host below example.org, of
// any port as they all are. An error names the host that is none, or all those
// of a public suffix, or that is in another group.
func (g *Groups) Add(group string, hosts ...string) error {
	if g.names == nil {
		*g = Groups{map[string]bool{}, map[string]string{}, map[string]string{}}
	}
	g.names[group] = true
	for _, host := range hosts {
		name, all := strings.CutPrefix(host, "*.")
		plain, ok := Host(name)
		if !ok || WithoutPort(plain) != plain {
			return fmt.Errorf("%q is not the name of a host", host)
		}
		if suffix, icann := publicsuffix.PublicSuffix(plain); all && icann && suffix == plain {
			return fmt.Errorf("%q is everybody's", host)
		}
		into := g.exact
		if all {
			into, plain = g.below, "."+plain
		}
		if other, taken := into[plain]; taken && other != group {
			return fmt.Errorf("host %q is in group %q as well", host, other)
		}
		into[plain] = group
	}
	return nil
}

// Of returns the group of a host in normal form. A host of a group's name is the
// group's, or else its paths would lie among the group's hosts; a host that is named
// comes before one that is below another, and the nearest of those counts. No
// allocation.
func (g *Groups) Of(host string) (group string, ok bool) {
	if len(g.names) == 0 {
		return "", false
	}
	host = WithoutPort(host)
	if g.names[host] {
		return host, true
	}
	if group, ok := g.exact[host]; ok {
		return group, true
	}
	for at := strings.IndexByte(host, '.'); at >= 0; {
		if group, ok := g.below[host[at:]]; ok {
			return group, true
		}
		next := strings.IndexByte(host[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return "", false
}
