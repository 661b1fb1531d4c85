package rule

import (
	"cmp"
	"math"
)

// Likely is a rule that the log of a site supports, as a learner found it. A substring
// rule stands in its shrinking direction. Site and Rule identify a Likely: they can be
// the key of a map.
type Likely struct {
	Site    string
	Rule    Rule
	Learner string // name of the learner that found the rule

	Support     int // envelopes, groups or pairs that support the rule
	SupportHigh int // of a Substring rule: envelopes over buckets of at most T_high URLs
	Comparable  int // of other kinds: groups or pairs whose pages can be compared, alike or not

	Weighed      bool    // the following figures are known; see package weight
	Pairs, Alike int     // pairs of pages that can be compared, and pairs of pages that are alike
	Expected     float64 // pairs that chance would make alike
	Weight       float64 // evidence beyond chance
	Own          float64 // evidence beyond what other values in the place of a substring rule's texts have as well
	OneContent   bool    // of a Substring rule: fewer than two contents are alike
	Meetings     int     // days on which both pages of a pair have sizes, if the sizes of one change
	Met          float64 // sum over these days of the share of sizes that the other page has as well
	URLs         int     // URLs that the rule merges into another form of their pages

	Listed bool // a list of others names every parameter that the rule drops, or a file of duplicates leads to the rule; set by a look at the window

	Secret bool // the rule looks like a secret; set by mine

	Tallied     bool  // the following figures are known; they are no fold: hits seen twice count twice
	Hits, Bytes int64 // hits on the merged URLs, and bytes sent for them
}

// List is the likely rules of a site, which nobody changes.
type List struct {
	Site  string
	Rules []Likely
}

// SetWeight copies the figures of a weight from another finding of the same rule.
func (l *Likely) SetWeight(from *Likely) {
	l.Weighed, l.Pairs, l.Alike, l.Expected, l.Weight, l.URLs = from.Weighed, from.Pairs, from.Alike, from.Expected, from.Weight, from.URLs
	l.Own, l.OneContent, l.Meetings, l.Met, l.Listed = from.Own, from.OneContent, from.Meetings, from.Met, from.Listed
}

// Compare defines the order of a list of one site's likely rules: by support, then
// parameters before substrings, then the order of the kind. The order is total over
// different rules.
func Compare(a, b Likely) int {
	return cmp.Or(
		cmp.Compare(b.Support, a.Support),
		cmp.Compare(a.Rule.Kind().place(), b.Rule.Kind().place()),
		kinds[a.Rule.Kind()].compare(a, b),
	)
}

// place returns the place of a kind in a list, among rules of equal support.
func (k Kind) place() Kind {
	if k == KindSubstring {
		return Kind(len(kinds))
	}
	return k
}

// WireLikely is the written form of a likely rule, a line of a list. A substring rule is
// written without its direction, which a log does not tell.
type WireLikely struct {
	Schema int    `json:"schema"`
	Site   string `json:"site"`
	Wire
	Support int `json:"support"`
	WireFigures
}

// WireFigures is what a likely rule tells beyond a published one.
type WireFigures struct {
	SupportHigh *int `json:"support_high,omitempty"`
	Comparable  *int `json:"comparable,omitempty"`
	*WireWeight
	*WireTally

	Learner string `json:"learner,omitempty"` // of a learner that looks at the window now and then
	Secret  bool   `json:"secret,omitempty"`  // the rule looks like a secret, so run would withhold it
}

// WireWeight is the written form of a rule's weight. Rules without a weight lack all members.
type WireWeight struct {
	Pairs    int     `json:"pairs"`
	Alike    int     `json:"alike"`
	Expected float64 `json:"expected"`
	Weight   float64 `json:"weight"`
	Own      float64 `json:"own"`
	Meetings int     `json:"meetings"`
	Met      float64 `json:"met"`
	URLs     int     `json:"urls"`
}

// WireTally is the written form of what a rule saves. Rules without a tally lack all members.
type WireTally struct {
	Hits  int64 `json:"hits"`
	Bytes int64 `json:"bytes"`
}

// online are the learners that are exact at every moment. Their rules do not name them.
var online = map[string]bool{"": true, "envelope": true, "params": true}

// Wire returns the written form of a likely rule.
func (l *Likely) Wire() WireLikely {
	r := &l.Rule
	w := WireLikely{Schema: Schema, Site: l.Site, Wire: *NewWire(r), Support: l.Support}
	if r.Kind() == KindSubstring {
		w.Direction, w.SupportHigh = "", &l.SupportHigh
	} else {
		w.Comparable = &l.Comparable
	}
	if !online[l.Learner] {
		w.Learner = l.Learner
	}
	w.Secret = l.Secret
	if l.Weighed {
		w.WireWeight = &WireWeight{l.Pairs, l.Alike, round(l.Expected), round(l.Weight), round(l.Own), l.Meetings, round(l.Met), l.URLs}
	}
	if l.Tallied {
		w.WireTally = &WireTally{l.Hits, l.Bytes}
	}
	return w
}

// round rounds a figure to six decimals.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
