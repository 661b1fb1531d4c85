package trial

import "slices"

// MovesBelow is the resemblance to itself below which a page never stands still. Such pages are compared by what
// lasts: see Lasting.
const MovesBelow = 0.9

// Lasting compares what two fetches of u have in common with what two fetches of v have: words, or values
// of JSON.
type Lasting struct {
	Alike float64  `json:"alike"`       // the share of one page that the other has, the smaller of both
	U     []uint32 `json:"u,omitempty"` // hashes of what lasts of u and no fetch of v has; the least mostLasting, ascending
	V     []uint32 `json:"v,omitempty"` // and of v
}

const mostLasting = 64

// NewLasting returns what is kept of a comparison.
func NewLasting(alike float64, lackU, lackV []uint32) *Lasting {
	return &Lasting{alike, slices.Clone(lackU[:min(len(lackU), mostLasting)]), slices.Clone(lackV[:min(len(lackV), mostLasting)])}
}

// JudgeLasting returns the judgement of two pages that never stand still, by what lasts.
func (c *Case) JudgeLasting(p *Compared) Judgement {
	switch threshold := c.LastingThreshold(c.Tau); {
	case p.U.Wall || p.V.Wall:
		return Judgement{Skip, Refused}
	case !c.U.plausible(&p.U) || !c.V.plausible(&p.V):
		return Judgement{Skip, OtherPage}
	case p.V.NoIndex && !p.U.NoIndex:
		return Judgement{Negative, NoIndex}
	case p.Lasting.Alike < c.Tau:
		return Judgement{Negative, Different}
	case p.Disowned:
		return Judgement{Skip, Disowned}
	case c.Strict || c.Lasts < leastMixed || p.Lasting.Alike < threshold:
		return Judgement{Skip, Uncontrolled}
	case p.U.HTML && min(p.U.Words, p.V.Words) < 2*fewWords:
		return Judgement{Skip, FewWords}
	}
	return Judgement{Positive, Similar}
}

// LacksOwn reports whether a pair that is alike by what lasts differs in nothing but words of the URLs and words of
// most pairs of the rule.
func (d *Differences) LacksOwn(p *Looked) bool {
	isOwn := func(url []uint32) func(h uint32) bool {
		return func(h uint32) bool { return !slices.Contains(url, h) && !d.lasting[h] }
	}
	l := p.Second.Lasting
	return !slices.ContainsFunc(l.U, isOwn(p.OfU)) && !slices.ContainsFunc(l.V, isOwn(p.OfV))
}

// lastingOf returns the words that last in most pairs that were compared by what lasts, and are lacking in
// the other page.
func lastingOf(all []Looked) map[uint32]bool {
	pairs, in, most := 0, map[uint32]int{}, map[uint32]bool{}
	for i := range all {
		if s := all[i].Second; s != nil && s.Lasting != nil {
			pairs++
			for _, h := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.Lasting.U, s.Lasting.V)))) {
				in[h]++
			}
		}
	}
	for h, n := range in {
		most[h] = pairs >= leastDiffering && float64(n) >= steadyShare*float64(pairs)
	}
	return most
}
