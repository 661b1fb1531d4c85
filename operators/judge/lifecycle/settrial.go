package lifecycle

import (
	"slices"

	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// setTrial is the trial of the rules that may be published, as a whole: URLs of the window are
// compared with their canonical forms. The trial of the set follows from the view and the book,
// as an attempt does, and is never saved. URLs are drawn in the same order by all trials, so the
// outcome of a URL counts on as long as the URL's form stays.
type setTrial struct {
	view  *view
	part  // of L
	forms *forms
	begun bool // see affords

	kinds [kinds][]tryPair // in drawing order
	next  [kinds]int
	drawn [kinds]int // outcomes and pairs being fetched
	at    map[key]place

	tally     trial.Tally         // a stratum for each kind
	documents map[string]struct{} // URLs requested
	doubt     []place             // negatives that need a second look; awaited
	looking   int                 // negatives being fetched for a second look
	barred    int                 // URLs left out because the URLs or their forms are never fetched
}

// The kinds of URL in the trial of a set.
const (
	byOne     = iota // changed by one rule
	bySeveral        // changed by several rules
	unlike           // not similar by size to the form, or not to other URLs of the same form
	kinds
)

// parts gives the number of URLs of each kind among four drawn URLs.
var parts = [kinds]int{byOne: 1, bySeveral: 2, unlike: 1}

// newSetTrial lists the URLs changed by a part of L. O(window).
func newSetTrial(w *view, list []*Entry) *setTrial {
	s := &setTrial{view: w, part: part{list, compile(rulesOf(list))}, forms: w.formsUnder(list), at: map[key]place{}, documents: map[string]struct{}{}}
	torn := w.tornForms(s.forms)
	for i := range w.window.pages {
		page, form := &w.window.pages[i], s.forms.of[i]
		u, v := page.URL, s.forms.texts[form]
		if u == v {
			continue
		}
		if !w.guard.allows(u, v) {
			s.barred++
			continue
		}
		if w.guard.lacks(u, v) {
			continue
		}
		kind := byOne
		switch {
		case torn[form], s.forms.rep(form) == v && !alike(w.o, page, s.forms.page(form)):
			kind = unlike
		case len(chainOf(s.canonizer, u)) > 1:
			kind = bySeveral
		}
		p := tryPair{pair: pair{u: u, v: v, key: w.keys.pair(u, v), turn: turn{within: w.keys.hash(u, 2)}}} // the order of the rules' trials would draw pairs with known outcomes
		s.kinds[kind] = append(s.kinds[kind], p)
	}
	for kind := range s.kinds {
		slices.SortFunc(s.kinds[kind], func(p, q tryPair) int { return p.compare(q.pair) })
		for i, p := range s.kinds[kind] {
			s.at[p.key] = place{kind, i}
		}
		s.tally.Strata[kind].Pairs = len(s.kinds[kind])
	}
	return s
}

// chainOf returns the ranks, from 0 and ascending, of the rules that take part in the
// canonization of a URL.
func chainOf(c *canon.Canonizer, url string) (ranks []int) {
	for rank := range c.Steps([]byte(url)) {
		if at, found := slices.BinarySearch(ranks, rank); !found {
			ranks = slices.Insert(ranks, at, rank)
		}
	}
	return ranks
}

// draw takes the next URL whose outcome is to be counted, and the URL's kind. The pair is
// nil if none is left.
func (s *setTrial) draw() (kind int, p *tryPair) {
	kind = -1
	for k := range s.kinds {
		if s.next[k] < len(s.kinds[k]) && (kind < 0 || s.drawn[k]*parts[kind] < s.drawn[kind]*parts[k]) {
			kind = k
		}
	}
	if kind < 0 {
		return kind, nil
	}
	p = &s.kinds[kind][s.next[kind]]
	s.next[kind]++
	s.drawn[kind]++
	return kind, p
}

// count takes in an outcome.
func (s *setTrial) count(kind int, p *tryPair, j trial.Judgement) {
	p.outcome = j
	s.tally.Add(kind, j.Outcome, 1)
	s.documents[p.u] = struct{}{}
	if j.Reason != trial.SourceFailed && j.Reason != trial.NotAllowed {
		s.documents[p.v] = struct{}{}
	}
}

// receive takes in the result of a pair of the set. Another pair has no effect. receive
// returns false if the trial did not wait for the pair, so that an earlier outcome of the
// pair was counted.
func (s *setTrial) receive(j judge, k key, r *result) bool {
	at, mine := s.at[k]
	if !mine {
		return true
	}
	p := &s.kinds[at.stratum][at.index]
	if !p.awaited {
		return false
	}
	p.awaited = false
	s.tally.Strata[at.stratum].Awaited--
	if p.seen != nil {
		s.looking--
	}
	s.take(j, at, r)
	return true
}

// take counts the result of a pair under the control of the rules of the pair's
// chain. A negative seen once gets a second look.
func (s *setTrial) take(j judge, at place, r *result) {
	p := &s.kinds[at.stratum][at.index]
	c := s.control(p.u)
	found, doubt := j.outcome(r, p.u, p.v, &c)
	if !doubt {
		s.count(at.stratum, p, found)
		return
	}
	p.seen = r
	s.doubt = append(s.doubt, at)
	s.tally.Strata[at.stratum].Awaited++
}

func (s *setTrial) summary() rule.Sample {
	sum := s.tally.Sum()
	return rule.Sample{URLs: sum.Pairs + s.barred, Samples: sum.Outcomes(), Negatives: sum.Negatives, Skipped: sum.Skipped, Bound: s.tally.Bound()}
}

func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part) / float64(of)
}

