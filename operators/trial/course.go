package trial

// Strata is how many kinds of pairs there are.
const Strata = 4

// The strata.
const (
	Near    = iota // both URLs known, similar by size
	Apart          // both known, not similar
	Unknown        // v not known
	Torn           // v not known, and URLs that become it are not similar by size: some must be wrong
)

// Options decide when a trial ends.
type Options struct {
	Outcomes int     // N: so many decide in any case. Default 100 (DustBuster, section 6.1)
	Epsilon  float64 // ε: the share of negatives that a valid rule stays below. Default 0.05
	Attempts int     // pairs tried at most. Default 3N
	Minimum  int     // outcomes below which a rule that has no more pairs stays undecided. Default 10
	Stratum  int     // outcomes that each stratum has before a bound decides. Default 5
}

// Defaults are the paper's settings, and 10 and 5.
func Defaults() Options {
	return Options{Outcomes: 100, Epsilon: 0.05, Attempts: 300, Minimum: 10, Stratum: 5}
}

// Stratum counts the pairs of one kind.
type Stratum struct {
	Pairs     int // all there are
	Positives int
	Negatives int
	Skipped   int
	Pending   int // being fetched
}

// Outcomes is n_h.
func (s *Stratum) Outcomes() int { return s.Positives + s.Negatives }

// Left is how many pairs have not been touched.
func (s *Stratum) Left() int { return s.Pairs - s.Outcomes() - s.Skipped - s.Pending }

// counts tells whether the stratum has a weight in p.
func (s *Stratum) counts() bool { return s.Outcomes() > 0 }

// over tells whether nothing more will come of the stratum.
func (s *Stratum) over() bool { return s.Left() <= 0 && s.Pending == 0 }

// Course is a trial under way.
type Course struct {
	Strata   [Strata]Stratum
	Returned int // pairs that led back
}

// Add counts an outcome in a stratum, so many times; minus one takes it back.
func (c *Course) Add(stratum int, o Outcome, times int) {
	s := &c.Strata[stratum]
	switch o {
	case Positive:
		s.Positives += times
	case Negative:
		s.Negatives += times
	case Returned:
		s.Negatives += times
		c.Returned += times
	case Skip:
		s.Skipped += times
	}
}

// Sum adds the strata up.
func (c *Course) Sum() (sum Stratum) {
	for _, s := range c.Strata {
		sum.Pairs += s.Pairs
		sum.Positives += s.Positives
		sum.Negatives += s.Negatives
		sum.Skipped += s.Skipped
		sum.Pending += s.Pending
	}
	return sum
}

// leastShare is what the smallest stratum is taken for when the next pair is
// chosen, so that its outcomes do not come last.
const leastShare = 0.2

// Next is the stratum that the next pair is taken from; false if no pair is left.
// First each stratum that could refute the rule by itself is probed, until it has
// a positive or has refuted it: most candidates are wrong, and half of the pairs
// that a wrong one takes are spared. Then it is the one with the fewest outcomes for
// its share, among equals first where a wrong rule shows. Pairs being fetched count
// as outcomes to come.
func (c *Course) Next(o Options) (stratum int, ok bool) {
	all, least := float64(c.Sum().Pairs), 0.0
	for _, h := range [Strata]int{Torn, Apart, Unknown, Near} {
		s := &c.Strata[h]
		if s.Left() > 0 && s.Positives == 0 && s.Outcomes()+s.Pending < leastNegatives && float64(s.Pairs)/all*probe > o.Epsilon {
			return h, true
		}
	}
	for _, h := range [Strata]int{Torn, Apart, Near, Unknown} {
		s := &c.Strata[h]
		if s.Left() <= 0 {
			continue
		}
		need := float64(s.Outcomes()+s.Pending) / max(float64(s.Pairs)/all, leastShare)
		if !ok || need < least {
			stratum, least, ok = h, need, true
		}
	}
	return stratum, ok
}

// probe is the lower bound of the share of negatives in a stratum of which the
// first leastNegatives were negative.
var probe = Lower(1, leastNegatives)

