package integration

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostWords is the length of README.
const mostWords = 700

var (
	commandLine = regexp.MustCompile(`(?m)^ {4}(?:.*\| )?(?:go run \./cmd/)?dustbuster (.*)$`)
	longFlag    = regexp.MustCompile(`^--[a-z-]+`)
	textBlock   = regexp.MustCompile("(?ms)^```\n(.*?)^```$")
	sentenceEnd = regexp.MustCompile(`[.:;?!|]\s|\n\n|\n- `)
)

// README is short, and leads to every page.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme := string(readFile(t, "../README.md"))
	if n := len(strings.Fields(readme)); n > mostWords {
		t.Errorf("README has %d words, more than %d", n, mostWords)
	}
	pages, err := filepath.Glob("../docs/*.md")
	must(t, err)
	for _, page := range pages {
		if name := strings.TrimPrefix(page, "../"); !strings.Contains(readme, "| ["+name+"]") && !strings.Contains(readme, ", ["+name+"]") {
			t.Errorf("README's table does not lead to %s", name)
		}
	}
}

// Nothing is said twice: no two of README and the pages have a sentence in common.
func TestDocumentsSayOnce(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	must(t, err)
	texts := map[string]string{}
	for _, page := range append(pages, "../README.md") {
		texts[page] = string(readFile(t, page))
	}
	for _, twice := range saidTwice(texts) {
		t.Error(twice)
	}
	texts["../docs/more.md"] = "A new rule that would change the\ncanonical form of more than half of the URLs is held, too."
	texts["../README.md"] += "\n\nMore: a new rule that would change the canonical form of more\nthan half of the URLs is held, too.\n"
	if got := saidTwice(texts); len(got) != 1 {
		t.Errorf("a sentence that was added twice is found as %q", got)
	}
}

// saidTwice returns the sentences of at least ten words that are in two texts, by name.
func saidTwice(texts map[string]string) (twice []string) {
	const fewest = 10
	in := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, s := range sentenceEnd.Split(codeBlock.ReplaceAllString(texts[name], ""), -1) {
			words := strings.Fields(strings.ToLower(s))
			s = strings.Trim(strings.Join(words, " "), ".")
			if other, seen := in[s]; seen && other != name && len(words) >= fewest {
				twice = append(twice, fmt.Sprintf("%s and %s: %s", other, name, s))
			}
			in[s] = name
		}
	}
	return twice
}

// Commands in documents have flags that the program knows.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	help := map[string]string{}
	without := []string{"../docs/bench.md", "../docs/dustbench.md", "../docs/install.md", "../docs/rules.md"}
	for page, text := range docsAndReadme(t) {
		found := commandLine.FindAllStringSubmatch(text, -1)
		if len(found) == 0 && !slices.Contains(without, page) {
			t.Errorf("%s has no command", page)
		}
		for _, m := range found {
			command, flags := commandOf(m[1])
			if help[command] == "" {
				out, err := exec.Command(program, append(strings.Fields(command), "--help-all")...).CombinedOutput()
				if err != nil {
					t.Errorf("%s: %s: %v\n%s", page, m[0], err, out)
				}
				help[command] = string(out)
			}
			for _, flag := range flags {
				if !regexp.MustCompile(`(?m)^ .*` + flag + `\b`).MatchString(help[command]) {
					t.Errorf("%s: %s: %s has no flag %s", page, m[0], command, flag)
				}
			}
		}
	}
}

// commandOf returns the command of a line, without its arguments, and its long flags.
func commandOf(line string) (command string, flags []string) {
	line, _, _ = strings.Cut(line, " # ")
	line, _, _ = strings.Cut(line, "|")
	words := strings.Fields(line)
	command = words[0]
	if command == "formats" || command == "topics" {
		command += " " + words[1]
	}
	for _, word := range words {
		if flag := longFlag.FindString(word); flag != "" {
			flags = append(flags, flag)
		}
	}
	return command, flags
}

// The first command of README works in a checkout, its first lines are what README shows, and its output
// is what docs/output.md shows, with ... where lines are left out.
func TestFirstCommand(t *testing.T) {
	t.Parallel()
	readme := string(readFile(t, "../README.md"))
	first := commandLine.FindStringSubmatch(readme)
	if first == nil || !strings.HasPrefix(strings.TrimSpace(first[0]), "go run ./cmd/dustbuster mine ") {
		t.Fatalf("the first command of README is %q", first)
	}
	cmd := exec.Command(program, strings.Fields(first[1])...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	must(t, err)
	shown := textBlock.FindStringSubmatch(string(readFile(t, "../docs/output.md")))
	if shown == nil {
		t.Fatal("docs/output.md shows no output")
	}
	rest := string(out)
	if lines := strings.SplitN(rest, "\n", 3); !strings.Contains(readme, "\n    "+lines[0]+"\n    "+lines[1]+"\n") {
		t.Errorf("README does not show the first lines, %q", lines[:2])
	}
	for part := range strings.SplitSeq(shown[1], "...\n") {
		at := strings.Index(rest, part)
		if at < 0 {
			t.Fatalf("the command does not print\n%s", part)
		}
		rest = rest[at+len(part):]
	}
}
