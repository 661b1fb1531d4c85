package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
)

func (m *Machine) record(e *Entry) rule.Record {
	byDomain, hosts := m.hosts()
	separators := m.book.separators
	return rule.Record{
		Schema: rule.Schema, Site: m.site, ID: e.ID, Wire: *rule.NewWire(&e.Rule), Rank: e.Rank, State: e.State, Support: e.Support,
		Verdict: e.Verdict, FirstSeen: e.FirstSeen, ValidatedAt: e.ValidatedAt, ByDomain: byDomain, Hosts: hosts, Separators: &separators,
	}
}

// hosts reports whether the site's mined strings begin with their host, and returns the
// hosts of a group.
func (m *Machine) hosts() (byDomain bool, hosts []string) {
	hosts, group := m.o.Groups[m.site]
	if group && len(hosts) == 0 { // the name of the group is itself a host
		hosts = []string{m.site}
	}
	return group || m.o.ByDomain && m.site != "", hosts
}

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

// Published returns the current publication. Callers must not modify the publication.
func (m *Machine) Published() Publication { return m.book.publication }

// publishDue reports whether the beginning of L that may be published is due now. The
// beginning must differ from the publication, and either nothing is left to try, or a
// published rule is no longer in L, or the interval between publications has passed.
func (m *Machine) publishDue(idle bool, now int64) bool {
	if m.stands(len(m.view.list)) {
		m.update = PendingUpdate{}
		return false
	}
	return (idle || m.book.lost() || now >= m.lastNews()+m.o.PublishEvery) && m.news()
}

// news reports whether the rules that may be published differ from the publication.
func (m *Machine) news() bool { return !m.stands(len(m.view.list)) && !m.stands(m.going()) }

// stands reports whether the beginning of L of a length is published, for the current
// hosts.
func (m *Machine) stands(n int) bool {
	_, hosts := m.hosts()
	return (n < len(m.view.list) || m.book.publication.Held == nil) &&
		slices.EqualFunc(m.view.list[:n], m.book.publication.Records, func(e *Entry, r rule.Record) bool {
			return e.ID == r.ID && e.Rank == r.Rank && slices.Equal(r.Hosts, hosts)
		})
}

// lastNews returns the time of the last publication, or of the first valid rule.
func (m *Machine) lastNews() int64 {
	if m.book.publication.Sequence > 0 {
		return m.book.publication.At
	}
	return m.view.list[0].ValidatedAt
}

// publish publishes the rules of L that may be published, after their trial as a whole.
func (m *Machine) publish(now int64) (Test, step) {
	if test, s := m.trySet(func(s *setTrial) bool { return s.mayPublish(m.o) }, SetTrial, now); s != ready {
		return test, s
	}
	m.do(Act{Publication: m.next(now)})
	return Test{}, changed
}

// further continues the trial of the published set until the share of negatives is shown to
// be below the set's limit. further applies if nothing else is to do, fetches are left, and
// no re-validation will continue the trial.
func (m *Machine) further(now int64) (Test, step) {
	if m.o.RecheckEvery > 0 || m.resting || m.book.publication.Sequence == 0 || m.news() {
		return Test{}, nothing
	}
	test, s := m.trySet(func(s *setTrial) bool { return s.shown(m.o.SetLimit) || m.hasTaken(s) }, SetTrial, now)
	if s == ready {
		s = nothing
	}
	return test, s
}

// hasTaken reports whether a sample has used its share: a quarter of all pairs, or the
// number of pairs that would show the set's limit if none were negative.
func (m *Machine) hasTaken(s *setTrial) bool {
	sum := s.tally.Sum()
	n := sum.Outcomes()
	return 4*n >= m.book.memory.tried() || float64(n)*m.o.SetLimit >= ruleOfThree
}

// ruleOfThree is the constant of the rule of three: n outcomes without a negative show,
// with 95 % confidence, a share of negatives below 3/n.
const ruleOfThree = 3

// next returns the publication of the rules that may be published.
func (m *Machine) next(now int64) *Publication {
	p := &Publication{Sequence: m.book.publication.Sequence + 1, At: now, Sample: m.set.summary()}
	in := map[string]bool{}
	for _, e := range m.view.list[:m.going()] {
		p.Records = append(p.Records, m.record(e))
		in[e.ID] = true
	}
	for _, r := range m.book.publication.Records {
		if !in[r.ID] {
			p.Retired = append(p.Retired, r.ID)
		}
	}
	if hold, held := m.PendingUpdate(); held {
		p.Held = &PendingRules{Rules: hold.Rules, Share: hold.Share, Base: []string{}}
		for _, e := range m.basis() {
			p.Held.Base = append(p.Held.Base, e.ID)
		}
	}
	return p
}
