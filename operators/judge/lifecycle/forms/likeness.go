package forms

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// A rule that holds for most of its pages changes their sizes in the same way: not at all, by
// the length of the URL, or by some share. The pairs whose sizes differ in another way are where the
// rule is wrong, if it is wrong anywhere. These pairs are odd. A trial tries all of them, so a
// few wrong pages among many are found that a random sample of all pairs would miss.

// oddShare is the least number of pairs with known sizes for one odd pair.
const oddShare = 8

// odd returns the forms of the odd pairs of a rule: at most as many as a stratum needs
// outcomes. O(moves · log).
func (w *View) odd(f *Forms, moves []Move) map[int32]bool {
	type pair struct {
		form int32
		by   float64 // logarithm of the ratio of the sizes; then the distance from the median
	}
	var pairs []pair
	for _, v := range moves {
		if v.Known < 0 {
			continue
		}
		if by, ok := ratio(f.evidence(v.Form), f.evidence(v.Known)); ok {
			pairs = append(pairs, pair{v.Form, by})
		}
	}
	n := min(w.Options.Trial.Stratum, len(pairs)/oddShare)
	if n == 0 || w.Options.Off.OddPairs {
		return nil
	}
	slices.SortFunc(pairs, func(p, q pair) int { return cmp.Compare(p.by, q.by) })
	median := pairs[len(pairs)/2].by
	for i := range pairs {
		pairs[i].by = math.Abs(pairs[i].by - median)
	}
	slices.SortFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.by, p.by), strings.Compare(f.Texts[p.form], f.Texts[q.form]))
	})
	odd := map[int32]bool{}
	for _, p := range pairs[:n] {
		if p.by > 0 {
			odd[p.form] = true
		}
	}
	return odd
}

// ratio returns the logarithm of the ratio of two pages' sizes in the first class common to
// both. ok is false if there is none, or if both pages have a digest.
func ratio(u, v evidence.Spans) (by float64, ok bool) {
	if u.HasDigest() && v.HasDigest() {
		return 0, false
	}
	for _, s := range u.Sizes() {
		for _, t := range v.Sizes() {
			if s.Class == t.Class && s.Max > 0 && t.Max > 0 {
				return math.Log(float64(s.Max) / float64(t.Max)), true
			}
		}
	}
	return 0, false
}

// The log shows which few pages of a rule have other sizes after the edit. If the first of these pages
// are found wrong, the rule is given an exception for all of them: the trial need not find the others
// one by one, and none of them is merged. The log names the exception, and not the outcomes of other
// pairs, so these prove the rule with it as they proved the rule without.

// unlikeShare is the least number of pairs with known sizes for one unlike pair. A rule with more
// unlike pairs is not given an exception for them: of the URLs that the log does not hold yet, the
// rule is expected to merge the same share falsely, and that must be below ε.
const unlikeShare = 20

// Likeness says what the log knows about the pages of a pair.
type Likeness uint8

// The values of Likeness.
const (
	notCompared Likeness = iota // the log lacks comparable sizes
	AlikeInLog
	UnlikeInLog
)

// likenesses returns the likeness of the pairs of a rule, by form. Sizes are unlike if they differ by
// more than the tolerance, or at all if most of the rule's pairs have equal sizes. O(moves).
func (w *View) likenesses(f *Forms, moves []Move) map[int32]Likeness {
	similarity := w.Options.Miner.Envelope.Similarity
	if similarity.Off {
		return nil
	}
	near, equal := map[int32]Likeness{}, map[int32]Likeness{}
	unequal := 0
	for _, v := range moves {
		if v.Known < 0 {
			continue
		}
		from, to := f.evidence(v.Form), f.evidence(v.Known)
		if !similarity.Comparable(from, to) {
			continue
		}
		near[v.Form], equal[v.Form] = AlikeInLog, AlikeInLog
		if !similarity.Similar(from, to) {
			near[v.Form] = UnlikeInLog
		}
		if !(evidence.Similarity{}).Similar(from, to) {
			equal[v.Form] = UnlikeInLog
			unequal++
		}
	}
	if 2*unequal <= len(equal) {
		return equal
	}
	return near
}

// forgetLikenesses takes all pairs as pairs that the log cannot compare.
func forgetLikenesses(pairs *[trial.Strata][]Pair) {
	for h := range pairs {
		for i := range pairs[h] {
			pairs[h][i].Likeness = notCompared
		}
	}
}

// UnlikeForms returns the forms of the unlike pairs, if a rule may be given an exception for all of
// them: they are few, and the pairs that the log cannot compare are so few that less than one unlike
// pair is expected among them.
func UnlikeForms(pairs iter.Seq[*Pair]) (forms []string) {
	known, others := 0, 0
	for p := range pairs {
		switch p.Likeness {
		case UnlikeInLog:
			forms = append(forms, p.Form)
			known++
		case AlikeInLog:
			known++
		default:
			others++
		}
	}
	if n := len(forms); n > rule.MaxExceptURLs || n*unlikeShare > known || n*others >= known {
		return nil
	}
	return forms
}
