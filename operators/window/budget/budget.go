// Package budget estimates the memory cost of URLs and divides memory among sites.
//
// # Cost of a URL
//
// [Cost] is an upper bound for the URLs of ordinary sites: text, table, list, envelopes,
// pairs and parameter groups, with the slack of growing arrays. Measured with go test
// ./operators/learn/miner -run Cost -v, in bytes per URL:
//
//	list                                     URLs   bytes  tokens   taken    Cost
//	shipped log of a blog                   1,340      38      14     610     811
//	generated site (oracle.Site)          100,000      47      18     288     894
//	numbered pages                        100,000       6       4     174     588
//	random words, two parameters          100,000      34      16     355     836
//	a calendar of five parameters          33,600      34      24     578     964
//
// [Worst] is a bound for any URL among any others, which templates of 11 or 13 pages of one
// size reach: 9 KB for a URL of 25 tokens, 354 KB for 404. Charging it for every URL would
// leave a real site a twentieth of its URLs. So package miner charges Worst only until the
// site's indexes hold the URL, and then Cost, or the measured size of the indexes if that is
// greater.
package budget

import "slices"

const (
	perURL   = 512     // bytes of table, list and indexes for any URL
	perByte  = 2       // the text, and as much again until released texts are compacted
	perToken = 16      // cells, pairs and groups grow with the tokens
	worst    = 1 << 10 // bytes per token of the most expensive URL
)

// Site is the memory of a site before the first URL, in bytes: its machine, and what the loop knows of it.
const Site = 2 << 10

// Cost returns an upper bound for the memory of a URL on an ordinary site, in bytes. Cost
// depends on the URL alone. The tokens include ^ and $.
func Cost(bytes, tokens int) int64 {
	return perURL + perByte*int64(bytes) + perToken*int64(tokens)
}

// Worst returns an upper bound for the index memory of any URLs with this total number of
// tokens, in bytes.
func Worst(tokens int64) int64 { return worst * tokens }

// Level returns the greatest level at which the sum of min(demand, level) is at most
// total. If all demands fit, Level returns the greatest demand. Level sorts demands in
// place. O(n log n).
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
