package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/sinks/export"
)

// exported has the command write rules into a file in a format that can say them all.
func exported(t *testing.T, format string, sites []export.Site, o export.Options) string {
	t.Helper()
	path, _ := exportedWith(t, format, sites, o)
	return path
}

// exportedWith also returns what the command reports.
func exportedWith(t *testing.T, format string, sites []export.Site, o export.Options) (path, report string) {
	t.Helper()
	list := write(t, "rules.jsonl", published(t, sites))
	rounds := o.Unroll
	if rounds == 0 {
		rounds = settled(t, sites)
	}
	args := []string{format, "--rules", list, "--strict", "--rounds", fmt.Sprint(rounds)}
	if o.Redirect {
		args = append(args, "--redirect")
	}
	return runExport(t, args...)
}

// exportedFor exports what a log of exportURLs needs on all sites.
func exportedFor(t *testing.T, format string, sites []export.Site, o export.Options) string {
	t.Helper()
	var urls strings.Builder
	for _, s := range sites {
		for _, url := range exportURLs {
			fmt.Fprintf(&urls, "http://%s%s\n", s.Host, url)
		}
	}
	args := []string{format, "--rules", write(t, "rules.jsonl", published(t, sites)), "--strict", "--urls", write(t, "urls.txt", []byte(urls.String()))}
	if o.Redirect {
		args = append(args, "--redirect")
	}
	path, _ := runExport(t, args...)
	return path
}

// expressible returns the sites with the rules that a format can express, or by which it redirects.
func expressible(t *testing.T, format string, sites []export.Site, redirect bool) (some []export.Site) {
	t.Helper()
	for _, s := range sites {
		skipped, err := export.Write(io.Discard, format, []export.Site{s}, export.Options{Unroll: 1, Redirect: redirect})
		must(t, err)
		var rules []rule.Rule
		for rank, r := range s.Rules {
			if !slices.ContainsFunc(skipped, func(s export.Skipped) bool { return s.Rank == rank }) {
				rules = append(rules, r)
			}
		}
		if s.Rules = rules; len(rules) > 0 {
			some = append(some, s)
		}
	}
	return some
}

// runExport runs the command, and returns the file that it wrote and what it reported.
func runExport(t *testing.T, args ...string) (path, report string) {
	t.Helper()
	r := succeed(t, exec.Command(program, append([]string{"export"}, args...)...))
	if keep := os.Getenv("DUSTBUSTER_KEEP_EXPORTS"); keep != "" {
		writeFile(t, filepath.Join(keep, args[0]), []byte(r.stdout))
	}
	return write(t, args[0], []byte(r.stdout)), r.stderr
}

// published is a list of the sites' rules as they are published.
func published(t *testing.T, sites []export.Site) []byte {
	t.Helper()
	var list jsonl.List
	for _, s := range sites {
		for i := range s.Rules {
			r := rule.Record{Schema: rule.Schema, Site: s.Host, ID: rule.ID(s.Host, &s.Rules[i]), Rank: i + 1, State: rule.Valid}
			if i < len(s.Separators) {
				r.Separators = s.Separators[i]
			}
			text, err := json.Marshal(s.Rules[i])
			if err == nil {
				err = json.Unmarshal(text, &r.Wire)
			}
			must(t, err)
			list = append(list, r)
		}
	}
	var b bytes.Buffer
	must(t, list.Write(&b))
	return b.Bytes()
}

// settled is after how many rounds all URLs that the sites come with have settled that ever
// do; any URL, if some site comes with none.
func settled(t *testing.T, sites []export.Site) int {
	t.Helper()
	rounds := 1
	for _, s := range sites {
		c, err := canon.Compile(s.Rules)
		must(t, err)
		if s.URLs == nil {
			return canon.MaxRounds - 1
		}
		for url := range s.URLs {
			if _, end := c.Canon(nil, url); end.Changed() {
				rounds = max(rounds, end.Rounds)
			}
		}
	}
	return rounds
}
