// Package trials is one trial, of a rule ([Trial]) or of all rules that may be published ([Set]): its pairs,
// their control, their outcomes, and the exceptions and followers that these suggest. A trial follows from the
// view and the book, so it is never saved.
//
// A pair of pages that are alike proves something only if other pages are not, so each trial has a control:
// see control.go. What a pair proves is derived from its measurement under that control: see judge.go.
//
// # Rejected
//
//   - A negative for every pair that differs, where most are equal: pages that name another version in one line
//     then count as other pages. gitweb had .629 instead of .734 of its duplicates at the end.
//   - A negative for one own word where words come and go: of pages with five of 70 random titles, two of ten
//     pairs had a title that stayed and was on no other page so far.
//   - A second fetch of u alone, for pages that never stand still: a page v that holds all of u, and more, passes.
//   - The text of XML instead of its bytes: in SVG and OPML the attributes are the content.
package trials

import (
	"dustbuster/operators/judge/except"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// Trial is the trial of one rule: the rule's pairs and their known outcomes. It follows from the
// forms and the memory, and is never saved.
type Trial struct {
	Candidate book.Candidate
	Tally     trial.Tally
	Pairs     [trial.Strata][]Pair // in drawing order
	next      [trial.Strata]int    // all pairs before this index have been touched
	at        map[book.Key]Place
	Touched   []Place // pairs with a known outcome
	Control   rule.Control
	repeated  map[uint64]bool    // texts that prove nothing: see repeated
	joins     *canon.Canonizer   // L and the rule; built on demand
	differ    *trial.Differences // of the pairs tried
	options   trial.Options
	levers    book.Levers
	Accepted  int         // negatives known when the rule was chosen
	Since     int64       // only outcomes from then on count
	IsNew     bool        // the rule is a candidate, and not a rule of L that is tested again
	Barred    int         // pairs left out because one of their URLs is never fetched
	Asks      *forms.Asks // what is asked for the URLs of the pairs
	view      *forms.View
	forms     *forms.Forms
	moves     []forms.Move // of the rule
	reach     *forms.Reach // see Elsewhere; nil until needed

	spread        *forms.Spread          // see Apart; nil until needed
	apart         []forms.Far            // the rule holds, but would merge these, and may not except them
	unseen        bool                   // the rule holds, but would edit in more folders without an outcome than it may except
	without       []uint8                // sets of names without which the rule may go on: see Without
	Excepts       bool                   // the rule had an exception when its trial began
	LacksStandIns bool                   // the rule may be given no stand-in at present, and its next pair needs one
	Fails         bool                   // the server fails at the pages of the rule, and answers elsewhere
	hides         func(text string) bool // reports whether a part of a rule must not be published
}

// Pair is a pair of a trial, with what is known of it.
type Pair struct {
	forms.Pair
	Seen    *book.Result    // known result of the pair; nil if there is none
	Outcome trial.Judgement // outcome of the pair for the rule; none while a negative is in doubt
	Doubt   bool            // a negative seen only once; the pair is fetched a second time
	Awaited bool
	ByList  bool // L is wrong about u, so v proves nothing about the rule
	bySet   bool // the pair sent the rule back to trial
	foreign bool // of bySet: u is a stand-in
	words   *urlWords
}

// isStandIn reports whether an invented URL was asked for in the place of u.
func (p *Pair) isStandIn() bool { return p.foreign || p.Seen != nil && p.Seen.Ask != nil }

// Asks reports whether the outcome of the pair takes a look: the first, or the second at a negative.
func (p *Pair) Asks() bool { return p.Seen == nil || p.Doubt }

// Asked returns the URL that was asked for.
func (p *Pair) Asked() string {
	if p.Seen != nil && p.Seen.Ask != nil {
		return p.Seen.Ask.URL
	}
	return p.U
}

// Example returns the pair as a verdict shows it: with the URL that was asked for.
func (p *Pair) Example() rule.Example {
	return rule.Example{U: p.Asked(), V: p.V, Outcome: p.Outcome.Reason.String(), StandIn: p.isStandIn()}
}

// Place is where a pair stands in a trial: its stratum, or its kind in the trial of the set, and its
// index there.
type Place struct{ Stratum, Index int }

// New sets up the trial of a rule over the forms that it moves. O(moves · log).
func New(j Judge, c book.Candidate, f *forms.Forms, moves []forms.Move, since int64, awaited map[book.Key]bool) *Trial {
	a := &Trial{Candidate: c, at: make(map[book.Key]Place, len(moves)), Since: since, view: j.View, forms: f, moves: moves, options: j.Options.Trial, levers: j.Options.Off, hides: j.View.Guard.Hides}
	a.Tally.Exceptions, a.Excepts = c.Exceptions, c.Rule.Except != rule.Except{}
	a.Asks = j.View.Asks(f, &a.Candidate.Rule, moves)
	pairs, barred := j.View.Pairs(f, moves, a.Asks)
	a.Barred = barred
	for h := range pairs {
		a.Tally.Strata[h].Pairs = len(pairs[h])
		a.Pairs[h] = make([]Pair, len(pairs[h]))
		for i := range pairs[h] {
			p := &a.Pairs[h][i]
			p.Pair = pairs[h][i]
			a.at[p.Key] = Place{h, i}
			if r, known := j.Book.Memory.Known(p.U, p.V, since, j.Now); known {
				p.Seen = &r
				a.Touched = append(a.Touched, Place{h, i})
			} else if awaited[p.Key] {
				p.Awaited = true
				a.Tally.Strata[h].Awaited++
			}
		}
	}
	a.Rejudge(j)
	return a
}

// Rejudge takes the control of a trial and derives the outcomes of its pairs under it. It returns a
// pair missing from the control, or nil. O(pairs tried).
func (a *Trial) Rejudge(j Judge) (missing *forms.Pair) {
	a.Control, missing = a.newControl(j)
	a.differ = trial.NewDifferences(a.looked())
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		a.count(at.Stratum, p, -1)
		if p.Seen != nil {
			a.judgePair(j, p)
		}
	}
	a.judgeOutliers(j)
	a.distrust(j)
	confirmed := 0
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.Outcome.Outcome == trial.Negative && !p.Doubt {
			confirmed++
		}
	}
	believed := !j.Options.Off.FirmNegatives && a.IsNew && j.Book.Memory.IsSteady() && a.isHopeless() && !a.mayMove(j)
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		if p.Outcome.Outcome != trial.Positive && (confirmed >= book.ConfirmedNegatives || believed) {
			p.Doubt = false
		}
		a.count(at.Stratum, p, 1)
	}
	return missing
}

