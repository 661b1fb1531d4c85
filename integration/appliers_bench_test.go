package integration

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/stream/rules"
)

// BenchmarkAppliers measures the time of a URL under 1,000 rules: of each applier, of the
// canonizer, and of the regular expressions that export writes for Nutch, of those rules that
// the expressions can say. 100 URLs of a generated site; the rules are of all kinds.
func BenchmarkAppliers(b *testing.B) {
	pages := oracle.Site(1, 20000)
	var urls []string
	for i := range pages {
		urls = append(urls, "http://www.example.org"+pages[i].URL)
	}
	all := mixedRules(urls, 1000)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
	urls = urls[:100] // short passes are less disturbed
	list := filepath.Join(b.TempDir(), "rules.jsonl")
	writeRules(b, list, all)
	b.Run("go", func(b *testing.B) { benchCanonizer(b, list, urls) })
	for _, a := range applierCommands {
		b.Run(a.language, func(b *testing.B) {
			args, missing := a.command()
			if args == nil {
				b.Skipf("SKIPPED: needs %s", missing)
			}
			var got struct {
				URLs, Changed int
				NS            float64
			}
			for b.Loop() {
				out := runApplier(b, a.language, args, urls, "bench", "--rules", list)
				must(b, json.Unmarshal([]byte(out[0]), &got))
			}
			if got.URLs != len(urls) {
				b.Fatalf("%+v, want %d URLs", got, len(urls))
			}
			reportURL(b, got.NS, got.Changed)
		})
	}
	b.Run("nutch", func(b *testing.B) { benchNutch(b, all, urls) })
}

func reportURL(b *testing.B, ns float64, changed int) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ns, "ns/URL")
	b.ReportMetric(float64(changed), "changed")
}

func writeRules(b *testing.B, path string, all []rule.Rule) {
	f, err := os.Create(path)
	must(b, err)
	for i := range all {
		const site = "www.example.org"
		r := rule.Record{Schema: rule.Schema, Site: site, ID: rule.ID(site, &all[i]), Wire: *rule.NewWire(&all[i]), Rank: i + 1, State: rule.Valid}
		must(b, json.NewEncoder(f).Encode(r))
	}
	must(b, f.Close())
}

func benchCanonizer(b *testing.B, path string, urls []string) {
	list, err := rules.Open(b.Context(), path)
	must(b, err)
	sites, err := list.Compile()
	must(b, err)
	changed, least := 0, time.Hour
	for b.Loop() {
		for range 5000 {
			begin := time.Now()
			changed = 0
			for _, url := range urls {
				if _, is := sites.Canonical(url); is {
					changed++
				}
			}
			least = min(least, time.Since(begin))
		}
	}
	reportURL(b, float64(least.Nanoseconds())/float64(len(urls)), changed)
}

// benchNutch measures the expressions in Java's engine: the time of a run with URLs, less the
// time of a run with one.
func benchNutch(b *testing.B, all []rule.Rule, urls []string) {
	java, err := exec.LookPath("java")
	if err != nil {
		b.Skip("SKIPPED: java is not installed")
	}
	list := filepath.Join(b.TempDir(), "rules.jsonl")
	writeRules(b, list, all)
	expressions, err := exec.Command(program, "export", "nutch", "--rules", list, "--rounds", "1").Output()
	must(b, err)
	file := filepath.Join(b.TempDir(), "regex-normalize.xml")
	must(b, os.WriteFile(file, expressions, 0o644))
	run := func(n int) time.Duration {
		least := time.Hour
		for range 2 {
			cmd := exec.Command(java, filepath.Join("testdata", "export", "Normalize.java"), "nutch", file)
			cmd.Stdin = strings.NewReader(strings.Join(urls[:n], "\n") + "\n")
			begin := time.Now()
			must(b, cmd.Run())
			least = min(least, time.Since(begin))
		}
		return least
	}
	const n = 100
	took := time.Duration(0)
	for b.Loop() {
		took = run(n) - run(1)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took.Nanoseconds())/n, "ns/URL")
	b.ReportMetric(float64(strings.Count(string(expressions), "<regex>")), "expressions")
}

// mixedRules returns rules of all kinds that change URLs of a list: mostly substrings, then
// parameters on a path, then the rest.
func mixedRules(urls []string, n int) (all []rule.Rule) {
	rng := rand.New(rand.NewPCG(3, 3))
	seen := map[rule.Rule]bool{}
	for len(all) < n {
		_, text, _ := strings.Cut(urls[rng.IntN(len(urls))][len("http://"):], "/")
		r := mixedRule(rng, "/"+text, len(all)%20)
		if r.Validate() == nil && !seen[r] {
			seen[r] = true
			all = append(all, r)
		}
	}
	return all
}

func mixedRule(rng *rand.Rand, text string, kind int) rule.Rule {
	path, query, _ := strings.Cut(text, "?")
	name, _, _ := strings.Cut(query, "=")
	scope := rule.Scope{HasPath: true, Path: path}
	switch {
	case kind < 12:
		return cutRule(rng, text)
	case kind < 16:
		return rule.Rule{Edit: rule.Drop{Param: name}, Scope: scope}
	case kind == 16:
		return rule.Rule{Edit: rule.Set{Param: name, Value: "1"}, Scope: scope}
	case kind == 17:
		return rule.Rule{Edit: rule.Order{}, Scope: scope}
	case kind == 18:
		return rule.Rule{Edit: rule.Drop{InPath: true, Param: fmt.Sprint("s", rng.IntN(1000))}}
	}
	scope.Path, _, _ = strings.Cut(path[1:], "/")
	return rule.Rule{Edit: rule.Syntax{Form: rule.Escapes}, Scope: rule.Scope{Prefix: "/" + scope.Path + "/" + fmt.Sprint(rng.IntN(1000))}}
}

// cutRule removes some tokens of a text, within others that stay.
func cutRule(rng *rand.Rand, text string) rule.Rule {
	cuts := dust.AppendCuts(nil, []byte(text))
	cuts = cuts[1 : len(cuts)-1]
	size := 4 + rng.IntN(5)
	if size >= len(cuts) {
		return rule.Rule{}
	}
	from := rng.IntN(len(cuts) - size)
	out := from + 1 + rng.IntN(size-3)
	return rule.Rule{Edit: rule.Substring{From: text[cuts[from]:cuts[from+size]], To: text[cuts[from]:cuts[out]] + text[cuts[out+1+rng.IntN(3)]:cuts[from+size]]}}
}
