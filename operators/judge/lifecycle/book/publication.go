package book

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// PendingRules is the part of a publication that describes the rules of L that were held back.
type PendingRules struct {
	Rules int      `json:"rules"`
	Share float64  `json:"share"` // as in PendingUpdate
	Base  []string `json:"base"`  // ids of the rules with which updates are compared
}

// MarkOf returns the mark of rules.
func MarkOf(list []*Entry) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.ID)
	}
	return b.String()
}

// IsApproved reports whether an operator approved a rule.
func (b *Book) IsApproved(e *Entry) bool { return strings.Contains(b.Approved, e.ID) }

// Approval returns the act that approves the rules of a mark. Rules of L approved before stay
// approved.
func (b *Book) Approval(mark string) Act {
	before := slices.DeleteFunc(b.Valid(), func(e *Entry) bool { return !b.IsApproved(e) })
	return Act{Approved: mark + MarkOf(before)}
}

// Change is a rule that came into the published list, or left it.
type Change struct {
	Sequence int64        `json:"sequence"` // of the publication that made the change
	At       int64        `json:"at"`       // time of the publication, Unix seconds
	Came     bool         `json:"came,omitempty"`
	ID       string       `json:"id"`
	Rule     rule.Rule    `json:"rule"`
	State    rule.State   `json:"state,omitempty"`    // of a rule that left: the state at that time; "": the rule had been forgotten
	Verdict  rule.Verdict `json:"verdict"`            // at that time, with at most two examples
	Replaced bool         `json:"replaced,omitempty"` // the rule is still valid: a later publication brings it with other exceptions, or it was held back
}

// mostChanges bounds the number of remembered changes of a site's list.
const mostChanges = 128

// changesOf returns the changes that a publication makes, in the order of the lists. After a
// gap in the sequence nothing is known about the change.
func (b *Book) changesOf(p *Publication) (changes []Change) {
	old := &b.Publication
	if p.Sequence != old.Sequence+1 {
		return nil
	}
	note := func(r *rule.Record, came bool) {
		c := Change{Sequence: p.Sequence, At: p.At, Came: came, ID: r.ID, State: r.State, Verdict: r.Verdict}
		if e := b.Entries[r.ID]; e != nil && !came {
			c.State, c.Verdict, c.Replaced = e.State, e.Verdict, e.State == rule.Valid
		} else if !came {
			c.State = ""
		}
		c.Verdict.Examples = c.Verdict.Examples[:min(len(c.Verdict.Examples), ExamplesOfChange)]
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

// ExamplesOfChange is the number of pairs kept with a change.
const ExamplesOfChange = 2

func isAmong(all []rule.Record, id string) bool {
	return slices.ContainsFunc(all, func(r rule.Record) bool { return r.ID == id })
}

// noteChanges adds the changes that a publication makes to the history, and forgets the
// oldest changes if there are too many.
func (b *Book) noteChanges(p *Publication) {
	b.History = append(b.History, b.changesOf(p)...)
	if n := len(b.History) - mostChanges; n > 0 {
		b.History = slices.Delete(b.History, 0, n)
	}
}

// Publication is the set of published rules, in the order of application. Sequence grows by
// one with each publication. The content of a sequence never changes.
type Publication struct {
	Sequence int64         `json:"sequence"` // from 1; 0: nothing has been published
	At       int64         `json:"at"`
	Hour     int64         `json:"hour,omitempty"` // the time from which the next publication is counted; 0: At
	Records  []rule.Record `json:"records"`
	Retired  []string      `json:"retired,omitempty"` // ids of the previous publication that are missing in this one
	Sample   rule.Sample   `json:"sample"`            // of the set as a whole

	Held *PendingRules `json:"held,omitempty"` // the rules of L that are held back
}

// Provisional returns the number of published rules that are not proved.
func (p *Publication) Provisional() (n int) {
	for i := range p.Records {
		if p.Records[i].Verdict.Step == rule.Provisional {
			n++
		}
	}
	return n
}

// LastHour returns the time from which the next publication is counted.
func (p *Publication) LastHour() int64 { return cmp.Or(p.Hour, p.At) }
