package lifecycle

import (
	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/table"
)

// Learnt is the result of the last mining of the forms.
type Learnt struct {
	At     int64        `json:"at"`
	Stage  int          `json:"stage"`  // 1: with the tolerance t; 2: with ten times that
	List   string       `json:"list"`   // the ids of L at that time
	Window uint64       `json:"window"` // mark of the URLs at that time
	Rules  []LearntRule `json:"rules,omitempty"`
}

// LearntRule is a candidate with its support.
type LearntRule struct {
	Rule    rule.Rule `json:"rule"`
	Support int       `json:"support"`
}

// The factor of the size tolerance, by stage.
var stages = [...]float64{1: 1, 2: 10}

// stage returns the stage of the next mining of the forms, or 0 if mining would repeat the
// last two results. Mining with t is followed by mining with 10 t, unless L has grown in
// between.
func (m *Machine) stage() int {
	switch {
	case m.book.learned.List != m.listMark() || m.book.learned.Stage == 0:
		return 1
	case m.book.learned.Stage == 1:
		return 2
	case m.book.learned.Window != m.window.mark:
		return 1
	}
	return 0
}

// learn mines the forms with a scratch machine of the same engine. Each form carries the
// evidence of the URL that represents the form. Rules hidden by two simultaneous edits
// appear after the first edit is applied. Only candidates with a gain are kept.
func (m *Machine) learn(stage int, now int64) Learnt {
	l := Learnt{At: now, Stage: stage, List: m.listMark(), Window: m.window.mark}
	for _, r := range m.mine(stages[stage]) {
		c := candidate{rule: r.Rule, support: r.Support}
		if c.rule.Validate() != nil {
			continue
		}
		c.id = rule.ID(m.site, &c.rule)
		if m.most(&c) >= m.o.MinGain && m.gain(&c) >= m.o.MinGain && len(l.Rules) < m.o.MaxLearnt {
			l.Rules = append(l.Rules, LearntRule{c.rule, c.support})
		}
	}
	return l
}

// mine runs phases 1 and 2 and the parameter rules over the forms.
func (m *Machine) mine(times float64) []rule.Likely {
	o := m.o.Miner
	o.Table = table.Options{MaxURLs: len(m.forms.texts)}
	o.Envelope.Similarity.Tolerance *= times
	o.Params.Similarity.Tolerance *= times
	scratch := miner.New(m.site, o)
	for n, form := range m.forms.texts {
		page := &m.window.pages[m.forms.reps[n]]
		for _, seen := range observationsOf(page, form) {
			scratch.Fold(&seen)
		}
	}
	return scratch.Rules()
}