// Negatives returns the number of pairs that differ, with those seen only once.
func (a *Trial) Negatives() (n int) {
	for _, at := range a.Touched {
		if Wrong(a.Pairs[at.Stratum][at.Index].Outcome) {
			n++
		}
	}
	return n
}

// isHopeless reports whether a rule has so few positives for each negative that no exception could
// explain these: see package except. Negatives seen only once count.
func (a *Trial) isHopeless() bool {
	positives, negatives := 0, 0
	for _, at := range a.Touched {
		switch a.Pairs[at.Stratum][at.Index].Outcome.Outcome {
		case trial.Positive:
			positives++
		case trial.Negative, trial.Returned:
			negatives++
		}
	}
	return positives < except.PositivesFor*negatives
}

// IsFirm reports whether no control can take back a negative of the trial: the documents of each
// did not change between two looks.
func (a *Trial) IsFirm() bool {
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		if Wrong(p.Outcome) && p.Seen != nil && p.Seen.Steadiness() < 1 {
			return false
		}
	}
	return true
}

func (a *Trial) judgePair(j Judge, p *Pair) {
	p.Outcome, p.Doubt = j.Outcome(p.Seen, p.U, p.V, &a.Control)
	if c := p.Seen.Compared; c != nil && c.SameText && p.Outcome.Outcome == trial.Positive && a.repeated[c.V.Text] {
		p.Outcome = trial.Judgement{Outcome: trial.Skip, Reason: trial.Everywhere}
	}
	a.judgeWords(j, p)
	p.ByList = p.Outcome.Outcome == trial.Negative && j.byList(p)
	if p.ByList {
		p.Outcome.Outcome, p.Doubt = trial.Skip, false
	}
}

// count adds the outcome of a pair to its stratum, times times. A negative in doubt counts as awaited.
// A positive known before the rule was given its last exception counts as earlier.
func (a *Trial) count(stratum int, p *Pair, times int) {
	if p.Doubt {
		a.Tally.Strata[stratum].Awaited += times
		return
	}
	if a.Candidate.After > 0 && p.Outcome.Outcome == trial.Positive && p.Seen != nil && p.Seen.Number <= a.Candidate.After {
		a.Tally.Strata[stratum].Earlier += times
		return
	}
	if p.Seen != nil && p.Seen.Number <= a.Candidate.Chosen && p.Outcome.Outcome == trial.Positive {
		a.Tally.Chosen += times
	}
	a.Tally.Add(stratum, p.Outcome.Outcome, times)
}

// Doubtful returns a negative that needs a second look, is not being fetched, and was looked at first up to a time.
func (a *Trial) Doubtful(until int64) (p *Pair, outstanding bool) {
	for _, at := range a.Touched {
		switch p := &a.Pairs[at.Stratum][at.Index]; {
		case p.Doubt && !p.Awaited && p.Seen.At <= until:
			return p, false
		case p.Doubt:
			outstanding = true
		}
	}
	return nil, outstanding
}

// FirstAt returns when the first of the negatives that need a second look was looked at; 0: none does.
func (a *Trial) FirstAt() (at int64) {
	for _, place := range a.Touched {
		if p := &a.Pairs[place.Stratum][place.Index]; p.Doubt && !p.Awaited && (at == 0 || p.Seen.At < at) {
			at = p.Seen.At
		}
	}
	return at
}

