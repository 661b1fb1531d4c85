package trial

import "math"

// Strata is the number of kinds of pairs.
const Strata = 5

// The strata.
const (
	Near    = iota // both URLs known, similar by size
	Apart          // both URLs known, not similar by size
	Unknown        // v not known
	Torn           // v not known, and several URLs with different sizes become v: some of them must be wrong
	Odd            // both URLs known, and their sizes differ unlike those of the rule's other pairs
)

// Options decide when a trial ends.
type Options struct {
	Outcomes int     // N: number of outcomes that decide in any case. Default 100 (DustBuster, section 6.1)
	Epsilon  float64 // ε: bound of the share of negatives of a valid rule. Default 0.05
	Attempts int     // greatest number of tried pairs. Default 3N
	Minimum  int     // outcomes below which a rule without further pairs stays undecided. Default 10
	Stratum  int     // outcomes needed in each stratum before a bound decides. Default 5
	Fresh    int     // outcomes needed besides those for which the rule's scope was chosen. Default 30
	First    int     // outcomes without a negative after which a rule holds provisionally; 0: no rule does. Default 20
}

// Defaults returns the paper's settings, with a Minimum of 10, a Stratum of 5, 30 fresh outcomes and a
// first step of 20.
func Defaults() Options {
	return Options{Outcomes: 100, Epsilon: 0.05, Attempts: 300, Minimum: 10, Stratum: 5, Fresh: 30, First: 20}
}

// Stratum counts the pairs of one kind.
type Stratum struct {
	Pairs     int // all pairs
	Positives int
	Negatives int
	Skipped   int
	Earlier   int // positives tried before the rule was given its last exception
	Awaited   int // being fetched
}

// Outcomes returns n_h.
func (s *Stratum) Outcomes() int { return s.Positives + s.Negatives }

// Left returns the number of untouched pairs.
func (s *Stratum) Left() int { return s.Pairs - s.Outcomes() - s.Skipped - s.Earlier - s.Awaited }

// counts reports whether the stratum has a weight in p.
func (s *Stratum) counts() bool { return s.Outcomes() > 0 }

// over reports whether the stratum has no further outcomes to come.
func (s *Stratum) over() bool { return s.Left() <= 0 && s.Awaited == 0 }

// Tally counts the outcomes of a trial by stratum, and decides when the trial ends.
//
// The pairs that suggested an exception of the rule cannot prove the rule with it. The positives among
// these pairs are Earlier. They count once no other pair is left. A rule with exceptions was chosen
// among several rules, so its bound holds with more confidence: see confidence.
type Tally struct {
	Strata     [Strata]Stratum
	Returned   int // pairs whose v leads back
	Exceptions int // exceptions that trials gave the rule
	Chosen     int // outcomes for which the rule's scope was chosen: they were known before
}

// Add counts an outcome in a stratum, times times. -1 takes an outcome back.
func (t *Tally) Add(stratum int, o Outcome, times int) {
	s := &t.Strata[stratum]
	switch o {
	case Positive:
		s.Positives += times
	case Negative:
		s.Negatives += times
	case Returned:
		s.Negatives += times
		t.Returned += times
	case Skip:
		s.Skipped += times
	}
}

// Sum returns the sum of the strata.
func (t *Tally) Sum() (sum Stratum) {
	for _, s := range t.Strata {
		sum.Pairs += s.Pairs
		sum.Positives += s.Positives
		sum.Negatives += s.Negatives
		sum.Skipped += s.Skipped
		sum.Earlier += s.Earlier
		sum.Awaited += s.Awaited
	}
	return sum
}

// leastShare is the least share used for a stratum in the choice of the next pair, so that
// the outcomes of a small stratum do not come last. A stratum with enough outcomes for a
// bound, none of them negative, is drawn by its own share: more outcomes of a small stratum
// would make the bound of all pairs hardly better.
const leastShare = 0.2

// share returns the share of a stratum in the choice of the next pair.
func (s *Stratum) share(all float64, o Options) float64 {
	share := float64(s.Pairs) / all
	if s.Negatives > 0 || s.Outcomes()+s.Awaited < o.Stratum {
		return max(share, leastShare)
	}
	return share
}

// Part returns the part of a pair for which an outcome of the stratum counts, if the rule has some
// pairs in all and the outcomes are taken for a simple sample: small strata are drawn more often than
// by their share.
func (s *Stratum) Part(all int) float64 {
	return min(1, float64(s.Pairs)/(leastShare*float64(max(1, all))))
}

