package lifecycle

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The worth of a trial is gain · P / E. P is the probability that the rule holds. E is the number of documents
// that the trial will request: the pairs that it draws first are known, and some have a result. For a new candidate P comes from its grounds, what the log says for
// it, and from the site's verdicts on candidates of the same kind and grounds. P is lower if documents that are
// known already show that pairs of the candidate differ. For a narrowed candidate the known pairs are counted.

// chooser chooses the candidate to try next.
type chooser struct {
	candidates
	shown *shownForms
}

// chooserOf returns the chooser at a time.
func chooserOf(li *life, now int64) *chooser {
	j := li.judge(now)
	if li.shown == nil {
		li.shown = &shownForms{counts: map[book.GainKey]shownPairs{}}
	}
	li.shown.Judge = j
	return &chooser{candidates: candidates{j, li.candidates}, shown: li.shown}
}

// choose returns the candidate of greatest worth, and a late candidate if no other has gain. Ties are
// broken by list order. ok is false if no candidate gains MinGain and has the pairs that a verdict
// needs. It depends only on L, the window, the candidates and the acts.
func (c *chooser) choose(open []book.Candidate) (best book.Candidate, ok bool) {
	if n, ok := c.resumed(open); ok {
		return n, true
	}
	var usual, late []book.Candidate
	for _, n := range open {
		if n.Late {
			late = append(late, n)
		} else {
			usual = append(usual, n)
		}
	}
	if best, ok = c.best(usual); ok {
		if !c.Options.Off.General {
			best = c.View.General(best, usual)
		}
		return best, true
	}
	return c.best(late)
}

// best returns the candidate of greatest worth. What is cheap to compute bounds the worth: the number of forms that could
// be touched, then the gain with the pairs that are known. The candidate of greatest bound is looked at closer, until its
// worth is known. Candidates that are not among the best cost no more than their bounds.
func (c *chooser) best(open []book.Candidate) (best book.Candidate, ok bool) {
	chance := c.chances()
	all := make([]bound, len(open))
	for i := range open {
		n := &open[i]
		if all[i] = (bound{c: n}); n.Within {
			all[i].worth, all[i].exact = c.narrowedWorth(n), true
		} else {
			all[i].worth = worthOf(c.Options, chance(n), c.View.Most(n), leastCost)
		}
	}
	queue := bounds(slices.DeleteFunc(all, func(b bound) bool { return b.worth == 0 }))
	heap.Init(&queue)
	for len(queue) > 0 && !queue[0].exact {
		b := &queue[0]
		if b.worth, b.exact = c.closer(b, chance(b.c)); b.worth == 0 {
			heap.Pop(&queue)
		} else {
			heap.Fix(&queue, 0)
		}
	}
	if len(queue) == 0 {
		return best, false
	}
	return *queue[0].c, true
}

// closer returns the next bound of a candidate's worth, or the worth.
func (c *chooser) closer(b *bound, chance float64) (worth float64, exact bool) {
	if b.gained {
		return c.worth(b.c, chance), true
	}
	b.gained = true
	return min(b.worth, c.mostWorth(b.c, chance)), false
}

// mostWorth bounds a worth by the gain and the number of pairs that are known: they would be drawn first, and no more
// than the fewest outcomes of a verdict would be needed.
func (c *chooser) mostWorth(n *book.Candidate, chance float64) float64 {
	gain := c.View.Gain(n)
	if gain < c.Options.MinGain {
		return 0
	}
	least := min(c.Options.Trial.Minimum, c.Options.More(n, gain, len(c.View.Forms.Texts), c.Options.Trial.Minimum, 0))
	known := 0
	for range c.View.KnownMoves(n) {
		if known++; known == least {
			break
		}
	}
	holds, cost := c.Options.Trial.Price(chance, 0, least, func(i int) float64 {
		if i < known {
			return leastCost
		}
		return mostCost
	})
	return float64(gain) * holds / cost
}

// ranked returns the candidates that may be tried now, the greatest worth first and the late
// candidates last. look is called for each of them as it is found, while its pairs are at hand.
func (c *chooser) ranked(look func(n *book.Candidate)) (all []bound) {
	chance, open := c.chances(), c.openCandidates()
	for i := range open {
		if b := (bound{worth: c.worthOf(&open[i], chance), c: &open[i]}); b.worth > 0 {
			look(b.c)
			all = append(all, b)
		}
	}
	slices.SortFunc(all, bound.compare)
	return all
}

// worthOf returns the worth of the trial of a candidate.
func (c *chooser) worthOf(n *book.Candidate, chance func(n *book.Candidate) float64) float64 {
	if n.Within {
		return c.narrowedWorth(n)
	}
	return c.worth(n, chance(n))
}

// bound is a candidate with its worth, or an upper bound of it.
type bound struct {
	worth  float64
	c      *book.Candidate
	gained bool // the bound is that of the gain
	exact  bool // the worth is known
}

