package integration

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// insiders are words of the code and of the papers, which no reader of a screen has to know.
var insiders = regexp.MustCompile(`(?i)\b(withheld|tally|tallies|neither told|crowded|panes?|so many at most|by chance|lifecycle|folded)\b`)

// screens returns what the program prints, by the command: help, lists, ends, mistakes and the status of a daemon.
func screens(t *testing.T) map[string]string {
	t.Helper()
	log := "../integration/testdata/semicomplete.log.gz"
	all := map[string]string{}
	for _, line := range helped() {
		all[line+" --help"] = printed(append(strings.Fields(line), "--help")...)
		all[line+" --help-all"] = printed(append(strings.Fields(line), "--help-all")...)
	}
	for _, args := range [][]string{{"mine", log}, {"mine", "--all", log}, {"mine", "--expand", log}, {"mine"}, {"mine", "none.log"},
		{"validate", log}, {"validate", "--origin", "http://127.0.0.1:1", "--dry-run", log}, {"validate", "--origin", "http://127.0.0.1:1", log},
		{"canon", "--rules", "none.jsonl"}, {"canon", "--rules", log}, {"run"}, {"agent"}, {"status", "--address", "http://127.0.0.1:1"}} {
		all[strings.Join(args, " ")] = printed(args...)
	}
	golden, err := filepath.Glob("../cmd/dustbuster/internal/daemon/testdata/status/*.txt")
	must(t, err)
	for _, name := range golden {
		all[name] = string(readFile(t, name))
	}
	return all
}

// helped are the commands of the program.
func helped() (all []string) {
	return []string{"", "agent", "canon", "compare", "config check", "config print", "demo", "export", "formats list", "formats detect", "mine", "near", "run",
		"status", "subscribe", "topics check", "topics create", "validate", "version"}
}

// printed returns what a command prints. A mistake is a screen, too.
func printed(args ...string) string {
	out, _ := exec.Command(program, args...).CombinedOutput()
	return string(out)
}

// No screen has words that only those know who wrote the program.
func TestScreensHavePlainWords(t *testing.T) {
	t.Parallel()
	all := screens(t)
	for name, text := range all {
		if text == "" {
			t.Errorf("%s prints nothing", name)
		}
		for _, line := range strings.Split(text, "\n") {
			if found := insiders.FindString(strings.ReplaceAll(line, "--pane", "")); found != "" {
				t.Errorf("%s: %q in %s", name, found, line)
			}
		}
	}
	if len(all) < 50 || insiders.FindString("2 rules Withheld, neither told") != "Withheld" {
		t.Errorf("%d screens", len(all))
	}
}

// Sentences of help are short.
func TestHelpSentences(t *testing.T) {
	t.Parallel()
	flag := regexp.MustCompile(`(?m)^  {2,5}(?:-\w, )?(?:    )?--\S+(?: \S+)? {2,}`)
	indented, heading := regexp.MustCompile(`(?m)^ {2,}.*$`), regexp.MustCompile(`(?m)^\w.*:$`)
	var lengths []int
	for _, line := range helped() {
		text := printed(append(strings.Fields(line), "--help-all")...)
		prose, rest, _ := strings.Cut(text, "\n\nUsage:")
		prose = indented.ReplaceAllString(prose, "\n\n") // lists and examples
		if at := flag.FindStringIndex(rest); at != nil {
			prose += "\n\n" + flag.ReplaceAllString(heading.ReplaceAllString(rest[at[0]:], "\n\n"), "\n\n")
		}
		for _, s := range endOfClause.Split(prose, -1) {
			words := strings.Fields(s)
			if len(words) > mostOfSentence {
				t.Errorf("%s: more than %d words: %s", line, mostOfSentence, strings.Join(words, " "))
			}
			if len(words) > 3 {
				lengths = append(lengths, len(words))
			}
		}
	}
	slices.Sort(lengths)
	if len(lengths) < 300 || lengths[len(lengths)/2] > medianSentence {
		t.Errorf("of %d sentences the median has %d words, more than %d", len(lengths), lengths[len(lengths)/2], medianSentence)
	}
}
