package prober

import (
	"slices"
	"sync"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/stream/checkpoint"
)

// outbox has the acts that no checkpoint has, and the evidence of their verdicts. Owners of sites add to it, and the
// next checkpoint takes all.
type outbox struct {
	mu    sync.Mutex
	sites []string // in the order of their first acts
	of    map[string]*outgoing
}

// outgoing are acts of a site, in order.
type outgoing struct {
	acts     []book.Act
	evidence []checkpoint.Evidence
}

// add adds acts of a site.
func (o *outbox) add(site string, acts []book.Act, evidence []checkpoint.Evidence) {
	if len(acts)+len(evidence) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]*outgoing{}
	}
	out := o.of[site]
	if out == nil {
		out = &outgoing{}
		o.of[site], o.sites = out, append(o.sites, site)
	}
	out.acts, out.evidence = append(out.acts, acts...), append(out.evidence, evidence...)
}

// all takes the acts of all sites.
func (o *outbox) all() (sites []string, of map[string]*outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	sites, of, o.sites, o.of = o.sites, o.of, nil, nil
	return sites, of
}

// take takes the acts of a site.
func (o *outbox) take(site string) []book.Act {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.of[site]
	if out == nil {
		return nil
	}
	delete(o.of, site)
	o.sites = slices.DeleteFunc(o.sites, func(name string) bool { return name == site })
	return out.acts
}
