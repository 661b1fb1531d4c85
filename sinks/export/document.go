package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/sinks/text"
)

// document is the content written in a format.
type document struct {
	Options
	format  string
	sites   []site
	rules   int
	skipped int
}

// site is a site with the rules that the format can express.
type site struct {
	*Site
	rules  []rule.Rule
	rounds [][]int // the rules of each round, by their places in the list
	marks  []string
	places []int // by rule: how many places of a URL it may edit
}

// head is the lines of the comment at the head of a file.
func (d *document) head(notes ...string) []string {
	lines := []string{
		strings.TrimSpace("Written by dustbuster "+inComment(d.Version)) + ": do not edit.",
		fmt.Sprintf("%s, %d skipped, %s", text.Count(d.rules, "rule"), d.skipped, text.Count(len(d.sites), "site")),
	}
	made := "format " + d.format
	if d.Redirect {
		made += ", redirects"
	}
	lines = append(lines, made)
	if d.Hash != "" {
		lines = append(lines, "set "+inComment(d.Hash))
	}
	if d.Time != "" {
		lines = append(lines, "time "+inComment(d.Time))
	}
	return append(lines, notes...)
}

// idsOfLine is the number of ids of rules in a line of a comment.
const idsOfLine = 5

// titles are lines about a site: its name, and the marks of its rules that are written. ReadHead reads them.
func (s *site) titles() []string {
	lines := []string{inComment(fmt.Sprintf("site %q: %s, %s", s.Host, text.Count(len(s.rules), "rule"), text.Count(len(s.rounds), "round")))}
	for marks := range slices.Chunk(s.marks, idsOfLine) {
		lines = append(lines, inComment("rules "+strings.Join(marks, " ")))
	}
	return lines
}

// inComment makes a text safe in the comments of all formats: one line of printable ASCII,
// without --, which ends an XML comment.
func inComment(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "- -")
	}
	return s
}

func comment(b *bufio.Writer, lines ...string) {
	for _, line := range lines {
		fmt.Fprintf(b, "# %s\n", line)
	}
}
