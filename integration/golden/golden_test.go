// Package golden_test runs the process of one site at a time, from the lines of its log to the requests, acts, events and
// lists that come of them, on some twenty made-up sites. The clock is that of a bubble, and the server is in memory. What a
// process does is the same each time, so a change of the house that should change nothing is seen to change nothing.
//
// testdata holds a hash of each stream. Where one differs, write the streams of both builds with -dump, and compare the
// folders with diff -r.
package golden_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"dustbuster/internal/expect"
)

var (
	seeds   = flag.Int("seeds", 1, "make each site with so many seeds, at most 3")
	dump    = flag.String("dump", "", "`folder` to write the streams to, a file for each site, seed and stream")
	rewrite = flag.Bool("rewrite-golden", false, "write the hashes that differ, with all seeds, to testdata")
)

const (
	allSeeds = 3
	hashes   = "testdata/streams.json"
)

// TestGolden: the process of a site does what it did when its hashes were written.
func TestGolden(t *testing.T) {
	want := map[string]map[string]string{} // by site and seed, by stream
	if !*rewrite {
		b, err := os.ReadFile(hashes)
		expect.NoError(t, err)
		expect.NoError(t, json.Unmarshal(b, &want))
	} else {
		*seeds = allSeeds
	}
	got := make([]map[string]string, len(kinds)*allSeeds)
	t.Run("sites", func(t *testing.T) {
		for i, k := range kinds {
			for seed := range *seeds {
				name := fmt.Sprintf("%s, %d", k.name, seed)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					did := hashesOf(t, k, seed)
					if got[i*allSeeds+seed] = did; !*rewrite && !maps.Equal(did, want[name]) {
						t.Errorf("%v\nwant %v\n-dump shows the streams", did, want[name])
					}
				})
			}
		}
	})
	if !*rewrite {
		return
	}
	for i, did := range got {
		want[fmt.Sprintf("%s, %d", kinds[i/allSeeds].name, i%allSeeds)] = did
	}
	b, err := json.MarshalIndent(want, "", "\t")
	expect.NoError(t, err)
	expect.NoError(t, os.WriteFile(hashes, append(b, '\n'), 0o600))
}

// hashesOf runs the process of a site, and returns the length and a hash of each stream.
func hashesOf(t *testing.T, k kind, seed int) map[string]string {
	t.Helper()
	did := map[string]string{}
	synctest.Test(t, func(t *testing.T) {
		for name, lines := range live(t, k.make(rand.New(rand.NewPCG(uint64(seed), 7)))).all {
			text := strings.Join(lines, "\n") + "\n"
			h := fnv.New64a()
			h.Write([]byte(text))
			did[name] = fmt.Sprintf("%d lines %016x", len(lines), h.Sum64())
			if *dump != "" {
				dir := filepath.Join(*dump, strings.ReplaceAll(k.name, " ", "-"), fmt.Sprint(seed))
				expect.NoError(t, os.MkdirAll(dir, 0o750))
				expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
		}
	})
	return did
}
