package trial

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// tail returns the probability of at most k successes in n trials with success probability
// p, as a sum of exact fractions.
func tail(k, n int64, p float64) float64 {
	chance := new(big.Rat).SetFloat64(p)
	not := new(big.Rat).Sub(big.NewRat(1, 1), chance)
	sum := new(big.Rat)
	for i := int64(0); i <= k; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(n, i))
		sum.Add(sum, term.Mul(term, power(chance, i)).Mul(term, power(not, n-i)))
	}
	f, _ := sum.Float64()
	return f
}

func power(x *big.Rat, n int64) *big.Rat {
	y := big.NewRat(1, 1)
	for range n {
		y.Mul(y, x)
	}
	return y
}

// At a bound of Clopper and Pearson, the sample's tail has exactly 5 %.
func TestBoundsAgainstSums(t *testing.T) {
	for _, n := range []int64{1, 2, 5, 10, 59, 100} {
		for k := int64(0); k <= n; k += max(1, n/7) {
			p := float64(k) / float64(n)
			if u := Upper(p, float64(n), confidence); k < n && math.Abs(tail(k, n, u)-0.05) > 1e-9 {
				t.Errorf("%d of %d: upper %v leaves %v below", k, n, u, tail(k, n, u))
			}
			if l := Lower(p, float64(n)); k > 0 && math.Abs(1-tail(k-1, n, l)-0.05) > 1e-9 {
				t.Errorf("%d of %d: lower %v leaves %v above", k, n, l, 1-tail(k-1, n, l))
			}
		}
	}
}

