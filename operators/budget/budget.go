// Package budget says what URLs cost in memory, and divides memory among sites.
//
// # What a URL costs
//
// [Cost] is an upper bound for the URLs of sites as people make them: text, table,
// list, envelopes, pairs and parameter groups, with the slack of arrays that grow.
// Measured (go test ./operators/miner -run Cost -v), bytes a URL:
//
//	list                                     URLs   bytes  tokens   taken    Cost
//	shipped log of a blog                   1,340      38      14     610     811
//	generated site (oracle.Site)          100,000      47      18     288     894
//	numbered pages                        100,000       6       4     174     588
//	random words, two parameters          100,000      34      16     355     836
//	a calendar of five parameters          33,600      34      24     578     964
//
// A bound for any URL among any others is [Worst]. It is reached by templates of
// 11 or 13 pages of one size that differ in the middle: 9 KB for a URL of 25 tokens,
// 83 KB for 104, 354 KB for 404. To charge each URL so much would leave a real site a
// twentieth of its URLs. So package miner charges a URL Worst only until its
// site's indexes have taken it in. From then on it charges Cost, or what the
// indexes really hold if that is more.
package budget

import "slices"

const (
	perURL   = 512     // bytes of table, list and indexes that any URL takes
	perByte  = 2       // its text, and as much again until released texts are compacted
	perToken = 16      // cells, pairs and groups grow with the tokens
	worst    = 1 << 10 // bytes for each token of the dearest URL
)

// Site is what the machine of a site takes before its first URL, in bytes.
const Site = 5 << 10

// Cost bounds what a URL takes on an ordinary site, in bytes. It depends on
// nothing but the URL, whose tokens are counted with ^ and $.
func Cost(bytes, tokens int) int64 {
	return perURL + perByte*int64(bytes) + perToken*int64(tokens)
}

// Worst bounds what any URLs of so many tokens together take of the indexes.
func Worst(tokens int64) int64 { return worst * tokens }

// Level is the height up to which demands are met if total is poured over them:
// the sum of min(demand, level) is at most total. If all fit, it is the greatest
// demand. demands are sorted in place. O(n log n).
func Level(demands []int64, total int64) int64 {
	slices.Sort(demands)
	for i, d := range demands {
		if each := total / int64(len(demands)-i); d > each {
			return max(each, 0)
		}
		total -= d
	}
	if len(demands) == 0 {
		return 0
	}
	return demands[len(demands)-1]
}
