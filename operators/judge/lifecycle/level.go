package lifecycle

import (
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/table"
)

// Learnt is the result of the last mining of the forms.
type Learnt struct {
	At     int64        `json:"at"`
	Stage  int          `json:"stage"`  // 1: with the tolerance t; 2: with ten times that
	List   string       `json:"list"`   // the ids of L at that time
	Window uint64       `json:"window"` // mark of the URLs at that time
	Rules  []LearntRule `json:"rules,omitempty"`
	Forms  int          `json:"forms,omitempty"` // their number at that time
}

// LearntRule is a candidate with its support.
type LearntRule struct {
	Rule    rule.Rule `json:"rule"`
	Support int       `json:"support"`
	Grounds grounds   `json:"grounds,omitempty"`
}

// The factor of the size tolerance, by stage.
var stages = [...]float64{1: 1, 2: 10}

// nextStage returns the stage of the next mining of the forms, or 0 if mining would repeat the
// last two results. Mining with t is followed by mining with 10 t, unless L has grown in
// between.
func (w *view) nextStage(l *Learnt) int {
	switch {
	case l.List != markOf(w.list) || l.Stage == 0:
		return 1
	case l.Stage == 1:
		return 2
	case l.Window != w.window.mark:
		return 1
	}
	return 0
}

// Forms are mined before the best candidate is tried if the candidate merges less than one in
// smallGain of the forms, and if L has merged one in fewerForms of the forms since they were
// mined last. Mining takes no request, and finds better candidates than the last ones of the
// window's.
const (
	smallGain  = 50
	fewerForms = 50
)

// largeGain is the part of the forms that a large candidate merges at least: one in so many. Only for
// large candidates it pays to look at known documents, since small candidates are many.
const largeGain = 200

// isLarge reports whether a candidate with a gain is large.
func (w *view) isLarge(gain int) bool { return largeGain*gain >= len(w.forms.texts) }

// learnsEarly reports whether the forms are to be mined before a candidate with a gain is tried.
func (w *view) learnsEarly(l *Learnt, gain int) bool {
	if w.o.Off.EarlyForms {
		return false
	}
	forms := len(w.forms.texts)
	fewer := l.Stage == 0 && len(w.list) > 0 || fewerForms*(l.Forms-forms) >= l.Forms && l.Forms > 0
	return l.List != markOf(w.list) && smallGain*gain < forms && fewer
}

// learn mines the forms with a scratch machine of the same engine. Each form carries the
// evidence of the URL that represents the form. Rules hidden by two simultaneous edits
// appear after the first edit is applied. known holds the labels of the documents that were
// requested. Only candidates with a gain are kept.
func (w *view) learn(known labels, stage int, now int64) Learnt {
	l := Learnt{At: now, Stage: stage, List: markOf(w.list), Window: w.window.mark, Forms: len(w.forms.texts)}
	for _, r := range w.mine(known, stages[stage]) {
		given := candidateOf(&r)
		c := candidate{rule: given.Rule, support: r.Support, grounds: w.o.groundsOf(&given)}
		if c.rule.Validate() != nil || c.rule.Scope.IsWild() {
			continue
		}
		c.id = rule.ID(w.site, &c.rule)
		if w.most(&c) >= w.o.MinGain && w.gain(&c) >= w.o.MinGain && len(l.Rules) < w.o.MaxLearnt {
			l.Rules = append(l.Rules, LearntRule{c.rule, c.support, c.grounds})
		}
	}
	return l
}

// mine runs all learners over the forms.
func (w *view) mine(known labels, times float64) []rule.Likely {
	o := w.o.Miner
	o.Table = table.Options{MaxURLs: len(w.forms.texts)}
	o.Envelope.Similarity.Tolerance *= times
	o.Params.Similarity.Tolerance *= times
	scratch := miner.New(w.site, o)
	for n, form := range w.forms.texts {
		page := &w.window.pages[w.forms.reps[n]]
		for _, seen := range observationsOf(page, form) {
			scratch.Fold(&seen)
		}
	}
	rules, pages := scratch.Rules(), scratch.Window().Pages()
	for i := range pages {
		pages[i].Text = w.label(known, pages[i].URL)
	}
	found, _ := o.Learn(w.site, pages, rules, func() bool { return false })
	return append(rules, found...)
}
