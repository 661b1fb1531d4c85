package book

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// Act is something that the machine did or learned and that cannot be computed again. The
// state of a machine is the result of its acts, applied in order. The members of one act
// are applied together or not at all.
type Act struct {
	Version     int          `json:"v"`
	Pair        *PairAct     `json:"pair,omitempty"`        // a pair was tried
	Noise       float64      `json:"noise,omitempty"`       // how much a page differed from itself
	Rule        *Entry       `json:"rule,omitempty"`        // the new state of a rule; the whole entry
	Stale       *Stale       `json:"stale,omitempty"`       // pages changed
	Learnt      *Learnt      `json:"learnt,omitempty"`      // the forms were mined
	Round       *Round       `json:"round,omitempty"`       // a round of rechecks has begun or ended
	Publication *Publication `json:"publication,omitempty"` // something was published
	History     []Change     `json:"history,omitempty"`     // in a dump: all remembered changes of the published list
	Approved    string       `json:"approved,omitempty"`    // the mark of the rules approved by an operator

	Wishes *Wishes `json:"wishes,omitempty"` // the decisions of operators; all of them
	Files  *[]File `json:"files,omitempty"`  // that operators took; all of them

	Separators urlnorm.Separators `json:"separators,omitempty"` // all separators seen in the site's queries
}

// PairAct is the outcome of one pair.
type PairAct struct {
	Key Key `json:"k,omitzero"`
	Looks
	At      int64  `json:"t"`
	Rule    string `json:"again,omitempty"`   // id of the rule for which it was tried again
	Changed bool   `json:"changed,omitempty"` // the outcome differs from the earlier outcome
}

// Stale says what the memory forgets because pages changed.
type Stale struct {
	Since int64 `json:"t"`           // documents from before that time are not used
	Pairs []Key `json:"k,omitempty"` // results to forget
}

// version is the version of the encoding of an act, and of the ids of rules in it.
const version = 4

// Encode writes an act as one JSON object without a newline.
func (a *Act) Encode() []byte {
	a.Version = version
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // an act holds only strings, numbers and booleans
	}
	return b
}

// otherVersion returns the error for an act of another version.
func otherVersion(v int) error {
	if v > version {
		return fmt.Errorf("a newer version of this program wrote version %d, this program knows %d: run the newer version", v, version)
	}
	return fmt.Errorf("an older version of this program wrote version %d, this program knows %d: read the logs again, with a new state directory or into new topics", v, version)
}

// Decode reads an act written by Encode. An error quotes the bytes that cannot be read.
func Decode(b []byte) (Act, error) {
	var a Act
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(&a)
	if a.Version != version {
		var other struct {
			Version int `json:"v"`
		}
		if json.Unmarshal(b, &other) == nil && other.Version != version {
			return a, fmt.Errorf("read act %.100q: %w", b, otherVersion(other.Version))
		}
	}
	if err != nil {
		return a, fmt.Errorf("read act %.100q: %w", b, err)
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
	for i := range a.History {
		all = append(all, &a.History[i].Rule)
	}
	if a.Wishes != nil {
		for i := range a.Wishes.Vetoes {
			all = append(all, &a.Wishes.Vetoes[i])
		}
	}
	if a.Learnt != nil {
		for i := range a.Learnt.Rules {
			all = append(all, &a.Learnt.Rules[i].Rule)
		}
	}
	return all
}
