package book

import (
	"strings"

	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
)

// Grounds is how well the log supports a candidate. The chances of candidates of one kind
// and the same grounds are estimated together.
type Grounds uint8

// The values of Grounds.
const (
	Unknown Grounds = iota // the candidate was not weighed
	Weak                   // chance can explain the pages
	Partial                // too many pairs differ for the rule to hold everywhere
	Strong                 // nearly all pairs are alike, beyond chance
	poor                   // many pairs differ: the rule can hold only for a part of its pages
	light                  // nearly all pairs are alike, and chance is unlikely to explain the pages
	Turned                 // the other direction of a refuted pair
	Listed                 // the log cannot tell, but a list of others, or a file of duplicates, says that the rule holds
	AllGrounds
)

// Before is the probability, before any trial on the site, that a candidate holds. The
// values are rounded shares of true rules among the tried rules of made-up sites
// (go test ./operators/judge/lifecycle -run MadeUp -v -args -long -made-up 10 -trials). That of Listed is not measured: a
// list counts as much as a log that is light, until verdicts on the site say how good it is.
var Before = [AllGrounds]float64{Unknown: Prior, Weak: 0.03, Partial: Prior, Strong: 0.5, poor: 0.03, light: 0.2, Turned: 0.04, Listed: 0.2}

// Bounds between the grounds.
const (
	poorShare = 0.8 // of pairs that are alike
	heavy     = 10  // weight
	manyAlike = 30  // pairs of a drop on one path
)

// GroundsOf returns the grounds of a candidate. A share of unlike pairs of more than ε
// would refute the rule.
func (o *Options) GroundsOf(c *rule.Candidate) Grounds {
	switch {
	case c.Listed && (!c.Weighed || c.Weight < weight.Shown):
		return Listed
	case !c.Weighed:
		return Unknown
	case !o.Off.AlikeDrops && c.Weight < weight.Shown && c.Alike == 1 && c.Support >= manyAlike && c.Rule.Kind() == rule.KindDrop && c.Rule.Scope.HasPath:
		return light // the pages of one path are often of like sizes, which takes the weight
	case c.Weight < weight.Shown:
		return Weak
	case c.Alike < poorShare:
		return poor
	case 1-c.Alike > o.Trial.Epsilon:
		return Partial
	case c.Weight < heavy:
		return light
	}
	return Strong
}

// chances is the probability that a candidate holds.
type chances struct {
	By    [][AllGrounds]float64 // kind and grounds
	names map[string]record     // of substring rules: see replaced
}

// record counts rules that were tried.
type record struct{ valid, tried float64 }

// ownRecord is how many tried rules of a name count as much as those of its kind and grounds.
const ownRecord = 10

// Of returns the probability of a candidate. One that replaces values of a name has at most that of the others that do.
func (c *chances) Of(n *Candidate) float64 {
	p, r := c.By[n.Rule.Kind()][n.Grounds], c.names[replaced(&n.Rule)]
	return min(p, (ownRecord*p+r.valid)/(ownRecord+r.tried))
}

// Chances estimates the probabilities from the verdicts on this site.
func (b *Book) Chances() *chances {
	valid, tried := make([][AllGrounds]float64, rule.Kinds()), make([][AllGrounds]float64, rule.Kinds())
	c := &chances{By: make([][AllGrounds]float64, rule.Kinds()), names: map[string]record{}}
	for _, e := range b.Entries {
		if IsNarrowed(&e.Rule) || e.Verdict.Samples == 0 {
			continue
		}
		holds := 0.
		if e.State == rule.Valid {
			holds = 1
		}
		valid[e.Rule.Kind()][e.Grounds] += holds
		tried[e.Rule.Kind()][e.Grounds]++
		if name := replaced(&e.Rule); name != "" && !b.Options.Off.Names {
			r := c.names[name]
			c.names[name] = record{r.valid + holds, r.tried + 1}
		}
	}
	for kind := range c.By {
		for g, p := range Before {
			c.By[kind][g] = (valid[kind][g] + 1) / (tried[kind][g] + 1/p)
		}
	}
	return c
}

// replaced returns what stands before the values that a substring rule replaces: id= for ?id=a to ?id=b, else the end of it
// from a mark on, as / for /a to /b. It is empty if there is nothing.
func replaced(r *rule.Rule) string {
	s, _ := r.Edit.(rule.Substring)
	same, _ := Common(s.From, s.To)
	if name := strings.LastIndexByte(same, '='); name >= 0 {
		return same[1+strings.LastIndexAny(same[:name], "?&;") : name+1]
	}
	return same[max(0, strings.LastIndexAny(same, "/:-_.,")):]
}

// Prior is the probability, before any trial, that a candidate holds.
const Prior = 0.1

// LeastPositives is the number of positives needed before requests are spent on a control.
const LeastPositives = 5

// Scopes of one edit fail for one reason: where three are refused because pages have words of their own, the others will be.

// family is the rules of one edit that are refuted for one reason.
type family struct {
	edit   rule.Edit
	reason string
}

// Constants of families.
const (
	enoughRefused = 3   // rules of a family, after which others of the edit come last
	doubted       = 0.1 // of the chance of these
)

// Doubts returns a function that reports whether enough rules of a candidate's edit were refuted for one reason. A rule
// that was in L before, or whose trial goes on, is not doubted. O(entries).
func (b *Book) Doubts() func(c *Candidate) bool {
	refused, edits := map[family]int{}, map[rule.Edit]bool{}
	for _, e := range b.Entries {
		if b.Options.Off.Doubts || e.State != rule.Refuted || e.Verdict.Negatives == 0 || len(e.Verdict.Examples) == 0 {
			continue
		}
		f := family{e.Rule.Edit, e.Verdict.Examples[0].Outcome} // negatives come first
		refused[f]++
		edits[f.edit] = edits[f.edit] || refused[f] >= enoughRefused
	}
	return func(c *Candidate) bool {
		e := b.Entries[c.ID]
		return edits[c.Rule.Edit] && (e == nil || e.State != rule.SentBack && e.Rank == 0)
	}
}

// ChanceOf returns a chance that the candidate has, given that of others like it.
func (c *Candidate) ChanceOf(others float64) float64 {
	if c.Doubted {
		return doubted * others
	}
	return others
}
