package book

import "dustbuster/operators/rule"

// Joined is what is remembered of the first step of a rule: it joins L after a few outcomes without a
// negative, and is provisional until the rest of its trial proves it.
type Joined struct {
	Gain    int   `json:"gain,omitempty"`    // forms that the rule merged when it joined
	Forms   int   `json:"forms,omitempty"`   // of so many
	Chosen  int64 `json:"chosen,omitempty"`  // as in Candidate
	Excepts bool  `json:"excepts,omitempty"` // the rule had an exception when it joined
	Stuck   int64 `json:"stuck,omitempty"`   // the time at which the proof ended undecided
	Overdue bool  `json:"overdue,omitempty"` // the proof did not come in time
}

// mostForms is the reciprocal of the share of forms that a rule must have merged when it joined L to be
// published before its proof.
const mostForms = 100

// proofWithin is the time within which a published rule must be proved.
const proofWithin = 7 * Day

// IsProvisional reports whether a rule is in L and not proved.
func (e *Entry) IsProvisional() bool {
	return e.State == rule.Valid && e.Verdict.Step == rule.Provisional
}

// AwaitsProof reports whether the proof of a rule can go on: the rule is provisional, and its proof did
// not end undecided.
func (e *Entry) AwaitsProof() bool { return e.IsProvisional() && e.Stuck == 0 }

// MayProve reports whether the proof of a rule may go on now.
func (o *Options) MayProve(e *Entry, now int64) bool {
	return e.IsProvisional() && (e.Stuck == 0 || now >= e.Stuck+o.RetryUndecided)
}

// IsOverdue reports whether a rule became overdue.
func (e *Entry) IsOverdue(now int64) bool {
	return e.IsProvisional() && !e.Overdue && now >= e.ValidatedAt+proofWithin
}

// MayGoOut reports whether a rule of L may be published.
func (o *Options) MayGoOut(e *Entry) bool {
	return !e.IsProvisional() || !e.Overdue && o.mayPrecede(e.Gain, e.Forms, e.Excepts)
}

// mayPrecede reports whether the publication of a rule may precede its proof. The rule must merge many of all
// forms, without an exception.
func (o *Options) mayPrecede(gain, forms int, excepts bool) bool {
	return !o.ProvedOnly && !excepts && mostForms*gain >= forms
}

// More returns the number of outcomes, at least 1, after which a candidate with some pairs may be published, if
// none is negative and some are known to be positive. It would merge gain of all forms.
func (o *Options) More(c *Candidate, gain, forms, pairs, positives int) int {
	if o.mayPrecede(gain, forms, c.Rule.Except != rule.Except{}) {
		return o.Trial.More(pairs, positives)
	}
	return o.Trial.Missing(pairs, positives)
}