// Negative counts a pair of the whole set against the rule.
func (a *Trial) Negative(e rule.Example) {
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			if p := &a.Pairs[h][i]; p.Asked() == e.U && p.V == e.V {
				p.bySet = true
				return // the pair belongs to the rule and was counted
			}
		}
	}
	against := trial.Judgement{Outcome: trial.Negative, Reason: trial.Different}
	a.Touched = append(a.Touched, Place{trial.Apart, len(a.Pairs[trial.Apart])})
	a.Pairs[trial.Apart] = append(a.Pairs[trial.Apart], Pair{Pair: forms.Pair{U: e.U, V: e.V, Form: e.U}, Outcome: against, bySet: true, foreign: e.StandIn})
	a.Tally.Strata[trial.Apart].Pairs++
	a.Tally.Add(trial.Apart, trial.Negative, 1)
}

// failed reports whether a pair drawn for the rule is wrong. Pairs that sent the rule back
// do not count.
func (a *Trial) failed() bool {
	for p := range a.Tried {
		if Wrong(p.Outcome) && !p.bySet {
			return true
		}
	}
	return false
}

// Draw takes the next pair, or returns nil if none is left.
func (a *Trial) Draw() *Pair {
	h, ok := a.Tally.Next(a.options)
	if !ok {
		return nil
	}
	for ; a.next[h] < len(a.Pairs[h]); a.next[h]++ {
		if p := &a.Pairs[h][a.next[h]]; p.isUntouched() {
			return a.take(Place{h, a.next[h]})
		}
	}
	return nil
}

func (p *Pair) isUntouched() bool { return p.Seen == nil && p.Outcome.Outcome == 0 && !p.Awaited }

// take gives out an untouched pair.
func (a *Trial) take(at Place) *Pair {
	p := &a.Pairs[at.Stratum][at.Index]
	p.Awaited = true
	a.Tally.Strata[at.Stratum].Awaited++
	return p
}

// Receive takes in the result of a pair that was given out. It returns false if the pair was not.
func (a *Trial) Receive(k book.Key, r book.Result) bool {
	at, mine := a.at[k]
	if !mine {
		return false
	}
	p := &a.Pairs[at.Stratum][at.Index]
	if !p.Awaited {
		return false
	}
	p.Awaited = false
	if p.Seen == nil {
		a.Tally.Strata[at.Stratum].Awaited--
		a.Touched = append(a.Touched, at)
	}
	p.Seen = &r
	return true
}

// Release takes back a pair that was given out, so that it is given out again.
func (a *Trial) Release(k book.Key) {
	at, mine := a.at[k]
	if !mine {
		return
	}
	p := &a.Pairs[at.Stratum][at.Index]
	if p.Awaited && p.Seen == nil {
		a.Tally.Strata[at.Stratum].Awaited--
		a.next[at.Stratum] = min(a.next[at.Stratum], at.Index)
	}
	p.Awaited = false
}

// All yields the pairs.
func (a *Trial) All(yield func(*forms.Pair) bool) {
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			if !yield(&a.Pairs[h][i].Pair) {
				return
			}
		}
	}
}

// Tried yields the pairs that have an outcome.
func (a *Trial) Tried(yield func(*Pair) bool) {
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			if p := &a.Pairs[h][i]; p.Outcome.Outcome != 0 && !p.Doubt && !yield(p) {
				return
			}
		}
	}
}

// standIns returns the number of outcomes that come from stand-ins.
func (a *Trial) standIns() (n int) {
	for p := range a.Tried {
		if p.Outcome.Outcome != trial.Skip && p.isStandIn() {
			n++
		}
	}
	return n
}

// distrust makes skips of all stand-ins if nearly all of their pages are smaller than the log says, or larger: who
// has the true link sees a little more, or less.
func (a *Trial) distrust(j Judge) {
	var lean trial.Lean
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.isStandIn() && p.Seen != nil && p.Seen.Compared != nil {
			c := trial.Case{U: j.Window.Logged(p.U)}
			lean.Add(&c, p.Seen.Compared)
		}
	}
	if !lean.IsClear() {
		return
	}
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.isStandIn() && p.Outcome.Outcome == trial.Positive {
			p.Outcome = trial.Judgement{Outcome: trial.Skip, Reason: trial.OtherLength}
		}
	}
}

// mostExamples is the number of pairs kept by a verdict.
const mostExamples = 5

// Verdict returns the verdict on the rule, with the pairs that led to it.
func (a *Trial) Verdict(j Judge, reason string) rule.Verdict {
	sum := a.Tally.Proof()
	v := rule.Verdict{
		Samples: sum.Outcomes(), Asked: sum.Pairs, StandIns: a.standIns(), Positives: sum.Positives, Negatives: sum.Negatives, Skipped: sum.Skipped,
		Bound: a.Tally.Bound(), Control: a.Control, Threshold: a.Threshold(j), Time: j.Now, Reason: reason,
	}
	for _, negative := range []bool{true, false} {
		for p := range a.Tried {
			is := p.Outcome.Outcome == trial.Negative || p.Outcome.Outcome == trial.Returned
			if p.Outcome.Outcome != trial.Skip && is == negative && len(v.Examples) < mostExamples {
				v.Examples = append(v.Examples, p.Example())
			}
		}
	}
	return v
}
