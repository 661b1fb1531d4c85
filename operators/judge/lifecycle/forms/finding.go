package forms

import (
	"cmp"
	"iter"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/rule/search"
)

// What a view has computed for a candidate holds in the next view of the window as well, unless a form that the
// candidate touches has changed. So most of it is computed once, and not for each rule that joins L. Without this, two
// thirds of the processor time of a shop's trials went into choosing.

// finding is what a view has computed for a candidate.
type finding struct {
	rule    rule.Rule
	weighed bool // gain and short are known
	gain    int
	short   Shortfall // why the candidate cannot be tried; its zero: it can be
	first   *drawing  // nil until needed
	asked   bool      // the two depend on stand-ins

	moves []Move
	facts []fact  // of the moves; nil until needed
	far   []int32 // forms of which L decides as well what becomes of them
	kept  bool    // the moves are kept for the next view
	safe  bool    // every form would have a canonical form
}

// findings are those of a view, and what the guard says of texts and pairs, which lasts as long as the window.
type findings struct {
	of     map[book.GainKey]*finding
	moves  int                // kept in them
	judged map[uint64]Privacy // by hash
}

// Bounds of what is kept, for each URL of the window. A move takes 32 bytes, its facts 48, and its text if that is no
// form. What exceeds them is computed when it is needed.
const (
	mostMoves  = 24
	mostJudged = 16
	leastKept  = 1 << 12 // of either, for small windows

	judgedSalt = 9

	moveBytes, judgedBytes, pairBytes = 150, 24, 144
)

// Bytes returns the memory of what the view keeps for candidates, about.
func (w *View) Bytes() int64 {
	n := int64(w.found.moves)*moveBytes + int64(len(w.found.judged))*judgedBytes
	if w.drawn != nil {
		n += int64(len(w.drawn.of.moves)) * pairBytes
	}
	return n
}

// Kept returns the number of candidates of which something is kept.
func (w *View) Kept() int { return len(w.found.of) }

func (w *View) mostKept(each int) int { return leastKept + each*len(w.Window.Pages) }

// findingOf returns what is known of a candidate, with its gain. O(moves · log), once until a form that it touches changes.
func (w *View) findingOf(c *book.Candidate) *finding {
	f := w.found.of[c.Key()]
	if f == nil {
		f = w.find(&c.Rule)
		w.found.of[c.Key()] = f
	}
	if !f.weighed {
		w.weigh(f)
	}
	return f
}

// find finds the moves of a rule.
func (w *View) find(r *rule.Rule) *finding {
	f := &finding{rule: *r}
	among, _ := w.Index.MayChange(r)
	m := Mover{F: w.Forms, R: r, list: w.Canonizer}
	f.moves, f.safe = m.moves(among)
	f.far = m.far
	if f.kept = f.safe && w.found.moves+len(f.moves) <= w.mostKept(mostMoves); f.kept {
		w.found.moves += len(f.moves)
	}
	return f
}

// weigh computes the gain, which is 0 if the candidate cannot be tried.
func (w *View) weigh(f *finding) {
	asks := w.asksOf(f)
	had, allowed, needed := w.enough(f.moves, asks)
	f.gain, f.short, f.asked, f.weighed = w.Forms.Gain(f.moves), Shortfall{}, asks.may != unknown, true
	switch {
	case !f.safe:
		f.short = Shortfall{Why: NoForm}
	case f.gain < w.Options.MinGain:
		f.short = Shortfall{LittleGain, f.gain, w.Options.MinGain}
	case had < w.Options.Trial.Minimum:
		f.short = Shortfall{FewPairs, had, w.Options.Trial.Minimum}
	case allowed < needed:
		f.short = Shortfall{NotFetched, allowed, needed}
	}
	if allowed < needed {
		f.gain = 0
	}
	if !f.kept {
		f.moves, f.facts = nil, nil
	}
}

// Moves returns the moves of a candidate, which callers must not modify. There are none if some form would have no
// canonical form.
func (w *View) Moves(c *book.Candidate) []Move {
	if f := w.found.of[c.Key()]; f != nil && f.kept && c.ID != "" {
		return f.moves
	}
	among, _ := w.Index.MayChange(&c.Rule)
	moves, _ := w.Forms.Moves(&c.Rule, among)
	return moves
}

// KnownMoves yields the moves of a candidate whose pairs, in either direction, have results. O(moves).
func (w *View) KnownMoves(c *book.Candidate) iter.Seq[Move] {
	f, results := w.findingOf(c), w.memory.Results()
	return func(yield func(Move) bool) {
		if len(results) == 0 {
			return
		}
		moves := w.Moves(c)
		facts := f.factsOf(moves)
		for i := range moves {
			pair := facts[i].keysOf(w, &moves[i])
			_, forward := results[pair[0]]
			if _, back := results[pair[1]]; (forward || back) && !yield(moves[i]) {
				return
			}
		}
	}
}

// judge returns the privacy of a text that is not listed. Answers are kept.
func (w *View) judge(url string) Privacy {
	return w.kept(w.Keys.Hash(url, judgedSalt), func() Privacy { return w.Guard.judge(url, false) })
}

// judgeTwice is judge of a text that two clients asked for.
func (w *View) judgeTwice(url string) Privacy {
	return w.kept(w.Keys.Hash(url, judgedSalt+1), func() Privacy { return w.Guard.judge(url, true) })
}

