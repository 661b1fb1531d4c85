package miner_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
)

// A rule whose URLs were told with one client alone is no private text if the URLs are of a public kind: agents do not
// tell of more clients. Text that may be one client's own is another matter.
func TestOneClientOfSettledURLs(t *testing.T) {
	for _, c := range []struct {
		name       string
		one, other string
		side       string // of the rule, in the place of "new"
		want       bool
	}{
		{"titles", "/p/the-old-story-of-%d", "/p/the-new-story-of-%d", "old", false},
		{"sessions", "/p/the-s3ss10n77-story-of-%d", "/p/the-new-story-of-%d", "s3ss10n77", true},
		{"words", "/old/p%d", "/new/p%d", "old", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := miner.New("", madeup.MinerOptions())
			fold := func(url string, size int64, client int) {
				m.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: 1 << client})
			}
			for page := range 12 {
				size := int64(1000 + 50*page)
				fold(fmt.Sprintf(c.one, page), size, 3)
				fold(fmt.Sprintf(c.other, page), size, page)
				fold(fmt.Sprintf("/p/some-other-title-of-%d", page), 7, page)
			}
			pair := dust.NewPair(c.side, "new", false, false)
			if got := m.OneClient(rule.OfPairs("", "", []dust.Candidate{{Pair: pair}}))[0]; got != c.want {
				t.Errorf("%v: one client: %v, want %v", pair, got, c.want)
			}
		})
	}
}
