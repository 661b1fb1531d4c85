package lifecycle

import (
	"errors"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// Wishes are the decisions of operators about the rules of a site.
type Wishes struct {
	Vetoes []rule.Rule `json:"vetoes,omitempty"` // never published, whatever their direction and scope
	Pins   []string    `json:"pins,omitempty"`   // ids of rules that stay while nothing refutes them
	Prefer []string    `json:"prefer,omitempty"` // texts: of two directions, the direction into such a text is tried first
}

// act returns the wishes for an act; nil if there are none. The texts and rules are never
// changed in place.
func (w *Wishes) act() *Wishes {
	if len(w.Vetoes)+len(w.Pins)+len(w.Prefer) == 0 {
		return nil
	}
	c := *w
	return &c
}

// Wish is one decision, or takes one decision back.
type Wish struct {
	Veto   string   // id of a rule
	Pin    string   // id of a rule
	Prefer []string // texts; with Undo and no Veto and Pin, none stands for all texts
	Undo   bool
}

// Errors of wishes.
var (
	ErrNoRule   = errors.New("no such rule is known")
	ErrSettings = errors.New("the configuration decides this")
	ErrMany     = errors.New("too many such decisions")
	ErrText     = errors.New("not a part of a URL")
)

// Bounds of the wishes of one site.
const (
	mostWishes = 256  // vetoes, and pins
	mostSides  = 64   // preferred texts
	longWish   = 1024 // bytes of a preferred text
)

// core returns what two rules have in common that differ only in direction, scope and
// exceptions.
func core(r rule.Rule) rule.Rule {
	r.Scope, r.Except = rule.Scope{}, rule.Except{}
	return r.Shrinking()
}

// vetoed reports whether a rule must not be published. A rule with the id of a veto in the
// options vetoes all rules of its core from then on.
func (b *book) vetoed(r *rule.Rule) bool {
	if len(b.wishes.Vetoes)+len(b.o.Veto) == 0 {
		return false
	}
	c := core(*r)
	if slices.Contains(b.vetoes, c) {
		return true
	}
	if slices.Contains(b.o.Veto, rule.ID(b.site, r)) {
		b.vetoes = append(b.vetoes, c)
		return true
	}
	return false
}

// pinned reports whether a rule stays while nothing refutes it.
func (b *book) pinned(id string) bool {
	return slices.Contains(b.wishes.Pins, id) || slices.Contains(b.o.Pin, id)
}

// preferred returns a rule in the preferred direction: into a preferred text. Preferred texts
// of the options count first.
func (b *book) preferred(r rule.Rule) rule.Rule {
	if r.Kind != rule.Substring {
		return r
	}
	for _, sides := range [][]string{b.o.Prefer, b.wishes.Prefer} {
		holds := func(side string) bool {
			return slices.ContainsFunc(sides, func(text string) bool { return strings.Contains(side, text) })
		}
		if from, to := holds(r.From), holds(r.To); from != to {
			if from {
				r.From, r.To, r.Except = r.To, r.From, rule.Except{}
			}
			return r
		}
	}
	return r
}

// applyWishes replaces the wishes.
func (b *book) applyWishes(w *Wishes) {
	b.wishes, b.vetoes = *w, nil
	for i := range w.Vetoes {
		b.vetoes = append(b.vetoes, core(w.Vetoes[i]))
	}
}

// wish applies a wish to the present wishes. known finds a rule by its id.
func (b *book) wish(w Wish, known func(id string) (rule.Rule, bool)) (next Wishes, err error) {
	next = Wishes{slices.Clone(b.wishes.Vetoes), slices.Clone(b.wishes.Pins), slices.Clone(b.wishes.Prefer)}
	switch {
	case w.Veto != "":
		err = b.wishVeto(&next, w, known)
	case w.Pin != "":
		err = b.wishPin(&next, w, known)
	case w.Undo && len(w.Prefer) == 0:
		next.Prefer = nil
	default:
		err = wishSides(&next, w)
	}
	return next, err
}

func (b *book) wishVeto(next *Wishes, w Wish, known func(id string) (rule.Rule, bool)) error {
	if w.Undo && slices.Contains(b.o.Veto, w.Veto) || !w.Undo && slices.Contains(b.o.Pin, w.Veto) {
		return ErrSettings
	}
	named := func(r rule.Rule) bool { return rule.ID(b.site, &r) == w.Veto }
	if w.Undo {
		before := len(next.Vetoes)
		if next.Vetoes = slices.DeleteFunc(next.Vetoes, named); len(next.Vetoes) == before {
			return ErrNoRule
		}
		return nil
	}
	r, ok := known(w.Veto)
	switch {
	case !ok:
		return ErrNoRule
	case slices.ContainsFunc(next.Vetoes, named):
		return nil
	case len(next.Vetoes) >= mostWishes:
		return ErrMany
	}
	next.Vetoes = append(next.Vetoes, r)
	return nil
}

func (b *book) wishPin(next *Wishes, w Wish, known func(id string) (rule.Rule, bool)) error {
	at := slices.Index(next.Pins, w.Pin)
	if w.Undo {
		switch {
		case slices.Contains(b.o.Pin, w.Pin):
			return ErrSettings
		case at < 0:
			return ErrNoRule
		}
		next.Pins = slices.Delete(next.Pins, at, at+1)
		return nil
	}
	r, ok := known(w.Pin)
	switch {
	case !ok:
		return ErrNoRule
	case slices.ContainsFunc(b.o.Veto, func(id string) bool { return id == w.Pin }), b.vetoed(&r) && !b.vetoedByWish(&r):
		return ErrSettings
	case at >= 0:
		return nil
	case len(next.Pins) >= mostWishes:
		return ErrMany
	}
	next.Pins = append(next.Pins, w.Pin)
	return nil
}

// vetoedByWish reports whether a wish, and not only the options, vetoes a rule.
func (b *book) vetoedByWish(r *rule.Rule) bool {
	return slices.ContainsFunc(b.wishes.Vetoes, func(v rule.Rule) bool { return core(v) == core(*r) })
}

func wishSides(next *Wishes, w Wish) error {
	for _, text := range w.Prefer {
		at := slices.Index(next.Prefer, text)
		switch {
		case text == "" || len(text) > longWish || strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 || !urlnorm.IsPlain(byte(c)) }):
			return ErrText
		case w.Undo && at < 0:
			return ErrNoRule
		case w.Undo:
			next.Prefer = slices.Delete(next.Prefer, at, at+1)
		case at < 0 && len(next.Prefer) >= mostSides:
			return ErrMany
		case at < 0:
			next.Prefer = append(next.Prefer, text)
		}
	}
	return nil
}

