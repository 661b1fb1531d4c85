package integration

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Bounds of the Makefile: what is longer lives in a script that can be read and run.
const (
	mostTargets = 25
	mostMade    = 90 // lines
)

var (
	targetLine = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	longCase   = regexp.MustCompile(`(?m)^([a-z]+(?: \| [a-z]+)*)\)`)
	madeTarget = regexp.MustCompile("(?m)(?:`|run: |^ {4}|sudo |^RUN )make ([a-z-]+)")
	longName   = regexp.MustCompile(`make long NAME=([a-z]+)`)
	nestedName = regexp.MustCompile(`NESTED="?([a-z/]+(?: [a-z/]+)*)`)
	ciStep     = regexp.MustCompile(`(?m)^\s*(?:step|tests) ([a-z-]+)`)
	areaRow    = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|[^|]*\\|[^|]*\\|$")
)

// The Makefile is short, and each target, test and module that a document names is there.
func TestMakefile(t *testing.T) {
	made, long := string(readFile(t, "../Makefile")), string(readFile(t, "long.sh"))
	targets, names := captured(targetLine, made), strings.FieldsFunc(strings.Join(captured(longCase, long), "|"), func(r rune) bool { return r == '|' || r == ' ' })
	if lines := strings.Count(made, "\n"); len(targets) == 0 || len(slices.Compact(slices.Sorted(slices.Values(targets)))) > mostTargets || lines > mostMade {
		t.Errorf("%d targets and %d lines, at most %d and %d", len(targets), lines, mostTargets, mostMade)
	}
	files := []string{"../Dockerfile"}
	for _, pattern := range []string{"../.github/workflows/*.yml", "../*.md", "../docs/*.md", "../docs/decisions/*.md", "../sinks/appliers/*.md", "../sinks/appliers/*/*.md"} {
		found, err := filepath.Glob(pattern)
		must(t, err)
		files = append(files, found...)
	}
	for _, file := range files {
		text := string(readFile(t, file))
		unknown(t, file, "target", captured(madeTarget, text), targets)
		unknown(t, file, "long test", captured(longName, text), names)
		for _, module := range strings.Fields(strings.Join(captured(nestedName, text), " ")) {
			readFile(t, module+"/go.mod")
		}
	}
	unknown(t, "../.ci/run", "target", captured(ciStep, string(readFile(t, "../.ci/run"))), targets)
	told := captured(areaRow, string(readFile(t, "../CONTRIBUTING.md")))
	unknown(t, "../CONTRIBUTING.md", "long test", told, names)
	unknown(t, "long.sh", "row of CONTRIBUTING.md", names, told)
}

// captured returns what the first group of a pattern matches.
func captured(pattern *regexp.Regexp, text string) (all []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	return all
}

func unknown(t *testing.T, file, what string, named, known []string) {
	t.Helper()
	for _, name := range named {
		if !slices.Contains(known, name) {
			t.Errorf("%s names the %s %q, which is not there", file, what, name)
		}
	}
}

// A wrong name of a long test is an error that lists the right ones.
func TestLongNames(t *testing.T) {
	for _, name := range []string{"", "goldn"} {
		out, err := exec.Command("sh", "long.sh", name).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "NAME is one of ablation release race ") {
			t.Errorf("%q: %v, %s", name, err, out)
		}
	}
}
