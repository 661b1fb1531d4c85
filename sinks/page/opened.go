package page

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/sinks/text"
)

// Opened is a pair of a rule's trial with what the pages said. A template draws it with {{template "opened" .}}.
type Opened struct {
	*book.Opened
	Threshold float64 // of the trial
}

// OpenedOf returns the pairs of a verdict.
func OpenedOf(pairs []book.Opened, threshold float64) (all []Opened) {
	for i := range pairs {
		all = append(all, Opened{&pairs[i], threshold})
	}
	return all
}

// Came returns what became of the pair in words.
func (o Opened) Came() string { return text.Reason(o.Outcome) }

// Tone returns the colour of the outcome.
func (o Opened) Tone() string { return OutcomeTone(o.Outcome) }

// OutcomeTone returns the colour of the outcome of a pair that proves something, by its reason.
func OutcomeTone(reason string) string {
	if reason == trial.Similar.String() {
		return string(Good)
	}
	return string(Bad)
}

// Sides returns the two pages.
func (o Opened) Sides() []*book.Side { return []*book.Side{&o.U, &o.V} }

// Later returns the look that an operator asked for; nil: none.
func (o Opened) Later() *Opened {
	if o.Now == nil {
		return nil
	}
	return &Opened{o.Now, o.Threshold}
}

// Time returns the time of the look.
func (o Opened) Time() string { return Moment(o.At) }
