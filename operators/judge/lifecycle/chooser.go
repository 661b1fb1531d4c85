package lifecycle

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// chooser chooses the candidate to try next.
type chooser struct {
	judge
	given  []candidate // by the caller, in order
	posted *posted
	shown  *shownForms // nil until needed
	needs  needs       // of the candidates among which one is chosen
}

// chooser returns the chooser at a time.
func (pl *planner) chooser(now int64) *chooser {
	pl.posted.arrange(pl.view)
	return &chooser{judge: pl.judge(now), given: pl.candidates, posted: &pl.posted}
}

// choose returns the candidate of greatest worth, and a late candidate if no other has gain. Ties are
// broken by list order. ok is false if no candidate gains MinGain and has the pairs that a verdict needs. The choice depends only on L, the window, the candidates and the acts.
func (c *chooser) choose(open []candidate) (best candidate, ok bool) {
	if n, ok := c.resumed(open); ok {
		return n, true
	}
	c.needs = c.needsOf(open)
	var usual, late []candidate
	for _, n := range open {
		if n.late {
			late = append(late, n)
		} else {
			usual = append(usual, n)
		}
	}
	if best, ok = c.best(usual); ok {
		if !c.o.Off.General {
			best = c.view.general(best, usual)
		}
		return best, true
	}
	return c.best(late)
}

// best returns the candidate of greatest worth. Gains are computed in the order of their
// bounds, the number of forms that could be touched, and only while a gain can still
// change the choice; needsOf computes those of the largest candidates anyway. The same holds
// for costs: the bound of a cost is that of known documents. Gains, and the pairs that determine
// a cost, are kept until L or the window changes.
func (c *chooser) best(open []candidate) (best candidate, ok bool) {
	chance := c.chances()
	bounds := make([]bound, len(open))
	for i := range open {
		b := &open[i]
		if b.within {
			bounds[i] = bound{c.narrowedWorth(b), b}
		} else {
			bounds[i] = bound{worthOf(c.o, chance(b), c.view.most(b), leastCost), b}
		}
	}
	slices.SortFunc(bounds, bound.compare)
	most := 0.0
	for _, b := range bounds {
		if b.worth < most || b.worth == 0 {
			break
		}
		if !b.c.within {
			if b.worth = worthOf(c.o, chance(b.c), c.view.gain(b.c), leastCost); b.worth >= most {
				b.worth = c.worth(b.c, chance(b.c))
			}
		}
		if b.worth > 0 && (!ok || b.compare(bound{most, &best}) < 0) {
			best, most, ok = *b.c, b.worth, true
		}
	}
	return best, ok
}

