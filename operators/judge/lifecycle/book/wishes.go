package book

import (
	"errors"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/urlnorm"
)

// Wishes are the decisions of operators about the rules of a site.
type Wishes struct {
	Vetoes []rule.Rule `json:"vetoes,omitempty"` // never published, whatever their direction and scope
	Pins   []string    `json:"pins,omitempty"`   // ids of rules that stay while nothing refutes them
	Texts  []string    `json:"texts,omitempty"`  // names and texts: no rule that edits one is published
	Prefer []string    `json:"prefer,omitempty"` // texts: of two directions, the one into such a text is tried first
}

// Act returns the wishes for an act; nil if there are none. The texts and rules are never
// changed in place.
func (w *Wishes) Act() *Wishes {
	if len(w.Vetoes)+len(w.Pins)+len(w.Texts)+len(w.Prefer) == 0 {
		return nil
	}
	c := *w
	return &c
}

// Wish is one decision, or takes one decision back.
type Wish struct {
	Veto   string   // id of a rule
	Text   string   // vetoes all rules that edit a parameter of this name, or this text
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
	MostSides  = 64   // preferred texts, and vetoed ones
	longWish   = 1024 // bytes of a text
)

// core returns what two rules have in common that differ only in direction, scope and
// exceptions.
func core(r rule.Rule) rule.Rule {
	r.Scope, r.Except = rule.Scope{}, rule.Except{}
	return r.Shrinking()
}

// Vetoed reports whether a rule must not be published. A rule with the id of a veto in the
// options vetoes all rules of its core from then on.
func (b *Book) Vetoed(r *rule.Rule) bool {
	if slices.ContainsFunc(b.Wishes.Texts, func(text string) bool { return edits(r, text) }) {
		return true
	}
	if len(b.Wishes.Vetoes)+len(b.Options.Veto) == 0 {
		return false
	}
	c := core(*r)
	if slices.Contains(b.vetoes, c) {
		return true
	}
	if slices.Contains(b.Options.Veto, rule.ID(b.Site, r)) {
		b.vetoes = append(b.vetoes, c)
		return true
	}
	return false
}

// edits reports whether a rule removes, sets or replaces a parameter of a name, or has a side with
// this text between token boundaries.
func edits(r *rule.Rule, text string) bool {
	if r.EditsParams() && (r.Param == text || r.Other == text || r.Pattern.Class != 0 && r.Pattern.Matches([]byte(text))) {
		return true
	}
	for k := range r.Template.Keys() {
		if k.Name == text && (k.Absent || k.Edit != rule.KeepKey) {
			return true
		}
	}
	return holds(r.From, text) || holds(r.To, text)
}

// holds reports whether a text stands in a side between token boundaries.
func holds(side, text string) bool {
	for at := 0; at+len(text) <= len(side); at++ {
		if strings.HasPrefix(side[at:], text) && dust.Boundary(side, at) && dust.Boundary(side, at+len(text)) {
			return true
		}
	}
	return false
}

// Pinned reports whether a rule stays while nothing refutes it.
func (b *Book) Pinned(id string) bool {
	return slices.Contains(b.Wishes.Pins, id) || slices.Contains(b.Options.Pin, id)
}

// Preferred returns a rule in the preferred direction: into a preferred text. Preferred texts
// of the options count first.
func (b *Book) Preferred(r rule.Rule) rule.Rule {
	if r.Kind != rule.Substring {
		return r
	}
	for _, sides := range [][]string{b.Options.Prefer, b.Wishes.Prefer} {
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
func (b *Book) applyWishes(w *Wishes) {
	b.Wishes, b.vetoes = *w, nil
	for i := range w.Vetoes {
		b.vetoes = append(b.vetoes, core(w.Vetoes[i]))
	}
}

// Wish applies a wish to the present wishes. known finds a rule by its id.
func (b *Book) Wish(w Wish, known func(id string) (rule.Rule, bool)) (next Wishes, err error) {
	next = Wishes{slices.Clone(b.Wishes.Vetoes), slices.Clone(b.Wishes.Pins), slices.Clone(b.Wishes.Texts), slices.Clone(b.Wishes.Prefer)}
	switch {
	case w.Veto != "":
		err = b.wishVeto(&next, w, known)
	case w.Pin != "":
		err = b.wishPin(&next, w, known)
	case w.Text != "":
		next.Texts, err = withText(next.Texts, w.Text, w.Undo)
	case w.Undo && len(w.Prefer) == 0:
		next.Prefer = nil
	default:
		err = wishSides(&next, w)
	}
	return next, err
}

func (b *Book) wishVeto(next *Wishes, w Wish, known func(id string) (rule.Rule, bool)) error {
	if w.Undo && slices.Contains(b.Options.Veto, w.Veto) || !w.Undo && slices.Contains(b.Options.Pin, w.Veto) {
		return ErrSettings
	}
	named := func(r rule.Rule) bool { return rule.ID(b.Site, &r) == w.Veto }
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

func (b *Book) wishPin(next *Wishes, w Wish, known func(id string) (rule.Rule, bool)) error {
	at := slices.Index(next.Pins, w.Pin)
	if w.Undo {
		switch {
		case slices.Contains(b.Options.Pin, w.Pin):
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
	case slices.ContainsFunc(b.Options.Veto, func(id string) bool { return id == w.Pin }), b.Vetoed(&r) && !b.vetoedByWish(&r):
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
func (b *Book) vetoedByWish(r *rule.Rule) bool {
	if slices.ContainsFunc(b.Wishes.Texts, func(text string) bool { return edits(r, text) }) {
		return true
	}
	return slices.ContainsFunc(b.Wishes.Vetoes, func(v rule.Rule) bool { return core(v) == core(*r) })
}

func wishSides(next *Wishes, w Wish) (err error) {
	for _, text := range w.Prefer {
		if next.Prefer, err = withText(next.Prefer, text, w.Undo); err != nil {
			return err
		}
	}
	return nil
}

// withText returns texts with one text more, or without it.
func withText(texts []string, text string, undo bool) ([]string, error) {
	at := slices.Index(texts, text)
	switch {
	case text == "" || len(text) > longWish || strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 || !urlnorm.IsPlain(byte(c)) }):
		return texts, ErrText
	case undo && at < 0:
		return texts, ErrNoRule
	case undo:
		return slices.Delete(texts, at, at+1), nil
	case at >= 0:
		return texts, nil
	case len(texts) >= MostSides:
		return texts, ErrMany
	}
	return append(texts, text), nil
}
