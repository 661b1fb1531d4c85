// Package book holds the acts of a site's machine and what they add up to.
//
// An [Act] was done in the world and cannot be computed again: a pair was fetched and compared, a
// verdict was given, a list was published. A [Book] changes by acts only, so two books that are given
// the same acts in one order are equal. It is the only part of a machine that is saved, and knows
// neither the window nor the trials under way.
//
// Of a pair the memory keeps what was measured, and not its outcome, which depends on the rule on trial:
// see package trials.
package book

import (
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// Book holds what the acts of a site add up to. It changes by acts only.
type Book struct {
	Site    string
	Options *Options

	Memory      *Memory           // results of pairs
	Compared    int64             // pairs tried; after a dump, those remembered
	Entries     map[string]*Entry // the rules that were tried, by id
	Noise       trial.Noise       // of the site's pages
	Learned     Learnt            // by the last mining of the forms
	Learnt      []Candidate       // of Learned, as candidates
	Round       Round             // the last round of rechecks
	Publication Publication       // the last publication
	History     []Change          // of the published list, oldest first
	Approved    string            // mark of the rules approved by an operator
	Separators  urlnorm.Separators
	Wishes      *Wishes     // of operators; never nil, and never changed in place
	Files       []File      // with rules of the site that operators took: of each format the last one, the oldest first; never changed in place
	Outdated    []Outdated  // of these; follows from them and the publication
	vetoes      []rule.Rule // the cores of vetoed rules

	acts []Act // not yet taken
}

// New returns the empty book of a site.
func New(site string, o *Options, keys *Hasher) *Book {
	return &Book{Site: site, Options: o, Memory: newMemory(o, keys), Entries: map[string]*Entry{}, Wishes: &noWishes}
}

// Do applies an act and keeps it for Take. It reports whether L changed.
func (b *Book) Do(a *Act) (changed bool) {
	changed = b.Apply(a)
	b.acts = append(b.acts, *a)
	return changed
}

// Take returns the acts done since the last call, in order.
func (b *Book) Take() []Act {
	acts := b.acts
	b.acts = nil
	return acts
}

// Apply folds an act in, and reports whether L changed.
func (b *Book) Apply(a *Act) (changed bool) {
	if a.Pair != nil {
		b.applyPair(a.Pair)
	}
	if a.Noise > 0 {
		b.Noise.Observe(1 - a.Noise)
	}
	if a.Stale != nil {
		b.Memory.outdate(a.Stale)
	}
	if a.Rule != nil {
		changed = b.applyRule(a.Rule)
	}
	if a.Learnt != nil {
		b.applyLearnt(a.Learnt)
	}
	if a.Round != nil {
		b.Round = *a.Round
	}
	if a.Publication != nil {
		b.applyPublication(a.Publication)
	}
	if a.History != nil {
		b.History = a.History
	}
	if a.Approved != "" {
		b.Approved = a.Approved
	}
	if a.Wishes != nil {
		b.applyWishes(a.Wishes)
	}
	if a.Files != nil {
		b.Files = *a.Files
	}
	if a.Files != nil || a.Publication != nil {
		b.lookAtFiles()
	}
	b.Separators |= a.Separators
	return changed
}

func (b *Book) applyPair(p *PairAct) {
	b.Memory.number(p)
	b.Memory.Put(p.Key, Result{p.Looks, p.At})
	if !p.Mixed {
		b.Compared++
	}
	if e := b.Entries[p.Rule]; e != nil {
		e.Change.Again++
		if p.Changed {
			e.Change.Changed++
		}
	}
}

// applyRule reports whether L changed.
func (b *Book) applyRule(e *Entry) (changed bool) {
	was := b.Entries[e.ID]
	copied := *e
	b.Entries[e.ID] = &copied
	b.forgetOldest()
	return e.State == rule.Valid || was != nil && was.State == rule.Valid
}

func (b *Book) applyPublication(p *Publication) {
	b.noteChanges(p)
	b.Publication = *p
	for i := range p.Records {
		if s := p.Records[i].Separators; s != nil {
			b.Separators |= *s
		}
	}
	if b.Round.At == 0 {
		b.Round.At = p.At
	}
}

func (b *Book) applyLearnt(l *Learnt) {
	b.Learned, b.Learnt = *l, nil
	for _, r := range l.Rules {
		b.Learnt = append(b.Learnt, Candidate{ID: rule.ID(b.Site, &r.Rule), Rule: r.Rule, Support: r.Support, Grounds: r.Grounds})
	}
}

// Dump yields acts from which a new book reaches the same state.
func (b *Book) Dump(yield func(Act) bool) {
	for _, p := range b.Memory.all() {
		if !yield(Act{Pair: &p}) {
			return
		}
	}
	for _, e := range b.OldestFirst() {
		if !yield(Act{Rule: e}) {
			return
		}
	}
	var files *[]File
	if len(b.Files) > 0 {
		files = &b.Files
	}
	yield(Act{Noise: b.Noise.Lost, Learnt: &b.Learned, Round: &b.Round, Publication: &b.Publication, History: slices.Clone(b.History), Approved: b.Approved, Separators: b.Separators, Wishes: b.Wishes.Act(), Files: files, Stale: b.Memory.stale()})
}

// Valid returns L: the valid rules by rank.
func (b *Book) Valid() (list []*Entry) {
	for _, e := range b.Entries {
		if e.State == rule.Valid {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *Entry) int { return a.Rank - b.Rank })
	return list
}

// LastRank returns the greatest rank among the remembered rules, or 0.
func (b *Book) LastRank() (last int) {
	for _, e := range b.Entries {
		last = max(last, e.Rank)
	}
	return last
}

// OldestFirst returns all entries by the time of their verdicts.
func (b *Book) OldestFirst() (all []*Entry) {
	for _, e := range b.Entries {
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
func (b *Book) forgetOldest() {
	if len(b.Entries) <= b.Options.MaxTried+b.Options.MaxRules {
		return
	}
	drop := b.Options.MaxTried/8 + 1
	for _, e := range b.OldestFirst() {
		if e.State != rule.Valid && drop > 0 {
			delete(b.Entries, e.ID)
			drop--
		}
	}
}

// Lost reports whether a published rule is no longer in L as published, or may no longer be published.
func (b *Book) Lost() bool {
	return slices.ContainsFunc(b.Publication.Records, func(r rule.Record) bool {
		e := b.Entries[r.ID]
		except, err := r.Excepted()
		return e == nil || e.State != rule.Valid || !b.Options.MayGoOut(e) || err != nil || except != e.Rule.Except
	})
}

// IsPublished reports whether the last publication has the rule, with whatever exceptions.
func (b *Book) IsPublished(e *Entry) bool {
	return slices.ContainsFunc(b.Publication.Records, func(r rule.Record) bool { return r.ID == e.ID })
}

// Counted reports whether the outcome of a pair was known when a rule's verdict was given.
func (b *Book) Counted(e *Entry, u, v string) bool {
	r, known := b.Memory.Results()[b.Memory.Keys.Pair(u, v)]
	return known && r.At <= e.Verdict.Time
}

// Anew returns the time from which outcomes count in the trial of a candidate. The followers
// of a rule that was sent back after a report or a recheck are tried anew as well.
func (b *Book) Anew(c *Candidate) int64 {
	if e := b.Entries[c.ID]; e != nil {
		return max(c.Since, e.Anew)
	}
	return c.Since
}

// MayTry reports whether a rule may be tried. e is the rule's entry, or nil. A verdict stands until
// the rule's support has doubled or its own term has ended.
func (b *Book) MayTry(e *Entry, support int, now int64) bool {
	if e == nil || e.State == rule.SentBack || e.Verdict.Reason == ByVeto || e.Verdict.Reason == ByPreference {
		return true
	}
	if e.State == rule.Valid {
		return false
	}
	if e.isTurned() && b.Failed(&e.Followers[0]) {
		return true // the other direction was tried in vain
	}
	term := b.Options.RetryRefuted
	if e.State == rule.Undecided {
		term = b.Options.RetryUndecided
	}
	return e.Support > 0 && support >= 2*e.Support || now >= e.Verdict.Time+term
}

// Refuted reports whether a rule was refuted.
func (b *Book) Refuted(r *rule.Rule) bool {
	e := b.Entries[rule.ID(b.Site, r)]
	return e != nil && (e.State == rule.Refuted || e.State == rule.Retired)
}

// Failed reports whether a rule was tried and does not hold.
func (b *Book) Failed(r *rule.Rule) bool {
	e := b.Entries[rule.ID(b.Site, r)]
	return e != nil && (e.State == rule.Refuted || e.State == rule.Retired || e.State == rule.Undecided)
}
