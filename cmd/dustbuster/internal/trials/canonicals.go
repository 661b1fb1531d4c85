package trials

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"dustbuster/sinks/text"
	"dustbuster/stream/prober"
)

// canonicals collects the canonical URLs that fetched pages name. Any goroutine may add pages. The zero canonicals is
// empty.
type canonicals struct {
	mu   sync.Mutex
	site map[string]map[string]string // by site, and by the URL of the page
}

// add adds pages. What a page named last counts.
func (c *canonicals) add(site string, pages ...*prober.Visited) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range pages {
		if p.Canonical == "" {
			continue
		}
		if c.site == nil {
			c.site = map[string]map[string]string{}
		}
		if c.site[site] == nil {
			c.site[site] = map[string]string{}
		}
		c.site[site][p.Target] = p.Canonical
	}
}

// of returns the pages of a site that name a canonical URL, in the order of their URLs.
func (c *canonicals) of(site string) (pages []text.Named) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, url := range slices.SortedFunc(maps.Keys(c.site[site]), strings.Compare) {
		pages = append(pages, text.Named{URL: url, Canonical: c.site[site][url]})
	}
	return pages
}
