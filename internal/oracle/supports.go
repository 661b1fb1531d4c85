package oracle

import "dustbuster/operators/window/evidence"

// Options are the parameters of phase 1 (section 5.1 of the paper).
type Options struct {
	MaxTokens  int // tokens of the longest substring, including ^ and $; the paper's S
	BucketLow  int // members of the largest bucket that counts for Support; the paper's T_low
	BucketHigh int // the same for High; the paper's T_high
	MinSupport int // least Support of a likely rule; the paper's MS
	Similarity evidence.Similarity
}

// DefaultOptions returns the paper's parameters, with the project's tolerance.
func DefaultOptions() Options {
	return Options{
		MaxTokens: 35, BucketLow: 6, BucketHigh: 11, MinSupport: 3,
		Similarity: evidence.Similarity{Tolerance: 0.01},
	}
}

// Envelope is the surrounding of a substring: URL = prefix + substring + suffix.
type Envelope struct{ prefix, suffix side }

// tuple is a row of the paper's table ST under its envelope.
type tuple struct {
	substring side
	page      *evidence.Page
}

// Buckets is the paper's table ST, grouped by envelope.
type Buckets map[Envelope][]tuple

// Group is lines 2 to 11 of figure 1: every substring of 0 to S tokens of every URL,
// grouped by envelope. Group panics if two URLs are equal. Time and memory O(URLs ·
// tokens · S).
func Group(o Options, pages []evidence.Page) Buckets {
	buckets, seen := Buckets{}, map[string]bool{}
	for i := range pages {
		r := &pages[i]
		if seen[r.URL] {
			panic("oracle: URL given twice: " + r.URL)
		}
		seen[r.URL] = true
		buckets.add(r, o.MaxTokens)
	}
	return buckets
}

// add is lines 6 to 10 of figure 1.
func (b Buckets) add(r *evidence.Page, maxTokens int) {
	u := split(r.URL)
	n := u.tokens()
	for length := 0; length <= min(maxTokens, n); length++ {
		for from := 0; from+length <= n; from++ {
			e := Envelope{prefix: u.cut(0, from), suffix: u.cut(from+length, n)}
			b[e] = append(b[e], tuple{u.cut(from, from+length), r})
		}
	}
}

// Supports is lines 12 to 20 of figure 1, for both bucket thresholds at once. The option
// MaxTokens is not used. The map holds the pairs with a count above zero.
func (b Buckets) Supports(o Options) map[Pair]Count {
	supports := map[Pair]Count{}
	for _, bucket := range b {
		one := Count{Support: within(len(bucket), o.BucketLow), High: within(len(bucket), o.BucketHigh)}
		if one == (Count{}) {
			continue
		}
		for i, t1 := range bucket {
			for _, t2 := range bucket[:i] {
				if o.Similarity.Similar(t1.page.Evidence, t2.page.Evidence) {
					p := pair(t1.substring, t2.substring)
					c := supports[p]
					supports[p] = Count{c.Support + one.Support, c.High + one.High}
				}
			}
		}
	}
	return supports
}

// Instances returns the instances of every pair: pairs of URLs, the URL with Alpha first. No
// bucket is too large.
func (b Buckets) Instances() map[Pair]map[[2]string]bool {
	all := map[Pair]map[[2]string]bool{}
	for _, bucket := range b {
		for _, t1 := range bucket {
			for _, t2 := range bucket {
				if compareSides(t1.substring.text, t2.substring.text) <= 0 {
					continue
				}
				p := pair(t1.substring, t2.substring)
				if all[p] == nil {
					all[p] = map[[2]string]bool{}
				}
				all[p][[2]string{t1.page.URL, t2.page.URL}] = true
			}
		}
	}
	return all
}

// within is line 13 of figure 1: the contribution of a bucket of this size to a pair.
func within(size, threshold int) int {
	if size == 1 || size > threshold {
		return 0
	}
	return 1
}

// Supports is figure 1 up to line 20: the counts of every pair over a list of different
// URLs. The map holds the pairs with a count above zero.
func Supports(o Options, pages []evidence.Page) map[Pair]Count { return Group(o, pages).Supports(o) }
