package trial

import (
	"math"
	"slices"

	"dustbuster/operators/rule"
)

// Constants of the control.
const (
	leastMixed = 5    // mixed pairs of unequal text needed for a quantile
	equalOnly  = 0.98 // a threshold above which only equal text is positive
	quantile   = 0.95
)

// LeastContents is the least number of different contents among the v of a rule. With fewer,
// the trial is strict.
const LeastContents = 5

// NewControl returns the control of a rule from its mixed pairs. contents is the number of different
// texts among the v of the given number of pairs.
func NewControl(mixed []Compared, contents, pairs int, epsilon float64) rule.Control {
	c := rule.Control{Mixed: len(mixed)}
	var unequal, lasting []float64
	for i := range mixed {
		if l := mixed[i].Lasting; l != nil {
			lasting = append(lasting, l.Alike)
		}
		if mixed[i].SameText {
			c.Equal++
		} else {
			unequal = append(unequal, mixed[i].Alike)
		}
	}
	if len(unequal) >= leastMixed {
		c.Quantile = quantileOf(unequal)
	}
	if c.Lasts = len(lasting); c.Lasts >= leastMixed {
		c.Lasting = quantileOf(lasting)
	}
	c.Strict = pairs >= LeastContents && contents < LeastContents || c.Repeats(epsilon)
	return c
}

// quantileOf returns a quantile of resemblances, and sorts them.
func quantileOf(all []float64) float64 {
	slices.Sort(all)
	return all[int(math.Ceil(quantile*float64(len(all))))-1]
}

// Size is a closed interval of sizes, in bytes, that the log holds of a URL in one class of answers.
type Size struct {
	Min, Max int64
	Class    uint8
}

// Logged is the log's evidence about a URL.
type Logged struct {
	Sizes  []Size // by class, of a double two of one class; none if no size is known
	Digest uint64 // the only digest of the content; 0 if unknown
	Wall   Size   // what robots alone are sent at such URLs; zero: nothing else than people
}

// Case holds everything by which a pair is judged.
type Case struct {
	rule.Control
	Tau        float64 // τ after noise control
	Self       float64 // resemblance of u or v to itself in two fetches; 1 if unknown
	Everywhere bool    // many pages of other kinds show the text of u and v
	U, V       Logged
	NoImages   bool // small images prove nothing
}

// Judge returns the judgement of two documents for a rule.
func (c *Case) Judge(p *Compared) Judgement {
	threshold := c.Threshold(c.Tau)
	least := threshold
	if threshold > equalOnly {
		least = c.Tau
	}
	switch {
	case p.U.Wall || p.V.Wall:
		return Judgement{Skip, Refused}
	case !c.U.plausible(&p.U) || !c.V.plausible(&p.V):
		return Judgement{Skip, OtherPage}
	case p.StandIn && !c.standsIn(&p.U):
		return Judgement{Skip, OtherLength}
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

// The least size of a document whose equal text proves something: words of a page, and
// bytes of any other type.
const (
	fewWords = 16
	fewBytes = 256
)

// strict judges two documents of equal text whose resemblance alone proves nothing.
func (c *Case) strict(p *Compared) Judgement {
	switch {
	case !c.U.Exact(&p.U):
		return Judgement{Skip, OtherLength}
	case !p.U.HTML && (p.U.Length >= fewBytes || c.isSmallImage(p)):
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

// isSmallImage reports whether two documents are one image that is, to the byte, as large as the log says,
// such as a pixel that counts visits. Other short documents prove nothing: many are answers like "not found".
func (c *Case) isSmallImage(p *Compared) bool {
	inside := func(n int64, z Size) bool { return n >= z.Min && n <= z.Max }
	return !c.NoImages && p.U.Image && p.V.Image && p.SameBytes && (len(c.U.Sizes) == 0 || c.U.fits(&p.U, inside))
}

// lengths returns the sizes that a log may hold of a document: the body as sent or
// decompressed, without and with the header.
func (s *Shown) lengths() [4]int64 {
	return [...]int64{s.Sent, s.Length, s.Sent + s.Header, s.Length + s.Header}
}

// plausible reports whether a document may be the page that clients got: its size is close to the
// log's in some class, or the log has none. Where the server says that others may be sent another page, closer. Where
// robots are sent other pages than people, a page of theirs is none.
func (l *Logged) plausible(s *Shown) bool {
	if l.Wall.Max > 0 && s.Length >= l.Wall.Min && s.Length <= l.Wall.Max {
		return false
	}
	return len(l.Sizes) == 0 || l.fits(s, func(n int64, z Size) bool {
		if s.Varies {
			return max(z.Min-n, n-z.Max) <= max(slack, z.Max/variedShare)
		}
		return n >= z.Min/2-slack && n <= 2*z.Max+slack
	})
}

// Exact reports whether a document has the size or the digest in the log.
func (l *Logged) Exact(s *Shown) bool {
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

// Bytes by which a document may differ from the sizes in the log.
const (
	slack       = 256 // beyond half and twice
	variedShare = 20  // or one part in twenty, where the server sends others another page
	tightSlack  = 64  // or 1 %, in a strict trial
)