// shown reports whether the set's share of negatives is shown to be below a limit, or
// whether all possible URLs have been tried.
func (s *setTrial) shown(limit float64) bool {
	sum := s.tally.Sum()
	return sum.Pairs == 0 || s.tally.Bound() < limit || sum.Left() == 0 && sum.Awaited == 0 && sum.Outcomes() > 0
}

// mayPublish reports whether the trial allows the publication of the set: the share of
// negatives is shown to be below ε, or SetRequests documents were requested and none was
// wrong. The second condition limits the requests before the rules become useful.
// Rechecks then continue the trial.
func (s *setTrial) mayPublish(o *Options) bool {
	sum := s.tally.Sum()
	return s.shown(o.Trial.Epsilon) ||
		sum.Negatives == 0 && sum.Outcomes() >= o.Trial.Minimum && len(s.documents) >= o.SetRequests
}

// lookAgain takes the first negative in doubt, for a second look.
func (s *setTrial) lookAgain() *tryPair {
	p := &s.kinds[s.doubt[0].stratum][s.doubt[0].index]
	s.doubt, p.awaited = s.doubt[1:], true
	s.looking++
	return p
}

// hasTaken reports whether the trial has used its share: a quarter of all pairs tried, or the
// number of pairs that would show the set's limit if none were negative.
func (s *setTrial) hasTaken(o *Options, tried int) bool {
	sum := s.tally.Sum()
	n := sum.Outcomes()
	return 4*n >= tried || float64(n)*o.SetLimit >= ruleOfThree
}

// ruleOfThree is the constant of the rule of three: n outcomes without a negative show,
// with 95 % confidence, a share of negatives below 3/n.
const ruleOfThree = 3

// mayEnd reports whether the set may be published although the trial cannot continue: no
// pair was wrong.
func (s *setTrial) mayEnd(o *Options) bool {
	sum := s.tally.Sum()
	return sum.Negatives == 0 && sum.Outcomes() >= o.Trial.Minimum
}

// drawUnknown takes the next URL that would have to be fetched.
func (s *setTrial) drawUnknown(known *memory, now int64) *tryPair {
	for _, p := s.draw(); p != nil; _, p = s.draw() {
		if _, has := known.known(p.u, p.v, 0, now); !has {
			return p
		}
	}
	return nil
}