func TestBoundsTabulated(t *testing.T) {
	for _, c := range []struct{ k, n, lower, upper float64 }{
		{0, 0, 0, 1}, {0, 10, 0, 0.2589}, {10, 10, 0.7411, 1}, // 1 - 0.05^(1/10)
		{0, 58, 0, 0.0503}, {0, 59, 0, 0.0495}, // 59 is the least sample without a negative that is below 5 %
		{1, 10, 0.0051, 0.3942}, {5, 10, 0.2224, 0.7776}, {2, 20, 0.0181, 0.2826}, // tables of 90 % two-sided limits
	} {
		p := 0.0
		if c.n > 0 {
			p = c.k / c.n
		}
		if l, u := Lower(p, c.n), Upper(p, c.n, confidence); math.Abs(l-c.lower) > 5e-5 || math.Abs(u-c.upper) > 5e-5 {
			t.Errorf("%v of %v: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, l, u, c.lower, c.upper)
		}
	}
}

// Rules of judgement that meet in one pair are tested in all their orders.
func TestLook(t *testing.T) {
	page, moved := Document{Status: 200}, Document{Status: 200, Redirected: true, Target: "/w"}
	status := func(s int) Document { return Document{Status: s} }
	fails := func(f Failure) Document { return Document{Failure: f} }
	compared := Judgement{} // both documents were there
	for _, c := range []struct {
		name string
		u, v Document
		want Judgement
	}{
		{"pages", page, page, compared},
		{"v missing", page, status(404), Judgement{Negative, Missing}},
		{"v gone", page, status(410), Judgement{Negative, Missing}},
		{"v too long", page, status(414), Judgement{Negative, Missing}},
		{"v 401", page, status(401), Judgement{Skip, Refused}},
		{"v 403", page, status(403), Judgement{Skip, Refused}},
		{"v 408", page, status(408), Judgement{Skip, Refused}},
		{"v 429", page, status(429), Judgement{Skip, Refused}},
		{"v 503", page, status(503), Judgement{Skip, ServerError}},
		{"v 304", page, status(304), Judgement{Skip, OddStatus}},
		{"u missing", status(404), page, Judgement{Skip, SourceFailed}},
		{"u and v missing", status(404), status(404), Judgement{Skip, SourceFailed}},
		{"u times out", fails(Timeout), page, Judgement{Skip, SourceFailed}},
		{"v times out", page, fails(Timeout), Judgement{Skip, NoAnswer}},
		{"v too large", page, fails(TooLarge), Judgement{Skip, NoAnswer}},
		{"robots", page, fails(Robots), Judgement{Skip, NotAllowed}},
		{"action", page, fails(Action), Judgement{Skip, NotAllowed}},
		{"both to a third", moved, moved, Judgement{Skip, SameRedirect}},
		{"v moved", page, moved, compared},
		{"v moved to nothing", page, Document{Status: 404, Redirected: true, Target: "/w"}, Judgement{Negative, Missing}},
		{"u moved", moved, page, compared},
		{"u moved to v", Document{Status: 200, Redirected: true, Target: "/v"}, page, compared},
		{"v back to u", page, Document{Status: 200, Redirected: true, Target: "/u"}, Judgement{Returned, LeadsBack}},
		{"v to what maps", page, Document{Status: 200, Redirected: true, Target: "/again"}, Judgement{Returned, LeadsBack}},
		{"v to another site", page, Document{Status: 200, Redirected: true}, compared},
	} {
		p := Pair{U: "/u", V: "/v", Maps: func(s string) bool { return s == "/again" }}
		asked := false
		got := Look(p, c.u, c.v, func() Compared { asked = true; return Compared{} })
		if got.Judgement != c.want || asked != (c.want == compared) || asked != (got.Compared != nil) {
			t.Errorf("%s: %v %v, compared %v, want %v %v", c.name, got.Outcome, got.Reason, asked, c.want.Outcome, c.want.Reason)
		}
	}
}

// strata returns a tally with the given pairs, positives, negatives and skips.
func strata(counts ...[4]int) *Tally {
	c := &Tally{}
	for h, n := range counts {
		c.Strata[h] = Stratum{Pairs: n[0], Positives: n[1], Negatives: n[2], Skipped: n[3]}
	}
	return c
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name  string
		tally *Tally
		want  Decision
	}{
		{"nothing yet", strata([4]int{100}), Open},
		{"58 of one kind", strata([4]int{1e6, 58}), Open},
		{"59 of one kind", strata([4]int{1e6, 59}), Valid},
		{"56 of 500", strata([4]int{500, 56}), Valid},
		{"55 of 500", strata([4]int{500, 55}), Open},
		{"45 of 100", strata([4]int{100, 45}), Valid},
		{"44 of 100", strata([4]int{100, 44}), Open},
		{"59, another kind unseen", strata([4]int{1e6, 59}, [4]int{10}), Open},
		{"a kind that cannot be seen", strata([4]int{1e6, 59}, [4]int{10, 0, 0, 10}), Valid},
		{"a small kind seen whole", strata([4]int{1e6, 59}, [4]int{3, 3}), Valid},
		{"two negatives, nothing else", strata([4]int{1000, 0, 2}), Refuted},
		{"five outcomes, two negative", strata([4]int{1000, 3, 2}), Refuted},
		{"five outcomes, one negative", strata([4]int{1000, 4, 1}), Open},
		{"one negative, 92 outcomes", strata([4]int{1e6, 91, 1}), Open},
		{"one negative, 93 outcomes", strata([4]int{1e6, 92, 1}), Valid},
		{"one negative of too few", strata([4]int{90, 40, 1}), Refuted},
		{"two negatives", strata([4]int{1000, 60, 2}), Refuted},
		{"two of a small kind", strata([4]int{1000, 40}, [4]int{60, 5, 2}), Open},
		{"three of a small kind", strata([4]int{1000, 40}, [4]int{60, 5, 3}), Open},
		{"a third of a kind seen whole", strata([4]int{188, 10}, [4]int{12, 8, 4}), Refuted},
		{"all seen, few", strata([4]int{9, 9}), Undecided},
		{"all seen, enough", strata([4]int{10, 10}), Valid},
		{"all seen, one in ten negative", strata([4]int{10, 9, 1}), Refuted},
		{"N, below, and not shown", strata([4]int{1000, 96, 4}), Refuted},
		{"N, at ε", strata([4]int{1000, 95, 5}), Refuted},
		{"3N skips", strata([4]int{1000, 0, 0, 300}), Undecided},
		{"3N skips but one", strata([4]int{1000, 0, 0, 299}), Open},
		{"nothing to try", strata(), Undecided},
		{"led back", &Tally{Strata: [Strata]Stratum{{Pairs: 1000, Positives: 99, Negatives: 1}}, Returned: 1}, Refuted},
		{"the last being fetched", &Tally{Strata: [Strata]Stratum{{Pairs: 10, Positives: 9, Awaited: 1}}}, Open},
	} {
		if got := c.tally.Decide(Defaults()); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// One stratum is a simple sample. With several strata, p and n are compared with the sums
// written out.
func TestEstimate(t *testing.T) {
	if p, n := strata([4]int{1e9, 30, 10}).Estimate(); math.Abs(p-0.25) > 1e-12 || math.Abs(n-40) > 1e-3 {
		t.Errorf("one stratum: %v of %v", p, n)
	}
	c := strata([4]int{6e8, 20}, [4]int{3e8, 5, 5}, [4]int{1e8})
	w, v := 2.0/3, 1.0/3
	if p, n := c.Estimate(); math.Abs(p-v/2) > 1e-12 || math.Abs(n-1/(w*w/20+v*v/10)) > 1e-3 {
		t.Errorf("two strata: %v of %v", p, n)
	}
}

// A rule of few pairs needs fewer outcomes. The probability that a rule with more than ε of
// its pairs negative passes with the least number of outcomes is at most 5 %, computed
// exactly: the outcomes are drawn without replacement.
func TestFinitePopulation(t *testing.T) {
	for _, all := range []int{20, 37, 56, 90, 134, 200, 500, 2000} {
		n := 1
		for strata([4]int{all, n}).Decide(Defaults()) != Valid {
			n++
		}
		pass := 1.0
		for i := range int(0.05*float64(all)) + 1 {
			pass *= float64(all-n-i) / float64(all-i)
		}
		if pass > 0.05 || n > 59 || all < 200 && n > 50 {
			t.Errorf("%d outcomes of %d pairs: a wrong rule passes with %.3f", n, all, pass)
		}
	}
}

// In every world, a trial ends within its attempts, touches no pair twice, and keeps the
// required proportion.
func TestCourseEnds(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		c := &Tally{}
		for h := range c.Strata {
			c.Strata[h].Pairs = rng.IntN(1 + rng.IntN(400))
		}
		bad, skips := rng.Float64()*rng.Float64(), rng.Float64()
		attempts := 0
		for c.Decide(Defaults()) == Open {
			h, ok := c.Next(Defaults())
			if !ok || c.Strata[h].Left() <= 0 {
				t.Fatalf("seed %d: open with nothing to try: %+v", seed, c)
			}
			attempts++
			switch {
			case rng.Float64() < skips:
				c.Add(h, Skip, 1)
			case rng.Float64() < bad:
				c.Add(h, Negative, 1)
			default:
				c.Add(h, Positive, 1)
			}
		}
		if sum := c.Sum(); attempts > 300 || sum.Outcomes() > 100 || sum.Outcomes()+sum.Skipped != attempts {
			t.Fatalf("seed %d: %d attempts, %+v", seed, attempts, c)
		}
	}
}

// A small stratum is drawn early. Once it has enough positives for a bound and no negative, it is
// drawn by its share.
func TestNextProportion(t *testing.T) {
	for _, c := range []struct {
		draws, negatives int
		want             []int
	}{
		{15, 0, []int{5, 5, 5}}, // as many of each as the first step needs
		{100, 0, []int{90, 5, 5}},
		{130, 1, []int{90, 20, 20}},
	} {
		y := strata([4]int{9000}, [4]int{500}, [4]int{500})
		for n := range c.draws {
			h, _ := y.Next(Defaults())
			o := Positive
			if n > 20 && h > 0 && y.Strata[h].Negatives < c.negatives {
				o = Negative
			}
			y.Add(h, o, 1)
		}
		for h, want := range c.want {
			if got := y.Strata[h].Outcomes(); got < want-2 || got > want+2 {
				t.Errorf("%d draws: stratum %d has %d outcomes, want about %d", c.draws, h, got, want)
			}
		}
	}
}

// A verdict is reliable: few rules that are false in 6 % or more of their pairs pass, and
// all true rules pass.
func TestDecideIsRight(t *testing.T) {
	for _, c := range []struct {
		bad         [3]float64
		least, most int // valid verdicts out of 300
	}{
		{[3]float64{}, 300, 300},
		{[3]float64{0, 1, 0}, 0, 0},           // a tenth of the pairs, all wrong
		{[3]float64{0.15, 0.15, 0.15}, 0, 15}, // 15 %
		{[3]float64{0.005, 0.005, 0.005}, 270, 300},
	} {
		valid := 0
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 4))
			tally := strata([4]int{8000}, [4]int{1000}, [4]int{1000})
			for tally.Decide(Defaults()) == Open {
				h, _ := tally.Next(Defaults())
				o := Positive
				if rng.Float64() < c.bad[h] {
					o = Negative
				}
				tally.Add(h, o, 1)
			}
			if tally.Decide(Defaults()) == Valid {
				valid++
			}
		}
		if valid < c.least || valid > c.most {
			t.Errorf("negatives %v: %d of 300 valid, want %d to %d", c.bad, valid, c.least, c.most)
		}
	}
}

