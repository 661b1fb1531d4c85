package forms

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/waste"
)

// View holds what follows from the window and L. A view never changes: when the window or L does, it
// is thrown away. Gains and decoys are computed when they are first needed, and kept.
type View struct {
	Site    string
	Options *book.Options
	Keys    *book.Hasher
	Now     int64 // Unix time at which the view was derived
	memory  *book.Memory

	Window *Window
	Guard  *Guard           // of the window
	Part                    // all of L
	Forms  *Forms           // under L
	Index  *search.Index    // of Forms
	Drops  []book.Candidate // drops and forms of syntax that are likely by the sizes of the forms

	found    findings           // of candidates
	decoys   []Decoy            // see Decoys; nil until needed
	drawn    *drawn             // the last candidate whose pairs were drawn; nil: none, or they were taken
	before   *before            // the last result of Before; nil until needed
	changing map[rule.Rule]bool // see Changes
	effects  []waste.Effect     // see Effects; nil until needed
	standIns *book.StandIns     // asked for before Now; nil until needed
	confiner *Confiner          // see Confiner; nil until needed
}

// before is what Before returns.
type before struct {
	place int
	forms *Forms
	moves []Move
}

// Before returns the forms under the rules before a place of L, and those of them that the rule at the place
// moves. The last result is kept. O(bytes of all URLs).
func (w *View) Before(place int) (*Forms, []Move) {
	if w.before == nil || w.before.place != place {
		f := Of(w.Window, RulesOf(w.List[:place]))
		moves, _ := f.Moves(&w.List[place].Rule, f.Everything())
		w.before = &before{place, f, moves}
	}
	return w.before.forms, w.before.moves
}

// NewView derives the view of a list. rank is the rank of a rule that leaves a URL of the
// window without a canonical form, and -1 if there is none. The view is nil if there is
// such a rule.
func NewView(b *book.Book, window *Window, g *Guard, list []*book.Entry) (w *View, rank int) {
	rules := RulesOf(list)
	c := Compile(rules)
	if _, rank := c.Unsafe(window.Bytes()); rank >= 0 {
		return nil, rank
	}
	w = &View{Site: b.Site, Options: b.Options, Keys: b.Memory.Keys, memory: b.Memory, Window: window, Guard: g, Part: Part{list, c},
		Forms: Of(window, rules), found: findings{of: map[book.GainKey]*finding{}, judged: map[uint64]Privacy{}}}
	w.Index = search.New(len(w.Forms.Texts), func(n int) string { return w.Forms.Texts[n] })
	if !b.Options.GivenOnly && !b.Options.Off.LikelyDrops {
		w.Drops = append(w.Finder().all(), w.Finder().syntaxes()...)
		for i := range w.Drops {
			d := &w.Drops[i]
			d.Rule = w.Confiner().Confined(d.Rule)
			d.ID = rule.ID(w.Site, &d.Rule)
		}
	}
	return w, -1
}

// Finder returns what finds drops among the forms.
func (w *View) Finder() *dropFinder { return &dropFinder{w.Site, w.Options, w.Forms, w.Index} }

// Most returns a candidate's gain if it has been computed, and otherwise a bound.
func (w *View) Most(c *book.Candidate) int {
	if f := w.found.of[c.Key()]; f != nil && f.weighed {
		return f.gain
	} else if f != nil {
		return len(f.moves)
	}
	_, n := w.Index.MayChange(&c.Rule)
	return n
}

// Changes reports whether a rule changes one of some texts (see book.Changes) in some form. The texts are
// those of the first call. Answers are kept. O(forms that the rule may change).
func (w *View) Changes(r *rule.Rule, texts []string) bool {
	changes, known := w.changing[*r]
	if known {
		return changes
	}
	if w.changing == nil {
		w.changing = map[rule.Rule]bool{}
	}
	var url, buf []byte
	among, _ := w.Index.MayChange(r)
	for n := range among {
		url = append(url[:0], w.Forms.Texts[n]...)
		if buf, changes = r.Apply(buf[:0], url); changes && book.Changes(r, w.Forms.Texts[n], string(buf), texts) {
			break
		}
		changes = false
	}
	w.changing[*r] = changes
	return changes
}

// Changing returns the places in L of the rules that change one of some texts (see book.Changes) on the way
// of a URL to its form. O(bytes of all URLs).
func (w *View) Changing(texts []string) map[int]bool {
	places := map[int]bool{}
	for i := range w.Window.Pages {
		way, ranks := w.Walk(&w.Part, w.Window.Pages[i].URL)
		for step, place := range ranks {
			places[place] = places[place] || book.Changes(&w.List[place].Rule, way[step], way[step+1], texts)
		}
	}
	return places
}

// MayGain returns the number of candidates whose gain may be large enough for a trial.
func (w *View) MayGain(all []book.Candidate) (n int) {
	for i := range all {
		if w.Most(&all[i]) >= w.Options.MinGain {
			n++
		}
	}
	return n
}