// Estimate is p, the weighted share of negatives, and n, the size of the simple
// sample that would say as much. Strata without an outcome have no weight; n is 0
// if none has one.
func (c *Course) Estimate() (p, n float64) {
	all, variance := 0.0, 0.0
	for h := range c.Strata {
		if s := &c.Strata[h]; s.counts() {
			all += float64(s.Pairs)
		}
	}
	for h := range c.Strata {
		if s := &c.Strata[h]; s.counts() {
			w, outcomes := float64(s.Pairs)/all, float64(s.Outcomes())
			p += w * float64(s.Negatives) / outcomes
			variance += w * w / outcomes
		}
	}
	if variance == 0 {
		return 0, 0
	}
	return p, 1 / variance
}

// Verdict is how a trial stands.
type Verdict uint8

// The verdicts.
const (
	Open      Verdict = iota // more pairs are needed
	Valid                    // fewer negatives than ε
	Refuted                  // more
	Undecided                // it cannot be said
)

var verdicts = [...]string{"open", "valid", "refuted", "undecided"}

// String is the verdict's name in records.
func (v Verdict) String() string { return nameOf(verdicts[:], int(v)) }

// Decide says how the trial of a rule stands that is not known to be valid. O(1),
// some microseconds for the bounds.
func (c *Course) Decide(o Options) Verdict {
	if c.futile(o) {
		return Refuted
	}
	return c.Stands(o)
}

// Stands says whether a rule that was found valid still is. It is more lenient than
// Decide: a few pages that have changed are no reason to do without a rule.
func (c *Course) Stands(o Options) Verdict {
	sum := c.Sum()
	outcomes := sum.Outcomes()
	p, n := c.Estimate()
	switch {
	case c.Returned > 0:
		return Refuted
	case c.ripe(o) && Upper(p, n) < o.Epsilon:
		return Valid
	case c.ripe(o) && Lower(p, n) > o.Epsilon, c.hopeless(o):
		return Refuted
	case outcomes >= o.Outcomes && p < o.Epsilon, sum.over() && outcomes >= o.Minimum && sum.Negatives == 0:
		return Valid
	case outcomes >= o.Outcomes, sum.over() && outcomes >= o.Minimum:
		return Refuted // a rule of few pairs must hold for all of them
	case sum.over() || outcomes+sum.Skipped >= o.Attempts:
		return Undecided
	}
	return Open
}

// ripe tells whether every stratum has the outcomes that it should have before a
// bound is believed, or all that it can have.
func (c *Course) ripe(o Options) bool {
	for h := range c.Strata {
		if s := &c.Strata[h]; s.Outcomes() < o.Stratum && !s.over() {
			return false
		}
	}
	return true
}

// hopeless tells whether one stratum alone, all others taken as positive, has a
// lower bound above ε: p is at least w_h p_h. So a wrong rule need not wait for
// all strata: a simulated site was done with half of the fetches.
func (c *Course) hopeless(o Options) bool {
	all := float64(c.Sum().Pairs)
	for h := range c.Strata {
		s := &c.Strata[h]
		n := float64(s.Outcomes())
		if s.Negatives >= leastNegatives && float64(s.Pairs)/all*Lower(float64(s.Negatives)/n, n) > o.Epsilon {
			return true
		}
	}
	return false
}

// futile tells whether the bound would still not be below ε at N outcomes, even if
// all to come were positive. Nothing is lost by giving the rule up at once, and what
// is known of it tells where it may hold.
func (c *Course) futile(o Options) bool {
	sum := c.Sum()
	if sum.Negatives == 0 {
		return false
	}
	more, p := max(0, o.Outcomes-sum.Outcomes()), 0.0
	for h := range c.Strata {
		if s := &c.Strata[h]; s.Negatives > 0 {
			w, outcomes := float64(s.Pairs)/float64(sum.Pairs), s.Outcomes()+min(more, s.Left()+s.Pending)
			p += w * float64(s.Negatives) / float64(outcomes)
		}
	}
	return Upper(p, float64(min(o.Outcomes, sum.Pairs-sum.Skipped))) >= o.Epsilon
}

// leastNegatives are needed to refute a rule by one stratum: a rule with 3 % of
// negatives begins so with a chance of 3 in 100,000.
const leastNegatives = 3
