package trials

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// firstPairs is the number of a rule's pairs that show whether the pages are about as alike
// as the threshold.
const firstPairs = 5

// first returns the pairs of a rule that were compared first, at most firstPairs.
func (a *Trial) first() (all []*Pair) {
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.Seen != nil && p.Seen.Compared != nil {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(p, q *Pair) int { return cmp.Compare(p.Seen.Number, q.Seen.Number) })
	return all[:min(len(all), firstPairs)]
}

// NearThreshold reports whether the pages of the rule's first pairs are about as alike as
// the threshold τ_R: the median of their resemblances is within Options.Near of τ_R. Chance
// would decide a trial of such pages, and would decide otherwise in the next. The median is
// taken, and not the mean: four equal pages and one other page are not near a threshold.
// Pages that all differ in the same words are told apart by these words. Pages that differ
// from themselves are left to noise control. p is a pair that needs a second look first, or
// nil. O(pairs tried).
func (a *Trial) NearThreshold(j Judge) (near bool, p *Pair) {
	all := a.first()
	if len(all) < firstPairs {
		return false, nil
	}
	slices.SortStableFunc(all, func(p, q *Pair) int { return cmp.Compare(p.Seen.Compared.Alike, q.Seen.Compared.Alike) })
	middle := all[firstPairs/2]
	median := middle.Seen.Compared.Alike
	if median == 1 || math.Abs(median-a.Threshold(j)) > j.Options.Near || !slices.ContainsFunc(all, a.isUnsteady) {
		return false, nil
	}
	twice := slices.DeleteFunc(all, func(p *Pair) bool { return p.Seen.Second == nil })
	if len(twice) == 0 {
		return false, middle
	}
	return !slices.ContainsFunc(twice, func(p *Pair) bool { return p.Seen.Self < 1 }), nil
}

// isUnsteady reports whether the pages of a pair differ in other words than all pages of the
// rule, or in words that are not known.
func (a *Trial) isUnsteady(p *Pair) bool {
	kind := a.kindOf(p)
	return kind != trial.Equal && kind != trial.Steady
}

// looked returns the looks at the pairs whose documents were there.
func (a *Trial) looked() (all []trial.Looked) {
	for _, at := range a.Touched {
		if p := &a.Pairs[at.Stratum][at.Index]; p.Seen != nil && p.Seen.Compared != nil {
			all = append(all, p.looked())
		}
	}
	return all
}

// looked returns the looks at a pair whose documents were there.
func (p *Pair) looked() trial.Looked {
	l := trial.Looked{First: p.Seen.Compared, V: p.V}
	l.OfU, l.OfV = p.urls()
	if p.Seen.Second != nil {
		l.Second = p.Seen.Second.Compared
	}
	return l
}

// urls returns the words of the URL that was asked for, and those of v.
func (p *Pair) urls() (ofU, ofV []uint32) {
	if asked := p.Asked(); p.words == nil || p.words.asked != asked {
		p.words = &urlWords{asked, wordsOf(asked), wordsOf(p.V)}
	}
	return p.words.ofU, p.words.ofV
}

// urlWords are the words of the URLs of a pair.
type urlWords struct {
	asked    string
	ofU, ofV []uint32
}

// judgeWords judges a pair of pages that are alike by the words in which the pages differ. Words of a
// page's own, which are not in its URL and not in every pair of the rule, make it another page if a second
// look finds them again. Pages that are hardly more alike than the threshold and show their own names prove
// nothing.
func (a *Trial) judgeWords(j Judge, p *Pair) {
	c := p.Seen.Compared
	if p.Outcome.Outcome != trial.Positive || c == nil || c.Equal() {
		return
	}
	if j.isMoving(p.Seen) && c.Alike < a.Threshold(j) {
		if looked := p.looked(); !a.differ.LacksOwn(&looked) {
			p.Outcome = trial.Judgement{Outcome: trial.Skip, Reason: trial.Uncontrolled}
		}
		return
	}
	near := c.Near(a.Threshold(j))
	if !near && j.Options.Off.OwnWords {
		return
	}
	ofU, ofV := p.urls()
	if near {
		ofU, ofV = p.names()
	}
	switch kind := a.differ.KindOf(c, ofU, ofV); {
	case kind == trial.Name && near:
		p.Outcome = trial.Judgement{Outcome: trial.Skip, Reason: trial.OwnName}
	case kind != trial.Content:
	case near && p.Seen.Second == nil:
		p.Doubt, p.Outcome = true, trial.Judgement{Outcome: trial.Negative, Reason: trial.OwnContent}
	case p.Seen.Second == nil:
		p.Doubt = a.differ.NeedsLook(c) // the pair stays positive: most such pages only differ from themselves
	case p.hasOwn(j, a.differ):
		p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.OwnContent}
	}
}

