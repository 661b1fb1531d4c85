package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
)

// noteSizes returns the counts with which later counts are compared: the present counts for
// the rules of a round, and the earlier counts for the other rules of L.
func (r *rechecker) noteSizes(w *forms.View, list []*book.Entry, now int64) map[string]book.Sizes {
	var all []book.Sizes
	if w != nil {
		all = w.NewestSizes(w.Forms, w.Canonizer)
	}
	noted := map[string]book.Sizes{}
	for rank, e := range r.book.Valid() {
		s, known := r.book.Round.Sizes[e.ID]
		if slices.ContainsFunc(list, func(other *book.Entry) bool { return other.ID == e.ID }) {
			if s = r.sizesBefore(e); all != nil {
				s = all[rank]
			}
			s.At, known = now, true
		}
		if known {
			noted[e.ID] = s
		}
	}
	return noted
}

// sizesBefore returns the counts at the last test of a rule.
func (r *rechecker) sizesBefore(e *book.Entry) book.Sizes {
	if s, known := r.book.Round.Sizes[e.ID]; known && s.At > e.ValidatedAt {
		return s
	}
	return e.Sizes
}

// contradicted returns the rules of L that the newest sizes contradict, without those tested by a
// round within the last hour. They are computed once for each window and L.
func (r *rechecker) contradicted(w *forms.View, now int64) map[string]bool {
	if r.sought {
		return nil
	}
	r.sought = true
	ids := map[string]bool{}
	for rank, s := range w.NewestSizes(w.Forms, w.Canonizer) {
		e := w.List[rank]
		before := r.sizesBefore(e)
		if s.Contradict(before, r.o.Trial.Epsilon) && now > e.ValidatedAt && now >= before.At+book.Hour {
			ids[e.ID] = true
		}
	}
	return ids
}
