package miner

import (
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
)

// Content returns a machine that holds the window of this moment. Another goroutine may use it, while
// m goes on. It takes in no observations, and its learners have no rules. O(URLs and their entries),
// about 100 bytes each.
func (m *Machine) Content() *Machine {
	urls := m.urls.Clone()
	return &Machine{o: m.o, site: m.site, urls: urls, table: m.table.View(urls), cutURLs: m.cutURLs, counts: m.counts}
}

// View is Content with the likely rules of this moment. O(likely rules) more.
func (m *Machine) View() *Machine {
	m.settle()
	v := m.Content()
	if m.index != nil {
		pairs := m.index.Likely()
		v.learn = append(v.learn, then{
			likely: func() []rule.Likely { return envelope.RulesOf(envelope.Name, pairs, true) },
			rules:  func() []rule.Likely { return envelope.RulesOf(envelope.Name, pairs, m.o.NoRefine) },
		})
	}
	if m.params != nil {
		drops := m.params.Likely()
		list := func() []rule.Likely { return drops }
		v.learn = append(v.learn, then{likely: list, rules: list})
	}
	return v
}

// then is a learner of a view: the rules of a learner at that moment.
type then struct {
	Learner
	likely, rules func() []rule.Likely
}

func (t then) Likely() []rule.Likely { return t.likely() }
func (t then) Rules() []rule.Likely  { return t.rules() }