// isAsked is Kinds.Asked of a guard with kinds. Answers are kept.
func (w *View) isAsked(url string) bool {
	return Public == w.kept(w.Keys.Hash(url, judgedSalt+2), func() Privacy {
		if w.Guard.Kinds.Asked(url) {
			return Public
		}
		return Unasked
	})
}

// ofPair is Guard.ofPair. Answers are kept.
func (w *View) ofPair(u, v string) Privacy {
	return w.kept(w.Keys.Pair(u, v)[0], func() Privacy { return w.Guard.pairBy(u, v, w.judge) })
}

// kept returns an answer of the guard that is kept under a hash.
func (w *View) kept(key uint64, ask func() Privacy) Privacy {
	p, known := w.found.judged[key]
	if !known {
		p = ask()
		if len(w.found.judged) >= w.mostKept(mostJudged) {
			clear(w.found.judged)
		}
		w.found.judged[key] = p
	}
	return p
}

// Inherit takes over what a former view of the same window has found, and looks again only at forms that have changed.
// O(moves kept).
func (w *View) Inherit(old *View) {
	if old == nil || old.Window != w.Window || old.Guard != w.Guard {
		return
	}
	w.found.judged = old.found.judged
	h := heirOf(old, w)
	for key, f := range old.found.of {
		if f.kept && h.take(f) && w.found.moves+len(f.moves) <= w.mostKept(mostMoves) {
			w.found.of[key] = f
			w.found.moves += len(f.moves)
		}
	}
}

// heir compares two views of one window.
type heir struct {
	to    *View
	now   []int32          // by form of the old view: the same form, represented by the same page; -1: there is none
	added []int32          // the forms of the new view that are not among these
	isNew map[string]bool  // their texts
	index *search.Index    // of these
	list  *canon.Canonizer // the rules that the old list lacks
	text  []byte
}

func heirOf(old, w *View) *heir {
	h := &heir{to: w, now: make([]int32, len(old.Forms.Texts)), isNew: map[string]bool{}}
	same := make([]bool, len(w.Forms.Texts))
	for n, text := range old.Forms.Texts {
		k, known := w.Forms.Number[text]
		if h.now[n] = -1; known && w.Forms.reps[k] == old.Forms.reps[n] {
			h.now[n], same[k] = k, true
		}
	}
	for k, text := range w.Forms.Texts {
		if !same[k] {
			h.added, h.isNew[text] = append(h.added, int32(k)), true
		}
	}
	h.index = search.New(len(h.added), func(n int) string { return w.Forms.Texts[h.added[n]] })
	h.list = Compile(slices.DeleteFunc(slices.Clone(w.Forms.Rules), func(r rule.Rule) bool { return slices.Contains(old.Forms.Rules, r) }))
	return h
}

// take brings a finding up to the new view, and reports whether each form would have a canonical form.
func (h *heir) take(f *finding) (safe bool) {
	again := h.keep(f)
	looked := len(again)
	among, _ := h.index.MayChange(&f.rule)
	for n := range among {
		again = append(again, h.added[n])
	}
	m := Mover{F: h.to.Forms, R: &f.rule, list: h.to.Canonizer}
	for i, n := range again {
		v, changed, settled := m.Move(n)
		if !settled {
			return false
		}
		if f.weighed = f.weighed && i >= looked && !changed; changed {
			f.moves = append(f.moves, v)
			if f.facts != nil {
				f.facts = append(f.facts, fact{})
			}
		}
	}
	f.far, f.weighed = m.far, f.weighed && !f.asked
	f.sort()
	if !f.weighed {
		f.first = nil
	} else if f.first != nil {
		f.first = f.first.renumbered(h.now)
	}
	return true
}

// keep renumbers the moves of a finding that are the same in the new view. Those of other forms go, and what becomes of
// some forms must be looked at again.
func (h *heir) keep(f *finding) (again []int32) {
	far := map[int32]bool{}
	for _, n := range f.far {
		if far[n] = true; h.now[n] >= 0 {
			again = append(again, h.now[n])
		}
	}
	moves, facts := make([]Move, 0, len(f.moves)), f.facts[:0]
	for i, v := range f.moves {
		n := h.now[v.Form]
		switch {
		case n < 0:
			f.weighed = false
			continue
		case far[v.Form]:
			continue
		case h.leads(&v):
			again = append(again, n)
			continue
		}
		v.Form = n
		moves = append(moves, v)
		if f.facts != nil {
			facts = append(facts, f.facts[i])
		}
	}
	f.moves, f.facts = moves, facts
	return again
}

// leads renumbers the form to which a move leads, and reports whether it may lead elsewhere now: the form is gone, or what
// was no form is one, or the new rules change it.
func (h *heir) leads(v *Move) bool {
	if v.Known >= 0 {
		v.Known = h.now[v.Known]
		return v.Known < 0
	}
	h.text = append(h.text[:0], v.To...)
	return h.isNew[v.To] || isEdited(h.list, h.text)
}

// isEdited reports whether some rule edits a text, or what others make of it.
func isEdited(list *canon.Canonizer, text []byte) bool {
	for range list.Steps(text) {
		return true
	}
	return false
}

// sort puts the moves in the order of their forms, with their facts.
func (f *finding) sort() {
	if slices.IsSortedFunc(f.moves, compareMoves) {
		return
	}
	at := map[int32]fact{}
	for i := range f.facts {
		at[f.moves[i].Form] = f.facts[i]
	}
	slices.SortFunc(f.moves, compareMoves)
	for i := range f.facts {
		f.facts[i] = at[f.moves[i].Form]
	}
}

func compareMoves(a, b Move) int { return cmp.Compare(a.Form, b.Form) }
