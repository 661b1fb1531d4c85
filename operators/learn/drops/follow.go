package drops

import (
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Followers returns the rules to try in place of a listed rule that was refuted: those of
// the same target in narrower scopes, likely in their scope, of which every wider likely
// scope is refuted. refuted reports whether the target is refuted in a scope; the scope of
// the rule itself need not be told. A scope with the counts of a wider refuted one says
// the same as that scope, and is left out. The rules are in the order of Learn, and stop
// is the same, too.
func Followers(o Options, pages []evidence.Page, r *rule.Rule, refuted func(rule.Scope) bool, stop func() bool) (rules []rule.Likely, done bool) {
	l := newLearner(o, pages, stop)
	if l.only = l.words.target(r); l.only == 0 {
		return nil, !l.halted
	}
	l.visit = func(t target, total sums, groups []group) {
		if t == l.only {
			l.follow(r, l.newScoper(t, total, groups, func(s rule.Scope) bool { return s == r.Scope || refuted(s) }))
		}
	}
	return l.learn()
}

func (l *learner) follow(r *rule.Rule, s *scoper) {
	for at, n := range s.listed {
		if l.isNarrower(r, at) && !s.repeats(at, n) {
			l.rules = append(l.rules, l.rule(s.t, at, n))
		}
	}
}

func (l *learner) isNarrower(r *rule.Rule, at spot) bool {
	for w := range l.widerSpots(at) {
		if l.scope(w) == r.Scope {
			return true
		}
	}
	return false
}

// repeats reports whether a wider scope has the same counts. All wider scopes that are
// likely are refuted.
func (s *scoper) repeats(at spot, n *sums) bool {
	for w := range s.l.widerSpots(at) {
		if c := s.counters[w]; c != nil && s.exists(w, c) && c.sums.all == n.all {
			return true
		}
	}
	return false
}

// wants reports whether entries of a target are wanted. The groups of two names need those
// of each name, and those of more names the groups of those that come together.
func (l *learner) wants(t target) bool {
	if l.only == 0 || t == l.only {
		return true
	}
	if l.only.many() && t == l.words.sets[uint32(l.only)].group {
		return true
	}
	return l.words.several(l.only) > 0 && t == oneName(uint32(t)) && slices.Contains(l.words.targetNames(nil, l.only), uint32(t))
}