func TestNoise(t *testing.T) {
	var n Noise
	for _, c := range []struct {
		seen, want float64
		news       bool
	}{{1, 0.9, false}, {0.95, 0.9, true}, {0.85, 0.85, true}, {0.88, 0.85, false}, {0.2, 0.7, true}} {
		if news := n.Observe(c.seen); news != c.news || math.Abs(n.Threshold(0.9)-c.want) > 1e-12 {
			t.Errorf("seen %v: news %v, threshold %v, want %v", c.seen, news, n.Threshold(0.9), c.want)
		}
	}
}

func TestChange(t *testing.T) {
	if r := (Change{}).Rate(); r != 0 {
		t.Errorf("never tried again: %v", r)
	}
	if r := (Change{Again: 10, Changed: 3}).Rate(); math.Abs(r-math.Log(10.5/7.5)) > 1e-12 {
		t.Errorf("3 of 10: %v", r)
	}
	if r := (Change{Again: 10, Changed: 10}).Rate(); math.Abs(r-math.Log(21)) > 1e-12 {
		t.Errorf("all: %v", r)
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		budget int
		rules  []Change
		want   []int
	}{
		{100, nil, []int{}},
		{100, []Change{{}, {}}, []int{50, 50}},
		{100, []Change{{10, 0}, {10, 3}}, []int{10, 90}},
		{100, []Change{{10, 3}, {10, 3}, {5, 0}}, []int{45, 45, 10}},
		{5, []Change{{}, {}}, []int{10, 10}}, // the floors are kept
	} {
		got := Share(c.budget, 10, c.rules)
		for i := range c.want {
			if len(got) != len(c.want) || got[i] != c.want[i] {
				t.Errorf("%d among %v: %v, want %v", c.budget, c.rules, got, c.want)
				break
			}
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for r := range reasonsCount {
		if seen[r.String()] {
			t.Errorf("reason %d: %q twice", r, r)
		}
		seen[r.String()] = true
	}
	if Outcome(200).String() != "unknown" || Returned.String() != "returned" || Undecided.String() != "undecided" {
		t.Error("names")
	}
}

// The bounds hold for all counts.
func FuzzDecide(f *testing.F) {
	f.Add(uint8(3), uint8(3), uint8(1), uint8(0), uint8(9), uint8(0))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g uint8) {
		tally := strata([4]int{int(a) + int(b) + int(g), int(a), int(b), 0}, [4]int{int(c) + int(d) + int(e), int(c), int(d), int(e)})
		p, n := tally.Estimate()
		l, u := Lower(p, n), Upper(p, n, confidence)
		if !(0 <= l && l <= p+1e-9 && p <= u+1e-9 && u <= 1) {
			t.Fatalf("p %v of %v lies not within %v and %v", p, n, l, u)
		}
		tally.Decide(Defaults())
	})
}

