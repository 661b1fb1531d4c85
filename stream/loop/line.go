package loop

import (
	"slices"
	"strings"

	"dustbuster/stream/site"
)

// line has the sites that wait for some work of the loop, each once, in the order in which they came.
type line struct {
	all []*site.Site
	has map[*site.Site]bool
}

// add adds a site that is not in the line.
func (n *line) add(s *site.Site) {
	if n.has[s] {
		return
	}
	if n.has == nil {
		n.has = map[*site.Site]bool{}
	}
	n.has[s] = true
	n.all = append(n.all, s)
}

func (n *line) len() int { return len(n.all) }

// first returns the first site of a line that is not empty.
func (n *line) first() *site.Site { return n.all[0] }

// remove removes a site, if it is in the line. O(1) for the first.
func (n *line) remove(s *site.Site) {
	if !n.has[s] {
		return
	}
	delete(n.has, s)
	at := slices.Index(n.all, s)
	if at > 0 {
		n.all = slices.Delete(n.all, at, at+1)
		return
	}
	n.all[0] = nil // which is in memory for longer than in the line
	n.all = n.all[1:]
}

// takeAll empties the line, and returns the sites in the order of their names.
func (n *line) takeAll() []*site.Site {
	all := n.all
	*n = line{}
	slices.SortFunc(all, func(a, b *site.Site) int { return strings.Compare(a.Site(), b.Site()) })
	return all
}