// bounds are a heap, the greatest first. Of equal ones, those that are not exact come first.
type bounds []bound

func (b bounds) Len() int      { return len(b) }
func (b bounds) Swap(i, k int) { b[i], b[k] = b[k], b[i] }
func (b bounds) Push(any)      {}
func (b bounds) Less(i, k int) bool {
	if b[i].worth == b[k].worth && b[i].exact != b[k].exact {
		return b[k].exact
	}
	return b[i].compare(b[k]) < 0
}
func (b *bounds) Pop() any {
	*b = (*b)[:len(*b)-1]
	return nil
}

// compare puts late candidates last, the greatest worth first, then the order of the list.
func (b bound) compare(d bound) int {
	return cmp.Or(falseFirst(b.c.Late, d.c.Late), cmp.Compare(d.worth, b.worth),
		cmp.Compare(b.c.Order, d.c.Order), strings.Compare(b.c.ID, d.c.ID))
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// leastChance bounds what known documents take from a chance, so that no candidate
// is left untried because of them.
const leastChance = 100

// chanceGiven returns a chance, given pairs that are alike or differ and that no verdict counts.
func chanceGiven(o *book.Options, chance, alike, differ float64) float64 {
	return max(o.Trial.Given(chance, alike, differ), chance/leastChance)
}

// chances returns the probability that a candidate holds, by the verdicts on this site.
func (c *chooser) chances() func(n *book.Candidate) float64 {
	by, chanceOf := c.Book.Chances(), map[book.GainKey]float64{}
	return func(n *book.Candidate) float64 {
		p, known := chanceOf[n.Key()]
		if !known {
			p = book.Prior
			if !c.Options.Off.Chances {
				p = by.Of(n)
			}
			chanceOf[n.Key()] = p
		}
		return n.ChanceOf(p)
	}
}

// The costs of an outcome, in documents.
const (
	leastCost = 0.25          // of a pair whose result is known
	mostCost  = 2 + leastCost // of any other
)

// cost returns the cost of a pair's outcome.
func (c *chooser) cost(k book.Key) float64 {
	if _, known := c.Book.Memory.Recent(k, c.Now); known {
		return leastCost
	}
	return mostCost
}

// worth returns the worth of a trial of a rule without tried pairs: the forms merged if the
// rule holds, for each document that the trial will request.
func (c *chooser) worth(n *book.Candidate, prior float64) float64 {
	gain := c.View.Gain(n)
	if gain < c.Options.MinGain {
		return 0
	}
	first := c.View.Drawing(n).First
	if c.View.IsLarge(gain) {
		alike, differ := c.shown.pairs(n)
		if differ += c.shown.gone(first); differ > 0 {
			prior = min(prior, chanceGiven(c.Options, prior, alike, differ))
		}
	}
	holds, cost := c.Options.Trial.Price(prior, 0, len(first), func(i int) float64 { return c.cost(first[i].Key) })
	return float64(gain) * holds / cost
}

// worthOf returns the worth of a trial of a rule without tried pairs, if each outcome costs the
// same: the forms merged if the rule holds, for each document that the verdict will take.
// It grows with the gain.
func worthOf(o *book.Options, prior float64, gain int, cost float64) float64 {
	if gain < o.MinGain {
		return 0
	}
	holds, outcomes := o.Trial.Prospect(prior, 0, gain)
	return float64(gain) * holds / (outcomes * cost)
}

// narrowedWorth returns the worth of a rule whose scope was found by the trial of another. Known
// outcomes of its pairs count. A rule that these refute is replaced by narrower scopes at no cost.
// O(moves · log).
func (c *chooser) narrowedWorth(n *book.Candidate) float64 {
	gain := c.View.Gain(n)
	if gain < c.Options.MinGain {
		return 0
	}
	moves := c.View.Moves(n)
	positives, negatives := 0, 0
	for v := range c.View.KnownMoves(n) {
		j, _, _ := c.Known(c.View.Forms.Rep(v.Form), v.To, &rule.Control{}, 0)
		switch j.Outcome {
		case trial.Positive:
			positives++
		case trial.Negative, trial.Returned:
			negatives++
		}
	}
	large := c.View.IsLarge(gain)
	if negatives > 0 && (!large || trials.VerdictOn(trials.New(c.Judge, *n, c.View.Forms, moves, c.Book.Anew(n), nil), c.Options.Trial) != trial.Open) {
		return float64(gain)
	}
	more, chance := c.Options.More(n, gain, len(c.View.Forms.Texts), len(moves), positives), n.ChanceOf(book.Prior)
	if large {
		if alike, differ := c.shown.pairs(n); differ > 0 || negatives > 0 {
			chance, positives = c.Options.Trial.Given(chance, max(alike, float64(positives)), max(differ, float64(negatives))), 0
		}
	}
	holds, cost := c.Options.Trial.Price(chance, positives, more, func(int) float64 { return mostCost })
	return float64(gain) * holds / cost
}
