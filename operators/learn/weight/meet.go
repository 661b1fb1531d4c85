package weight

import (
	"slices"

	"dustbuster/operators/window/evidence"
)

// dates are the days of a page.
type dates []evidence.Day

// known are the days of a page that was asked for not long ago.
type known struct {
	page uint32 // number + 1
	days dates
}

// mostDates is the number of pages of each side whose days a Weigher remembers. Of 16,112 days asked for in seven
// real logs, 8,759 are then decoded; with a memory of all pages 7,293.
const mostDates = 1 << 10

// Meetings that count against a rule: at least fewMeetings, of which less than metShare find the
// sizes of one page among those of the other.
const (
	fewMeetings = 3
	metShare    = 0.7
)

// Contradicted reports whether the pages that a rule joins differ on the same day: of a number of
// meetings, too few match.
func Contradicted(meetings int, met float64) bool {
	return meetings >= fewMeetings && met < metShare*float64(meetings)
}

// meet compares the pages of pairs day by day. It returns the number of days on which both pages
// of a pair have sizes, and the sum of their matches. Only pairs of which a page is apart meet, and none is double:
// the sizes of other pages are compared by the weight.
func (w *Weigher) meet(pairs []pair) (meetings int, met float64) {
	if w.o.Days == nil || w.o.Similarity.Off {
		return 0, 0
	}
	for _, p := range pairs {
		if w.isDouble(p.u) || w.isDouble(p.v) {
			continue
		}
		e, f := w.evidence(p.u), w.evidence(p.v)
		class, ok := e.Common(f)
		if !ok || class == evidence.Digest || !w.isApart(e, class) && !w.isApart(f, class) {
			continue
		}
		n, m := w.meetPair(w.datesOf(&w.dates[0], p.u, class), w.datesOf(&w.dates[1], p.v, class))
		meetings += n
		met += m
	}
	return meetings, met
}

// isApart reports whether the sizes of a page in a class are not alike.
func (w *Weigher) isApart(e evidence.Spans, class uint8) bool {
	return w.o.Similarity.Apart(spanOf(e, class))
}

func spanOf(e evidence.Spans, class uint8) evidence.Span {
	return e[slices.IndexFunc(e, func(s evidence.Span) bool { return s.Class == class })]
}

// datesOf returns the days of a page in a class, the newest first, which are valid until the next call with the same
// known ones. The days of a page that is not apart have its smallest size.
func (w *Weigher) datesOf(of *[mostDates]known, id uint32, class uint8) dates {
	k := &of[id%mostDates]
	if k.page != id+1 {
		page := &w.all[id]
		k.page, k.days = id+1, w.o.Days(k.days[:0], page)
		for i := range k.days {
			if d := &k.days[i]; !w.isApart(page.Evidence, d.Class) {
				least := spanOf(page.Evidence, d.Class).Min
				*d = evidence.DayOf(d.Number, evidence.Span{Class: d.Class, Min: least, Max: least})
			}
		}
	}
	all := k.days
	begin := slices.IndexFunc(all, func(d evidence.Day) bool { return d.Class == class })
	if begin < 0 {
		return nil
	}
	end := begin
	for end < len(all) && all[end].Class == class {
		end++
	}
	return all[begin:end]
}

// meetPair returns the number of days that two pages share, and the sum of their matches. A day
// on which no size says anything is none.
func (w *Weigher) meetPair(u, v dates) (meetings int, met float64) {
	for len(u) > 0 && len(v) > 0 {
		switch {
		case u[0].Number > v[0].Number:
			u = u[1:]
		case u[0].Number < v[0].Number:
			v = v[1:]
		default:
			if match, ok := w.match(&u[0], &v[0]); ok {
				meetings++
				met += match
			}
			u, v = u[1:], v[1:]
		}
	}
	return meetings, met
}

// match returns the share of the sizes of the day with fewer sizes that the other day has as well.
// A size that the other day may have had, and did not keep, is open, and does not count. ok is
// false if all are open.
func (w *Weigher) match(a, b *evidence.Day) (match float64, ok bool) {
	if len(b.Sizes()) < len(a.Sizes()) {
		a, b = b, a
	}
	found, open := 0, 0
	for _, size := range a.Sizes() {
		switch {
		case slices.ContainsFunc(b.Sizes(), func(other int64) bool { return w.near(size, other) }):
			found++
		case b.Full && w.within(size, b):
			open++
		}
	}
	if open == len(a.Sizes()) {
		return 0, false
	}
	return float64(found) / float64(len(a.Sizes())-open), true
}

func (w *Weigher) near(a, b int64) bool {
	return w.o.Similarity.Near(evidence.Span{Min: a, Max: a}, evidence.Span{Min: b, Max: b})
}

// within reports whether a size lies within the range of a day, with tolerance.
func (w *Weigher) within(size int64, d *evidence.Day) bool {
	t := w.o.Similarity.Tolerance
	return (1-t)*float64(d.Min) <= float64(size) && float64(size) <= float64(d.Max)/(1-t)
}
