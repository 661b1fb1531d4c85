package book

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
	Texts  []string    `json:"texts,omitempty"`  // names and texts: no rule that edits one is published
	Prefer []string    `json:"prefer,omitempty"` // texts: of two directions, the one into such a text is tried first

	PinTexts []string `json:"pin_texts,omitempty"` // names and texts: rules that edit one stay like those of Pins

	Ours  bool     `json:"ours,omitempty"`  // the site belongs to the operator
	Allow []string `json:"allow,omitempty"` // parameters NAME or NAME=VALUE that count as asked for by the public; sorted
}

// noWishes is shared by the books of sites without decisions.
var noWishes Wishes

// Act returns the wishes for an act; nil if there are none. The texts and rules are never
// changed in place.
func (w *Wishes) Act() *Wishes {
	if len(w.Vetoes)+len(w.Pins)+len(w.Texts)+len(w.Prefer)+len(w.PinTexts)+len(w.Allow) == 0 && !w.Ours {
		return nil
	}
	c := *w
	return &c
}

func (w *Wishes) clone() Wishes {
	return Wishes{slices.Clone(w.Vetoes), slices.Clone(w.Pins), slices.Clone(w.Texts), slices.Clone(w.Prefer), slices.Clone(w.PinTexts), w.Ours, slices.Clone(w.Allow)}
}

// Rejection returns the present wishes with vetoes of some rules that were tried.
func (b *Book) Rejection(ids []string) (next Wishes, err error) {
	next = b.Wishes.clone()
	for _, id := range ids {
		err = b.wishVeto(&next, Wish{Veto: id}, func(id string) (rule.Rule, bool) { return b.Entries[id].Rule, true })
		if err != nil {
			return next, err
		}
	}
	return next, nil
}

// Wish is one decision, or takes one decision back.
type Wish struct {
	Veto    string   // id of a rule
	Text    string   // vetoes all rules that edit a parameter of this name, or this text
	Pin     string   // id of a rule
	PinText string   // pins all rules that edit a parameter of this name, or this text
	Prefer  []string // texts; with Undo and nothing else, none stands for all texts
	Ours    bool     // the site belongs to the operator
	Allow   string   // a parameter, NAME or NAME=VALUE, that counts as asked for by the public
	Drop    *File    // of this format: is no longer in use
	Undo    bool
}

// Decision is what an operator says to a held update, or to one of its rules.
type Decision struct {
	Mark   string // of the update: see MarkOf
	ID     string // of the one rule; "": all rules of the update
	Reject bool   // the rules are vetoed; else they are approved
}

// Errors of wishes and decisions.
var (
	ErrNoRule   = errors.New("no such rule is known")
	ErrSettings = errors.New("the configuration decides this")
	ErrMany     = errors.New("too many such decisions")
	ErrText     = errors.New("not a part of a URL")
	ErrParam    = errors.New("not a parameter NAME or NAME=VALUE")
	ErrNotHeld  = errors.New("no update is held")
	ErrChanged  = errors.New("the update has changed")
)

