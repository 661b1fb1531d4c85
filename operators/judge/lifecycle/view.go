package lifecycle

import (
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
)

// view holds what follows from the window and L. A view never changes: when the window or L
// changes, the view is thrown away. Gains and decoys are computed when they are first
// needed, and kept.
type view struct {
	site string
	o    *Options
	keys *hasher

	window *Window
	guard  *guard        // of the window
	part                 // all of L
	forms  *forms        // under L
	index  *search.Index // of forms
	drops  []candidate   // likely by the sizes of the forms

	gains    map[gainKey]int       // of candidates
	unable   map[gainKey]shortfall // of candidates that cannot be tried
	drawings map[gainKey]*drawing  // of candidates
	drawn    [][]*kindAt           // see decoys; nil until needed
	chosen   chosenDecoys          // of drawn
}

// newView derives the view of a list. rank is the rank of a rule that leaves a URL of the
// window without a canonical form, and -1 if there is none. The view is nil if there is
// such a rule.
func newView(b *book, window *Window, g *guard, list []*Entry) (w *view, rank int) {
	rules := rulesOf(list)
	c := compile(rules)
	if _, rank := c.Unsafe(window.bytes()); rank >= 0 {
		return nil, rank
	}
	w = &view{site: b.site, o: b.o, keys: b.memory.keys, window: window, guard: g, part: part{list, c},
		forms: formsOf(window, rules), gains: map[gainKey]int{}, unable: map[gainKey]shortfall{}, drawings: map[gainKey]*drawing{}}
	w.index = search.New(len(w.forms.texts), func(n int) string { return w.forms.texts[n] })
	if !b.o.GivenOnly && !b.o.Off.LikelyDrops {
		w.drops = w.finder().all()
	}
	return w, -1
}

// finder returns what finds drops among the forms.
func (w *view) finder() *dropFinder { return &dropFinder{w.site, w.o, w.forms, w.index} }

// gainKey names a rule with its exceptions.
type gainKey struct {
	id     string
	except rule.Except
}

func (c *candidate) key() gainKey { return gainKey{c.id, c.rule.Except} }

// most returns a candidate's gain if the gain has been computed, and otherwise the bound.
func (w *view) most(c *candidate) int {
	if g, taken := w.gains[c.key()]; taken {
		return g
	}
	_, n := w.index.MayChange(&c.rule)
	return n
}

// mayGain returns the number of candidates whose gain may be large enough for a trial.
func (w *view) mayGain(all []candidate) (n int) {
	for i := range all {
		if w.most(&all[i]) >= w.o.MinGain {
			n++
		}
	}
	return n
}

// gain returns a candidate's gain and computes the gain at most once. The gain is 0 if the
// candidate cannot be tried: some form would have no canonical form, or there are too few
// pairs for a verdict.
func (w *view) gain(c *candidate) int {
	g, taken := w.gains[c.key()]
	if !taken {
		g = w.newGain(c)
		w.gains[c.key()] = g
	}
	return g
}

// newGain computes a candidate's gain, and notes why a candidate cannot be tried.
func (w *view) newGain(c *candidate) int {
	moves, safe := w.safeMoves(c)
	had, allowed, needed := w.enough(moves)
	gain := w.forms.gain(moves)
	switch {
	case !safe:
		w.unable[c.key()] = shortfall{why: NoForm}
	case gain < w.o.MinGain:
		w.unable[c.key()] = shortfall{LittleGain, gain, w.o.MinGain}
	case had < w.o.Trial.Minimum:
		w.unable[c.key()] = shortfall{FewPairs, had, w.o.Trial.Minimum}
	case allowed < needed:
		w.unable[c.key()] = shortfall{NotFetched, allowed, needed}
	}
	if allowed < needed {
		return 0
	}
	return gain
}

// moves returns the moves of a candidate. There are none if some form would have no
// canonical form.
func (w *view) moves(c *candidate) []move {
	moves, _ := w.safeMoves(c)
	return moves
}

// safeMoves is moves, and reports whether every form would have a canonical form.
func (w *view) safeMoves(c *candidate) (moves []move, safe bool) {
	among, _ := w.index.MayChange(&c.rule)
	return w.forms.moves(&c.rule, among)
}

// enough counts the pairs of a rule whose pages can be had, and among these, the pairs that may be
// fetched. needed is the number of the latter that a trial needs: as many as a verdict needs, and as
// many as there are pairs of which the public asks for one URL only or for none. A verdict on fewer
// would say little of most URLs that the rule changes. Counting ends when the answer is known.
// O(moves · log).
func (w *view) enough(moves []move) (had, allowed, needed int) {
	unasked := 0
	for i := range moves {
		if rest := len(moves) - i; allowed >= max(w.o.Trial.Minimum, unasked+rest) || w.guard.kinds == nil && allowed >= w.o.Trial.Minimum {
			break
		}
		u, v := w.forms.rep(moves[i].form), moves[i].to
		if w.guard.lacks(u, v) {
			continue
		}
		had++
		switch w.guard.ofPair(u, v) {
		case Public:
			allowed++
		case Unasked:
			unasked++
		}
	}
	return had, allowed, max(w.o.Trial.Minimum, unasked)
}

// untried returns the number of the candidates whose gain was computed that are not tried,
// since too few of their pairs may be fetched, and the first of them.
func (w *view) untried(all []candidate) (n int, first *candidate) {
	for i := range all {
		if w.unable[all[i].key()].why == NotFetched {
			if n++; n == 1 {
				first = &all[i]
			}
		}
	}
	return n, first
}

// pair returns (u, v), where u represents a form and the rule turns the form into v.
func (w *view) pair(form, u, v string) pair {
	p := pair{u: u, v: v, form: form, key: w.keys.pair(u, v)}
	p.turn = turnOf(w.keys, w.window.held, form, v)
	return p
}

// stratum returns the stratum of a move.
func (w *view) stratum(f *forms, v move) int {
	switch {
	case v.known < 0:
		return trial.Unknown
	case w.o.Miner.Envelope.Similarity.Similar(f.evidence(v.form), f.evidence(v.known)):
		return trial.Near
	}
	return trial.Apart
}

// torn returns the unknown URLs into which a rule turns several forms whose pages are not
// alike. The rule is wrong about at least one of those forms. O(moves).
func (w *view) torn(f *forms, moves []move) map[string]bool {
	first, torn := map[string]int32{}, map[string]bool{}
	for _, v := range moves {
		if v.known >= 0 || len(f.evidence(v.form)) == 0 {
			continue
		}
		if one, seen := first[v.to]; !seen {
			first[v.to] = v.form
		} else if !alike(w.o, f.page(one), f.page(v.form)) {
			torn[v.to] = true
		}
	}
	return torn
}

// tornForms returns the forms of URLs that are not similar by size, without forms that are
// themselves in the window.
func (w *view) tornForms(f *forms) []bool {
	torn := make([]bool, len(f.texts))
	for i := range w.window.pages {
		if n := f.of[i]; f.rep(n) != f.texts[n] && !alike(w.o, &w.window.pages[i], f.page(n)) {
			torn[n] = true
		}
	}
	return torn
}
