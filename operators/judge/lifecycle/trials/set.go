package trials

import (
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The trial of the set finds errors of rules in combination, and errors missed by the trials of rules. Half of
// its URLs are changed by several rules, and a quarter are URLs whose size differs from the sizes of the other
// URLs of the same form. Its bound is that of a stratified sample. It suffices for a publication when ε is
// shown, or after SetRequests documents without a wrong one. Rechecks continue it until the set's limit is
// shown. A machine without rechecks continues it at once, with at most a quarter of all pairs.

// Set is the trial of the rules that may be published, as a whole: URLs of the window are compared
// with their canonical forms. Like a trial it follows from the view and the book, and is never
// saved. All trials draw URLs in the same order, so the outcome of one counts on as long as its form
// stays.
type Set struct {
	forms.Part // of L
	forms      *forms.Forms
	Begun      bool // of an early publication: its requests are allowed

	Kinds [kinds][]Pair // in drawing order
	Next  [kinds]int
	drawn [kinds]int // outcomes and pairs being fetched
	At    map[book.Key]Place

	Tally     trial.Tally         // a stratum for each kind
	Documents map[string]struct{} // URLs requested
	Doubt     []Place             // negatives that need a second look; awaited
	Looking   int                 // negatives being fetched for a second look
	Asks      *forms.Asks         // what is asked for the URLs
	Barred    int                 // URLs left out because they or their forms are never fetched
}

// The kinds of URL in the trial of a set.
const (
	ByOne     = iota // changed by one rule
	BySeveral        // changed by several rules
	Unlike           // not similar by size to the form, or not to other URLs of the same form
	kinds
)

// parts gives the number of URLs of each kind among four drawn URLs.
var parts = [kinds]int{ByOne: 1, BySeveral: 2, Unlike: 1}

// NewSet lists the URLs changed by a part of L. O(window).
func NewSet(w *forms.View, list []*book.Entry) *Set {
	s := &Set{Part: forms.Part{List: list, Canonizer: forms.Compile(forms.RulesOf(list))}, forms: w.FormsUnder(list), At: map[book.Key]Place{}, Documents: map[string]struct{}{}}
	s.Asks = w.Asks(s.forms, nil, nil)
	torn := w.TornForms(s.forms)
	for i := range w.Window.Pages {
		page, form := &w.Window.Pages[i], s.forms.Of[i]
		u, v := page.URL, s.forms.Texts[form]
		if u == v {
			continue
		}
		if s.Asks.Privacy(u, v) != forms.Public {
			s.Barred++
			continue
		}
		if w.Guard.Lacks(u, v) {
			continue
		}
		kind := ByOne
		switch {
		case torn[form], s.forms.Rep(form) == v && !forms.Alike(w.Options, page, s.forms.Page(form)):
			kind = Unlike
		case len(forms.ChainOf(s.Canonizer, u)) > 1:
			kind = BySeveral
		}
		p := Pair{Pair: forms.Pair{U: u, V: v, Key: w.Keys.Pair(u, v), Turn: forms.Turn{Within: w.Keys.Hash(u, 2)}}} // the order of the rules' trials would draw pairs with known outcomes
		s.Kinds[kind] = append(s.Kinds[kind], p)
	}
	for kind := range s.Kinds {
		slices.SortFunc(s.Kinds[kind], func(p, q Pair) int { return p.Compare(q.Pair) })
		for i, p := range s.Kinds[kind] {
			s.At[p.Key] = Place{kind, i}
		}
		s.Tally.Strata[kind].Pairs = len(s.Kinds[kind])
	}
	return s
}

// Draw takes the next URL whose outcome is to be counted, and its kind. p is nil if none is left.
func (s *Set) Draw() (kind int, p *Pair) {
	kind = -1
	for k := range s.Kinds {
		if s.Next[k] < len(s.Kinds[k]) && (kind < 0 || s.drawn[k]*parts[kind] < s.drawn[kind]*parts[k]) {
			kind = k
		}
	}
	if kind < 0 {
		return kind, nil
	}
	p = &s.Kinds[kind][s.Next[kind]]
	s.Next[kind]++
	s.drawn[kind]++
	return kind, p
}

// Count takes in an outcome.
func (s *Set) Count(kind int, p *Pair, j trial.Judgement) {
	p.Outcome = j
	s.Tally.Add(kind, j.Outcome, 1)
	s.Documents[p.U] = struct{}{}
	if j.Reason != trial.SourceFailed && j.Reason != trial.NotAllowed {
		s.Documents[p.V] = struct{}{}
	}
}

// Receive takes in the result of a pair of the set. Another pair has no effect. It returns false if
// the trial did not wait for the pair, so that an earlier outcome was counted.
func (s *Set) Receive(j Judge, k book.Key, r *book.Result) bool {
	at, mine := s.At[k]
	if !mine {
		return true
	}
	p := &s.Kinds[at.Stratum][at.Index]
	if !p.Awaited {
		return false
	}
	p.Awaited = false
	s.Tally.Strata[at.Stratum].Awaited--
	if p.Seen != nil {
		s.Looking--
	}
	s.Take(j, at, r)
	return true
}

// Take counts the result of a pair under the control of the rules of its chain. A negative seen once
// gets a second look.
func (s *Set) Take(j Judge, at Place, r *book.Result) {
	p := &s.Kinds[at.Stratum][at.Index]
	c := s.Control(p.U)
	found, doubt := j.Outcome(r, p.U, p.V, &c)
	if !doubt {
		s.Count(at.Stratum, p, found)
		return
	}
	p.Seen = r
	s.Doubt = append(s.Doubt, at)
	s.Tally.Strata[at.Stratum].Awaited++
}

// Summary returns the counts and the bound for a publication.
func (s *Set) Summary() rule.Sample {
	sum := s.Tally.Sum()
	return rule.Sample{URLs: s.URLs(), Samples: sum.Outcomes(), Negatives: sum.Negatives, Skipped: sum.Skipped, Bound: s.Tally.Bound()}
}

// URLs returns the number of URLs that the set changes.
func (s *Set) URLs() int { return s.Tally.Sum().Pairs + s.Barred }

// Shown reports whether the set's share of negatives is shown to be below a limit, or
// whether all possible URLs have been tried.
func (s *Set) Shown(limit float64) bool {
	sum := s.Tally.Sum()
	return sum.Pairs == 0 || s.Tally.Bound() < limit || sum.Left() == 0 && sum.Awaited == 0 && sum.Outcomes() > 0
}

// MayPublish reports whether the trial allows the publication of the set: the share of
// negatives is shown to be below ε, or SetRequests documents were requested and none was
// wrong. The second condition limits the requests before the rules become useful.
// Rechecks then continue the trial.
func (s *Set) MayPublish(o *book.Options) bool {
	sum := s.Tally.Sum()
	return s.Shown(o.Trial.Epsilon) ||
		sum.Negatives == 0 && sum.Outcomes() >= o.Trial.Minimum && len(s.Documents) >= o.SetRequests
}

// FirstAt returns when the first negative in doubt was looked at.
func (s *Set) FirstAt() int64 { return s.Kinds[s.Doubt[0].Stratum][s.Doubt[0].Index].Seen.At }

// LookAgain takes the first negative in doubt, for a second look.
func (s *Set) LookAgain() *Pair {
	p := &s.Kinds[s.Doubt[0].Stratum][s.Doubt[0].Index]
	s.Doubt, p.Awaited = s.Doubt[1:], true
	s.Looking++
	return p
}

// HasTaken reports whether the trial has used its share: a quarter of all pairs tried, or the
// number of pairs that would show the set's limit if none were negative.
func (s *Set) HasTaken(o *book.Options, tried int) bool {
	sum := s.Tally.Sum()
	n := sum.Outcomes()
	return 4*n >= tried || float64(n)*o.SetLimit >= ruleOfThree
}

// ruleOfThree is the constant of the rule of three: n outcomes without a negative show,
// with 95 % confidence, a share of negatives below 3/n.
const ruleOfThree = 3

// MayEnd reports whether the set may be published although the trial cannot continue: no
// pair was wrong.
func (s *Set) MayEnd(o *book.Options) bool {
	sum := s.Tally.Sum()
	return sum.Negatives == 0 && sum.Outcomes() >= o.Trial.Stratum
}

// DrawUnknown takes the next URL that would have to be fetched.
func (s *Set) DrawUnknown(known *book.Memory, now int64) *Pair {
	for _, p := s.Draw(); p != nil; _, p = s.Draw() {
		if _, has := known.Known(p.U, p.V, 0, now); !has {
			return p
		}
	}
	return nil
}