// Prospect is compared with a simulation of rules and their outcomes.
func TestProspect(t *testing.T) {
	o := Defaults()
	for _, c := range []struct {
		prior            float64
		positives, pairs int
	}{{0.1, 0, 1000}, {0.1, 5, 1000}, {0.1, 30, 1000}, {0.02, 0, 1000}, {0.3, 10, 20}} {
		rng := rand.New(rand.NewPCG(5, 6))
		worlds, held, outcomes, enough := 0, 0, 0, c.positives
		for strata([4]int{c.pairs, enough}).Decide(o) != Valid {
			enough++
		}
		enough = min(enough, c.positives+o.First) // then it holds provisionally
		for range 200_000 {
			bad := rng.Float64()
			if rng.Float64() < c.prior {
				bad = 0
			}
			known := 0
			for known < c.positives && rng.Float64() >= bad {
				known++
			}
			if known < c.positives {
				continue
			}
			worlds++
			if bad == 0 {
				held++
			}
			for n := c.positives; n < enough; n++ {
				if outcomes++; rng.Float64() < bad {
					break
				}
			}
		}
		holds, expected := o.Prospect(c.prior, c.positives, c.pairs)
		gotHolds, got := float64(held)/float64(worlds), float64(outcomes)/float64(worlds)
		if math.Abs(holds-gotHolds) > 0.02 || math.Abs(expected-got) > 0.03*got {
			t.Errorf("%+v: holds %.3f after %.1f outcomes; drawn: %.3f, %.1f", c, holds, expected, gotHolds, got)
		}
	}
	if _, last := o.Prospect(0.1, 10, 10); last < 1 {
		t.Errorf("no outcome is left, and the worth would have no bound: %v", last)
	}
}

