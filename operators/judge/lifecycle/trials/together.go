package trials

import (
	"cmp"
	"math/bits"
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A rule that drops several names edits each URL that has one of them. What holds where size and sort stand together may be
// false where sort stands alone, and such URLs may be few. So the trial looks at a pair of each set of the names that stands in
// its URLs. If a set makes other pages, the names go on without it: in other rules, which are tried anew.

// Bounds of the trial of a set of names.
const (
	mostSets  = 16 // sets that are looked at: the single names, then the sets of most pairs
	leastBad  = 2  // negatives of a set, and no positive; fewer if the set has no more pairs
	mostFewer = 3  // rules with fewer names that follow
)

// together is what is known of the pairs in whose u a set of the rule's names stands.
type together struct {
	names     uint8 // see rule.Drop.Held
	pairs     int
	tried     int
	positives int
	negatives int
	awaited   bool
	next      *Place // of an untouched pair; nil: there is none
}

// sets returns the sets of names that stand in the rule's URLs, if it has several names. O(pairs).
func (a *Trial) sets() (all []together) {
	d := a.Candidate.Rule.Params()
	if d.Other == "" {
		return nil
	}
	at := map[uint8]*together{}
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			p := &a.Pairs[h][i]
			names := d.Held([]byte(p.Form))
			if p.bySet && p.Seen == nil || names == 0 { // not a pair of the rule: see Negative
				continue
			}
			s := at[names]
			if s == nil {
				s = &together{names: names}
				at[names] = s
			}
			s.add(p, Place{h, i})
		}
	}
	for _, s := range at {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(s, t together) int {
		return cmp.Or(min(2, bits.OnesCount8(s.names))-min(2, bits.OnesCount8(t.names)), t.pairs-s.pairs, int(s.names)-int(t.names))
	})
	return all[:min(len(all), mostSets)]
}

func (s *together) add(p *Pair, at Place) {
	s.pairs++
	s.awaited = s.awaited || p.Awaited || p.Doubt
	switch {
	case p.Doubt:
	case Wrong(p.Outcome):
		s.tried, s.negatives = s.tried+1, s.negatives+1
	case p.Outcome.Outcome == trial.Positive:
		s.tried, s.positives = s.tried+1, s.positives+1
	case p.Outcome.Outcome != 0:
		s.tried++
	case s.next == nil && p.isUntouched():
		s.next = &at
	}
}

// differs reports whether a set was only found to make other pages.
func (s *together) differs() bool { return s.negatives > 0 && s.positives == 0 }

// Differing takes a pair of a set of names that was only found to make other pages so far, while other sets hold. bad are the
// sets of which no such pair is needed any more.
func (a *Trial) Differing() (p *Pair, awaited bool, bad []uint8) {
	sets := a.sets()
	if !slices.ContainsFunc(sets, func(s together) bool { return s.positives > 0 }) {
		return nil, false, nil
	}
	for i := range sets {
		switch s := &sets[i]; {
		case !s.differs():
		case s.negatives < leastBad && s.awaited:
			return nil, true, nil
		case s.negatives < leastBad && s.next != nil && s.tried < mostSkips:
			return a.take(*s.next), false, nil
		default:
			bad = append(bad, s.names)
		}
	}
	return nil, false, bad
}

// Together takes a pair of a set of names of which no outcome is known. unseen are the sets of which none can be had.
func (a *Trial) Together() (p *Pair, awaited bool, unseen []uint8) {
	sets := a.sets()
	for i := range sets {
		switch s := &sets[i]; {
		case s.positives+s.negatives > 0:
		case s.awaited:
			return nil, true, nil
		case s.next != nil && s.tried < mostSkips:
			return a.take(*s.next), false, nil
		default:
			unseen = append(unseen, s.names)
		}
	}
	return nil, false, unseen
}

// Without notes the sets of names without which the rule may go on.
func (a *Trial) Without(sets []uint8) { a.without = sets }

// fewer returns the rules with as many of the names as hold none of the sets that are left out.
func (a *Trial) fewer() (next []rule.Rule) {
	d := a.Candidate.Rule.Params()
	var sets, kept []uint8
	for names := uint8(1); names < 1<<len(slices.Collect(d.Names())); names++ {
		sets = append(sets, names)
	}
	slices.SortStableFunc(sets, func(s, t uint8) int { return bits.OnesCount8(t) - bits.OnesCount8(s) })
	holds := func(wide, names uint8) bool { return names&^wide == 0 }
	for _, names := range sets {
		if len(kept) < mostFewer && !slices.ContainsFunc(a.without, func(bad uint8) bool { return holds(names, bad) }) &&
			!slices.ContainsFunc(kept, func(wide uint8) bool { return holds(wide, names) }) {
			kept = append(kept, names)
			r := a.Candidate.Rule
			r.Edit = d.Only(names)
			next = append(next, r)
		}
	}
	return next
}
