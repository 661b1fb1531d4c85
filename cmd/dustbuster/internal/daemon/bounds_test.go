package daemon

import "testing"

// Learners look at a tenth of the limit's worth of URLs, and without a limit at all URLs.
func TestLookURLs(t *testing.T) {
	for limit, want := range map[int64]int{0: 0, 15_000: 1, 1 << 30: 71_582} {
		if got := lookURLs(limit); got != want {
			t.Errorf("limit %d: %d URLs, want %d", limit, got, want)
		}
	}
}
