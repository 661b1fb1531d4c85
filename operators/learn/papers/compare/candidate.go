package compare

import (
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/learn/papers/duster"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// Candidate is a rule of a learner. Support, Applied and False are counted on the clusters
// by which rules are chosen.
type Candidate struct {
	cluster.Learned              // Rule is the zero rule for an expression
	Expression      *duster.Rule // of the learner duster; nil: a rule of package rule

	unproved bool // too few clusters gave the rule
	rank     int  // among the rules that the learner has selected, from 1; 0: not selected
}

// rewrite returns the URL after the rule, and reports whether it has changed.
func (c *Candidate) rewrite(url string) (string, bool) {
	if c.Expression != nil {
		return c.Expression.Rewrite(url)
	}
	to, changed := c.Rule.Apply(nil, []byte(url))
	if !changed {
		return url, false
	}
	return string(to), true
}

// supported reports whether the rule has enough support for a verdict.
func (c *Candidate) supported() bool { return !c.unproved && c.Support >= cluster.MinSupport }

// valid reports whether the rule is supported, and at most a share of its pairs is false.
func (c *Candidate) valid(share float64) bool { return c.supported() && c.FPR() <= share }

// reverse returns the other direction of a rule that has one.
func (c *Candidate) reverse() (other Candidate, ok bool) {
	if c.Expression == nil {
		other.Rule, ok = c.Rule.Reverse()
	}
	return other, ok && other.Rule.Validate() == nil
}

func ofLikely(likely []rule.Likely) []Candidate {
	all := make([]Candidate, len(likely))
	for i := range likely {
		all[i].Rule = likely[i].Rule
	}
	return all
}

// list is an ordered list of deployed rules. A round brings a URL to its canonical form
// under the rules of package rule ([canon.Canonizer]), and then applies each expression
// once, in list order.
type list struct {
	rules       []Candidate
	canonizer   *canon.Canonizer
	expressions []Candidate
	buf         []byte
}

// newList returns a list of valid rules. The error is of a list beyond the bounds of package
// canon.
func newList(rules []Candidate) (l *list, err error) {
	l = &list{rules: rules}
	plain := make([]rule.Rule, 0, len(rules))
	for i := range rules {
		if rules[i].Expression != nil {
			l.expressions = append(l.expressions, rules[i])
		} else {
			plain = append(plain, rules[i].Rule)
		}
	}
	l.canonizer, err = canon.Compile(plain)
	return l, err
}

// form returns the canonical form of a URL: rounds are repeated until a round changes
// nothing. A URL that the last of [canon.MaxRounds] rounds still changes is its own form.
func (l *list) form(url string) string {
	at := url
	for range canon.MaxRounds {
		before := at
		l.buf = append(l.buf[:0], at...)
		out, _ := l.canonizer.Canon(nil, l.buf)
		if at = string(out); len(l.expressions) == 0 {
			return at
		}
		for i := range l.expressions {
			at, _ = l.expressions[i].rewrite(at)
		}
		if at == before {
			return at
		}
	}
	return url
}
