package validator

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dustbuster/operators/mined"
	"dustbuster/operators/rule"
)

// Act is something done or learned that cannot be computed again. The state of a
// machine is what its acts, in their order, make it. What one act holds is done
// together or not at all.
type Act struct {
	Version     int          `json:"v"`
	Pair        *PairAct     `json:"pair,omitempty"`        // a pair was tried
	Noise       float64      `json:"noise,omitempty"`       // a page differed from itself by so much
	Rule        *Entry       `json:"rule,omitempty"`        // a rule has a new state; all of it
	Learnt      *Learnt      `json:"learnt,omitempty"`      // the forms were mined
	Round       *Round       `json:"round,omitempty"`       // a re-validation has begun, or is over
	Publication *Publication `json:"publication,omitempty"` // something was published
	Approved    string       `json:"approved,omitempty"`    // the mark of the update that a person approved

	Separators mined.Separators `json:"separators,omitempty"` // all that were seen in the site's queries
}

// PairAct is what was seen of one pair.
type PairAct struct {
	Key key `json:"k"`
	Looks
	At      int64  `json:"t"`
	Rule    string `json:"again,omitempty"`   // the rule that it was tried again for
	Changed bool   `json:"changed,omitempty"` // the outcome was another before
}

// version is that of an act's encoding.
const version = 1

// Encode writes an act as one JSON object without a newline.
func (a *Act) Encode() []byte {
	a.Version = version
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // its members are strings, numbers and booleans
	}
	return b
}

// Decode reads what Encode wrote. An error quotes what it could not read.
func Decode(b []byte) (Act, error) {
	var a Act
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	switch err := d.Decode(&a); {
	case err != nil:
		return a, fmt.Errorf("read act %.100q: %w", b, err)
	case a.Version != version:
		return a, fmt.Errorf("read act %.100q: version %d, want %d", b, a.Version, version)
	}
	for _, r := range a.rules() {
		if err := r.Validate(); err != nil { // it was not written at all
			return a, fmt.Errorf("read act %.100q: %w", b, err)
		}
	}
	return a, nil
}

// rules are those that an act is about.
func (a *Act) rules() (all []*rule.Rule) {
	if a.Rule != nil {
		all = append(all, &a.Rule.Rule)
	}
	if a.Learnt != nil {
		for i := range a.Learnt.Rules {
			all = append(all, &a.Learnt.Rules[i].Rule)
		}
	}
	return all
}

// do applies an act and keeps it for Acts.
func (m *Machine) do(a Act) {
	m.apply(&a)
	m.acts = append(m.acts, a)
}

// Acts are those done since the last call, in order. They must be saved before
// the outcomes that brought them about are forgotten, and may be saved late: what
// is lost is done again.
func (m *Machine) Acts() []Act {
	acts := m.acts
	m.acts = nil
	return acts
}

// Restore does what a saved act says. A machine that is given all acts of another,
// in order, before its first window, goes on where that stopped; of acts that were
// lost at the end, it does those again.
func (m *Machine) Restore(a Act) { m.apply(&a) }

// Dump yields acts that make a new machine what this one is.
func (m *Machine) Dump(yield func(Act) bool) {
	m.memory.compact()
	for _, s := range m.memory.queue {
		r := m.memory.results[s.key]
		if !yield(Act{Pair: &PairAct{Key: s.key, Looks: r.Looks, At: r.at}}) {
			return
		}
	}
	for _, e := range m.oldestFirst() {
		if !yield(Act{Rule: e}) {
			return
		}
	}
	yield(Act{Noise: m.noise.Lost, Learnt: &m.learned, Round: &m.round, Publication: &m.publication, Approved: m.approved, Separators: m.separators})
}

func (m *Machine) apply(a *Act) {
	if a.Pair != nil {
		m.applyPair(a.Pair)
	}
	if a.Noise > 0 {
		m.noise.Observe(1 - a.Noise)
	}
	if a.Rule != nil {
		m.applyRule(a.Rule)
	}
	if a.Learnt != nil {
		m.applyLearnt(a.Learnt)
	}
	if a.Round != nil {
		m.applyRound(a.Round)
	}
	if a.Publication != nil {
		m.applyPublication(a.Publication)
	}
	m.separators |= a.Separators
	if a.Approved != "" {
		m.approved, m.hold = a.Approved, Hold{}
		m.cut, m.whole = -1, nil
	}
}

func (m *Machine) applyPair(p *PairAct) {
	m.memory.put(p.Key, result{p.Looks, p.At})
	if e := m.entries[p.Rule]; e != nil {
		e.Change.Again++
		if p.Changed {
			e.Change.Changed++
		}
	}
}

func (m *Machine) applyRule(e *Entry) {
	was := m.entries[e.ID]
	copied := *e
	m.entries[e.ID] = &copied
	if e.State == rule.Valid || was != nil && was.State == rule.Valid {
		m.list = nil
		m.forget()
	}
	m.current = nil
	m.forgetOldest()
}

func (m *Machine) applyPublication(p *Publication) {
	m.publication = *p
	for i := range p.Records {
		if s := p.Records[i].Separators; s != nil {
			m.separators |= *s
		}
	}
	if m.round.At == 0 {
		m.round.At = p.At
	}
}

func (m *Machine) applyRound(r *Round) {
	if m.round = *r; !r.SetEnd {
		clear(m.checked)
		m.rechecked, m.setTried = nil, 0
	}
}

func (m *Machine) applyLearnt(l *Learnt) {
	m.learned, m.learnt = *l, nil
	for _, r := range l.Rules {
		m.learnt = append(m.learnt, candidate{id: rule.ID(m.site, &r.Rule), rule: r.Rule, support: r.Support})
	}
}
