package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
)

// publisher decides which rules of L are published, and when, and makes the publication.
type publisher struct {
	records
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
			o.list = p.outOf(p.ready(w.List))
		}
		p.out = &o
	}
	return p.out
}

// formsOut returns the number of forms under the published rules. It is counted once for each window, L
// and publication. O(bytes of all URLs).
func (p *publisher) formsOut(w *forms.View) int {
	if p.published == 0 {
		p.published = len(w.FormsUnder(p.outOf(w.List)).Texts)
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

// outOf returns the rules of a list that are published.
func (p *publisher) outOf(list []*book.Entry) []*book.Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e *book.Entry) bool { return !p.book.IsPublished(e) })
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

// PendingUpdate describes the rules of L that wait for an operator. With them, more URLs would
// change their form than an update may change.
type PendingUpdate struct {
	Share float64 // of the counted URLs: the share whose form all of L would change
	Rules int     // rules of L that wait
	Mark  string  // identifies these rules for Decide
	List  []HeldRule
}

// HeldRule is a rule of L that waits for an operator.
type HeldRule struct {
	ID      string
	Rule    rule.Rule
	Verdict rule.Verdict // its examples have passed Options.Veil
	Share   float64      // of the counted URLs: the share whose form the rule alone would change
	Effect  waste.Effect
}

// why returns the reason for which no rule of L goes out.
func (p *publisher) why() Now {
	if p.pending().Mark != "" {
		return Now{Why: Approval}
	}
	return Now{}
}

// pending returns the update as of the last look, without the rules on which an operator has decided
// since. Its share is that of the last look.
func (p *publisher) pending() PendingUpdate {
	decided := func(h HeldRule) bool {
		e := p.book.Entries[h.ID]
		return e == nil || e.State != rule.Valid || p.book.IsApproved(e) || p.book.Vetoed(&e.Rule)
	}
	if p.update == nil {
		return PendingUpdate{}
	}
	u := *p.update
	if !slices.ContainsFunc(u.List, decided) {
		return u
	}
	u.List, u.Mark = slices.DeleteFunc(slices.Clone(u.List), decided), ""
	for i := range u.List {
		u.Mark += u.List[i].ID
	}
	if u.Rules = len(u.List); u.Rules == 0 {
		return PendingUpdate{}
	}
	return u
}

// outgoing is what could be published of L.
type outgoing struct {
	list     []*book.Entry // in the order of L
	update   PendingUpdate
	together bool    // some rule is held back that alone would change few enough URLs
	growth   *growth // nil: unknown
}

// hold divides L. Held back are first the rules that alone would change the form of more than
// HoldShare of the counted URLs. So are then, in order of rank, those with which the rules not held
// back would do so together, or would leave a URL without a form. Published and approved rules are
// never held back. Forms are compared with the forms under the basis. O(URLs · rules that are not
// published).
func (p *publisher) hold(w *forms.View) outgoing {
	isOut := func(e *book.Entry) bool { return p.book.IsPublished(e) || p.book.IsApproved(e) }
	list := p.ready(w.List)
	if p.o.HoldShare >= 1 || !slices.ContainsFunc(list, func(e *book.Entry) bool { return !isOut(e) }) {
		return outgoing{list: list}
	}
	var o outgoing
	var held []*book.Entry
	var described []HeldRule
	base := newReach(w.Window, p.basis(list), nil)
	out := newReach(w.Window, slices.DeleteFunc(slices.Clone(list), func(e *book.Entry) bool { return !isOut(e) }), base)
	for _, e := range list {
		if isOut(e) {
			continue
		}
		alone := book.Share(base.with(e).changed, base.counted)
		if alone <= p.o.HoldShare {
			all := out.with(e)
			if !all.restless && book.Share(all.changed, out.counted) <= p.o.HoldShare {
				out.join(all)
				continue
			}
			o.together = true
		}
		held = append(held, e)
		h := HeldRule{e.ID, e.Rule, e.Verdict, alone, w.Effects()[slices.Index(w.List, e)]}
		p.o.VeilExamples(&h.Verdict)
		described = append(described, h)
	}
	if o.list = out.list; len(held) > 0 {
		o.update = PendingUpdate{book.Share(base.changedBy(w.FormsUnder(list)), base.counted), len(held), book.MarkOf(held), described}
	}
	return o
}

// basis returns the rules of L with which an update is compared: the published rules and the
// rules approved by an operator. While rules are held back together, the published rules of the
// basis stay those published before. Otherwise all of L would be published step by step.
func (p *publisher) basis(all []*book.Entry) (list []*book.Entry) {
	for _, e := range all {
		before := p.book.IsPublished(e)
		if held := p.book.Publication.Held; held != nil {
			before = slices.Contains(held.Base, e.ID)
		}
		if before || p.book.IsApproved(e) {
			list = append(list, e)
		}
	}
	return list
}

// mayHurry reports whether time and requests allow an early publication.
func (p *publisher) mayHurry(now int64) bool {
	out := &p.book.Publication
	return out.Sequence > 0 && now >= out.At+p.o.PublishAgain && p.early.made >= p.early.wait
}

// grown returns the growth. O(bytes of all URLs) once for each window and L.
func (p *publisher) grown(w *forms.View) growth {
	o := p.outgoing(w)
	if o.growth == nil {
		o.growth = &growth{w.Merged(p.outOf(w.List)), w.Merged(o.list)}
	}
	return *o.growth
}

// records makes the records of publications.
type records struct {
	site string
	o    *book.Options
	book *book.Book
}

func (r *records) record(e *book.Entry) rule.Record {
	byDomain, hosts := r.hosts()
	separators := r.book.Separators
	return rule.Record{
		Schema: rule.Schema, Site: r.site, ID: e.ID, Wire: *rule.NewWire(&e.Rule), Rank: e.Rank, State: e.State, Support: e.Support,
		Verdict: e.Verdict, FirstSeen: e.FirstSeen, ValidatedAt: e.ValidatedAt, ByDomain: byDomain, Hosts: hosts, Separators: &separators,
	}
}

// hosts reports whether the site's mined strings begin with their host, and returns the
// hosts of a group.
func (r *records) hosts() (byDomain bool, hosts []string) {
	hosts, group := r.o.Groups[r.site]
	if group && len(hosts) == 0 { // the name of the group is itself a host
		hosts = []string{r.site}
	}
	return group || r.o.ByDomain && r.site != "", hosts
}

// renewed returns a publication of the same rules if some record lacks a separator, and
// otherwise nil. The set was already tried, so nothing is fetched.
func (r *records) renewed(now int64) *book.Publication {
	if !slices.ContainsFunc(r.book.Publication.Records, r.outdated) {
		return nil
	}
	next := r.book.Publication
	next.Sequence, next.At, next.Hour, next.Retired = next.Sequence+1, now, next.LastHour(), nil
	next.Records = slices.Clone(next.Records)
	separators := r.book.Separators
	for i := range next.Records {
		next.Records[i].Separators = &separators
	}
	return &next
}

// outdated reports whether a record lacks a separator that was seen.
func (r *records) outdated(record rule.Record) bool {
	return record.Separators == nil || *record.Separators != r.book.Separators
}
