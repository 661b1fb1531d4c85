package integration

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var seeds = flag.Int("seeds", 1, "with how many seeds TestTotalOfLiveSites has pairs of the real sites drawn; three take ten minutes")

// thousands are what the rules of the real sites come to with a thousand requests of all
// kinds: the median over the seeds of the coverage of the duplicates.
var thousands = []struct {
	site, path string
	least      float64
}{{"docs", "/manual/", 0.44}, {"gitweb", "/gitweb/", 0.32}}

// With a thousand requests in all, validate finds rules of the real sites that cover what
// they should, and none of them merges pages that differ.
func TestTotalOfLiveSites(t *testing.T) {
	data := dataFolder(t)
	for _, want := range thousands {
		t.Run(want.site, func(t *testing.T) {
			folder := filepath.Join(data, "sites", want.site)
			log := filepath.Join(t.TempDir(), "access.log")
			writeFile(t, log, bytes.Join(logLines(t, filepath.Join(folder, "access.log.gz")), nil))
			origin := setUp(t, folder, want.path)
			var coverage []float64
			for seed := range *seeds {
				got := validated(t, folder, log, origin, seed)
				coverage = append(coverage, got.coverage)
				if got.wrong > 0 {
					t.Errorf("seed %d: %.1f false merges per 10,000", seed, got.wrong)
				}
			}
			slices.Sort(coverage)
			if median := coverage[len(coverage)/2]; median < want.least {
				t.Errorf("a median coverage of %.3f of %.3f, want %.2f", median, coverage, want.least)
			}
		})
	}
}

// validated has the rules of a site tried with a seed, and judged.
func validated(t *testing.T, folder, log, origin string, seed int) quality {
	t.Helper()
	const total = 1000
	began := time.Now()
	cmd := exec.Command(program, "validate", "--origin", origin, "--fetch-delay", "0", "--fetch-total", fmt.Sprint(total),
		"--seed", fmt.Sprint(seed), "--output", "json", log)
	var list, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &list, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("validate: %v\n%s", err, &stderr)
	}
	if said := fmt.Sprintf("the %d requests of --fetch-total are made", total); !strings.Contains(stderr.String(), said) {
		t.Errorf("it does not say that %s:\n%s", said, &stderr)
	}
	rules := filepath.Join(t.TempDir(), "rules.jsonl")
	writeFile(t, rules, list.Bytes())
	got := qualityOf(t, filepath.Join(folder, "bodies.tsv.gz"), rules)
	t.Logf("seed %d: %d rules, coverage %.3f, %.1f false merges per 10,000; %v", seed, got.rules, got.coverage, got.wrong, time.Since(began).Round(time.Second))
	noneFalse(t, filepath.Join(folder, "rules.tsv"), list.Bytes())
	return got
}
