package miner

import (
	"dustbuster/operators/learn/beside"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// Beside returns what crawlers fetch in vain although no two URLs are duplicates, of a window with some likely or valid
// rules. action reports whether a mined string looks like an action. O(bytes of the URLs), and sorting.
func (a *Reach) Beside(rules []rule.Rule, action func(url string) bool) []beside.Waste {
	dropped := map[string]bool{}
	for i := range rules {
		if r := &rules[i]; r.Kind() == rule.KindDrop || r.Kind() == rule.KindSet {
			params := r.Params()
			for name := range params.Names() {
				dropped[name] = true
			}
		}
	}
	families, days := a.window.Families(), a.window.table.Days()
	var of []evidence.Day
	return beside.Find(&beside.Window{
		Pages: a.pages, Class: waste.CommonClass(a.pages), Action: action, Similar: a.o.Envelope.Similarity.Similar,
		Families: func(page int) uint32 { return families[a.pages[page].Number] },
		Dropped:  func(name string) bool { return dropped[name] },
		First: func(page int) (first int64) {
			of = days.Append(of[:0], &a.pages[page])
			for i := range of {
				if i == 0 || of[i].Number < first {
					first = of[i].Number
				}
			}
			return first
		},
	})
}
