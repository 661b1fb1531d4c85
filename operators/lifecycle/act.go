package lifecycle

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule"
	"dustbuster/operators/urlnorm"
)

// Act is something that the machine did or learned and that cannot be computed again. The
// state of a machine is the result of its acts, applied in order. The members of one act
// are applied together or not at all.
type Act struct {
	Version     int          `json:"v"`
	Pair        *PairAct     `json:"pair,omitempty"`        // a pair was tried
	Noise       float64      `json:"noise,omitempty"`       // how much a page differed from itself
	Rule        *Entry       `json:"rule,omitempty"`        // the new state of a rule; the whole entry
	Learnt      *Learnt      `json:"learnt,omitempty"`      // the forms were mined
	Round       *Round       `json:"round,omitempty"`       // a re-validation has begun or ended
	Publication *Publication `json:"publication,omitempty"` // something was published
	Approved    string       `json:"approved,omitempty"`    // the mark of the update approved by an operator

	Separators urlnorm.Separators `json:"separators,omitempty"` // all separators seen in the site's queries
}

// PairAct is the outcome of one pair.
type PairAct struct {
	Key key `json:"k"`
	Looks
	At      int64  `json:"t"`
	Rule    string `json:"again,omitempty"`   // id of the rule for which the pair was tried again
	Changed bool   `json:"changed,omitempty"` // the outcome differs from the earlier outcome
}

// version is the version of the encoding of an act.
const version = 1

// Encode writes an act as one JSON object without a newline.
func (a *Act) Encode() []byte {
	a.Version = version
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // an act holds only strings, numbers and booleans
	}
	return b
}

// Decode reads an act written by Encode. An error quotes the bytes that cannot be read.
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
		if err := r.Validate(); err != nil { // Encode never writes an invalid rule
			return a, fmt.Errorf("read act %.100q: %w", b, err)
		}
	}
	return a, nil
}

// rules returns the rules named by an act.
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

// do applies an act and keeps the act for Acts.
func (m *Machine) do(a Act) {
	m.drop(&a, m.book.do(&a))
}

// Acts returns the acts done since the last call, in order. The caller must save the acts
// before the caller forgets the outcomes that led to them. Acts may be saved late: the
// machine repeats lost acts.
func (m *Machine) Acts() []Act { return m.book.take() }

// Restore applies a saved act. A machine that is given all acts of another machine, in
// order and before the first window, continues where the other machine stopped. If the last
// acts were lost, the machine repeats them.
func (m *Machine) Restore(a Act) {
	m.drop(&a, m.book.apply(&a))
}

// Dump yields acts from which a new machine reaches the state of this machine.
func (m *Machine) Dump(yield func(Act) bool) { m.book.dump(yield) }

// drop drops the derived state that an act makes outdated. listChanged reports whether the
// act changed L.
func (m *Machine) drop(a *Act, listChanged bool) {
	if listChanged {
		m.forget()
	}
	if a.Rule != nil {
		m.current = nil
	}
	if a.Round != nil && !a.Round.SetEnd {
		m.rechecker.reset()
		m.rechecked = nil
	}
	if a.Approved != "" {
		m.publisher.update, m.publisher.length, m.set = PendingUpdate{}, -1, nil
	}
}
