package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// book holds what the acts of a site add up to. A book changes only by acts, so a book that
// is given the same acts in the same order holds the same. The book knows neither the
// window nor the trials under way.
type book struct {
	site string
	o    *Options

	memory      *memory           // results of pairs
	compared    int64             // pairs tried; after a dump, those remembered
	entries     map[string]*Entry // the rules that were tried, by id
	noise       trial.Noise       // of the site's pages
	learned     Learnt            // by the last mining of the forms
	learnt      []candidate       // of learned
	round       Round             // the last round of rechecks
	publication Publication       // the last publication
	history     []Change          // of the published list, oldest first
	approved    string            // mark of the rules approved by an operator
	separators  urlnorm.Separators
	wishes      Wishes      // of operators
	vetoes      []rule.Rule // the cores of vetoed rules

	acts []Act // not yet taken
}

func newBook(site string, o *Options, keys *hasher) *book {
	return &book{site: site, o: o, memory: newMemory(o, keys), entries: map[string]*Entry{}}
}

// do applies an act and keeps the act for take. do reports whether L changed.
func (b *book) do(a *Act) (changed bool) {
	changed = b.apply(a)
	b.acts = append(b.acts, *a)
	return changed
}

// take returns the acts done since the last call, in order.
func (b *book) take() []Act {
	acts := b.acts
	b.acts = nil
	return acts
}

// apply folds an act in. apply reports whether L changed.
func (b *book) apply(a *Act) (changed bool) {
	if a.Pair != nil {
		b.applyPair(a.Pair)
	}
	if a.Noise > 0 {
		b.noise.Observe(1 - a.Noise)
	}
	if a.Stale != nil {
		b.memory.outdate(a.Stale)
	}
	if a.Rule != nil {
		changed = b.applyRule(a.Rule)
	}
	if a.Learnt != nil {
		b.applyLearnt(a.Learnt)
	}
	if a.Round != nil {
		b.round = *a.Round
	}
	if a.Publication != nil {
		b.applyPublication(a.Publication)
	}
	if a.History != nil {
		b.history = a.History
	}
	if a.Approved != "" {
		b.approved = a.Approved
	}
	if a.Wishes != nil {
		b.applyWishes(a.Wishes)
	}
	b.separators |= a.Separators
	return changed
}

func (b *book) applyPair(p *PairAct) {
	b.memory.number(p)
	b.memory.put(p.Key, result{p.Looks, p.At})
	if !p.Mixed {
		b.compared++
	}
	if e := b.entries[p.Rule]; e != nil {
		e.Change.Again++
		if p.Changed {
			e.Change.Changed++
		}
	}
}

// applyRule reports whether L changed.
func (b *book) applyRule(e *Entry) (changed bool) {
	was := b.entries[e.ID]
	copied := *e
	b.entries[e.ID] = &copied
	b.forgetOldest()
	return e.State == rule.Valid || was != nil && was.State == rule.Valid
}

func (b *book) applyPublication(p *Publication) {
	b.noteChanges(p)
	b.publication = *p
	for i := range p.Records {
		if s := p.Records[i].Separators; s != nil {
			b.separators |= *s
		}
	}
	if b.round.At == 0 {
		b.round.At = p.At
	}
}

func (b *book) applyLearnt(l *Learnt) {
	b.learned, b.learnt = *l, nil
	for _, r := range l.Rules {
		b.learnt = append(b.learnt, candidate{id: rule.ID(b.site, &r.Rule), rule: r.Rule, support: r.Support, grounds: r.Grounds})
	}
}

// dump yields acts from which a new book reaches the same state.
func (b *book) dump(yield func(Act) bool) {
	b.memory.compact()
	for _, s := range b.memory.queue {
		r := b.memory.results[s.key]
		if !yield(Act{Pair: &PairAct{Key: s.key, Looks: r.Looks, At: r.at}}) {
			return
		}
	}
	for _, e := range b.oldestFirst() {
		if !yield(Act{Rule: e}) {
			return
		}
	}
	yield(Act{Noise: b.noise.Lost, Learnt: &b.learned, Round: &b.round, Publication: &b.publication, History: slices.Clone(b.history), Approved: b.approved, Separators: b.separators, Wishes: b.wishes.act(), Stale: b.memory.stale()})
}

// valid returns L: the valid rules by rank.
func (b *book) valid() (list []*Entry) {
	for _, e := range b.entries {
		if e.State == rule.Valid {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *Entry) int { return a.Rank - b.Rank })
	return list
}

func (b *book) lastRank() (last int) {
	for _, e := range b.entries {
		last = max(last, e.Rank)
	}
	return last
}

// oldestFirst returns all entries by the time of their verdicts.
func (b *book) oldestFirst() (all []*Entry) {
	for _, e := range b.entries {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Entry) int {
		if a.Verdict.Time != b.Verdict.Time {
			return int(min(max(a.Verdict.Time-b.Verdict.Time, -1), 1))
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

// forgetOldest drops the oldest verdicts on rules outside L if there are too many, an
// eighth at a time.
func (b *book) forgetOldest() {
	if len(b.entries) <= b.o.MaxTried+b.o.MaxRules {
		return
	}
	drop := b.o.MaxTried/8 + 1
	for _, e := range b.oldestFirst() {
		if e.State != rule.Valid && drop > 0 {
			delete(b.entries, e.ID)
			drop--
		}
	}
}

// lost reports whether a published rule is no longer in L as published.
func (b *book) lost() bool {
	return slices.ContainsFunc(b.publication.Records, func(r rule.Record) bool {
		e := b.entries[r.ID]
		except, err := r.Excepted()
		return e == nil || e.State != rule.Valid || err != nil || except != e.Rule.Except
	})
}

func (b *book) isPublished(e *Entry) bool {
	return slices.ContainsFunc(b.publication.Records, func(r rule.Record) bool { return r.ID == e.ID })
}

// counted reports whether the outcome of a pair was known when a rule's verdict was given.
func (b *book) counted(e *Entry, u, v string) bool {
	r, known := b.memory.results[b.memory.keys.pair(u, v)]
	return known && r.at <= e.Verdict.Time
}

// anew returns the time from which outcomes count in the trial of a candidate. The followers
// of a rule that was sent back after a report or a recheck are tried anew as well.
func (b *book) anew(c *candidate) int64 {
	if e := b.entries[c.id]; e != nil {
		return max(c.since, e.Anew)
	}
	return c.since
}

// mayTry reports whether a rule may be tried. e is the rule's entry, or nil. A verdict
// stands until the rule's support has doubled or the verdict's term has ended.
func (b *book) mayTry(e *Entry, support int, now int64) bool {
	if e == nil || e.State == rule.SentBack || e.Verdict.Reason == byVeto || e.Verdict.Reason == byPreference {
		return true
	}
	if e.State == rule.Valid {
		return false
	}
	if e.isTurned() && b.failed(&e.Followers[0]) {
		return true // the other direction was tried in vain
	}
	term := b.o.RetryRefuted
	if e.State == rule.Undecided {
		term = b.o.RetryUndecided
	}
	return e.Support > 0 && support >= 2*e.Support || now >= e.Verdict.Time+term
}
