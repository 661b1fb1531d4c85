package trials

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// The control of a trial consists of pairs of pages that the rule does not join. Most of
// these pairs are mixed from pages already fetched by the trial: (u_i, v_j). If a rule
// makes few different v, decoys replace v. Decoys are pages of other kinds. Decoys also
// show whether a server answers with one text everywhere.

// Bounds of a control.
const (
	mostMixed   = 200 // pairs
	EnoughMixed = 20  // pairs; each verdict waits for these, if there are enough
	fewestMixed = 5   // pairs; with fewer pairs, decoys are added
	mixedOfEach = 2   // pairs for each u, at least
)

// Tested is a pair of a trial whose documents were compared.
type Tested struct {
	U, V string
	Key  book.Key
	text uint64 // of v
	page uint64 // see forms.Pair
}

// isPageOf reports whether two pairs are known to be forms of one page. Other rules may join
// such forms, so that their texts are equal although the control's rule does not join them.
func (t *Tested) isPageOf(w *Tested) bool { return t.page != 0 && t.page == w.page }

// compared returns the pairs of a trial whose documents were compared, in the order of their keys,
// which is independent of the pages.
func (a *Trial) compared() (all []Tested) {
	for _, at := range a.Touched {
		p := &a.Pairs[at.Stratum][at.Index]
		if p.Seen != nil && p.Seen.Compared != nil {
			all = append(all, Tested{p.U, p.V, p.Key, p.Seen.Compared.V.Text, p.Page})
		}
	}
	slices.SortFunc(all, func(s, t Tested) int { return cmp.Or(cmp.Compare(s.Key[0], t.Key[0]), cmp.Compare(s.Key[1], t.Key[1])) })
	return all
}

// newControl takes the control of a trial from the known results. missing is one of the control's
// pairs that have not been compared yet, if there is one. O(pairs tried).
func (a *Trial) newControl(j Judge) (c rule.Control, missing *forms.Pair) {
	all := a.compared()
	if j.Options.Off.OtherPages {
		for i := range all {
			all[i].page = 0
		}
	}
	var known []trial.Compared
	a.repeated = nil
	for _, p := range a.mixed(j, all) {
		switch r, has := j.Book.Memory.Recent(p.Key, j.Now); {
		case has && r.Compared != nil:
			known = append(known, *r.Compared)
		case !has && missing == nil:
			missing = &p
		}
	}
	a.repeated = repeated(known, all)
	if len(a.repeated) > 0 {
		known = slices.DeleteFunc(known, func(c trial.Compared) bool { return c.SameText })
		all = slices.DeleteFunc(all, func(t Tested) bool { return a.repeated[t.text] })
	}
	return trial.NewControl(known, contents(all), len(all), j.Options.Trial.Epsilon), missing
}

// repeated returns the texts that pages show which the rule does not join, such as the one of an empty month
// or of an empty list. Pairs that show one of them prove nothing, and the others prove what they prove. If
// more than half of the pairs show one, the server may show few texts for everything: then none is returned,
// and the control is strict.
func repeated(mixed []trial.Compared, all []Tested) map[uint64]bool {
	texts := map[uint64]bool{}
	for i := range mixed {
		if mixed[i].SameText {
			texts[mixed[i].U.Text] = true
		}
	}
	n := 0
	for i := range all {
		if texts[all[i].text] {
			n++
		}
	}
	if 2*n > len(all) {
		return nil
	}
	return texts
}

// StaysStrict reports whether more pairs will not end the strictness of a trial. The first pairs of a
// trial often have few different v, since pairs with one v are drawn together.
func (a *Trial) StaysStrict() bool {
	if !a.Control.Strict {
		return false
	}
	tried := map[string]bool{}
	for _, at := range a.Touched {
		tried[a.Pairs[at.Stratum][at.Index].V] = true
	}
	return a.Control.Repeats(a.options.Epsilon) || len(tried) >= trial.LeastContents || a.targets() < trial.LeastContents
}

// targets returns the number of different v of all pairs.
func (a *Trial) targets() int {
	all := map[string]bool{}
	for h := range a.Pairs {
		for i := range a.Pairs[h] {
			all[a.Pairs[h][i].V] = true
		}
	}
	return len(all)
}

// contents returns the number of different texts among the v of pairs.
func contents(all []Tested) int {
	texts := map[uint64]bool{}
	for i := range all {
		texts[all[i].text] = true
	}
	return len(texts)
}

// mixed returns the pairs (u_i, v_j) of the control: each u with the v of the next pairs
// for which the rule makes another v of another page. If there are too few such pairs, u is paired with a
// decoy.
func (a *Trial) mixed(j Judge, all []Tested) (pairs []forms.Pair) {
	each := max(mixedOfEach, (EnoughMixed+len(all)-1)/max(1, len(all)))
	for i := range all {
		pairs = append(pairs, MixedWith(j.View.Keys, all, i, each)...)
	}
	if len(all) > 0 && len(pairs) < fewestMixed {
		pairs = a.withDecoys(j, all)
	}
	return pairs[:min(len(pairs), mostMixed)]
}