// wish takes in a wish: see Machine.Wish.
func (pl *planner) wish(w Wish) error {
	next, err := pl.book.wish(w, pl.ruleOf)
	if err != nil {
		return err
	}
	pl.do(Act{Wishes: &next})
	return nil
}

// hides reports whether the text of a rule must not be published.
func (pl *planner) hides(text string) bool {
	if pl.guard == nil {
		return pl.o.Veil.Hides(text)
	}
	return pl.guard.hides(text)
}

// ruleOf returns the rule with an id among the rules that were tried, published, mined or
// learned. Rules that the veil hides are not known.
func (pl *planner) ruleOf(id string) (rule.Rule, bool) {
	if e := pl.book.entries[id]; e != nil {
		return e.Rule, !pl.hides(e.Rule.Text())
	}
	all := slices.Concat(pl.candidates, pl.book.learnt)
	if pl.view != nil {
		all = append(all, pl.view.drops...)
	}
	for i := range all {
		if all[i].id == id {
			return all[i].rule, !pl.hides(all[i].rule.Text())
		}
		if other, has := all[i].rule.Reverse(); has && rule.ID(pl.book.site, &other) == id {
			return other, !pl.hides(other.Text())
		}
	}
	return rule.Rule{}, false
}

// obey takes a rule out of L that a wish forbids: a vetoed rule, and a rule whose other
// direction is preferred and not refuted. obey reports whether L changed.
func (pl *planner) obey(now int64) bool {
	for place, e := range pl.view.list {
		reason := ""
		if pl.book.vetoed(&e.Rule) {
			reason = byVeto
		} else if other := pl.book.preferred(e.Rule); other != e.Rule && !pl.book.failed(&other) {
			reason = byPreference
		}
		if reason == "" {
			continue
		}
		gone := *e
		gone.State, gone.Verdict.Reason, gone.Verdict.Time = rule.Retired, reason, now
		pl.leave(pl.view.list, place, &gone, now)
		return true
	}
	return false
}

// failed reports whether a rule was tried and does not hold.
func (b *book) failed(r *rule.Rule) bool {
	e := b.entries[rule.ID(b.site, r)]
	return e != nil && (e.State == rule.Refuted || e.State == rule.Retired || e.State == rule.Undecided)
}
