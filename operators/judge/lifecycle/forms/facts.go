package forms

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/window/public"
)

// fact is what the guard and the window say of a move by themselves, whatever L is. So it holds for all views of the
// guard. Of the zero fact nothing was asked yet.
type fact struct {
	keys     [2]book.Key // of the pair, forward and back
	standIn  *string     // an invented URL that may be asked for, if stands is yes and L agrees
	isKeyed  bool
	isJudged bool
	privacy  Privacy // of the pair
	stands   trinary // a stand-in could be asked for
	isSought bool
	said     trinary // the log says that the pages show the same; unknown: it has no sizes
}

// factsOf returns the facts of the moves of a candidate, which are kept if the moves are.
func (f *finding) factsOf(moves []Move) []fact {
	if !f.kept {
		return make([]fact, len(moves))
	}
	if f.facts == nil {
		f.facts = make([]fact, len(moves))
	}
	return f.facts
}

// has reports whether the moves of a finding are kept, and are these themselves.
func (f *finding) has(moves []Move) bool {
	return f.kept && len(moves) > 0 && len(f.moves) == len(moves) && &f.moves[0] == &moves[0]
}

// keysOf returns the keys of a move's pair, forward and back.
func (k *fact) keysOf(w *View, v *Move) [2]book.Key {
	if !k.isKeyed {
		u := w.Forms.Rep(v.Form)
		k.keys, k.isKeyed = [2]book.Key{w.Keys.Pair(u, v.To), w.Keys.Pair(v.To, u)}, true
	}
	return k.keys
}

// fact returns what is known of a move.
func (a *Asks) fact(move int) *fact {
	if a.facts == nil {
		a.facts = make([]fact, len(a.moves))
	}
	return &a.facts[move]
}

// OfMove is Privacy of the pair of a move.
func (a *Asks) OfMove(move int) Privacy {
	k, u, v := a.fact(move), a.forms.Rep(a.moves[move].Form), a.moves[move].To
	if !k.isJudged {
		k.privacy, k.isJudged = a.view.ofPair(u, v), true
	}
	if (k.privacy == Secret || k.privacy == OneClient) && a.standsIn(k, u, v) {
		return Public
	}
	return k.privacy
}

// standsIn reports whether a stand-in may be asked for in the place of u.
func (a *Asks) standsIn(k *fact, u, v string) bool {
	if k.stands == unknown {
		if k.stands = no; a.couldStandIn(u, v) {
			if text, ok := a.invent(u, "", public.IsStatic(v)); ok {
				k.stands, k.standIn = yes, &text
			}
		}
	}
	return k.stands == yes && a.isGiven() && a.isSaid() && string(a.canon(*k.standIn)) == v
}

// saidOf returns whether the log says that the pages of a move show the same; unknown: it does not know their sizes.
func (a *Asks) saidOf(move int) trinary {
	k := a.fact(move)
	if !k.isSought {
		k.isSought = true
		from, to := a.forms.Rep(a.moves[move].Form), a.moves[move].To
		u, v := a.view.Window.Logged(from), a.view.Window.Logged(to)
		switch same, known := trial.Agree(&u, &v, len(from)-len(to)); {
		case same && known:
			k.said = yes
		case known:
			k.said = no
		}
	}
	return k.said
}
