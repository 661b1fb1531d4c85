package validator

import (
	"slices"

	"dustbuster/operators/rule"
)

func (m *Machine) record(e *Entry) rule.Record {
	byDomain, hosts := m.hosts()
	separators := m.separators
	return rule.Record{
		Schema: rule.Schema, Site: m.site, ID: e.ID, Wire: *rule.NewWire(&e.Rule), Rank: e.Rank, State: e.State, Support: e.Support,
		Verdict: e.Verdict, FirstSeen: e.FirstSeen, ValidatedAt: e.ValidatedAt, ByDomain: byDomain, Hosts: hosts, Separators: &separators,
	}
}

// hosts tells whether the site's mined strings begin with their host, and of which a
// group is.
func (m *Machine) hosts() (byDomain bool, hosts []string) {
	hosts, group := m.o.Groups[m.site]
	if group && len(hosts) == 0 { // its name is a host of it
		hosts = []string{m.site}
	}
	return group || m.o.ByDomain && m.site != "", hosts
}

// Publication is the set of rules that is out, in the order in which they are
// applied. Its Sequence grows by one each time; what is published under one
// sequence never changes.
type Publication struct {
	Sequence int64         `json:"sequence"` // from 1; 0: nothing has been published
	At       int64         `json:"at"`
	Records  []rule.Record `json:"records"`
	Retired  []string      `json:"retired,omitempty"` // ids that were in the publication before, and are not in this one
	Sample   Sample        `json:"sample"`            // of the set as a whole

	Held *HeldBack `json:"held,omitempty"` // the rest of L, if the records are a beginning of it
}

// Published is what is out. Not to be changed.
func (m *Machine) Published() Publication { return m.publication }

// publishDue tells whether the beginning of L that may go out should go out now: it is not
// what is out, and either nothing is left to try, or a rule that is out is not in L any
// more, or the time has come.
func (m *Machine) publishDue(idle bool, now int64) bool {
	if m.stands(len(m.list)) {
		m.hold = Hold{}
		return false
	}
	return (idle || m.lost() || now >= m.lastNews()+m.o.PublishEvery) && m.news()
}

// news tells whether what may go out is not what is out.
func (m *Machine) news() bool { return !m.stands(len(m.list)) && !m.stands(m.going()) }

// stands tells whether the beginning of L of a length is out, for the hosts that it is for.
func (m *Machine) stands(n int) bool {
	_, hosts := m.hosts()
	return (n < len(m.list) || m.publication.Held == nil) &&
		slices.EqualFunc(m.list[:n], m.publication.Records, func(e *Entry, r rule.Record) bool {
			return e.ID == r.ID && e.Rank == r.Rank && slices.Equal(r.Hosts, hosts)
		})
}

// lost tells whether a rule that is out is not in L.
func (m *Machine) lost() bool {
	return slices.ContainsFunc(m.publication.Records, func(r rule.Record) bool { return m.entries[r.ID] == nil || m.entries[r.ID].State != rule.Valid })
}

// lastNews is when something was last published, or the first rule was valid.
func (m *Machine) lastNews() int64 {
	if m.publication.Sequence > 0 {
		return m.publication.At
	}
	return m.list[0].ValidatedAt
}

// publish sends what may go out of L out, after its trial as a whole.
func (m *Machine) publish(now int64) (Test, step) {
	if test, s := m.tryWhole(m.publishable, Whole, now); s != ready {
		return test, s
	}
	m.do(Act{Publication: m.next(now)})
	return Test{}, acted
}

// further goes on with the trial of what is out, until the share of negatives is shown to
// be below the set's limit: with nothing else to do, fetches left, and no re-validation to
// come that would do it.
func (m *Machine) further(now int64) (Test, step) {
	if m.o.AgainEvery > 0 || m.resting || m.publication.Sequence == 0 || m.news() {
		return Test{}, nothing
	}
	test, s := m.tryWhole(func(s *sample) bool { return s.shown(m.o.SetLimit) || m.hasTaken(s) }, Whole, now)
	if s == ready {
		s = nothing
	}
	return test, s
}

// hasTaken tells whether a sample has taken its part: a quarter of all pairs, or so
// many as would show the set's limit if none were negative.
func (m *Machine) hasTaken(s *sample) bool {
	sum := s.course.Sum()
	n := sum.Outcomes()
	return 4*n >= m.memory.tried() || float64(n)*m.o.SetLimit >= ruleOfThree
}

// ruleOfThree: n outcomes without a negative show, with 95 %, that the share of
// negatives is below 3/n.
const ruleOfThree = 3

// next is the publication of what may go out.
func (m *Machine) next(now int64) *Publication {
	p := &Publication{Sequence: m.publication.Sequence + 1, At: now, Sample: m.whole.summary()}
	in := map[string]bool{}
	for _, e := range m.list[:m.going()] {
		p.Records = append(p.Records, m.record(e))
		in[e.ID] = true
	}
	for _, r := range m.publication.Records {
		if !in[r.ID] {
			p.Retired = append(p.Retired, r.ID)
		}
	}
	if hold, held := m.Held(); held {
		p.Held = &HeldBack{Rules: hold.Rules, Share: hold.Share, Base: []string{}}
		for _, e := range m.basis() {
			p.Held.Base = append(p.Held.Base, e.ID)
		}
	}
	return p
}