// ranked returns the candidates that may be tried now, the greatest worth first and the late
// candidates last.
func (c *chooser) ranked() (all []bound) {
	chance, open := c.chances(), c.openCandidates()
	c.needs = c.needsOf(open)
	for i := range open {
		b := bound{0, &open[i]}
		if b.c.within {
			b.worth = c.narrowedWorth(b.c)
		} else {
			b.worth = c.worth(b.c, chance(b.c))
		}
		if b.worth > 0 {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, bound.compare)
	return all
}

// bound is a candidate with the candidate's worth, or an upper bound of the worth.
type bound struct {
	worth float64
	c     *candidate
}

// compare puts late candidates last, the greatest worth first, then the order of the list.
func (b bound) compare(d bound) int {
	return cmp.Or(falseFirst(b.c.late, d.c.late), cmp.Compare(d.worth, b.worth),
		cmp.Compare(b.c.order, d.c.order), strings.Compare(b.c.id, d.c.id))
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

// leastChance bounds what posted pages and known documents take from a chance, so that no candidate
// is left untried because of them.
const leastChance = 100

// chanceGiven returns a chance, given pairs that are alike or differ and that no verdict counts.
func chanceGiven(o *Options, chance, alike, differ float64) float64 {
	return max(o.Trial.Given(chance, alike, differ), chance/leastChance)
}

// chances returns the probability that a candidate holds, by the verdicts on this site and by the
// posted pages.
func (c *chooser) chances() func(n *candidate) float64 {
	by, chanceOf := c.book.chances(), map[gainKey]float64{}
	return func(n *candidate) float64 {
		p, known := chanceOf[n.key()]
		if !known {
			alike, differ := c.postedPairs(n)
			p = prior
			if !c.o.Off.Chances {
				p = by.of(n)
			}
			p = chanceGiven(c.o, p, float64(alike), float64(differ))
			chanceOf[n.key()] = p
		}
		return p
	}
}

// prior is the probability, before any trial, that a candidate holds.
const prior = 0.1

// worthOf returns the worth of a trial of a rule without tried pairs, if each outcome costs the
// same: the forms merged if the rule holds, for each document that the verdict will take.
// It grows with the gain.
func worthOf(o *Options, prior float64, gain int, cost float64) float64 {
	if gain < o.MinGain {
		return 0
	}
	holds, outcomes := o.Trial.Prospect(prior, 0, gain)
	return float64(gain) * holds / (outcomes * cost)
}

// narrowedWorth returns the worth of a rule whose scope was found by the trial of another
// rule. Known outcomes of the rule's pairs count. A rule that the known outcomes refute is
// replaced by narrower scopes at no cost. O(moves · log).
func (c *chooser) narrowedWorth(n *candidate) float64 {
	gain := c.view.gain(n)
	if gain < c.o.MinGain {
		return 0
	}
	moves := c.view.moves(n)
	positives, negatives := 0, 0
	for _, v := range moves {
		j, _, _ := c.known(c.view.forms.rep(v.form), v.to, &rule.Control{}, 0)
		switch j.Outcome {
		case trial.Positive:
			positives++
		case trial.Negative, trial.Returned:
			negatives++
		}
	}
	large := c.view.isLarge(gain)
	if negatives > 0 && (!large || verdictOn(newAttempt(c.judge, *n, c.view.forms, moves, c.book.anew(n), nil), c.o.Trial) != trial.Open) {
		return float64(gain)
	}
	first := slices.DeleteFunc(slices.Clone(c.view.drawing(n).first), func(p asked) bool { return c.isKnown(&p) })
	more, chance := max(1, c.o.Trial.Enough(len(moves))-positives), prior
	if large {
		if alike, differ := c.shownPairs(n); differ > 0 || negatives > 0 {
			chance, positives = c.o.Trial.Given(prior, max(alike, float64(positives)), max(differ, float64(negatives))), 0
		}
	}
	holds, cost := c.o.Trial.Price(chance, positives, more, func(i int) float64 {
		if i < len(first) {
			return c.cost(n, &first[i])
		}
		return mostCost
	})
	return float64(gain) * holds / cost
}

// openCandidates returns the candidates that may be tried now: the snapshot's candidates,
// the candidates learned from forms, rules sent back, and rules that were once valid. A
// refuted rule is replaced by the rule's followers. A rule that is a candidate otherwise is
// not late.
func (c *chooser) openCandidates() []candidate {
	var open, last []candidate
	seen := map[string]bool{}
	var visit func(n candidate)
	visit = func(n candidate) {
		if seen[n.id] {
			return
		}
		seen[n.id] = true
		n = n.withExceptions(c.book.entries[n.id])
		if c.view.guard.hides(n.rule.Text()) || c.book.vetoed(&n.rule) {
			return
		}
		e := c.book.entries[n.id]
		if c.book.mayTry(e, n.support, c.now) {
			open = append(open, n)
			return
		}
		if e.State != rule.Refuted && e.State != rule.Retired {
			return
		}
		for _, f := range e.Followers {
			visit(c.follower(&n, f))
		}
		for _, f := range e.Late {
			l := c.follower(&n, f)
			l.late = true
			last = append(last, l)
		}
	}
	for _, n := range c.base() {
		first := c.preferred(n)
		if visit(first); first.id != n.id && c.book.failed(&first.rule) {
			visit(n)
		}
	}
	for i := 0; i < len(last); i++ { // last grows
		visit(last[i])
	}
	return open
}

// preferred returns a candidate in the direction that operators prefer.
func (c *chooser) preferred(n candidate) candidate {
	if r := c.book.preferred(n.rule); r != n.rule {
		n.rule, n.id = r, rule.ID(c.view.site, &r)
	}
	return n
}

// follower returns a rule that is tried in place of a refuted candidate.
func (c *chooser) follower(n *candidate, f rule.Rule) candidate {
	g := unknown
	if other, has := n.rule.Reverse(); has && other == f {
		g = turned
	}
	next := candidate{id: rule.ID(c.view.site, &f), rule: f, support: n.support, grounds: g, order: n.order,
		within: n.within || f.Scope != n.rule.Scope, late: n.late, since: c.book.anew(n)}
	if e := c.book.entries[n.id]; next.within && e != nil {
		next.chosen = e.Last
	}
	return next
}

// base returns the candidates of all sources.
func (c *chooser) base() []candidate {
	all := slices.Clone(c.given)
	for _, n := range slices.Concat(c.view.drops, c.book.learnt) {
		n.order = len(all)
		all = append(all, n)
	}
	var back []candidate
	for _, e := range c.book.entries {
		if e.State == rule.SentBack || e.Rank > 0 && e.State != rule.Valid {
			back = append(back, candidate{id: e.ID, rule: e.Rule, support: e.Support, grounds: e.Grounds, within: isNarrowed(&e.Rule)})
		}
	}
	slices.SortFunc(back, func(a, b candidate) int { return strings.Compare(a.id, b.id) })
	for _, n := range back {
		n.order = len(all)
		all = append(all, n)
	}
	return all
}
