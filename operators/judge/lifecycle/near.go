package lifecycle

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// firstPairs is the number of a rule's pairs that show whether the pages are about as alike
// as the threshold.
const firstPairs = 5

// first returns the pairs of a rule that were compared first, at most firstPairs.
func (a *attempt) first() (all []*tryPair) {
	for _, at := range a.touched {
		if p := &a.pairs[at.stratum][at.index]; p.seen != nil && p.seen.Compared != nil {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(p, q *tryPair) int { return cmp.Compare(p.seen.Number, q.seen.Number) })
	return all[:min(len(all), firstPairs)]
}

// nearThreshold reports whether the pages of the rule's first pairs are about as alike as
// the threshold τ_R: the median of their resemblances is within Options.Near of τ_R. Chance
// would decide a trial of such pages, and would decide otherwise in the next. The median is
// taken, and not the mean: four equal pages and one other page are not near a threshold.
// Pages that all differ in the same words are told apart by these words. Pages that differ
// from themselves are left to noise control. p is a pair that needs a second look first, or
// nil. O(pairs tried).
func (a *attempt) nearThreshold(j judge) (near bool, p *tryPair) {
	all := a.first()
	if len(all) < firstPairs {
		return false, nil
	}
	slices.SortStableFunc(all, func(p, q *tryPair) int { return cmp.Compare(p.seen.Compared.Alike, q.seen.Compared.Alike) })
	middle := all[firstPairs/2]
	median := middle.seen.Compared.Alike
	if median == 1 || math.Abs(median-a.threshold(j)) > j.o.Near || !slices.ContainsFunc(all, a.isUnsteady) {
		return false, nil
	}
	twice := slices.DeleteFunc(all, func(p *tryPair) bool { return p.seen.Second == nil })
	if len(twice) == 0 {
		return false, middle
	}
	return !slices.ContainsFunc(twice, func(p *tryPair) bool { return p.seen.Self < 1 }), nil
}

// isUnsteady reports whether the pages of a pair differ in other words than all pages of the
// rule, or in words that are not known.
func (a *attempt) isUnsteady(p *tryPair) bool {
	kind := a.kindOf(p)
	return kind != trial.Equal && kind != trial.Steady
}

// comparisons returns the comparisons of the pairs whose documents were there.
func (a *attempt) comparisons() (all []*trial.Compared) {
	for _, at := range a.touched {
		if r := a.pairs[at.stratum][at.index].seen; r != nil && r.Compared != nil {
			all = append(all, r.Compared)
		}
	}
	return all
}

// judgeWords judges a pair of pages that are hardly more alike than the threshold by the
// words in which the pages differ. Pages that show their own names prove nothing. Words of
// the page's own, which are not in its URL and not in every pair of the rule, make another
// page, unless a second look shows that the page differs from itself.
func (a *attempt) judgeWords(j judge, p *tryPair) {
	c := p.seen.Compared
	if p.outcome.Outcome != trial.Positive || c == nil || !c.Near(a.threshold(j)) {
		return
	}
	switch a.kindOf(p) {
	case trial.Name:
		p.outcome = trial.Judgement{Outcome: trial.Skip, Reason: trial.OwnName}
	case trial.Content:
		p.judgeContent(func(second *trial.Compared) bool { return p.seen.Self >= 1 && !second.SameText })
	}
}

// judgeContent judges a pair of pages that are alike as different if a second look confirms that
// they are other pages.
func (p *tryPair) judgeContent(confirms func(second *trial.Compared) bool) {
	if second := p.seen.Second; second == nil {
		p.doubt = true
	} else if second.Compared == nil || !confirms(second.Compared) {
		return
	}
	p.outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.OwnContent}
}

// kindOf returns what the pages of a pair differ in.
func (a *attempt) kindOf(p *tryPair) trial.Kind {
	ofU, ofV, _ := sketch.Differing(wordsOf(p.u), wordsOf(p.v), rule.MaxBytes)
	return a.differ.KindOf(p.seen.Compared, ofU, ofV)
}

// wordsOf returns the words of a URL. Escapes of letters are undone.
func wordsOf(url string) []uint32 {
	text := make([]byte, 0, len(url))
	for i := 0; i < len(url); i++ {
		c := url[i]
		if c == '%' && i+2 < len(url) {
			if b, err := strconv.ParseUint(url[i+1:i+3], 16, 8); err == nil {
				c, i = byte(b), i+2
			}
		}
		text = append(text, c)
	}
	return sketch.BagOf(text)
}

// threshold returns τ_R for pages without noise of their own.
func (a *attempt) threshold(j judge) float64 {
	return min(1, a.control.Threshold(j.book.noise.Threshold(j.o.Tau)))
}
