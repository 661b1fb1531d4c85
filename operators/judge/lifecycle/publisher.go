package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// publisher decides which rules of L are published, and when, and makes the publication.
type publisher struct {
	site string
	o    *book.Options
	book *book.Book

	out    *outgoing      // nil: unknown
	update *PendingUpdate // the rules that waited for an operator when out was computed last; nil: none did
	early  early

	published int  // see formsOut; 0: unknown
	unsure    bool // it is not known which rules of L change a vetoed text
}

// forget drops what follows from the window and L.
func (p *publisher) forget() { p.out, p.early.wait, p.published = nil, 0, 0 }

// outgoing returns what could be published, computed at most once for each window, L and
// publication. While a published rule is no longer in L, nothing but its withdrawal goes out.
func (p *publisher) outgoing(w *forms.View) *outgoing {
	if p.out == nil {
		o := p.hold(w)
		if p.update = nil; o.update.Mark != "" {
			p.update = &o.update
		}
		if p.book.Lost() {
			o.list = slices.DeleteFunc(p.ready(w.List), func(e *book.Entry) bool { return !p.book.IsPublished(e) })
		}
		p.out = &o
	}
	return p.out
}

// formsOut returns the number of forms under the published rules. It is counted once for each window, L
// and publication. O(bytes of all URLs).
func (p *publisher) formsOut(w *forms.View) int {
	if p.published == 0 {
		out := slices.DeleteFunc(slices.Clone(w.List), func(e *book.Entry) bool { return !p.book.IsPublished(e) })
		p.published = len(w.FormsUnder(out).Texts)
	}
	return p.published
}

// due reports whether a publication is due now. The rules that may be published must differ from those
// that are. And nothing is left to try, or a published rule is no longer in L, or the time of the next
// publication has come, or they merge enough URLs (see early).
func (p *publisher) due(w *forms.View, idle bool, now int64) bool {
	if ready := p.ready(w.List); p.isPublished(ready, ready) {
		p.update = nil
		return false
	}
	p.early.on = !idle && !p.book.Lost() && now < p.nextAt(w)
	if p.early.on && !p.mayHurry(now) || !p.hasUpdate(w) {
		return false
	}
	return !p.early.on || p.grown(w).hasGrown()
}

// hasUpdate reports whether the rules that may be published differ from the publication.
func (p *publisher) hasUpdate(w *forms.View) bool {
	ready := p.ready(w.List)
	return !p.isPublished(ready, ready) && !p.isPublished(ready, p.outgoing(w).list)
}

// ready returns the rules of L that may be published: see book.Options.MayGoOut.
func (p *publisher) ready(list []*book.Entry) []*book.Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e *book.Entry) bool { return !p.o.MayGoOut(e) })
}

// owes reports whether L has rules that are not published, and are not known to be held
// back.
func (p *publisher) owes(list []*book.Entry) bool {
	list = p.ready(list)
	return !p.isPublished(list, list) && (p.out == nil || !p.isPublished(list, p.out.list))
}

// isPublished reports whether a part of the rules that may be published is what is published, for the
// current hosts.
func (p *publisher) isPublished(all, part []*book.Entry) bool {
	_, hosts := p.hosts()
	return (len(part) < len(all) || p.book.Publication.Held == nil) &&
		slices.EqualFunc(part, p.book.Publication.Records, func(e *book.Entry, r rule.Record) bool {
			except, err := r.Excepted()
			return e.ID == r.ID && e.Rank == r.Rank && e.Verdict.Step == r.Verdict.Step && except == e.Rule.Except && err == nil && slices.Equal(r.Hosts, hosts)
		})
}

// nextAt returns the time of the next publication, while candidates are left.
func (p *publisher) nextAt(w *forms.View) int64 {
	if p.book.Publication.Sequence > 0 {
		return p.book.Publication.LastHour() + p.o.PublishEvery
	}
	return p.ready(w.List)[0].ValidatedAt + p.o.PublishFirst
}

// next returns the publication of the rules that may be published.
func (p *publisher) next(w *forms.View, s rule.Sample, now int64) *book.Publication {
	next := &book.Publication{Sequence: p.book.Publication.Sequence + 1, At: now, Sample: s}
	if p.early.on || p.book.Lost() {
		next.Hour = p.book.Publication.LastHour()
	}
	out := p.outgoing(w)
	in := map[string]bool{}
	for _, e := range out.list {
		next.Records = append(next.Records, p.record(e))
		in[e.ID] = true
	}
	for _, r := range p.book.Publication.Records {
		if !in[r.ID] {
			next.Retired = append(next.Retired, r.ID)
		}
	}
	if out.update.Mark != "" {
		next.Held = &book.PendingRules{Rules: out.update.Rules, Share: out.update.Share, Base: []string{}}
		base := out.list
		if out.together {
			base = p.basis(p.ready(w.List))
		}
		for _, e := range base {
			next.Held.Base = append(next.Held.Base, e.ID)
		}
	}
	return next
}

func (p *publisher) record(e *book.Entry) rule.Record {
	byDomain, hosts := p.hosts()
	separators := p.book.Separators
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

// Owes reports whether the machine has unpublished rules that hold and that would be published after a
// trial of the set. Rules of which it is not known yet whether they are held back count.
func (an *Answers) Owes() bool {
	return an.view != nil && an.publisher.owes(an.view.List)
}

// Close publishes the rules that hold before the machine is given up because no more pairs can be
// fetched. It publishes nothing if the set was not tried at all, or was found wrong.
func (m *Machine) Close(now int64) {
	m.rest, m.closing = FullRest, true
	if look, ok := m.Next(now); ok {
		m.attempts.release(look)
	}
	m.closing = false
}
