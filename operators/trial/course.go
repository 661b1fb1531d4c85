package trial

// Strata is the number of kinds of pairs.
const Strata = 4

// The strata.
const (
	Near    = iota // both URLs known, similar by size
	Apart          // both URLs known, not similar by size
	Unknown        // v not known
	Torn           // v not known, and several URLs with different sizes become v: some of them must be wrong
)

// Options decide when a trial ends.
type Options struct {
	Outcomes int     // N: number of outcomes that decide in any case. Default 100 (DustBuster, section 6.1)
	Epsilon  float64 // ε: bound of the share of negatives of a valid rule. Default 0.05
	Attempts int     // greatest number of tried pairs. Default 3N
	Minimum  int     // outcomes below which a rule without further pairs stays undecided. Default 10
	Stratum  int     // outcomes needed in each stratum before a bound decides. Default 5
}

// Defaults returns the paper's settings, with a Minimum of 10 and a Stratum of 5.
func Defaults() Options {
	return Options{Outcomes: 100, Epsilon: 0.05, Attempts: 300, Minimum: 10, Stratum: 5}
}

// Stratum counts the pairs of one kind.
type Stratum struct {
	Pairs     int // all pairs
	Positives int
	Negatives int
	Skipped   int
	Pending   int // being fetched
}

// Outcomes returns n_h.
func (s *Stratum) Outcomes() int { return s.Positives + s.Negatives }

// Left returns the number of untouched pairs.
func (s *Stratum) Left() int { return s.Pairs - s.Outcomes() - s.Skipped - s.Pending }

// counts reports whether the stratum has a weight in p.
func (s *Stratum) counts() bool { return s.Outcomes() > 0 }

// over reports whether the stratum has no further outcomes to come.
func (s *Stratum) over() bool { return s.Left() <= 0 && s.Pending == 0 }

// Course is the state of a trial.
type Course struct {
	Strata   [Strata]Stratum
	Returned int // pairs whose v leads back
}

// Add counts an outcome in a stratum, times times. -1 takes an outcome back.
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

// Sum returns the sum of the strata.
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

// leastShare is the least share used for a stratum in the choice of the next pair, so that
// the outcomes of a small stratum do not come last.
const leastShare = 0.2

// Next returns the stratum of the next pair. ok is false if no pair is left. First, each
// stratum that could refute the rule by itself is probed until the stratum has a positive
// or has refuted the rule. Most candidates are wrong, and probing saves half of the pairs
// of a wrong candidate. Then the stratum with the fewest outcomes for its share is chosen;
// among equal strata, the one in which a wrong rule shows first. Pairs being fetched count
// as outcomes.
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

// probe is the lower bound of the share of negatives in a stratum whose first
// leastNegatives outcomes are negative.
var probe = Lower(1, leastNegatives)

// Estimate returns p, the weighted share of negatives, and n, the size of a simple sample
// of equal precision. Strata without an outcome have no weight. If no stratum has an
// outcome, n is 0.
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

// Verdict is the state of a trial.
type Verdict uint8

// The verdicts.
const (
	Open      Verdict = iota // more pairs are needed
	Valid                    // the share of negatives is below ε
	Refuted                  // the share of negatives is above ε
	Undecided                // no verdict is possible
)

var verdicts = [...]string{"open", "valid", "refuted", "undecided"}

// String is the verdict's name in records.
func (v Verdict) String() string { return nameOf(verdicts[:], int(v)) }

// Decide returns the verdict on a rule that is not known to be valid. O(1), some
// microseconds for the bounds.
func (c *Course) Decide(o Options) Verdict {
	if c.futile(o) {
		return Refuted
	}
	return c.Stands(o)
}

// Stands returns the verdict on a rule that was found valid earlier. Stands is more lenient
// than Decide: a few changed pages do not retire a rule.
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

// ripe reports whether every stratum has enough outcomes for a bound, or all possible
// outcomes.
func (c *Course) ripe(o Options) bool {
	for h := range c.Strata {
		if s := &c.Strata[h]; s.Outcomes() < o.Stratum && !s.over() {
			return false
		}
	}
	return true
}

// hopeless reports whether one stratum alone has a lower bound above ε, with all other
// strata taken as positive: p is at least w_h p_h. A wrong rule then need not wait for all
// strata. On a simulated site this halved the fetches.
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

// futile reports whether the bound would not be below ε at N outcomes even if all further
// outcomes were positive. Such a rule is given up at once at no loss, and its known
// outcomes indicate where the rule may hold.
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

// leastNegatives is the number of negatives needed to refute a rule by one stratum. A rule
// with 3 % of negatives begins with three negatives with a probability of 3 in 100,000.
const leastNegatives = 3
