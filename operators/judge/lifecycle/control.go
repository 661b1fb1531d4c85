package lifecycle

import (
	"cmp"
	"slices"

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
	enoughMixed = 20  // pairs; each verdict waits for these, if there are enough
	fewestMixed = 5   // pairs; with fewer pairs, decoys are added
	mixedOfEach = 2   // pairs for each u, at least
	mostDecoys  = 20
)

// tested is a pair of an attempt whose documents were compared.
type tested struct {
	u, v string
	key  key
	text uint64 // of v
	page uint64 // see pair
}

// isPageOf reports whether two pairs are known to be forms of one page. Other rules may join
// such forms, so that their texts are equal although the control's rule does not join them.
func (t *tested) isPageOf(w *tested) bool { return t.page != 0 && t.page == w.page }

// compared returns the pairs of an attempt whose documents were compared, in the order of
// their keys. The order is independent of the pages.
func (a *attempt) compared() (all []tested) {
	for _, at := range a.touched {
		p := &a.pairs[at.stratum][at.index]
		if p.seen != nil && p.seen.Compared != nil {
			all = append(all, tested{p.u, p.v, p.key, p.seen.Compared.V.Text, p.page})
		}
	}
	slices.SortFunc(all, func(s, t tested) int { return cmp.Or(cmp.Compare(s.key[0], t.key[0]), cmp.Compare(s.key[1], t.key[1])) })
	return all
}

// newControl takes the control of an attempt from the known results. If some pairs of the
// control have not been compared yet, newControl also returns one of those pairs. O(pairs
// tried).
func (a *attempt) newControl(j judge) (c rule.Control, missing *pair) {
	all := a.compared()
	if j.o.Off.OtherPages {
		for i := range all {
			all[i].page = 0
		}
	}
	var known []trial.Compared
	for _, p := range a.mixed(j, all) {
		switch r, has := j.book.memory.recent(p.key, j.now); {
		case has && r.Compared != nil:
			known = append(known, *r.Compared)
		case !has && missing == nil:
			missing = &p
		}
	}
	return trial.NewControl(known, contents(all), len(all), j.o.Trial.Epsilon), missing
}

// staysStrict reports whether more pairs will not end the strictness of a trial. The first
// pairs of a trial often have few different v: inRounds draws pairs with one v together.
func (a *attempt) staysStrict() bool {
	if !a.control.Strict {
		return false
	}
	tried := map[string]bool{}
	for _, at := range a.touched {
		tried[a.pairs[at.stratum][at.index].v] = true
	}
	return a.control.Repeats(a.options.Epsilon) || len(tried) >= trial.LeastContents || a.targets() < trial.LeastContents
}

// targets returns the number of different v of all pairs.
func (a *attempt) targets() int {
	all := map[string]bool{}
	for h := range a.pairs {
		for i := range a.pairs[h] {
			all[a.pairs[h][i].v] = true
		}
	}
	return len(all)
}

// contents returns the number of different texts among the v of pairs.
func contents(all []tested) int {
	texts := map[uint64]bool{}
	for i := range all {
		texts[all[i].text] = true
	}
	return len(texts)
}

// mixed returns the pairs (u_i, v_j) of the control: each u with the v of the next pairs
// for which the rule makes another v of another page. If there are too few such pairs, u is paired with a
// decoy.
func (a *attempt) mixed(j judge, all []tested) (pairs []pair) {
	each := max(mixedOfEach, (enoughMixed+len(all)-1)/max(1, len(all)))
	for i := range all {
		pairs = append(pairs, mixedWith(j.view.keys, all, i, each)...)
	}
	if len(all) > 0 && len(pairs) < fewestMixed {
		pairs = a.withDecoys(j, all)
	}
	return pairs[:min(len(pairs), mostMixed)]
}

func mixedWith(keys *hasher, all []tested, i, each int) (pairs []pair) {
	u := all[i]
	for n := 1; n < len(all) && len(pairs) < each; n++ {
		w := all[(i+n)%len(all)]
		if w.v == u.v || w.v == u.u || u.isPageOf(&w) || slices.ContainsFunc(pairs, func(p pair) bool { return p.v == w.v }) {
			continue
		}
		pairs = append(pairs, pair{u: u.u, v: w.v, key: keys.pair(u.u, w.v)})
	}
	return pairs
}

// withDecoys pairs each u with decoys that differ from the v made of u by the rule and L.
func (a *attempt) withDecoys(j judge, all []tested) (pairs []pair) {
	w := j.view
	decoys := w.decoys(j.book.memory, j.now)
	if a.joins == nil {
		a.joins = compile(with(w.forms.rules, a.c.rule))
	}
	for i := range all {
		n := 0
		for k := range decoys {
			d := decoys[(i+k)%len(decoys)].url
			form, _ := a.joins.Canon(nil, []byte(d))
			if n == 2*mixedOfEach || d == all[i].u || string(form) == all[i].v {
				continue
			}
			n++
			pairs = append(pairs, pair{u: all[i].u, v: d, key: w.keys.pair(all[i].u, d)})
		}
	}
	return pairs
}

// undecidable returns the reason why a rule is left undecided although pairs are left: the
// pages of the rule's pairs prove nothing. The reason is "" if the rule can be decided.
func (a *attempt) undecidable(o trial.Options) string {
	skips := map[trial.Reason]int{}
	sum := a.tally.Sum()
	compared := sum.Outcomes()
	for p := range a.tried {
		if why := p.outcome.Reason; p.outcome.Outcome == trial.Skip && why.Compared() {
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
	if a.control.Strict && !a.staysStrict() {
		compared -= skips[trial.Uncontrolled]
		delete(skips, trial.Uncontrolled)
	}
	for _, why := range [...]trial.Reason{trial.OtherPage, trial.Disowned, trial.Everywhere, trial.Uncontrolled} {
		if 2*skips[why] > compared {
			return why.String()
		}
	}
	if 5*skips[trial.Unsteady] > compared {
		return trial.Unsteady.String()
	}
	if n := controlled(skips); n >= 2*o.Minimum && compared-n < o.Minimum {
		return trial.Uncontrolled.String()
	}
	return ""
}

// controlled returns the number of pairs set aside by the control.
func controlled(skips map[trial.Reason]int) (n int) {
	for _, why := range [...]trial.Reason{trial.Uncontrolled, trial.OtherLength, trial.FewWords, trial.Static, trial.OtherMedia} {
		n += skips[why]
	}
	return n
}
