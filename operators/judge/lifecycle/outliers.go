package lifecycle

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// Pages that are alike may still be two pages, as two versions of a long file are. Where most pairs
// of a rule show equal texts, the few pairs that differ in many words, or that are hardly more alike
// than the threshold, are outliers. So are such pairs of a form that an exception of a rule of L keeps as
// it is: among such forms alone, few texts are equal. A second look tells an outlier from a page that
// differs from itself.

// ownNoise is how many times as much as from itself a page must differ from another page to be
// another page.
const ownNoise = 2

// judgeOutliers judges the outliers of a rule as different, unless a page differs from itself hardly
// less. Pages that differ in the words of every pair are no outliers: see judgeWords. O(pairs tried +
// outliers · L · exceptions).
func (a *attempt) judgeOutliers(j judge) {
	if j.o.Off.Outliers {
		return
	}
	same, others := 0, 0
	var outliers []*tryPair
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		switch {
		case p.outcome.Outcome != trial.Positive || p.seen == nil || p.seen.Compared == nil:
			continue
		case p.seen.Compared.SameText:
			same++
			continue
		case p.seen.Compared.ManyWords || p.seen.Compared.Near(a.threshold(j)) && a.kindOf(p) != trial.Steady:
			outliers = append(outliers, p)
		}
		others++
	}
	mostAreEqual := same >= max(leastPositives, others)
	for _, p := range outliers {
		if !mostAreEqual && !j.excepts(p.form) {
			continue
		}
		p.judgeContent(func(second *trial.Compared) bool {
			return 1-max(p.seen.Compared.Alike, second.Alike) > ownNoise*(1-p.seen.Self)
		})
	}
}

// excepts reports whether an exception of a rule of L keeps a form as it is. O(L · exceptions).
func (j judge) excepts(form string) bool {
	if j.view == nil {
		return false
	}
	for _, e := range j.view.list {
		if r := e.Rule; r.Excepts([]byte(form)) {
			r.Except = rule.Except{}
			if _, changed := r.Apply(nil, []byte(form)); changed {
				return true
			}
		}
	}
	return false
}
