package urlnorm

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Groups maps hosts to groups, where all hosts of a group are one site. The zero Groups
// is empty. Add must not be called while another goroutine uses the Groups.
type Groups struct {
	names map[string]bool
	exact map[string]string // host -> group
	below map[string]string // ".example.org" -> group
}

// Add puts hosts into a group. "*.example.org" stands for every host below example.org. A host
// has no port and stands for all ports. Add returns an error that names a host if it is not
// valid or is already in another group.
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

// CheckSuffixes returns an error that names a host that is a pattern for all hosts of a public
// suffix.
func CheckSuffixes(hosts ...string) error {
	for _, host := range hosts {
		name, all := strings.CutPrefix(host, "*.")
		plain, _ := Host(name)
		if suffix, icann := publicsuffix.PublicSuffix(plain); all && icann && suffix == plain {
			return fmt.Errorf("%q covers a public suffix: name a registered domain", host)
		}
	}
	return nil
}

// Of returns the group of a host in normal form. A host named as a group belongs to it, or else
// its paths would lie among those of the group. Otherwise an exact host comes before a pattern,
// and the longest matching pattern counts. Of does not allocate.
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
