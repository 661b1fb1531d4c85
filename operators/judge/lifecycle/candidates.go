package lifecycle

import (
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

// candidates are the rules that may be tried.
type candidates struct {
	trials.Judge
	given []book.Candidate // by the caller, in order
}

// openCandidates returns the candidates that may be tried now: the snapshot's candidates, the
// candidates learned from forms, rules sent back, and rules that were once valid. A refuted rule is
// replaced by its followers. One that is a candidate otherwise is not late.
func (c *candidates) openCandidates() []book.Candidate {
	var open, last []book.Candidate
	seen := map[string]bool{}
	var visit func(n book.Candidate)
	visit = func(n book.Candidate) {
		if seen[n.ID] {
			return
		}
		seen[n.ID] = true
		n = n.WithExceptions(c.Book.Entries[n.ID])
		if c.View.Guard.Hides(n.Rule.Text()) || c.vetoed(&n.Rule) {
			return
		}
		e := c.Book.Entries[n.ID]
		if c.Book.MayTry(e, n.Support, c.Now) {
			open = append(open, n)
			return
		}
		for _, f := range e.Followers {
			visit(c.follower(&n, f))
		}
		for _, f := range e.Late {
			l := c.follower(&n, f)
			l.Late = true
			last = append(last, l)
		}
	}
	for _, n := range c.base() {
		first := c.preferred(n)
		if visit(first); first.ID != n.ID && c.Book.Failed(&first.Rule) {
			visit(n)
		}
	}
	for i := 0; i < len(last); i++ { // last grows
		visit(last[i])
	}
	doubts := c.Book.Doubts()
	for i := range open {
		if doubts(&open[i]) {
			open[i].Late, open[i].Doubted = true, true
		}
	}
	return open
}

// resumed returns the candidate whose trial goes on with an exception, if the rule can still
// be tried.
func (c *candidates) resumed(open []book.Candidate) (n book.Candidate, ok bool) {
	for i := range open {
		if c.Book.IsResumed(open[i].ID) && c.View.Gain(&open[i]) >= c.Options.MinGain {
			return open[i], true
		}
	}
	return n, false
}

// vetoed reports whether a candidate must not be published.
func (c *candidates) vetoed(r *rule.Rule) bool {
	texts := c.Book.VetoedTexts()
	return c.Book.Vetoed(r) || len(texts) > 0 && c.View.Changes(r, texts)
}

// preferred returns a candidate in the direction that operators prefer.
func (c *candidates) preferred(n book.Candidate) book.Candidate {
	if r := c.Book.Preferred(n.Rule); r != n.Rule {
		n.Rule, n.ID = r, rule.ID(c.View.Site, &r)
	}
	return n
}

// follower returns a rule that is tried in place of a refuted candidate.
func (c *candidates) follower(n *book.Candidate, f rule.Rule) book.Candidate {
	g := book.Unknown
	if other, has := n.Rule.Reverse(); has && other.Edit == f.Edit {
		g = book.Turned
	}
	next := book.Candidate{ID: rule.ID(c.View.Site, &f), Rule: f, Support: n.Support, Grounds: g, Order: n.Order,
		Within: n.Within || f.Scope != n.Rule.Scope, Late: n.Late, Since: c.Book.Anew(n)}
	if e := c.Book.Entries[n.ID]; next.Within && e != nil {
		next.Chosen = e.Last
	}
	return next
}

// base returns the candidates of all sources.
func (c *candidates) base() []book.Candidate {
	all := slices.Clone(c.given)
	for _, n := range slices.Concat(c.View.Drops, c.Book.Learnt) {
		n.Order = len(all)
		all = append(all, n)
	}
	var back []book.Candidate
	for _, e := range c.Book.Entries {
		if e.State == rule.SentBack || e.Rank > 0 && e.State != rule.Valid {
			back = append(back, book.Candidate{ID: e.ID, Rule: e.Rule, Support: e.Support, Grounds: e.Grounds, Within: book.IsNarrowed(&e.Rule)})
		}
	}
	slices.SortFunc(back, func(a, b book.Candidate) int { return strings.Compare(a.ID, b.ID) })
	for _, n := range back {
		n.Order = len(all)
		all = append(all, n)
	}
	return all
}
