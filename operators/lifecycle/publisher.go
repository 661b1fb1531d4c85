package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

// Publication is the set of published rules, in the order of application. Sequence grows by
// one with each publication. The content of a sequence never changes.
type Publication struct {
	Sequence int64         `json:"sequence"` // from 1; 0: nothing has been published
	At       int64         `json:"at"`
	Records  []rule.Record `json:"records"`
	Retired  []string      `json:"retired,omitempty"` // ids of the previous publication that are missing in this publication
	Sample   trial.Sample  `json:"sample"`            // of the set as a whole

	Held *PendingRules `json:"held,omitempty"` // the rest of L, if the records are only a beginning of L
}

// publisher decides which beginning of L is published, and makes the publication.
type publisher struct {
	site string
	o    *Options
	book *book

	length int           // of the beginning of L that may be published; -1: unknown
	update PendingUpdate // the rest of L that waited for an operator when the length was computed
}

// forget drops what follows from the window and L.
func (p *publisher) forget() { p.length = -1 }

// due reports whether the beginning of L that may be published is due now. The
// beginning must differ from the publication, and either nothing is left to try, or a
// published rule is no longer in L, or the time of the next publication has come.
func (p *publisher) due(w *view, idle bool, now int64) bool {
	if p.isPublished(w.list, len(w.list)) {
		p.update = PendingUpdate{}
		return false
	}
	return (idle || p.book.lost() || now >= p.nextAt(w)) && p.hasUpdate(w)
}

// hasUpdate reports whether the rules that may be published differ from the publication.
func (p *publisher) hasUpdate(w *view) bool {
	return !p.isPublished(w.list, len(w.list)) && !p.isPublished(w.list, p.publishable(w))
}

// owes reports whether L has rules that are not published, and are not known to be held
// back.
func (p *publisher) owes(list []*Entry) bool {
	return !p.isPublished(list, len(list)) && (p.length < 0 || !p.isPublished(list, p.length))
}

// isPublished reports whether the beginning of L of a length is what is published, for the
// current hosts.
func (p *publisher) isPublished(list []*Entry, n int) bool {
	_, hosts := p.hosts()
	return (n < len(list) || p.book.publication.Held == nil) &&
		slices.EqualFunc(list[:n], p.book.publication.Records, func(e *Entry, r rule.Record) bool {
			except, err := r.Excepted()
			return e.ID == r.ID && e.Rank == r.Rank && except == e.Rule.Except && err == nil && slices.Equal(r.Hosts, hosts)
		})
}

// nextAt returns the time of the next publication, while candidates are left.
func (p *publisher) nextAt(w *view) int64 {
	if p.book.publication.Sequence > 0 {
		return p.book.publication.At + p.o.PublishEvery
	}
	return w.list[0].ValidatedAt + p.o.PublishFirst
}

// next returns the publication of the rules that may be published.
func (p *publisher) next(w *view, s trial.Sample, now int64) *Publication {
	next := &Publication{Sequence: p.book.publication.Sequence + 1, At: now, Sample: s}
	in := map[string]bool{}
	for _, e := range w.list[:p.publishable(w)] {
		next.Records = append(next.Records, p.record(e))
		in[e.ID] = true
	}
	for _, r := range p.book.publication.Records {
		if !in[r.ID] {
			next.Retired = append(next.Retired, r.ID)
		}
	}
	if p.update.Mark != "" {
		next.Held = &PendingRules{Rules: p.update.Rules, Share: p.update.Share, Base: []string{}}
		for _, e := range p.basis(w.list) {
			next.Held.Base = append(next.Held.Base, e.ID)
		}
	}
	return next
}

func (p *publisher) record(e *Entry) rule.Record {
	byDomain, hosts := p.hosts()
	separators := p.book.separators
	return rule.Record{
		Schema: rule.Schema, Site: p.site, ID: e.ID, Wire: *rule.NewWire(&e.Rule), Rank: e.Rank, State: e.State, Support: e.Support,
		Verdict: e.Verdict, FirstSeen: e.FirstSeen, ValidatedAt: e.ValidatedAt, ByDomain: byDomain, Hosts: hosts, Separators: &separators,
	}
}

// hosts reports whether the site's mined strings begin with their host, and returns the
// hosts of a group.
func (p *publisher) hosts() (byDomain bool, hosts []string) {
	hosts, group := p.o.Groups[p.site]
	if group && len(hosts) == 0 { // the name of the group is itself a host
		hosts = []string{p.site}
	}
	return group || p.o.ByDomain && p.site != "", hosts
}