// Gain returns a candidate's gain, computed at most once. It is 0 if the candidate cannot be tried:
// some form would have no canonical form, or there are too few pairs for a verdict.
func (w *View) Gain(c *book.Candidate) int { return w.findingOf(c).gain }

// restShare is the number of pairs that may not be tried for each pair that may: a verdict on fewer would say
// little of most URLs that the rule changes.
const restShare = 2

// enough counts the pairs of a rule whose pages can be had, and those of them that may be tried. needed is the
// number of the latter for a trial: as many as a verdict needs and, unless URLs of any kind may be fetched, one
// for every two others. Counting ends when the answer is known. O(moves · log).
func (w *View) enough(moves []Move, asks *Asks) (had, allowed, needed int) {
	enough := func(others int) int {
		if w.Guard.Kinds == nil {
			others = 0
		}
		return max(w.Options.Trial.Minimum, (others+restShare-1)/restShare)
	}
	for i := range moves {
		if rest := len(moves) - i; allowed >= enough(had-allowed+rest) {
			break
		}
		if w.Guard.Lacks(w.Forms.Rep(moves[i].Form), moves[i].To) {
			continue
		}
		had++
		if asks.OfMove(i) == Public {
			allowed++
		}
	}
	return had, allowed, enough(had - allowed)
}

// Untried returns the number of the candidates whose gain was computed that are not tried,
// since too few of their pairs may be fetched, and the first of them.
func (w *View) Untried(all []book.Candidate) (n int, first *book.Candidate) {
	for i := range all {
		if f := w.found.of[all[i].Key()]; f != nil && f.weighed && f.short.Why == NotFetched {
			if n++; n == 1 {
				first = &all[i]
			}
		}
	}
	return n, first
}

// Pair returns (u, v), where u represents a form that the rule turns into v.
func (w *View) Pair(form, u, v string) Pair {
	p := Pair{U: u, V: v, Form: form, Key: w.Keys.Pair(u, v)}
	p.Turn = TurnOf(w.Keys, w.Window.Held, form, v)
	return p
}

// stratum returns the stratum of a move.
func (w *View) stratum(f *Forms, v Move) int {
	switch {
	case v.Known < 0:
		return trial.Unknown
	case w.Options.Miner.Envelope.Similarity.Similar(f.evidence(v.Form), f.evidence(v.Known)):
		return trial.Near
	}
	return trial.Apart
}

// torn returns the unknown URLs into which a rule turns several forms whose pages are not
// alike. The rule is wrong about at least one of those forms. O(moves).
func (w *View) torn(f *Forms, moves []Move) map[string]bool {
	first, torn := map[string]int32{}, map[string]bool{}
	for _, v := range moves {
		if v.Known >= 0 || len(f.evidence(v.Form)) == 0 {
			continue
		}
		if one, seen := first[v.To]; !seen {
			first[v.To] = v.Form
		} else if !Alike(w.Options, f.Page(one), f.Page(v.Form)) {
			torn[v.To] = true
		}
	}
	return torn
}

// TornForms returns the forms of URLs that are not similar by size, without forms that are
// themselves in the window.
func (w *View) TornForms(f *Forms) []bool {
	torn := make([]bool, len(f.Texts))
	for i := range w.Window.Pages {
		if n := f.Of[i]; f.Rep(n) != f.Texts[n] && !Alike(w.Options, &w.Window.Pages[i], f.Page(n)) {
			torn[n] = true
		}
	}
	return torn
}

// Asked names a pair.
type Asked struct {
	Key  book.Key
	Part float64 // for which an outcome of the pair counts
}

// drawing is the beginning of the trial of a candidate.
type drawing struct {
	First []Asked           // as many pairs as are needed until the rule may be published
	rare  map[int32]float64 // of the forms of small strata, and of unlike pairs: the part of a pair for which an outcome counts
	pairs int               // that may be tried
	more  int               // that were wanted
}

// drawn is a candidate with its pairs: the trial that begins next is often its own.
type drawn struct {
	of     *finding
	pairs  [trial.Strata][]Pair
	barred int
}

// takeDrawn returns the pairs of the candidate that were drawn last if its moves are these, once: they belong to the caller.
func (w *View) takeDrawn(f *Forms, moves []Move, asks *Asks) *drawn {
	d := w.drawn
	if d == nil || f != w.Forms || !d.of.has(moves) || asks.rule == nil || *asks.rule != d.of.rule {
		return nil
	}
	w.drawn = nil
	return d
}

// Part returns the part for which the outcome of a form's pair counts.
func (d *drawing) Part(form int32) float64 {
	if part, rare := d.rare[form]; rare {
		return part
	}
	return 1
}