// A rule with e exceptions needs 59, 72, 80 outcomes without a negative: its bound holds with
// the confidence 1 - 0.05 / (1 + e).
func TestExceptionsNeedMore(t *testing.T) {
	for e, want := range []int{59, 72, 80, 86} {
		tally := Tally{Exceptions: e}
		tally.Strata[Near].Pairs = 10_000
		n := 0
		for ; tally.Decide(Defaults()) == Open; n++ {
			tally.Add(Near, Positive, 1)
		}
		if got := tally.Decide(Defaults()); got != Valid || n != want || tally.Bound() >= 0.05 {
			t.Errorf("%d exceptions: %s after %d outcomes, bound %.4f; want %d", e, got, n, tally.Bound(), want)
		}
	}
	tally := Tally{Exceptions: 23} // the most that a rule can have: N is not enough
	tally.Strata[Near].Pairs = 10_000
	tally.Add(Near, Positive, 119)
	if got := tally.Decide(Defaults()); got != Open {
		t.Errorf("23 exceptions, 119 outcomes: %s", got)
	}
	tally.Add(Near, Positive, 2)
	if got := tally.Decide(Defaults()); got != Valid {
		t.Errorf("23 exceptions, 121 outcomes: %s", got)
	}
}

// Earlier positives prove nothing while pairs are left, and count when none is left.
func TestEarlier(t *testing.T) {
	tally := Tally{Exceptions: 1}
	tally.Strata[Near] = Stratum{Pairs: 100, Earlier: 60}
	tally.Add(Near, Positive, 20)
	if got := tally.Decide(Defaults()); got != Open {
		t.Errorf("20 outcomes, 20 pairs left: %s", got)
	}
	if sum := tally.Sum(); sum.Outcomes() != 20 || sum.Left() != 20 {
		t.Errorf("%+v", sum)
	}
	if proof := tally.Proof(); proof.Outcomes() != 20 {
		t.Errorf("20 pairs left: the bound is of %+v", proof)
	}
	tally.Add(Near, Positive, 20)
	if got := tally.Decide(Defaults()); got != Valid || tally.Bound() >= 0.05 {
		t.Errorf("all pairs tried: %s, bound %.3f", got, tally.Bound())
	}
	if proof := tally.Proof(); proof.Outcomes() != 100 {
		t.Errorf("all pairs tried: the bound is of %+v", proof)
	}
}

