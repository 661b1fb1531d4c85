package html

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/action"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// examples is the number of pairs shown of a rule.
const examples = 2

// example is a pair of URLs that a rule leads together.
type example struct {
	From, To         []page.Piece
	FromLink, ToLink string // to open the pages; "": not known, or not to be opened
	Outcome          string // of a trial
	Tone             string // of the outcome

	to string // the second URL as it is
}

// pair is a pair of pages by their places.
type pair struct {
	u, v int
	own  bool  // v is what the rule alone makes of u
	hits int64 // see miner.Reach.PairHits
}

// show sets the examples of a card: pairs that the trial compared, else the pairs of the log whose first URL has the
// most hits. Pairs that show what the rule alone does come first. It says who asked for the URLs that the rule merges.
func (b *builder) show(c *card, f *Finding) {
	r := &c.rule
	best, merged := b.best(f, r)
	c.Askers = b.asked(merged)
	if f.Entry != nil && len(f.Entry.Verdict.Examples) > 0 {
		compared := slices.Clone(f.Entry.Verdict.Examples)
		slices.SortStableFunc(compared, func(a, b rule.Example) int { return first(makes(r, a.U, a.V), makes(r, b.U, b.V)) })
		for _, e := range compared[:min(examples, len(compared))] {
			shown := b.example(e.U, e.V)
			shown.Outcome, shown.Tone = text.Reason(e.Outcome), page.OutcomeTone(e.Outcome)
			c.Examples = append(c.Examples, shown)
		}
		return
	}
	pages := b.reach.Pages()
	for _, p := range best {
		c.Examples = append(c.Examples, b.example(pages[p.u].URL, pages[p.v].URL))
	}
	if len(best) == 0 {
		if u, v, ok := b.reach.Example(r); ok {
			c.Examples = append(c.Examples, b.example(u, v))
		}
	}
}

// best returns the pairs of alike pages whose first URL has the most hits, and the pages that the rule merges. Pages of
// likely rules that are alike are joined.
func (b *builder) best(f *Finding, r *rule.Rule) (best []pair, merged []int) {
	pages := b.reach.Pages()
	for u, v := range b.reach.Meetings(r) {
		merged = append(merged, u)
		if !b.reach.Alike(u, v) {
			continue
		}
		if f.Entry == nil { // else the rules that hold join pages together
			b.joined.Same(u, v)
		}
		best = insert(best, pair{u, v, makes(r, pages[u].URL, pages[v].URL), b.reach.PairHits(u, v)})
	}
	return best, merged
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
	e := example{FromLink: b.link(u), ToLink: b.link(v), to: v}
	u, v = b.o.Veil.MaskBoth(u, v)
	e.From, e.To = page.Difference(text.Readable(u), text.Readable(v))
	return e
}

// link returns the address by which a reader opens a page. "": the host is not known, or the URL may be a secret or do
// something.
func (b *builder) link(mined string) string {
	if b.o.Veil.Mask(mined) != mined || b.acts(mined) {
		return ""
	}
	url := b.site.Machine.Site() + mined
	if b.hosts() != nil {
		url = mined
	}
	host, _, _ := strings.Cut(url, "/")
	if valid, ok := urlnorm.Host(host); !ok || valid != host {
		return ""
	}
	return "http://" + url
}

// actionWords returns a function that reports whether a URL looks like an action.
func actionWords() func(url string) bool {
	list, err := action.New([]string{action.Standard})
	if err != nil {
		panic(err) // the list is part of the program
	}
	return list.In
}
