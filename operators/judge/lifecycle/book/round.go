package book

import (
	"cmp"
)

// Round is one recheck of published rules.
type Round struct {
	At     int64          `json:"at"`              // start of the round; only outcomes from then on count
	Quota  map[string]int `json:"quota,omitempty"` // number of pairs tried for each rule, by id
	SetEnd bool           `json:"set_end,omitempty"`
	Full   int64          `json:"full,omitempty"` // start of the last round over all of L, if this round covers less

	Sizes map[string]Sizes `json:"sizes,omitempty"` // of the rules tested by rounds, by id
}

// LastFull returns the start of the last round over all of L.
func (r *Round) LastFull() int64 { return cmp.Or(r.Full, r.At) }

// IsOpen reports whether a round has begun and has not ended.
func (r *Round) IsOpen() bool { return r.Quota != nil && !r.SetEnd }

// The log shows at once when a site changes: pages that had the size of their canonical form get
// another size. A rule is therefore tested again as soon as the sizes of the newest pane contradict
// it, whether or not a round is due.

// Sizes counts the URLs of the newest pane that a rule takes part in changing and whose
// form was seen in the same pane with a comparable size.
type Sizes struct {
	Pairs int   `json:"pairs"`
	Apart int   `json:"apart"`        // pairs whose sizes are not similar
	At    int64 `json:"at,omitempty"` // start of the round for which the pairs were counted
}

// leastApart is the least number of pairs that must be apart. One or two pages may be under
// construction.
const leastApart = 3

// Contradict reports whether sizes contradict a rule that was last tested at the sizes
// before: the share of pairs apart is at least ε and has at least doubled.
func (s Sizes) Contradict(before Sizes, epsilon float64) bool {
	return s.Apart >= leastApart && float64(s.Apart) >= epsilon*float64(s.Pairs) && s.share() >= 2*before.share()
}

func (s Sizes) share() float64 { return Share(s.Apart, s.Pairs) }