// Next returns the stratum of the next pair. ok is false if no pair is left. First, each stratum that
// could refute the rule by itself is probed until it has a positive or has done so. Most candidates
// are wrong, and probing saves half of the pairs of a wrong candidate. Then a stratum that has too few
// outcomes for the first step is chosen, and then the one with the fewest outcomes for its share;
// among equal strata, the one in which a wrong rule shows first. Pairs being fetched count as outcomes.
func (t *Tally) Next(o Options) (stratum int, ok bool) {
	all, least, first := float64(t.Sum().Pairs), 0.0, false
	for _, h := range [Strata]int{Torn, Odd, Apart, Unknown, Near} {
		s := &t.Strata[h]
		if s.Left() > 0 && s.Positives == 0 && s.Outcomes()+s.Awaited < leastNegatives && float64(s.Pairs)/all*probe > o.Epsilon {
			return h, true
		}
	}
	for _, h := range [Strata]int{Torn, Odd, Apart, Near, Unknown} {
		s := &t.Strata[h]
		if s.Left() <= 0 {
			continue
		}
		need := float64(s.Outcomes()+s.Awaited) / s.share(all, o)
		if lacks := o.First > 0 && s.Outcomes()+s.Awaited < o.Stratum; !ok || lacks && !first || lacks == first && need < least {
			stratum, least, first, ok = h, need, lacks, true
		}
	}
	return stratum, ok
}

// probe is the lower bound of the share of negatives in a stratum whose first
// leastNegatives outcomes are negative.
var probe = Lower(1, leastNegatives)

// precision returns the size of a sample with replacement that tells as much as the
// stratum's outcomes. The outcomes are a sample without replacement of the N pairs that can
// have an outcome: that n outcomes miss all of D negatives has the probability
// (1 - n/N)^D, and N ln(N/(N-n)) outcomes with replacement miss D of many with the same
// probability.
func (s *Stratum) precision() float64 {
	n, all := float64(s.Outcomes()), float64(s.Pairs-s.Skipped)
	if n >= all {
		return all * math.Log(2*all)
	}
	return -all * math.Log1p(-n/all)
}

// Estimate returns p, the weighted share of negatives, and n, the size of a simple sample
// of equal precision. Strata without an outcome have no weight. If no stratum has an
// outcome, n is 0.
func (t *Tally) Estimate() (p, n float64) {
	all, variance := 0.0, 0.0
	for h := range t.Strata {
		if s := &t.Strata[h]; s.counts() {
			all += float64(s.Pairs)
		}
	}
	for h := range t.Strata {
		if s := &t.Strata[h]; s.counts() {
			w, outcomes := float64(s.Pairs)/all, float64(s.Outcomes())
			p += w * float64(s.Negatives) / outcomes
			variance += w * w / s.precision()
		}
	}
	if variance == 0 {
		return 0, 0
	}
	return p, 1 / variance
}

// Decision is the result of a trial so far.
type Decision uint8

// The decisions.
const (
	Open      Decision = iota // more pairs are needed
	Valid                     // the share of negatives is below ε
	Refuted                   // the share of negatives is above ε
	Undecided                 // no other decision is possible
	Joins                     // the rule holds provisionally, and more pairs are needed for its proof
)

var decisions = [...]string{"open", "valid", "refuted", "undecided", "joins"}

// String is the decision's name in JSON.
func (v Decision) String() string { return nameOf(decisions[:], int(v)) }

// confidence returns the confidence with which the upper bound of the share of negatives
// must hold: 1 - 0.05 / (1 + e) for a rule with e exceptions.
func (t *Tally) confidence() float64 { return 1 - (1-confidence)/float64(1+t.Exceptions) }

// upper returns the upper bound of a share for the rule's number of exceptions.
func (t *Tally) upper(p, n float64) float64 { return Upper(p, n, t.confidence()) }

// Bound returns the upper bound of the share of negatives.
func (t *Tally) Bound() float64 {
	counted := t.counted(0)
	return t.upper(counted.Estimate())
}

// Proof returns the sum of the strata with the pairs that Bound counts: the earlier positives are
// among the positives, or are left out.
func (t *Tally) Proof() Stratum {
	counted := t.counted(0)
	return counted.Sum()
}

// counted returns the tally with the earlier positives among the positives if no other pair
// is left, and the rule was proved by other pairs, or by all of its pairs: at least Minimum
// outcomes came after the exception, or no pair was skipped.
func (t *Tally) counted(minimum int) Tally {
	all := *t
	if sum := t.Sum(); !sum.over() || sum.Outcomes() < minimum && sum.Skipped > 0 {
		return all
	}
	for h := range all.Strata {
		s := &all.Strata[h]
		s.Positives, s.Earlier = s.Positives+s.Earlier, 0
	}
	return all
}

