package integration

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	seeds   = flag.Int("seeds", 1, "with how many seeds TestTotalOfLiveSites has pairs of the real sites drawn; three take ten minutes")
	allowed = flag.String("requests", "", "how many requests TestTotalOfLiveSites allows in all, separated by commas; 0: no limit. 300,1000,3000,0 with three seeds take an hour; without it 1,000 for docs, and 300 for gitweb, which is slow")
)

// leasts are the least coverage of the duplicates, the median over three seeds, that the rules
// of the real sites must come to, by the requests allowed.
var leasts = []struct {
	site, path string
	usual      string // requests allowed if the flag names none
	coverage   map[int]float64
	alone      float64 // the part of it that fewer seeds must come to
}{
	{"docs", "/manual/", "1000", map[int]float64{300: 0.44, 1000: 0.61, 3000: 0.65, 0: 0.68}, 0.98},
	{"gitweb", "/gitweb/", "300", map[int]float64{300: 0.36, 1000: 0.47, 3000: 0.67, 0: 0.78}, 0.8},
}

// mostWrong is how many false merges per 10,000 URLs a list may have, of those that differ on the site as well:
// pages of cgit name the second at which they were made, so the crawl calls a third of them different from
// themselves.
const mostWrong = 5

// With a number of requests in all, validate finds rules of the real sites that cover what
// they should, and none of them merges pages that differ.
func TestTotalOfLiveSites(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	for _, want := range leasts {
		if want.site != "docs" && *allowed == "" && !*long {
			continue // gitweb takes minutes
		}
		t.Run(want.site, func(t *testing.T) {
			folder := filepath.Join(data, "sites", want.site)
			log := write(t, "access.log", bytes.Join(logLines(t, filepath.Join(folder, "access.log.gz")), nil))
			origin := setUp(t, folder, want.path)
			for _, number := range strings.Split(cmp.Or(*allowed, want.usual), ",") {
				total, err := strconv.Atoi(number)
				must(t, err)
				var coverage []float64
				for seed := range *seeds {
					got := validated(t, folder, log, origin, seed, total)
					coverage = append(coverage, got.coverage)
					if got.wrong > mostWrong {
						t.Errorf("%d requests, seed %d: %.1f false merges per 10,000, at most %d", total, seed, got.wrong, mostWrong)
					}
				}
				slices.Sort(coverage)
				median := coverage[len(coverage)/2]
				t.Logf("%d requests: a median coverage of %.3f", total, median)
				least := want.coverage[total]
				if *seeds < 3 {
					least *= want.alone
				}
				if median < least {
					t.Errorf("%d requests: a median coverage of %.3f of %.3f, want %.2f", total, median, coverage, least)
				}
			}
		})
	}
}

// validated has the rules of a site tried with a seed and a number of requests, and judged.
func validated(t *testing.T, folder, log, origin string, seed, total int) quality {
	t.Helper()
	r := validate(t, log, origin, seed, total)
	if said := fmt.Sprintf("all %d requests of --fetch-total are used", total); total == 1000 && !strings.Contains(r.stderr, said) {
		t.Errorf("it does not say that %s:\n%s", said, r.stderr)
	}
	rules := write(t, "rules.jsonl", []byte(r.stdout))
	got := qualityOf(t, filepath.Join(folder, "bodies.tsv.gz"), rules)
	byCrawl, bySite := falseMerges(t, filepath.Join(folder, "bodies.tsv.gz"), rules, origin)
	t.Logf("%d requests, seed %d: %d rules, coverage %.3f, %.1f false merges per 10,000 by the crawl, %.1f of them on the site; %v",
		total, seed, got.rules, got.coverage, got.wrong, got.onSite(byCrawl, bySite), r.took.Round(time.Second))
	for _, m := range byCrawl {
		t.Logf("different by the crawl, and %.3f alike on the site but for the time:\n%s\n%s\n%q", m.alike, m.u, m.v, m.differs)
	}
	got.wrong = got.onSite(byCrawl, bySite)
	noneFalse(t, filepath.Join(folder, "rules.tsv"), []byte(r.stdout))
	return got
}

// validate has the rules of a site tried with a seed and a number of requests. The logs are of crawls.
func validate(t *testing.T, log, origin string, seed, total int, flags ...string) ran {
	t.Helper()
	return succeed(t, exec.Command(program, append([]string{"validate", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "0", "--fetch-total", fmt.Sprint(total),
		"--seed", fmt.Sprint(seed), "--output", "json", log}, flags...)...))
}