// Bounds of the wishes of one site.
const (
	mostWishes = 256  // vetoes, and pins
	MostSides  = 64   // preferred texts, vetoed ones, and pinned ones; allowed parameters
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
	if editsAny(r, b.Options.VetoTexts, b.Wishes.Texts) {
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

// Pinned reports whether a rule stays while nothing refutes it.
func (b *Book) Pinned(e *Entry) bool {
	return slices.Contains(b.Wishes.Pins, e.ID) || slices.Contains(b.Options.Pin, e.ID) || editsAny(&e.Rule, b.Options.PinTexts, b.Wishes.PinTexts)
}

// PinnedRules returns the rules that were tried and that operators have pinned by their ids.
func (b *Book) PinnedRules() (pinned map[string]rule.Rule) {
	for _, id := range b.Wishes.Pins {
		if e := b.Entries[id]; e != nil {
			if pinned == nil {
				pinned = map[string]rule.Rule{}
			}
			pinned[id] = e.Rule
		}
	}
	return pinned
}

// Preferred returns a rule in the preferred direction: into a preferred text. Preferred texts
// of the options count first.
func (b *Book) Preferred(r rule.Rule) rule.Rule {
	if r.Kind() != rule.KindSubstring {
		return r
	}
	for _, sides := range [][]string{b.Options.Prefer, b.Wishes.Prefer} {
		holds := func(side string) bool {
			return slices.ContainsFunc(sides, func(text string) bool { return strings.Contains(side, text) })
		}
		if from, to := holds(r.Sides().From), holds(r.Sides().To); from != to {
			if from {
				return r.Opposite()
			}
			return r
		}
	}
	return r
}

// applyWishes replaces the wishes.
func (b *Book) applyWishes(w *Wishes) {
	c := *w
	b.Wishes, b.vetoes = &c, nil
	for i := range w.Vetoes {
		b.vetoes = append(b.vetoes, core(w.Vetoes[i]))
	}
}

// Wish applies a wish to the present wishes. known finds a rule by its id.
func (b *Book) Wish(w Wish, known func(id string) (rule.Rule, bool)) (next Wishes, err error) {
	next = b.Wishes.clone()
	switch {
	case w.Veto != "":
		err = b.wishVeto(&next, w, known)
	case w.Pin != "":
		err = b.wishPin(&next, w, known)
	case w.Text != "":
		next.Texts, err = wishText(next.Texts, w.Text, w.Undo, b.Options.VetoTexts, b.Options.PinTexts)
	case w.PinText != "":
		next.PinTexts, err = wishText(next.PinTexts, w.PinText, w.Undo, b.Options.PinTexts, b.Options.VetoTexts)
	case w.Ours:
		err = wishOurs(&next, w.Undo)
	case w.Allow != "":
		next.Allow, err = wishAllow(next.Allow, w.Allow, w.Undo, b.Options.Allow[b.Site])
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
	if editsAny(r, b.Wishes.Texts) {
		return true
	}
	return slices.ContainsFunc(b.Wishes.Vetoes, func(v rule.Rule) bool { return core(v) == core(*r) })
}

// wishOurs takes the approval of a site, or takes it back.
func wishOurs(next *Wishes, undo bool) error {
	if undo && !next.Ours {
		return ErrNoRule
	}
	next.Ours = !undo
	return nil
}

// wishAllow returns parameters with one more, or without it. fixed are those of the configuration.
func wishAllow(all []string, name string, undo bool, fixed []string) ([]string, error) {
	if !IsParam(name) {
		return all, ErrParam
	}
	all, err := wishText(all, name, undo, fixed, nil)
	slices.Sort(all)
	return all, err
}

// IsParam reports whether a text may name a parameter that is allowed: NAME, or NAME=VALUE.
func IsParam(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return name != "" && len(text) <= longWish && !strings.ContainsAny(text, "/?&;#") &&
		!strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 || !urlnorm.IsPlain(byte(c)) })
}

// Allowed returns the parameters that count as asked for by the public, of the options and of the wishes. Sorted, each once.
func (b *Book) Allowed() []string {
	all := slices.Sorted(slices.Values(slices.Concat(b.Options.Allow[b.Site], b.Wishes.Allow)))
	return slices.Compact(all)
}

func wishSides(next *Wishes, w Wish) (err error) {
	for _, text := range w.Prefer {
		if next.Prefer, err = withText(next.Prefer, text, w.Undo); err != nil {
			return err
		}
	}
	return nil
}

// wishText returns texts with one text more, or without it. The configuration may have the text among
// the same texts, or among those of the opposite decision.
func wishText(texts []string, text string, undo bool, same, opposite []string) ([]string, error) {
	if undo && slices.Contains(same, text) || !undo && slices.Contains(opposite, text) {
		return texts, ErrSettings
	}
	return withText(texts, text, undo)
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
