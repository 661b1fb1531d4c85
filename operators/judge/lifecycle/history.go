package lifecycle

import (
	"slices"

	"dustbuster/operators/rule"
)

// Change is a rule that came into the published list, or that left the list.
type Change struct {
	Sequence int64        `json:"sequence"` // of the publication that made the change
	At       int64        `json:"at"`       // time of the publication, Unix seconds
	Came     bool         `json:"came,omitempty"`
	ID       string       `json:"id"`
	Rule     rule.Rule    `json:"rule"`
	State    rule.State   `json:"state,omitempty"`    // of a rule that left: the state at that time; "": the rule had been forgotten
	Verdict  rule.Verdict `json:"verdict"`            // at that time, with at most two examples
	Replaced bool         `json:"replaced,omitempty"` // the rule is still valid: a later publication brings the rule with other exceptions, or the rule was held back
}

// mostChanges bounds the number of remembered changes of a site's list.
const mostChanges = 128

// changesOf returns the changes that a publication makes, in the order of the lists. After a
// gap in the sequence nothing is known about the change.
func (b *book) changesOf(p *Publication) (changes []Change) {
	old := &b.publication
	if p.Sequence != old.Sequence+1 {
		return nil
	}
	note := func(r *rule.Record, came bool) {
		c := Change{Sequence: p.Sequence, At: p.At, Came: came, ID: r.ID, State: r.State, Verdict: r.Verdict}
		if e := b.entries[r.ID]; e != nil && !came {
			c.State, c.Verdict, c.Replaced = e.State, e.Verdict, e.State == rule.Valid
		} else if !came {
			c.State = ""
		}
		c.Verdict.Examples = c.Verdict.Examples[:min(len(c.Verdict.Examples), examplesOfChange)]
		if made, err := r.Rule(); err == nil {
			c.Rule = made
			changes = append(changes, c)
		}
	}
	for i := range p.Records {
		if r := &p.Records[i]; !isAmong(old.Records, r.ID) {
			note(r, true)
		}
	}
	for i := range old.Records {
		if r := &old.Records[i]; !isAmong(p.Records, r.ID) {
			note(r, false)
		}
	}
	return changes
}

// examplesOfChange is the number of pairs kept with a change.
const examplesOfChange = 2

func isAmong(all []rule.Record, id string) bool {
	return slices.ContainsFunc(all, func(r rule.Record) bool { return r.ID == id })
}

// noteChanges adds the changes that a publication makes to the history, and forgets the
// oldest changes if there are too many.
func (b *book) noteChanges(p *Publication) {
	b.history = append(b.history, b.changesOf(p)...)
	if n := len(b.history) - mostChanges; n > 0 {
		b.history = slices.Delete(b.history, 0, n)
	}
}
