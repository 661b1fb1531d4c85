package integration

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// compared are the means of a learner's figures over the splits of a share.
type compared struct {
	splits                          float64
	coverage, false_, raw, deployed float64
}

// independent are the coverages that an independent program, written from the same papers,
// has measured on the same crawls: the share of the pages that is labelled, the learner, the
// coverage on docs and on gitweb, and known differences. docs/compare.md names the reasons.
var independent = []struct {
	share                      int
	learner                    string
	docs, gitweb               float64
	docsDiffers, gitwebDiffers float64
}{
	{20, "dustbuster", .638, .633, 0, 0},
	{20, "fanout-10", .328, .051, 0, 0},
	{20, "fanout", .364, .232, 0, 0},
	{20, "tree", .658, .368, 0, 0},
	{20, "duster", .457, .097, 0, 0},
	{50, "dustbuster", .512, .576, 0, 0},
	{50, "fanout-10", .328, .241, 0, 0},
	{50, "fanout", .330, .405, .08, 0},
	{50, "tree", .592, .539, 0, 0},
	{50, "duster", .453, .134, 0, 0},
	{100, "dustbuster", .518, .576, 0, 0},
	{100, "fanout", .340, .375, 0, .08},
	{100, "tree", .547, .557, 0, -.05},
	{100, "duster", .489, .180, 0, 0},
}

// TestCompareSites compares the learners on crawled sites, five splits of each share. The
// mean coverage is within .05 of what the independent program measured. The exact set of
// splits differs, and so do the false merges, which are shown (-v).
func TestCompareSites(t *testing.T) {
	t.Parallel()
	folder := dataFolder(t)
	for _, site := range []string{"docs", "gitweb"}[:rounds(1, 2)] {
		t.Run(site, func(t *testing.T) {
			crawl := succeed(t, exec.Command("go", "run", "./bodies", filepath.Join(folder, "sites", site, "bodies.tsv.gz")))
			list := write(t, site+".tsv", []byte(crawl.stdout))
			got := compareCrawl(t, "--seeds", fmt.Sprint(rounds(2, 5)), "--learners", "dustbuster,fanout-10,fanout,tree,duster,union", list)
			for _, share := range []string{"20", "50", "100"} {
				c := got["union "+share]
				t.Logf("union %s %%: coverage %.3f; %.1f false merges of 10,000, %.0f rules deployed of %.0f", share, c.coverage, c.false_, c.deployed, c.raw)
				for _, one := range []string{"dustbuster", "fanout", "tree", "duster"} {
					if alone := got[one+" "+share]; c.coverage < alone.coverage-.05 {
						t.Errorf("%s %%: the union covers %.3f, and %s alone %.3f", share, c.coverage, one, alone.coverage)
					}
				}
			}
			for _, want := range independent {
				coverage := map[string]float64{"docs": want.docs, "gitweb": want.gitweb}[site]
				differs := map[string]float64{"docs": want.docsDiffers, "gitweb": want.gitwebDiffers}[site]
				key := want.learner + " " + strconv.Itoa(want.share)
				c, known := got[key]
				t.Logf("%s %%: coverage %.3f, independent %.3f; %.1f false merges of 10,000, %.0f rules deployed of %.0f", key, c.coverage, coverage, c.false_, c.deployed, c.raw)
				if !known || math.Abs(c.coverage-coverage-differs) > .05 {
					t.Errorf("%s: coverage %.3f, want %.3f within .05", key, c.coverage, coverage+differs)
				}
			}
		})
	}
}

// compareCrawl runs compare, and returns the means by learner and share.
func compareCrawl(t *testing.T, args ...string) map[string]compared {
	t.Helper()
	sums := map[string]compared{}
	for line := range strings.Lines(succeed(t, exec.Command(underTest(), append([]string{"compare", "-o", "json"}, args...)...)).stdout) {
		var l struct {
			Learner     string
			Share       int
			Coverage    float64
			FalseMerges float64 `json:"false_merges"`
			Raw         float64
			Deployed    float64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		key := l.Learner + " " + strconv.Itoa(l.Share)
		s := sums[key]
		sums[key] = compared{s.splits + 1, s.coverage + l.Coverage, s.false_ + l.FalseMerges, s.raw + l.Raw, s.deployed + l.Deployed}
	}
	for key, s := range sums {
		sums[key] = compared{s.splits, s.coverage / s.splits, s.false_ / s.splits, s.raw / s.splits, s.deployed / s.splits}
	}
	return sums
}
