package trial

import (
	"math"
	"slices"
)

// Control says how alike pages are that a rule does not join. That the pages of its
// pairs look alike says something only if other pages do not.
type Control struct {
	Mixed    int     `json:"mixed"`              // pairs (u_i, v_j), i ≠ j, or (u, decoy), that were compared
	Equal    int     `json:"equal,omitempty"`    // of those, pairs of equal text
	Quantile float64 `json:"quantile,omitempty"` // the 0.95 quantile of the resemblances of the others
	Strict   bool    `json:"strict,omitempty"`   // only equal text of what clients got is positive
}

// Constants of the control.
const (
	leastMixed   = 5    // mixed pairs of unequal text without which they say nothing
	mixedMargin  = 0.02 // by which the pairs of a rule must be more alike than mixed pairs
	equalOnly    = 0.98 // a threshold above which only equal text is positive
	leastContent = 5    // contents that the v of a rule have at least, if the trial is not strict
	quantile     = 0.95
)

// NewControl is the control of a rule by its mixed pairs; contents is how many
// different texts its v have, of so many pairs.
func NewControl(mixed []Compared, contents, pairs int, epsilon float64) Control {
	c := Control{Mixed: len(mixed)}
	var unequal []float64
	for i := range mixed {
		if mixed[i].SameText {
			c.Equal++
		} else {
			unequal = append(unequal, mixed[i].Alike)
		}
	}
	if len(unequal) >= leastMixed {
		slices.Sort(unequal)
		c.Quantile = unequal[int(math.Ceil(quantile*float64(len(unequal))))-1]
	}
	c.Strict = pairs >= leastContent && contents < leastContent || float64(c.Equal) > epsilon*float64(c.Mixed)
	return c
}

// Threshold is τ_R, the resemblance from which on a pair is positive, where τ is that
// without a control.
func (c *Control) Threshold(tau float64) float64 {
	if c.Quantile == 0 {
		return tau
	}
	return max(tau, c.Quantile+mixedMargin)
}

// Join is the control of several rules that are judged together: the greatest
// threshold, and strict if one of them is.
func (c Control) Join(d Control) Control {
	return Control{max(c.Mixed, d.Mixed), max(c.Equal, d.Equal), max(c.Quantile, d.Quantile), c.Strict || d.Strict}
}

// Size is a closed interval of sizes that the log has of a URL in one class, in
// bytes.
type Size struct{ Min, Max int64 }

// Logged is what the log says of a URL.
type Logged struct {
	Sizes  []Size // by class; none if no size is known
	Digest uint64 // the one digest of its content; 0 if none is known
}

// Case is what a pair is judged by.
type Case struct {
	Control
	Tau        float64 // τ, as noise control left it
	Self       float64 // how much u or v, fetched twice, resembled itself; 1 if that is not known
	Everywhere bool    // the text of u and v is shown at many pages of other kinds
	U, V       Logged
}

// Judge says what two documents say of a rule.
func (c *Case) Judge(p *Compared) Judgement {
	threshold := c.Threshold(c.Tau)
	least := threshold
	if threshold > equalOnly {
		least = c.Tau
	}
	switch {
	case !c.U.plausible(&p.U) || !c.V.plausible(&p.V):
		return Judgement{Skip, OtherPage}
	case p.V.NoIndex && !p.U.NoIndex:
		return Judgement{Negative, NoIndex}
	case p.Alike < least && c.Self < threshold:
		return Judgement{Skip, Uncontrolled}
	case p.Alike < least:
		return Judgement{Negative, Different}
	case c.Everywhere:
		return Judgement{Skip, Everywhere}
	case p.Disowned && !p.SameText:
		return Judgement{Skip, Disowned}
	case !p.SameText && (threshold > equalOnly || c.Strict):
		return Judgement{Skip, Uncontrolled}
	case c.Strict:
		return c.strict(p)
	}
	return Judgement{Positive, Similar}
}

// What a document has at least that proves something by equal text: words of a page,
// and bytes of any other type.
const (
	fewWords = 16
	fewBytes = 256
)

// strict judges two documents of equal text whose resemblance alone says nothing.
func (c *Case) strict(p *Compared) Judgement {
	switch {
	case !c.U.exact(&p.U):
		return Judgement{Skip, OtherLength}
	case !p.U.HTML && p.U.Length >= fewBytes:
		return Judgement{Positive, Similar}
	case !p.U.HTML || p.U.Words < fewWords:
		return Judgement{Skip, FewWords}
	case p.SameBytes:
		return Judgement{Skip, Static}
	case p.OtherMedia:
		return Judgement{Skip, OtherMedia}
	}
	return Judgement{Positive, Similar}
}

// lengths yields the sizes that a log may have of a document: of its body as sent or
// decompressed, without and with the header.
func (s *Shown) lengths() [4]int64 {
	return [...]int64{s.Sent, s.Length, s.Sent + s.Header, s.Length + s.Header}
}

// plausible reports whether a document may be the page that clients got: its size is
// about that of the log in some class, or the log has none.
func (l *Logged) plausible(s *Shown) bool {
	return len(l.Sizes) == 0 || l.fits(s, func(n int64, z Size) bool {
		return n >= z.Min/2-slack && n <= 2*z.Max+slack
	})
}

// exact reports whether a document has the size, or the digest, that the log knows.
func (l *Logged) exact(s *Shown) bool {
	if len(l.Sizes) == 0 {
		return l.Digest != 0 && l.Digest == s.Digest
	}
	return l.fits(s, func(n int64, z Size) bool {
		return max(z.Min-n, n-z.Max) <= max(tightSlack, z.Max/100)
	})
}

func (l *Logged) fits(s *Shown, within func(n int64, z Size) bool) bool {
	return slices.ContainsFunc(l.Sizes, func(z Size) bool {
		lengths := s.lengths()
		return slices.ContainsFunc(lengths[:], func(n int64) bool { return within(n, z) })
	})
}

// Bytes by which a document may miss the sizes of the log.
const (
	slack      = 256 // beyond half and twice
	tightSlack = 64  // or 1 %, in a strict trial
)
