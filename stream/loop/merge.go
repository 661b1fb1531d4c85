package loop

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/stream/site"
)

// Merge returns the state of several loops with different sites as one State. Without
// loops, Merge returns the zero State, which has not caught up and is not listed.
func Merge(states []*State) *State {
	all := &State{Published: map[string]*book.Publication{}}
	for i, s := range states {
		all.Status.merge(&s.Status, i == 0)
		all.Revision += s.Revision
		all.Rules = append(all.Rules, s.Rules...)
		all.Listed = (all.Listed || i == 0) && s.Listed
		all.Validates = all.Validates || s.Validates
		maps.Copy(all.Published, s.Published)
	}
	slices.SortFunc(all.Status.Sites, func(a, b site.Status) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(all.Rules, func(a, b rule.List) int { return strings.Compare(a.Site, b.Site) })
	return all
}

// merge adds the status of another loop. Of two times merge keeps the earlier, since which
// all loops are up to date.
func (s *Status) merge(o *Status, first bool) {
	if first || o.Started.Before(s.Started) {
		s.Started = o.Started
	}
	if first || o.Saved.Before(s.Saved) {
		s.Saved = o.Saved
	}
	s.CaughtUp = (s.CaughtUp || first) && o.CaughtUp
	s.Counts.Add(&o.Counts)
	s.Late += o.Late
	s.LateSites += o.LateSites
	s.Shed += o.Shed
	s.Beyond += o.Beyond
	s.Ahead += o.Ahead
	if o.Forgotten != nil && (s.Forgotten == nil || o.Forgotten.Until.IsZero() || !s.Forgotten.Until.IsZero() && o.Forgotten.Until.After(s.Forgotten.Until)) {
		s.Forgotten = o.Forgotten
	}
	s.Events += o.Events
	for what, n := range o.Errors {
		s.Errors[what] += n
	}
	for what, doing := range o.Failing {
		s.Failing[what] = cmp.Or(s.Failing[what], doing)
	}
	if o.LastError != "" {
		s.LastError = o.LastError
	}
	s.SaveTook = max(s.SaveTook, o.SaveTook)
	s.StateBytes += o.StateBytes
	s.MemoryBudget = max(s.MemoryBudget, o.MemoryBudget)
	s.MemoryUsed += o.MemoryUsed
	s.Sites = append(s.Sites, o.Sites...)
}