// MixedWith pairs the u of a tested pair with the v of the next ones, at most each of them, that are
// other pages.
func MixedWith(keys *book.Hasher, all []Tested, i, each int) (pairs []forms.Pair) {
	u := all[i]
	for n := 1; n < len(all) && len(pairs) < each; n++ {
		w := all[(i+n)%len(all)]
		if w.V == u.V || w.V == u.U || u.isPageOf(&w) || slices.ContainsFunc(pairs, func(p forms.Pair) bool { return p.V == w.V }) {
			continue
		}
		pairs = append(pairs, forms.Pair{U: u.U, V: w.V, Key: keys.Pair(u.U, w.V)})
	}
	return pairs
}

// withDecoys pairs each u with decoys that differ from the v made of u by the rule and L.
func (a *Trial) withDecoys(j Judge, all []Tested) (pairs []forms.Pair) {
	w := j.View
	decoys := w.Decoys()
	if a.joins == nil {
		a.joins = forms.Compile(forms.With(w.Forms.Rules, a.Candidate.Rule))
	}
	for i := range all {
		n := 0
		for k := range decoys {
			d := decoys[(i+k)%len(decoys)].URL
			form, _ := a.joins.Canon(nil, []byte(d))
			if n == 2*mixedOfEach || d == all[i].U || string(form) == all[i].V {
				continue
			}
			n++
			pairs = append(pairs, forms.Pair{U: all[i].U, V: d, Key: w.Keys.Pair(all[i].U, d)})
		}
	}
	return pairs
}

// Undecidable returns the reason why a rule is left undecided although pairs are left: its pages prove
// nothing. It is "" if the rule can be decided.
func (a *Trial) Undecidable(o trial.Options) string {
	skips := map[trial.Reason]int{}
	sum := a.Tally.Sum()
	compared := sum.Outcomes()
	for p := range a.Tried {
		if why := p.Outcome.Reason; p.Outcome.Outcome == trial.Skip && why.Compared() {
			skips[why]++
			compared++
		}
	}
	if compared < o.Minimum {
		return ""
	}
	// Pairs that the control sets aside are not a random part of the pairs: where most are set
	// aside, the equal ones say little about the rest. A control that is strict only because the
	// first pairs have few different v sets pairs aside that will count.
	if a.Control.Strict && !a.StaysStrict() {
		compared -= skips[trial.Uncontrolled]
		delete(skips, trial.Uncontrolled)
	}
	for _, why := range [...]trial.Reason{trial.OtherPage, trial.Disowned, trial.Everywhere, trial.Uncontrolled, trial.OwnName} {
		if 2*skips[why] > compared {
			return why.String()
		}
	}
	if 5*skips[trial.Unsteady] > compared {
		return trial.Unsteady.String()
	}
	if a.answeredAlike(o.Minimum) {
		return trial.OtherPage.String()
	}
	if n := controlled(skips); n >= 2*o.Minimum && compared-n < o.Minimum {
		return trial.Uncontrolled.String()
	}
	return ""
}

// Spreads of sizes: the third quartile over the first.
const (
	spreadInLog   = 1.25 // at least, of pages
	spreadOfWalls = 1.05 // at most, of walls that name what they hide
)

// answeredAlike reports whether a server seems to answer us with one page for many: those that we got are of one size,
// about, and those that clients got are not. Most of ours do not have the size in the log, compressed or not.
func (a *Trial) answeredAlike(minimum int) bool {
	var logged, sent, length []int64
	fit := 0
	for p := range a.Tried {
		if p.Seen == nil || p.Seen.Compared == nil || p.Seen.Compared.StandIn {
			continue
		}
		if u := a.view.Window.Logged(p.U); len(u.Sizes) > 0 {
			got := &p.Seen.Compared.U
			if u.Exact(got) {
				fit++
			}
			logged, sent, length = append(logged, u.Sizes[0].Min), append(sent, got.Sent), append(length, got.Length)
		}
	}
	return len(logged) >= minimum && 2*fit <= len(logged) && spread(logged) >= spreadInLog && max(spread(sent), spread(length)) <= spreadOfWalls
}

// spread returns the third quartile of sizes over the first.
func spread(sizes []int64) float64 {
	slices.Sort(sizes)
	return float64(sizes[len(sizes)*3/4]) / float64(max(1, sizes[len(sizes)/4]))
}

// controlled returns the number of pairs set aside by the control.
func controlled(skips map[trial.Reason]int) (n int) {
	for _, why := range [...]trial.Reason{trial.Uncontrolled, trial.OtherLength, trial.FewWords, trial.Static, trial.OtherMedia} {
		n += skips[why]
	}
	return n
}
