package forms

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/table"
)

// The factor of the size tolerance, by stage.
var stages = [...]float64{1: 1, 2: 10}

// NextStage returns the stage of the next mining of the forms, or 0 if mining would repeat the
// last two results. Mining with t is followed by mining with 10 t, unless L has grown in
// between.
func (w *View) NextStage(l *book.Learnt) int {
	switch {
	case l.List != book.MarkOf(w.List) || l.Stage == 0:
		return 1
	case l.Stage == 1:
		return 2
	case l.Window != w.Window.mark:
		return 1
	}
	return 0
}

// Forms are mined before the best candidate is tried if it merges less than one in smallGain of them,
// and if L has merged one in fewerForms of them since they were mined last. Mining takes no request,
// and finds better candidates than the last of the window's.
const (
	smallGain  = 50
	fewerForms = 50
)

// A large candidate merges at least one in largeGain of the forms. It pays to look at known documents
// only for these, since small candidates are many.
const largeGain = 200

// IsLarge reports whether a candidate with a gain is large.
func (w *View) IsLarge(gain int) bool { return largeGain*gain >= len(w.Forms.Texts) }

// LearnsEarly reports whether the forms are to be mined before a candidate with a gain is tried.
func (w *View) LearnsEarly(l *book.Learnt, gain int) bool {
	if w.Options.Off.EarlyForms {
		return false
	}
	forms := len(w.Forms.Texts)
	fewer := l.Stage == 0 && len(w.List) > 0 || fewerForms*(l.Forms-forms) >= l.Forms && l.Forms > 0
	return l.List != book.MarkOf(w.List) && smallGain*gain < forms && fewer
}

// Learn mines the forms with a scratch machine of the same engine. Each form carries the
// evidence of the URL that represents the form. Rules hidden by two simultaneous edits
// appear after the first edit is applied. known holds the labels of the documents that were
// requested. Only candidates with a gain are kept.
func (w *View) Learn(known book.Labels, stage int, now int64) book.Learnt {
	l := book.Learnt{At: now, Stage: stage, List: book.MarkOf(w.List), Window: w.Window.mark, Forms: len(w.Forms.Texts)}
	for _, r := range w.mine(known, stages[stage]) {
		given := candidateOf(&r)
		given.Rule = w.Confiner().Confined(given.Rule)
		c := book.Candidate{Rule: given.Rule, Support: r.Support, Grounds: w.Options.GroundsOf(&given)}
		if c.Rule.Validate() != nil || c.Rule.Scope.IsWild() {
			continue
		}
		c.ID = rule.ID(w.Site, &c.Rule)
		if w.Most(&c) >= w.Options.MinGain && w.Gain(&c) >= w.Options.MinGain && len(l.Rules) < w.Options.MaxLearnt {
			l.Rules = append(l.Rules, book.LearntRule{Rule: c.Rule, Support: c.Support, Grounds: c.Grounds})
		}
	}
	return l
}

// mine runs all learners over the forms.
func (w *View) mine(known book.Labels, times float64) []rule.Likely {
	o := w.Options.Miner
	o.Table = table.Options{MaxURLs: len(w.Forms.Texts)}
	o.Envelope.Similarity.Tolerance *= times
	o.Params.Similarity.Tolerance *= times
	scratch := miner.New(w.Site, o)
	for n, form := range w.Forms.Texts {
		page := &w.Window.Pages[w.Forms.reps[n]]
		for _, seen := range ObservationsOf(page, form) {
			scratch.Fold(&seen)
		}
	}
	rules, pages := scratch.Rules(), scratch.Window().Pages()
	for i := range pages {
		pages[i].Text = w.Label(known, pages[i].URL)
	}
	found, _ := o.Learn(w.Site, pages, table.Days{}, rules, func() bool { return false })
	return append(rules, found...)
}

// Candidates returns the mined rules, each in the direction tried first. A mined path is
// exact. A path that would be a wildcard in a published rule is left out.
func Candidates(mined []rule.Likely) []rule.Candidate {
	all := make([]rule.Candidate, 0, len(mined))
	for i := range mined {
		if l := &mined[i]; l.Learner != params.Name || !l.Rule.Scope.IsWild() {
			all = append(all, candidateOf(l))
		}
	}
	return all
}

func candidateOf(l *rule.Likely) rule.Candidate {
	return rule.Candidate{Rule: l.Rule.Shrinking(), Support: l.Support, Weighed: l.Weighed, Weight: l.Weight,
		Alike: float64(l.Alike) / float64(max(l.Pairs, 1)), Listed: l.Listed}
}
