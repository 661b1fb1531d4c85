package html

import (
	"cmp"
	"slices"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// widest is the most characters shown of a URL in a table.
const widest = 180

// examples is the number of pairs shown of a rule.
const examples = 2

// example is a pair of URLs that a rule leads together.
type example struct {
	From, To []page.Piece
	Outcome  string // of a trial
	Tone     string // of the outcome

	to string // the second URL as it is
}

// pair is a pair of pages by their places.
type pair struct {
	u, v int
	own  bool  // v is what the rule alone makes of u
	hits int64 // on u
}

// examples returns pairs of URLs: pairs that the trial compared, else the pairs of the log whose
// first URL has the most hits. Pairs that show what the rule alone does come first.
func (b *builder) examples(f *Finding, r *rule.Rule, joined ...*miner.Joined) (all []example) {
	best := b.best(f, r, joined)
	if f.Entry != nil && len(f.Entry.Verdict.Examples) > 0 {
		compared := slices.Clone(f.Entry.Verdict.Examples)
		slices.SortStableFunc(compared, func(a, b rule.Example) int { return first(makes(r, a.U, a.V), makes(r, b.U, b.V)) })
		for _, e := range compared[:min(examples, len(compared))] {
			shown := b.example(e.U, e.V)
			shown.Outcome, shown.Tone = text.Reason(e.Outcome), page.OutcomeTone(e.Outcome)
			all = append(all, shown)
		}
		return all
	}
	pages := b.reach.Pages()
	for _, p := range best {
		all = append(all, b.example(pages[p.u].URL, pages[p.v].URL))
	}
	if len(all) == 0 {
		if u, v, ok := b.reach.Example(r); ok {
			all = append(all, b.example(u, v))
		}
	}
	return all
}

// best returns the pairs of alike pages whose first URL has the most hits. The pages of all pairs are
// joined, if the rule had no trial or holds.
func (b *builder) best(f *Finding, r *rule.Rule, joined []*miner.Joined) (best []pair) {
	join := f.Entry == nil || f.Entry.State == rule.Valid
	for u, v := range b.reach.Meetings(r) {
		alike := b.reach.Alike(u, v)
		if join && (alike || f.Entry != nil) {
			for _, j := range joined {
				j.Same(u, v)
			}
		}
		if alike {
			hits, _ := b.reach.Hits(u)
			pages := b.reach.Pages()
			best = insert(best, pair{u, v, makes(r, pages[u].URL, pages[v].URL), hits})
		}
	}
	return best
}

// makes reports whether a rule alone makes v of u. Other rules may have a part in other pairs.
func makes(r *rule.Rule, u, v string) bool {
	made, changed := r.Apply(nil, []byte(u))
	return changed && string(made) == v
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Tones of outcomes.
const (
	good = "good"
	bad  = "bad"
)

// insert inserts a pair into a short list, the rule's own first, in the order of hits.
func insert(best []pair, p pair) []pair {
	at, _ := slices.BinarySearchFunc(best, p, func(a, b pair) int {
		return cmp.Or(first(a.own, b.own), cmp.Compare(b.hits, a.hits), cmp.Compare(a.u, b.u))
	})
	if at == examples {
		return best
	}
	best = slices.Insert(best, at, p)
	return best[:min(len(best), examples)]
}

// example returns a pair of URLs with marks where they differ.
func (b *builder) example(u, v string) example {
	whole := v
	u, v = b.o.Veil.MaskBoth(u, v)
	u, v = text.Readable(u), text.Readable(v)
	from, to := page.Difference(u, v)
	return example{From: from, To: to, to: whole}
}
