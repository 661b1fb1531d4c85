package lifecycle

import (
	"cmp"
	"slices"

	"dustbuster/operators/rule"
)

// Publication is the set of published rules, in the order of application. Sequence grows by
// one with each publication. The content of a sequence never changes.
type Publication struct {
	Sequence int64         `json:"sequence"` // from 1; 0: nothing has been published
	At       int64         `json:"at"`
	Hour     int64         `json:"hour,omitempty"` // the time from which the next publication is counted; 0: At
	Records  []rule.Record `json:"records"`
	Retired  []string      `json:"retired,omitempty"` // ids of the previous publication that are missing in this publication
	Sample   rule.Sample   `json:"sample"`            // of the set as a whole

	Held *PendingRules `json:"held,omitempty"` // the rules of L that are held back
}

// publisher decides which rules of L are published, and when, and makes the publication.
type publisher struct {
	site string
	o    *Options
	book *book

	out    *outgoing     // nil: unknown
	update PendingUpdate // the rules that waited for an operator when out was computed last
	early  early
}

// forget drops what follows from the window and L.
func (p *publisher) forget() { p.out, p.early.wait = nil, 0 }

// outgoing returns what could be published, computed at most once for each window, L and
// publication. While a published rule is no longer in L, nothing but its withdrawal goes out.
func (p *publisher) outgoing(w *view) *outgoing {
	if p.out == nil {
		o := p.hold(w)
		p.update = o.update
		if p.book.lost() {
			o.list = slices.DeleteFunc(slices.Clone(w.list), func(e *Entry) bool { return !p.book.isPublished(e) })
		}
		p.out = &o
	}
	return p.out
}

// due reports whether a publication is due now. The rules that may be published must differ from
// the publication, and either nothing is left to try, or a published rule is no longer in L, or
// the time of the next publication has come, or the rules merge enough URLs (see early).
func (p *publisher) due(w *view, idle bool, now int64) bool {
	if p.isPublished(w.list, w.list) {
		p.update = PendingUpdate{}
		return false
	}
	p.early.on = !idle && !p.book.lost() && now < p.nextAt(w)
	if p.early.on && !p.mayHurry(now) || !p.hasUpdate(w) {
		return false
	}
	return !p.early.on || p.hasGrown(w)
}

// hasUpdate reports whether the rules that may be published differ from the publication.
func (p *publisher) hasUpdate(w *view) bool {
	return !p.isPublished(w.list, w.list) && !p.isPublished(w.list, p.outgoing(w).list)
}

// owes reports whether L has rules that are not published, and are not known to be held
// back.
func (p *publisher) owes(list []*Entry) bool {
	return !p.isPublished(list, list) && (p.out == nil || !p.isPublished(list, p.out.list))
}

// isPublished reports whether a part of L is what is published, for the current hosts.
func (p *publisher) isPublished(all, part []*Entry) bool {
	_, hosts := p.hosts()
	return (len(part) < len(all) || p.book.publication.Held == nil) &&
		slices.EqualFunc(part, p.book.publication.Records, func(e *Entry, r rule.Record) bool {
			except, err := r.Excepted()
			return e.ID == r.ID && e.Rank == r.Rank && except == e.Rule.Except && err == nil && slices.Equal(r.Hosts, hosts)
		})
}

// nextAt returns the time of the next publication, while candidates are left.
func (p *publisher) nextAt(w *view) int64 {
	if p.book.publication.Sequence > 0 {
		return p.book.publication.lastHour() + p.o.PublishEvery
	}
	return w.list[0].ValidatedAt + p.o.PublishFirst
}

// lastHour returns the time from which the next publication is counted.
func (p *Publication) lastHour() int64 { return cmp.Or(p.Hour, p.At) }

// next returns the publication of the rules that may be published.
func (p *publisher) next(w *view, s rule.Sample, now int64) *Publication {
	next := &Publication{Sequence: p.book.publication.Sequence + 1, At: now, Sample: s}
	if p.early.on || p.book.lost() {
		next.Hour = p.book.publication.lastHour()
	}
	out := p.outgoing(w)
	in := map[string]bool{}
	for _, e := range out.list {
		next.Records = append(next.Records, p.record(e))
		in[e.ID] = true
	}
	for _, r := range p.book.publication.Records {
		if !in[r.ID] {
			next.Retired = append(next.Retired, r.ID)
		}
	}
	if out.update.Mark != "" {
		next.Held = &PendingRules{Rules: out.update.Rules, Share: out.update.Share, Base: []string{}}
		base := out.list
		if out.together {
			base = p.basis(w.list)
		}
		for _, e := range base {
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
