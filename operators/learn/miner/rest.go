package miner

import (
	"slices"
	"unsafe"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/urllist"
)

// smallCost is the greatest cost of the URLs of a small machine, in bytes: of about 90 URLs. Its learners
// take in all URLs in less than a millisecond.
const smallCost = 64 << 10

func (m *Machine) small() bool { return m.table.Cost() <= smallCost }

// Rest releases the indexes of the learners of a small machine, which are then several times as large as
// its table: 30 URLs take 5 KB, and 17 KB with indexes. The rules stay. The first change of the window that
// Settle takes in builds the indexes again, in O(URLs). Rest does nothing if pairs have crossed MS since the
// last PairEvents. A new machine rests.
func (m *Machine) Rest() {
	if m.small() {
		m.rest()
	}
}

// RestIfQuiet is Rest for a machine of any size whose learners have taken in no change since the last call.
// It also gives back the room in which the lists of the machine would grow. Two thirds of the memory of a
// large machine are indexes, and to build them again takes about 5 s for a million URLs, in slices of Settle.
func (m *Machine) RestIfQuiet() {
	if !m.news && m.table.Unsettled() == 0 && (m.rest() || !m.awake) {
		m.urls.Clip()
		m.table.Clip()
		m.inside = urllist.Clip(m.inside)
	}
	m.news = false
}

// rest reports whether it has released the indexes.
func (m *Machine) rest() bool {
	if !m.awake || m.o.Finished || m.index != nil && (m.index.Crossed() || !m.index.Resume(0)) {
		return false
	}
	_, m.likely = m.Sizes()
	m.learn = slices.Clip(m.known())
	m.index, m.params, m.awake = nil, nil, false
	m.evidence, m.was, m.leaving = nil, nil, nil
	return true
}

// finish releases the index of the learner params of a finished machine, before what the weights of the
// rules need is made: 80 bytes a URL. The rules stay. A later change of the window builds it again.
func (m *Machine) finish() {
	for i, l := range m.learn {
		if l == Learner(m.params) {
			m.learn[i] = knownDrops{rules: m.params.Likely()}
		}
	}
	m.params, m.awake = nil, false
}

// wake takes at most so many of the URLs that the learners had, with the evidence that they had, into new
// indexes of a machine that rests, and reports whether the indexes are complete. Until they are, the methods
// that need the learners complete them.
func (m *Machine) wake(most int) (done bool) {
	if m.awake {
		return true
	}
	if m.woken == 0 {
		m.learn = m.learners()
	}
	for ; int(m.woken) < len(m.inside); m.woken++ {
		if !m.inside[m.woken] {
			continue
		}
		if most--; most < 0 {
			return false
		}
		for _, l := range m.learn {
			l.Enter(m.woken)
		}
	}
	m.woken, m.awake = 0, true
	if m.index != nil {
		m.index.ForgetCrossings()
	}
	return true
}

// known returns what the learners know at this moment. O(likely rules).
func (m *Machine) known() (all []Learner) {
	if m.index == nil && m.params == nil {
		return m.learn
	}
	if m.index != nil {
		if pairs := m.index.Likely(); len(pairs) > 0 {
			all = append(all, knownPairs{pairs: pairs, noRefine: m.o.NoRefine})
		}
	}
	if m.params != nil {
		if drops := m.params.Likely(); len(drops) > 0 {
			all = append(all, knownDrops{rules: drops})
		}
	}
	return all
}

// knownPairs are the likely pairs of a moment.
type knownPairs struct {
	Learner  // nil: a learner without an index takes in nothing
	pairs    []dust.Candidate
	noRefine bool
}

func (k knownPairs) Likely() []rule.Likely { return envelope.RulesOf(envelope.Name, k.pairs, true) }
func (k knownPairs) Rules() []rule.Likely {
	return envelope.RulesOf(envelope.Name, k.pairs, k.noRefine)
}
func (k knownPairs) Bytes() (n int64) {
	for i := range k.pairs {
		n += int64(unsafe.Sizeof(dust.Candidate{})) + int64(len(k.pairs[i].Alpha)+len(k.pairs[i].Beta))
	}
	return n
}

// knownDrops are the likely rules on parameters of a moment.
type knownDrops struct {
	Learner
	rules []rule.Likely
}

func (k knownDrops) Likely() []rule.Likely { return slices.Clone(k.rules) }
func (k knownDrops) Rules() []rule.Likely  { return slices.Clone(k.rules) }
func (k knownDrops) Bytes() int64 {
	return int64(len(k.rules)) * int64(unsafe.Sizeof(rule.Likely{}))
}
