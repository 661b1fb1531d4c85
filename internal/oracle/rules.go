package oracle

import (
	"cmp"
	"slices"
	"strings"
)

// Pair is a rule and its inverse, which a URL list cannot distinguish.
type Pair struct {
	Alpha, Beta string // without ^ and $; Alpha is the larger: more bytes, then later in byte order
	AtStart     bool   // both sides begin with ^
	AtEnd       bool   // both sides end with $
}

// Count is the number of envelopes that support a pair.
type Count struct {
	Support int // over buckets of at most BucketLow members
	High    int // over buckets of at most BucketHigh members; support_high in files
}

// Rule is a pair with its counts.
type Rule struct {
	Pair
	Count
}

// pair returns the pair of two sides, the larger first. Members of one bucket have the
// same anchors: an empty prefix leaves ^ to all of the members, and any other prefix
// leaves ^ to none.
func pair(a, b side) Pair {
	if compareSides(a.text, b.text) < 0 {
		a, b = b, a
	}
	return Pair{Alpha: a.text, Beta: b.text, AtStart: a.start, AtEnd: a.end}
}

func compareSides(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// Likely is lines 21 and 22 of figure 1: the pairs with a support of at least MinSupport,
// in the order of [Compare].
func Likely(o Options, supports map[Pair]Count) []Rule {
	var rules []Rule
	for p, c := range supports {
		if c.Support >= o.MinSupport {
			rules = append(rules, Rule{p, c})
		}
	}
	slices.SortFunc(rules, Compare)
	return rules
}

// Compare is the order in which figure 2 reads the rules: High descending, Support
// descending, bytes of both sides descending, then Alpha and Beta in byte order. The last
// three include the anchors: ^ and $ are a byte each at their ends of both sides, ^ less
// than $ and both less than every byte of a URL. So no two pairs of such URLs compare
// equal.
func Compare(a, b Rule) int {
	return cmp.Or(
		cmp.Compare(b.High, a.High),
		cmp.Compare(b.Support, a.Support),
		cmp.Compare(len(b.anchored(b.Alpha))+len(b.anchored(b.Beta)), len(a.anchored(a.Alpha))+len(a.anchored(a.Beta))),
		strings.Compare(a.anchored(a.Alpha), b.anchored(b.Alpha)),
		strings.Compare(a.anchored(a.Beta), b.anchored(b.Beta)),
	)
}

// anchored returns a side with its anchors, for Compare. The result is not a key: a
// control byte in a URL would look like an anchor.
func (p Pair) anchored(side string) string {
	if p.AtStart {
		side = "\x01" + side
	}
	if p.AtEnd {
		side += "\x02"
	}
	return side
}

// CompareRefined is the order of the survivors of figure 2: Support descending, then the
// order of Compare.
func CompareRefined(a, b Rule) int {
	return cmp.Or(cmp.Compare(b.Support, a.Support), Compare(a, b))
}