// outcomes returns N for the rule: at least as many outcomes as the bound needs.
func (t *Tally) outcomes(o Options) int {
	return max(o.Outcomes, o.enoughOf(manyPairs, t.confidence()))
}

// Decide returns the decision on a rule that is not known to be valid. O(1), some
// microseconds for the bounds.
func (t *Tally) Decide(o Options) Decision {
	counted := t.counted(o.Minimum)
	if counted.futile(o) {
		return Refuted
	}
	return counted.stands(o)
}

// Stands returns the decision on a rule that was found valid earlier. Stands is more lenient
// than Decide: a few changed pages do not retire a rule.
func (t *Tally) Stands(o Options) Decision {
	counted := t.counted(o.Minimum)
	return counted.stands(o)
}

func (t *Tally) stands(o Options) Decision {
	o.Outcomes = t.outcomes(o)
	sum := t.Sum()
	outcomes := sum.Outcomes()
	p, n := t.Estimate()
	switch {
	case t.Returned > 0:
		return Refuted
	case t.ripe(o) && t.upper(p, n) < o.Epsilon:
		return t.ifFresh(o)
	case t.ripe(o) && Lower(p, n) > o.Epsilon, t.hopeless(o):
		return Refuted
	case outcomes >= o.Outcomes && p < o.Epsilon, sum.over() && outcomes >= o.Minimum && sum.Negatives == 0:
		return t.ifFresh(o)
	case outcomes >= o.Outcomes, sum.over() && outcomes >= o.Minimum:
		return Refuted // a rule of few pairs must hold for all of them
	case sum.over() || outcomes+sum.Skipped >= o.Attempts:
		return Undecided
	}
	return Open
}

// ifFresh returns Valid if enough outcomes came after the rule's scope was chosen, or no pair
// is left.
func (t *Tally) ifFresh(o Options) Decision {
	sum := t.Sum()
	switch outcomes := sum.Outcomes(); {
	case t.Chosen == 0 || sum.over() || outcomes-t.Chosen >= o.Fresh:
		return Valid
	case outcomes+sum.Skipped >= o.Attempts:
		return Undecided
	}
	return Open
}

// MayJoin reports whether a rule whose decision is open holds provisionally: no outcome is negative,
// First outcomes came after the rule's scope or exception was chosen, every stratum has enough of them,
// all odd pairs were tried, and no more pairs were skipped than had an outcome.
func (t *Tally) MayJoin(o Options) bool {
	sum := t.Sum()
	return o.First > 0 && sum.Negatives == 0 && sum.Outcomes()-t.Chosen >= o.First && sum.Skipped <= sum.Outcomes() &&
		t.ripe(o) && t.Strata[Odd].over()
}

// ripe reports whether every stratum has enough outcomes for a bound, or all possible
// outcomes.
func (t *Tally) ripe(o Options) bool {
	for h := range t.Strata {
		if s := &t.Strata[h]; s.Outcomes() < o.Stratum && !s.over() {
			return false
		}
	}
	return true
}

// hopeless reports whether one stratum alone has a lower bound above ε, with all other
// strata taken as positive: p is at least w_h p_h. A wrong rule then need not wait for all
// strata. On a simulated site this halved the fetches.
func (t *Tally) hopeless(o Options) bool {
	all := float64(t.Sum().Pairs)
	for h := range t.Strata {
		s := &t.Strata[h]
		n := float64(s.Outcomes())
		if s.Negatives >= leastNegatives && float64(s.Pairs)/all*Lower(float64(s.Negatives)/n, n) > o.Epsilon {
			return true
		}
	}
	return false
}

// futile reports whether the bound would not be below ε at N outcomes even if all further outcomes
// were positive. Such a rule is given up at once at no loss, and its known outcomes indicate where it
// may hold.
func (t *Tally) futile(o Options) bool {
	sum := t.Sum()
	if sum.Negatives == 0 {
		return false
	}
	o.Outcomes = t.outcomes(o)
	more, p := max(0, o.Outcomes-sum.Outcomes()), 0.0
	for h := range t.Strata {
		if s := &t.Strata[h]; s.Negatives > 0 {
			w, outcomes := float64(s.Pairs)/float64(sum.Pairs), s.Outcomes()+min(more, s.Left()+s.Awaited)
			p += w * float64(s.Negatives) / float64(outcomes)
		}
	}
	return t.upper(p, float64(min(o.Outcomes, sum.Pairs-sum.Skipped-sum.Earlier))) >= o.Epsilon
}

// leastNegatives is the number of negatives needed to refute a rule by one stratum. A rule
// with 3 % of negatives begins with three negatives with a probability of 3 in 100,000.
const leastNegatives = 3
