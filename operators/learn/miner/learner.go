package miner

import (
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// Learner holds the likely rules of a site online: the rules are exact at every moment. A
// machine tells its learners which URLs enter the window, change and leave. Texts and
// evidence are those of the machine's list of URLs, which is up to date at each call. A
// learner belongs to the machine's goroutine. The rules of a learner depend only on the URLs
// and their evidence.
type Learner interface {
	Enter(id uint32)
	Change(id uint32, was evidence.Spans) // the URL's evidence has changed; was, the old evidence, is valid during the call
	Leave(ids ...uint32)                  // the URLs are still in the list

	Rules() []rule.Likely  // likely rules without a site, in the order of rule.Compare, without the redundant rules
	Likely() []rule.Likely // the same with the redundant rules
	Bytes() int64          // memory
}

// learners returns the online learners of a machine, over its list of URLs.
func (m *Machine) learners() (all []Learner) {
	switch {
	case m.o.NoEnvelope:
	case m.o.Finished:
		all = append(all, &wholePairs{o: m.o.Envelope, noRefine: m.o.NoRefine, urls: m.urls})
	default:
		m.index = envelope.New(m.o.Envelope, m.urls)
		if all = append(all, &pairs{m.index, m.o.NoRefine}); m.o.Slices {
			all[0] = &slicedPairs{pairs{m.index, m.o.NoRefine}, m}
		}
	}
	if !m.o.NoParams {
		m.params = params.New(m.o.Params, m.urls)
		all = append(all, m.params)
	}
	return all
}

// pairs learns substring rules.
type pairs struct {
	*envelope.Index
	noRefine bool
}

func (p *pairs) Rules() []rule.Likely  { return p.Index.Rules(envelope.Name, p.noRefine) }
func (p *pairs) Likely() []rule.Likely { return p.Index.Rules(envelope.Name, true) }

// slicedPairs are pairs of a machine whose URLs leave in slices.
type slicedPairs struct {
	pairs
	m *Machine
}

func (p *slicedPairs) Leave(ids ...uint32) {
	p.Part(ids, len(ids)+p.m.table.Gone(), p.m.table.Has)
}

// wholePairs learns substring rules from all URLs at once, when it is asked for them.
type wholePairs struct {
	o        envelope.Options
	noRefine bool
	urls     *urllist.List
	ids      []uint32         // URLs that have entered
	known    []dust.Candidate // likely pairs, if hold has found them since; nil: not known
}

func (b *wholePairs) Enter(id uint32)               { b.ids, b.known = append(b.ids, id), nil }
func (b *wholePairs) Change(uint32, evidence.Spans) { b.known = nil }
func (b *wholePairs) Leave(ids ...uint32) {
	b.known = nil
	gone := map[uint32]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	b.ids = slices.DeleteFunc(b.ids, func(id uint32) bool { return gone[id] })
}

func (b *wholePairs) Rules() []rule.Likely  { return b.rules(b.noRefine) }
func (b *wholePairs) Likely() []rule.Likely { return b.rules(true) }
func (b *wholePairs) Bytes() int64          { return int64(cap(b.ids)) * 4 }

func (b *wholePairs) rules(noRefine bool) []rule.Likely {
	pairs := b.known
	if pairs == nil {
		pairs, _ = b.likely(0)
	}
	return envelope.RulesOf(envelope.Name, pairs, noRefine)
}

// likely returns the likely pairs, unless that takes more than so many bytes; 0: any number.
func (b *wholePairs) likely(most int64) (pairs []dust.Candidate, ok bool) {
	of := envelope.NewBatch(b.o, b.urls)
	of.Limit(most)
	if of.Bound(b.ids); of.Full() {
		return nil, false
	}
	of.Bounded()
	if of.Wanted() {
		of.Count(b.ids)
	}
	if of.Full() {
		return nil, false
	}
	return of.Likely(), true
}

// hold finds the likely pairs within so many bytes, and reports whether it has.
func (b *wholePairs) hold(most int64) (ok bool) {
	b.known, ok = b.likely(most)
	return ok
}

// PairEvents returns the pairs that have become likely since the last call, and those that have
// faded. The events are net: a pair that became likely and faded in between is in neither list. With
// Options.Finished there are none. A
// pair counts whether or not phase 2 finds it redundant. Both lists are in the order of
// [Machine.Rules]. O(changes since the last call).
func (m *Machine) PairEvents() (likely, faded []rule.Likely) {
	m.settle()
	if m.index == nil {
		return nil, nil
	}
	risen, fallen := m.index.Crossings()
	slices.SortFunc(risen, dust.CompareSupport)
	slices.SortFunc(fallen, dust.CompareSupport)
	return rule.OfPairs(m.site, envelope.Name, risen), rule.OfPairs(m.site, envelope.Name, fallen)
}

// ForgetPairEvents drops the events. Callers that are about to report all likely pairs use
// ForgetPairEvents.
func (m *Machine) ForgetPairEvents() {
	m.settle()
	if m.index != nil {
		m.index.ForgetCrossings()
	}
}

// Likely returns all likely rules, including redundant rules, in the order of
// [Machine.Rules]. A client that has followed all events holds the same rules.
func (m *Machine) Likely() []rule.Likely { return m.merge(Learner.Likely) }