// hasOwn reports whether two looks at a pair showed words of a page's own.
func (p *Pair) hasOwn(j Judge, d *trial.Differences) bool {
	looked := p.looked()
	if j.Options.Off.OwnWords {
		return p.Seen.Self >= 1 && looked.Second != nil && !looked.Second.Equal()
	}
	return d.HasOwn(&looked)
}

// judgeContent judges a pair of pages that are alike as different if a second look confirms that
// they are other pages.
func (p *Pair) judgeContent(confirms func(second *trial.Compared) bool) {
	if second := p.Seen.Second; second == nil {
		p.Doubt = true
	} else if second.Compared == nil || !confirms(second.Compared) {
		return
	}
	p.Outcome = trial.Judgement{Outcome: trial.Negative, Reason: trial.OwnContent}
}

// kindOf returns what the pages of a pair differ in.
func (a *Trial) kindOf(p *Pair) trial.Kind {
	if p.Seen.Compared.Equal() {
		return trial.Equal
	}
	ofU, ofV := p.names()
	return a.differ.KindOf(p.Seen.Compared, ofU, ofV)
}

// names returns the words that only one of the two URLs has.
func (p *Pair) names() (ofU, ofV []uint32) {
	ofU, ofV = p.urls()
	ofU, ofV, _ = sketch.Differing(ofU, ofV)
	return ofU, ofV
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

// Threshold returns τ_R for pages without noise of their own.
func (a *Trial) Threshold(j Judge) float64 {
	return min(1, a.Control.Threshold(j.Book.Noise.Threshold(j.Options.Tau)))
}

// Pages that are alike may still be two pages, as two versions of a long file are. Where most pairs
// of a rule show equal texts, the few pairs that differ in many words, or that are hardly more alike
// than the threshold, are outliers. So are such pairs of a form that an exception of a rule of L keeps as
// it is: among such forms alone, few texts are equal. A second look tells an outlier from a page that
// differs from itself.

// ownNoise is how many times as much as from itself a page must differ from another to be told from
// it.
const ownNoise = 2

// judgeOutliers judges the outliers of a rule as different, unless a page differs from itself hardly
// less. Pages that differ in the words of every pair are no outliers: see judgeWords. O(pairs tried +
// outliers · L · exceptions).
func (a *Trial) judgeOutliers(j Judge) {
	if j.Options.Off.Outliers {
		return
	}
	same, others := 0, 0
	var outliers []*Pair
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		switch {
		case p.Outcome.Outcome != trial.Positive || p.Seen == nil || p.Seen.Compared == nil:
			continue
		case p.Seen.Compared.SameText:
			same++
			continue
		case p.Seen.Compared.ManyWords || p.Seen.Compared.Near(a.Threshold(j)) && a.kindOf(p) != trial.Steady:
			outliers = append(outliers, p)
		}
		others++
	}
	mostAreEqual := same >= max(book.LeastPositives, others)
	for _, p := range outliers {
		if !mostAreEqual && !j.excepts(p.Form) {
			continue
		}
		p.judgeContent(func(second *trial.Compared) bool {
			return 1-max(p.Seen.Compared.Alike, second.Alike) > ownNoise*(1-p.Seen.Self)
		})
	}
}

// excepts reports whether an exception of a rule of L keeps a form as it is. O(L · exceptions).
func (j Judge) excepts(form string) bool {
	if j.View == nil {
		return false
	}
	for _, e := range j.View.List {
		if r := e.Rule; r.Excepts([]byte(form)) {
			r.Except = rule.Except{}
			if _, changed := r.Apply(nil, []byte(form)); changed {
				return true
			}
		}
	}
	return false
}

// mayCommon is the share of words that two pages that differ must have in common if they may be one page that
// never stands still.
const mayCommon = 0.5

// mayMove reports whether the pages of a rule may be pages that never stand still: no pair was looked at
// twice, and two pages that differ have most words in common. O(pairs tried).
func (a *Trial) mayMove(j Judge) (may bool) {
	if j.Options.Off.MovingPages {
		return false
	}
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		if p.Seen == nil || p.Seen.Compared == nil {
			continue
		}
		if p.Seen.Second != nil {
			return p.Seen.Self < trial.MovesBelow
		}
		may = may || p.Doubt && p.Seen.Compared.Common >= mayCommon
	}
	return may
}
