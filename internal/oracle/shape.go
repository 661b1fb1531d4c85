package oracle

import (
	"fmt"

	"dustbuster/operators/window/evidence"
)

// Stats describes a URL list from the view of an index of its envelopes.
type Stats struct {
	URLs       int
	Tokens     int // of all URLs together, ^ and $ included
	Envelopes  int // distinct
	Substrings int // of 0 to S tokens, of all URLs together: Alone + Shared + Overflow
	Alone      int // substrings in a bucket of one
	Shared     int // substrings in a bucket of 2 to BucketHigh members
	Overflow   int // substrings in a bucket of more
}

// Shape measures the URL list of the buckets.
func (b Buckets) Shape(o Options, pages []evidence.Page) Stats {
	s := Stats{URLs: len(pages), Envelopes: len(b)}
	for _, p := range pages {
		s.Tokens += split(p.URL).tokens()
	}
	for _, bucket := range b {
		s.bucket(len(bucket), o.BucketHigh)
	}
	return s
}

func (s *Stats) bucket(size, high int) {
	s.Substrings += size
	switch {
	case size == 1:
		s.Alone++
	case size <= high:
		s.Shared += size
	default:
		s.Overflow += size
	}
}

// String returns the figures per URL.
func (s Stats) String() string {
	per := func(n int) float64 { return float64(n) / float64(s.URLs) }
	return fmt.Sprintf("%d URLs, per URL: %.1f tokens, %.1f distinct envelopes, %.1f substrings: %.1f alone, %.1f shared, %.1f overflowing",
		s.URLs, per(s.Tokens), per(s.Envelopes), per(s.Substrings), per(s.Alone), per(s.Shared), per(s.Overflow))
}
