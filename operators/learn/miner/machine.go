package miner

import (
	"math"
	"slices"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/read/lists"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// Options holds the options of a machine's parts.
type Options struct {
	Table    table.Options
	Envelope envelope.Options
	Params   params.Options
	NoRefine bool // phase 2 is left out: all likely pairs are rules

	NoEnvelope bool     // the learner envelope is off
	NoParams   bool     // the learner params is off
	FormsOnly  bool     // of the rules on syntax, kinds finds forms alone
	Window     []string // the learners that look at the whole window now and then: see Learners; in any order
	Finished   bool     // rules are asked for at the end: pairs are found among all URLs at once, without events, and without numbers of cells and pairs in Stats
	Slices     bool     // the caller calls Settle between folds, so that no fold takes many URLs out of the learners at once
	Tally      bool     // hits and bytes are counted by URL, for Effect
	Visits     bool     // with Tally: robots are counted by URL and day, for the waste by day, if the window has no end
	NoEffects  bool     // the caller asks Reach for the effects of the rules that it shows
	MaxLearned int      // rules kept of each of these, the rules of greatest weight; 0: all

	// Lists are lists of parameters that others say change nothing; nil: none. Those that the window has are rules too,
	// behind all others, unless FormsOnly is set.
	Lists *lists.List

	// Labels are duplicates that a file names; nil: none. What the learners find among those that the window has are
	// rules too, behind all others.
	Labels *labelled.Labels

	// Together runs tasks that do not depend on each other, in any order or side by side, and returns
	// once all have ended; nil: one after the other. The learners of Window are such tasks.
	Together func(tasks ...func())

	numbers *search.Numbers // of the pages of one look, for its learners
	named   []string        // of one look: the parameters of the pages that Lists names
}

// Machine mines one site. A Machine belongs to one goroutine.
type Machine struct {
	o      *Options // is never modified, and may be that of all machines
	site   string
	urls   *urllist.List
	table  *table.Table
	learn  []Learner       // of a machine that rests: what they knew
	index  *envelope.Index // of the learner envelope; nil: off, or the machine rests
	params *params.Index   // of the learner params; nil: off, or the machine rests
	inside []bool          // by number: the learners have the URL
	awake  bool            // the learners have their indexes: see Rest
	woken  uint32          // of a machine that wakes: the URLs before this number are in the new indexes
	news   bool            // the learners have taken in changes since the last RestIfQuiet
	likely int             // likely pairs when the machine came to rest

	settled int64  // tokens of the list's URLs at the last update of the indexes
	cutURLs int    // number of URLs taken out of the window by cuts
	rank    uint64 // of the site, among sites with equally many URLs
	kept    int    // number of observations taken in
	refused int    // number of observations of URLs that the bounds leave out
	charged int64  // bytes charged by Sites
	room    int64  // the budget of Sites when the machine was made; 0: none
	counts  bool   // the site counted at the last ranking by Sites
	clients uint16 // mask of the clients of all observations

	tally    tallies        // by number
	visits   visits         // with Options.Visits
	evidence evidence.Spans // scratch
	was      evidence.Spans // scratch
	leaving  []uint32       // scratch
	other    []byte         // scratch
	touched  byte           // result of early reads of memory; without meaning
}

// New returns the machine of an unknown site.
func New(site string, o Options) *Machine { return newMachine(site, &o) }

func newMachine(site string, o *Options) *Machine {
	m := &Machine{o: o, site: site, urls: urllist.New()}
	m.table = table.New(o.Table, m.urls)
	return m
}

// Site returns the site's name.
func (m *Machine) Site() string { return m.site }

// URLs that have left the window are released once there are more than goneLeast of them,
// and once they are more than a share of 1/goneShare of all URLs, unless Options.Slices leaves that to
// the caller.
const (
	goneLeast = 1 << 12
	goneShare = 4
)

// Fold takes in an observation. An observation of a known URL costs one lookup.
func (m *Machine) Fold(o *evidence.Observation) table.Outcome {
	outcome := m.table.Fold(o)
	m.clients |= o.Clients
	if m.o.Tally && (outcome == table.Kept || outcome == table.KeptInstead) {
		m.count(o)
	}
	if gone := m.table.Gone(); gone > goneLeast && gone > m.urls.Len()/goneShare && !m.o.Slices {
		m.settle()
	}
	return outcome
}

// settle updates the learners to the state of the table.
func (m *Machine) settle() {
	for !m.Settle(math.MaxInt) {
	}
}

// Settle takes at most so many changed URLs of the table into the learners, and reports whether the
// learners are then up to date. A caller that must not stand still calls Settle before the methods
// that need the learners, which otherwise take in all changes.
//
// Departures come first, so that entering URLs meet as few URLs as possible. The order of the other
// changes is free. The order of the texts is used because a URL finds its neighbor's data in the cache
// (a million new URLs: 5.0 µs each instead of 5.8).
func (m *Machine) Settle(most int) (done bool) {
	if m.index != nil && !m.index.Resume(most) {
		return false
	}
	if m.woken == 0 && !m.awake && !m.table.Forgo(most, m.same) {
		return m.table.Unsettled() == 0
	}
	if m.woken == 0 && m.table.Unsettled() == 0 {
		return true
	}
	if !m.wake(most) {
		return false
	}
	changed := m.table.Changed(most)
	if done = m.table.Unsettled() == 0; done {
		m.settled = m.table.Tokens()
	}
	m.news = true
	m.leave(changed)
	here := slices.DeleteFunc(changed, func(id uint32) bool { return !m.table.Has(id) })
	m.urls.Sort(here)
	for ids := range slices.Chunk(here, touchAhead) {
		for _, id := range ids {
			m.touched ^= m.urls.Touch(id) ^ m.table.Touch(id)
		}
		for _, id := range ids {
			m.update(id)
		}
	}
	m.settleMany()
	return done && (m.index == nil || m.index.Resume(0))
}

// touchAhead is the number of URLs for whose memory the processor waits at once.
const touchAhead = 32

// settlePages is settle for what pages has just returned, whose order is that of Settle.
func (m *Machine) settlePages(pages []evidence.Page) {
	if len(m.inside) > 0 || m.table.Unsettled() != len(pages) {
		m.settle()
		return
	}
	m.wake(math.MaxInt)
	m.table.Changed(math.MaxInt)
	m.settled = m.table.Tokens()
	m.inside = make([]bool, m.urls.Cap())
	ids := make([]uint32, len(pages))
	for i := range pages { // their evidence is in the list
		ids[i] = pages[i].Number
		m.inside[ids[i]] = true
	}
	for _, l := range m.learn {
		if l == Learner(m.params) {
			m.params.EnterAll(ids)
			continue
		}
		for _, id := range ids {
			l.Enter(id)
		}
	}
	m.settleMany()
}

func (m *Machine) settleMany() {
	if m.params != nil {
		m.params.SettleMany()
	}
}

func (m *Machine) leave(changed []uint32) {
	m.leaving = m.leaving[:0]
	for _, id := range changed {
		if !m.table.Has(id) && m.has(id) {
			m.leaving = append(m.leaving, id)
			m.inside[id] = false
		}
	}
	for _, l := range m.learn {
		l.Leave(m.leaving...)
	}
	for _, id := range changed {
		if !m.table.Has(id) {
			m.forget(id)
			m.table.Release(id)
		}
	}
}

// Unsettled returns the number of changed URLs that Settle has not taken in.
func (m *Machine) Unsettled() int { return m.table.Unsettled() }

func (m *Machine) has(id uint32) bool { return int(id) < len(m.inside) && m.inside[id] }

// same reports whether the learners have a URL of the window with its present evidence.
func (m *Machine) same(id uint32) bool {
	m.evidence = m.table.Evidence(m.evidence[:0], id)
	return m.has(id) && m.evidence.Equal(m.urls.Evidence(id))
}

func (m *Machine) update(id uint32) {
	m.evidence = m.table.Evidence(m.evidence[:0], id)
	if !m.has(id) {
		m.enter(id)
		return
	}
	if m.index != nil && !m.index.Knows(id) {
		m.index.Enter(id) // has left and come back while others left in slices
	}
	if m.evidence.Equal(m.urls.Evidence(id)) {
		return
	}
	m.was = append(m.was[:0], m.urls.Evidence(id)...)
	m.urls.SetEvidence(id, m.evidence)
	for _, l := range m.learn {
		l.Change(id, m.was)
	}
}

func (m *Machine) enter(id uint32) {
	for int(id) >= len(m.inside) {
		m.inside = append(m.inside, false)
	}
	m.inside[id] = true
	if !m.evidence.Equal(m.urls.Evidence(id)) { // else pages has set it, and others may read it
		m.urls.SetEvidence(id, m.evidence)
	}
	for _, l := range m.learn {
		l.Enter(id)
	}
}

// Rules returns the site's likely rules, without redundant rules, best first. The result
// depends only on the table.
func (m *Machine) Rules() []rule.Likely { return m.merge(Learner.Rules) }

// merge returns the rules of all learners as one list, in the order of rule.Compare.
func (m *Machine) merge(of func(Learner) []rule.Likely) []rule.Likely {
	m.settle()
	var lists [][]rule.Likely
	for _, l := range m.learn {
		lists = append(lists, of(l))
	}
	all := slices.Concat(lists...)
	for i := range all {
		all[i].Site = m.site
	}
	slices.SortFunc(all, rule.Compare)
	return all
}
