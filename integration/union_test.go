package integration

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/papers/fanout"
	"dustbuster/operators/learn/papers/tree"
	"dustbuster/operators/rule"
)

var (
	unionFlags = flag.String("unionflags", "", "flags of validate in TestUnionOfLiveSites")
	union      = flag.String("union", "", "learners that TestUnionOfLiveSites adds to the five of before, in turn: default,tree,fanout,tree+fanout; default adds none. Without it: tree on docs with 300 requests. One seed and -requests 1000,3000,0 take an hour and a half")
)

// What each of the papers' learners adds to validate on the live sites, at equal requests: a
// table of coverage and false merges of learners that must be named. The rules of duster are expressions,
// which are never published, so duster cannot be added.
func TestUnionOfLiveSites(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	all, added, totals := goals, *union, cmp.Or(*allowed, "1000")
	if added == "" {
		all, added, totals = goals[:1], "tree", "300" // the tables take an hour and more
	}
	for _, g := range all {
		t.Run(g.site, func(t *testing.T) {
			unionOf(t, filepath.Join(data, "sites", g.site), g, strings.Split(added, ","), strings.Split(totals, ","))
		})
	}
}

func unionOf(t *testing.T, folder string, g goal, union, totals []string) {
	log := write(t, "access.log", bytes.Join(logLines(t, filepath.Join(folder, "access.log.gz")), nil))
	origin := setUp(t, folder, g.path)
	for _, number := range totals {
		total, err := strconv.Atoi(number)
		must(t, err)
		for _, added := range union {
			names := ownLearners()
			if added != "default" {
				names = append(names, strings.Split(added, "+")...)
			}
			for seed := range *seeds {
				figures := unionRow(t, folder, log, origin, seed, total, strings.Join(names, ","))
				t.Logf("| %s | %s | %d | %d | %s", g.site, added, total, seed, figures)
			}
		}
	}
}

// ownLearners are the learners but those of the papers on clusters.
func ownLearners() []string {
	return slices.DeleteFunc(miner.Learners(), func(name string) bool { return name == tree.Name || name == fanout.Name })
}

var requestsMade = regexp.MustCompile(`(\d+) requests\n`)

// unionRow returns the figures of one run: requests, rules, templates among the rules, coverage, false
// merges per 10,000 URLs by the crawl, how many of the false merges are false on the site, and of how many
// a template made the false form.
func unionRow(t *testing.T, folder, log, origin string, seed, total int, learners string) string {
	t.Helper()
	r := validate(t, log, origin, seed, total, append(strings.Fields(*unionFlags), "--learners", learners)...)
	rules, bodies := write(t, "rules.jsonl", []byte(r.stdout)), filepath.Join(folder, "bodies.tsv.gz")
	got := qualityOf(t, bodies, rules)
	byCrawl, bySite := falseMerges(t, bodies, rules, origin)
	c, templates, blamed := canonizer(t, rules), 0, 0
	for rank := range c.Len() {
		if r := c.Rule(rank); r.Kind() == rule.KindRewrite {
			templates++
		}
	}
	for _, m := range byCrawl {
		for rank := range c.Steps([]byte(m.u)) {
			if r := c.Rule(rank); r.Kind() == rule.KindRewrite {
				blamed++
				break
			}
		}
	}
	made := requestsMade.FindAllStringSubmatch(r.stderr, -1)
	return fmt.Sprintf("%s | %d | %d | %.3f | %.1f | %d of %d | %d |", made[len(made)-1][1], got.rules, templates, got.coverage,
		got.wrong, len(bySite), len(byCrawl), blamed)
}