// renumbered returns the drawing with other numbers of the forms.
func (d *drawing) renumbered(now []int32) *drawing {
	next := *d
	next.rare = make(map[int32]float64, len(d.rare))
	for form, part := range d.rare {
		next.rare[now[form]] = part
	}
	return &next
}

// Drawing returns the beginning of the trial of a candidate. O(moves · log), once until a form that the candidate touches
// changes, or a trial needs another number of pairs.
func (w *View) Drawing(c *book.Candidate) *drawing {
	f := w.findingOf(c)
	if d := f.first; d == nil || d.more != w.Options.More(c, f.gain, len(w.Forms.Texts), d.pairs, 0) {
		f.first = w.draw(c, f)
	}
	return f.first
}

func (w *View) draw(c *book.Candidate, f *finding) *drawing {
	d := &drawing{rare: map[int32]float64{}}
	moves := w.Moves(c)
	asks := w.Asks(w.Forms, &c.Rule, moves)
	pairs, barred := w.Pairs(w.Forms, moves, asks)
	if w.drawn = nil; f.kept {
		w.drawn = &drawn{f, pairs, barred}
	}
	f.asked = f.asked || asks.may != unknown
	var t trial.Tally
	for h := range pairs {
		t.Strata[h].Pairs = len(pairs[h])
		d.pairs += len(pairs[h])
	}
	for h := range pairs {
		if part := t.Strata[h].Part(d.pairs); part < 1 {
			for i := range pairs[h] {
				d.rare[w.Forms.Number[pairs[h][i].Form]] = part
			}
		}
	}
	for _, form := range UnlikeForms(allOf(&pairs)) { // an exception may explain them
		d.rare[w.Forms.Number[form]] = 0
	}
	d.more = w.Options.More(c, f.gain, len(w.Forms.Texts), d.pairs, 0)
	for range d.more {
		h, ok := t.Next(w.Options.Trial)
		if !ok {
			break
		}
		p := &pairs[h][t.Strata[h].Awaited]
		t.Strata[h].Awaited++
		d.First = append(d.First, Asked{p.Key, t.Strata[h].Part(d.pairs)})
	}
	return d
}

// Merged returns the number of URLs that a part of L merges with others.
func (w *View) Merged(list []*book.Entry) int {
	return len(w.Window.Pages) - len(w.FormsUnder(list).Texts)
}

// Untried is the reason for which a likely rule is not tried at present. The list is closed.
type Untried string

// The reasons.
const (
	Waits      Untried = "waits"       // others are tried first, or nothing is tested at present
	FewPairs   Untried = "few_pairs"   // fewer pairs than a verdict needs
	NotFetched Untried = "not_fetched" // fewer pairs that may be fetched than a verdict needs, or than are left since the public does not ask for them
	LittleGain Untried = "little_gain" // the rule would merge fewer forms than MinGain
	NoForm     Untried = "no_form"     // some URL would have no canonical form
	Vetoed     Untried = "vetoed"      // by an operator
	Hidden     Untried = "hidden"      // the rule's text looks like a secret
	Pattern    Untried = "pattern"     // its path would be a pattern in a published rule
	Unseen     Untried = "unseen"      // the rule is newer than the last look at the site
)

// UntriedWords describes each reason in words.
var UntriedWords = map[Untried]string{
	Waits:      "waits for its turn",
	FewPairs:   "too few pairs of pages to decide",
	NotFetched: "too few pairs of pages may be requested",
	LittleGain: "already covered by other rules",
	NoForm:     "with it some URL would have no canonical form",
	Vetoed:     "vetoed",
	Hidden:     "looks like a secret",
	Pattern:    "its path would read as a pattern",
	Unseen:     "waits for the next look at the site",
}

// Words describes the reason in words.
func (u Untried) Words() string { return UntriedWords[u] }

// Shortfall is the reason for which a candidate cannot be tried. Number is what it has, of the Needed.
type Shortfall struct {
	Why            Untried
	Number, Needed int
}

// Shortfall returns the reason for which a candidate cannot be tried; Waits if there is none.
func (w *View) Shortfall(c *book.Candidate) Shortfall {
	if w.Gain(c) >= w.Options.MinGain {
		return Shortfall{Why: Waits}
	}
	return w.findingOf(c).short
}

// LeadsTo reports whether L turns a text into a form.
func (w *View) LeadsTo(text string, form int32) bool {
	out, _ := w.Canonizer.Canon(nil, []byte(text))
	return string(out) == w.Forms.Texts[form]
}

// Label returns the label of a form: that of the document of the URL that represents it or, if that
// was not requested, of its own. It is 0 if neither is known.
func (w *View) Label(known book.Labels, form string) uint64 {
	n, ok := w.Forms.Number[form]
	if !ok {
		return 0
	}
	if label, ok := known[w.Keys.Document(w.Forms.Rep(n))]; ok {
		return label
	}
	return known[w.Keys.Document(form)]
}
