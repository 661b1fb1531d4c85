package table

import (
	"math/rand/v2"
	"testing"

	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// The separators are those of all URLs ever folded, in any order and however often, even if
// panes have left the window, if URLs were shed, cut or late, or if the table was copied.
func TestSeparators(t *testing.T) {
	outcomes := map[Outcome]bool{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		table := New(Options{Pane: 10, Window: 30, MaxURLs: 1 + rng.IntN(3), Key: testKey}, urllist.New())
		var want urlnorm.Separators
		for range 1 + rng.IntN(6) {
			url := []byte("/" + []string{"a", "b?x", "c?x=1&y", "d?x=1&y", "e?x;y", "f?x;y"}[rng.IntN(6)])
			want |= urlnorm.SeparatorsIn(url)
			outcomes[table.Fold(&evidence.Observation{URL: url, Time: rng.Int64N(100), Max: 1})] = true
			if rng.IntN(2) == 0 {
				settle(table)
			}
			if rng.IntN(4) == 0 {
				table.AddCut(table.CutTo(rng.Int64N(1000)))
				table = table.Copy(urllist.New())
			}
		}
		if got := table.Separators(); got != want {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
	if len(outcomes) != int(Outcomes) {
		t.Errorf("only %v", outcomes)
	}
}
