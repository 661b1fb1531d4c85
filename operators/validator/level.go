package validator

import (
	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/table"
)

// Learnt is what the last look at the forms found.
type Learnt struct {
	At     int64        `json:"at"`
	Stage  int          `json:"stage"`  // 1: with the tolerance t; 2: with ten times that
	List   string       `json:"list"`   // the ids of L then
	Window uint64       `json:"window"` // the URLs then
	Rules  []LearntRule `json:"rules,omitempty"`
}

// LearntRule is a candidate with its support.
type LearntRule struct {
	Rule    rule.Rule `json:"rule"`
	Support int       `json:"support"`
}

// The stages: how much the size tolerance is multiplied by.
var stages = [...]float64{1: 1, 2: 10}

// stage is the next look at the forms; 0 if it would see what the last two saw.
// After a look with t comes one with 10 t, unless L has grown in between.
func (m *Machine) stage() int {
	switch {
	case m.learned.List != m.listMark() || m.learned.Stage == 0:
		return 1
	case m.learned.Stage == 1:
		return 2
	case m.learned.Window != m.window.mark:
		return 1
	}
	return 0
}

// learn mines the forms, each with what is known of the URL that stands for it,
// with a scratch machine of the same engine: what two edits together hide shows
// when the first is done. Only candidates that gain something are kept.
func (m *Machine) learn(stage int, now int64) Learnt {
	l := Learnt{At: now, Stage: stage, List: m.listMark(), Window: m.window.mark}
	for _, r := range m.mine(stages[stage]) {
		c := candidate{rule: directed(&r), support: r.Support()}
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
func (m *Machine) mine(times float64) []miner.Rule {
	o := m.o.Miner
	o.Table = table.Options{MaxURLs: len(m.forms.texts)}
	o.Envelope.Similarity.Tolerance *= times
	o.Params.Similarity.Tolerance *= times
	scratch := miner.New(m.site, o)
	for n, form := range m.forms.texts {
		page := &m.window.pages[m.forms.reps[n]]
		for _, seen := range page.observations(form) {
			scratch.Fold(&seen)
		}
	}
	return scratch.Rules()
}