// The positives that suggested an exception count once no other pair is left, unless pairs were
// skipped and hardly any outcome came after it.
func TestEarlierNeedsOutcomes(t *testing.T) {
	for _, c := range []struct {
		positives, earlier, skipped, left int
		want                              Decision
	}{
		{0, 20, 0, 0, Valid},
		{0, 20, 3, 0, Undecided},
		{9, 20, 3, 0, Undecided},
		{10, 20, 3, 0, Valid},
		{10, 20, 3, 5, Open},
	} {
		y := Tally{Exceptions: 1}
		y.Strata[Near] = Stratum{Pairs: c.positives + c.earlier + c.skipped + c.left, Positives: c.positives, Earlier: c.earlier, Skipped: c.skipped}
		if got := y.Decide(Defaults()); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A rule whose scope was chosen for known outcomes needs 30 other outcomes, or all.
func TestFresh(t *testing.T) {
	for _, c := range []struct {
		positives, chosen, left int
		want                    Decision
	}{
		{50, 0, 900, Open}, {60, 0, 900, Valid}, {60, 30, 900, Valid}, {60, 31, 900, Open}, {61, 31, 900, Valid}, {60, 59, 0, Valid}, {99, 70, 900, Open},
	} {
		y := Tally{Chosen: c.chosen}
		y.Strata[Near] = Stratum{Pairs: c.positives + c.left, Positives: c.positives}
		if got := y.Decide(Defaults()); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// An outcome of a stratum of a fifth of all pairs, or more, counts in full.
func TestPart(t *testing.T) {
	for _, c := range []struct {
		pairs, all int
		want       float64
	}{{0, 0, 0}, {100, 100, 1}, {20, 100, 1}, {10, 100, 0.5}, {1, 100, 0.05}} {
		s := Stratum{Pairs: c.pairs}
		if got := s.Part(c.all); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A rule holds provisionally after 20 outcomes without a negative, with enough in each stratum, all odd
// pairs tried, and no more skips than outcomes. What chose its scope does not count.
func TestMayJoin(t *testing.T) {
	holds := func() *Tally {
		y := new(Tally)
		y.Strata[Near] = Stratum{Pairs: 900, Positives: 12}
		y.Strata[Unknown] = Stratum{Pairs: 100, Positives: 5}
		y.Strata[Odd] = Stratum{Pairs: 3, Positives: 3}
		return y
	}
	for _, c := range []struct {
		name   string
		change func(y *Tally)
		want   bool
	}{
		{"holds", func(*Tally) {}, true},
		{"too few", func(y *Tally) { y.Strata[Near].Positives-- }, false},
		{"a negative", func(y *Tally) { y.Strata[Near].Negatives++ }, false},
		{"a stratum of too few", func(y *Tally) { y.Strata[Apart].Pairs = 6; y.Strata[Apart].Positives = 4 }, false},
		{"a stratum that is over", func(y *Tally) { y.Strata[Apart].Pairs = 4; y.Strata[Apart].Positives = 4 }, true},
		{"an odd pair left", func(y *Tally) { y.Strata[Odd].Pairs++ }, false},
		{"an odd pair being tried", func(y *Tally) { y.Strata[Odd].Pairs++; y.Strata[Odd].Awaited++ }, false},
		{"as many skips", func(y *Tally) { y.Strata[Near].Skipped = 20 }, true},
		{"more skips", func(y *Tally) { y.Strata[Near].Skipped = 21 }, false},
		{"earlier ones are no more", func(y *Tally) { y.Strata[Near].Positives--; y.Strata[Near].Earlier = 50 }, false},
		{"chosen by some", func(y *Tally) { y.Chosen = 1 }, false},
		{"chosen, and more since", func(y *Tally) { y.Chosen = 7; y.Strata[Near].Positives += 7 }, true},
	} {
		y := holds()
		c.change(y)
		if got := y.MayJoin(Defaults()); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	o := Defaults()
	if o.First = 0; holds().MayJoin(o) {
		t.Error("there is no first step")
	}
}

// 20 outcomes show a share of negatives below .14, as published with a provisional rule.
func TestFirstStepBound(t *testing.T) {
	y := Tally{}
	y.Strata[Near] = Stratum{Pairs: 1e6, Positives: 20}
	if b := y.Bound(); b < 0.13 || b > 0.14 {
		t.Errorf("%.4f", b)
	}
}
