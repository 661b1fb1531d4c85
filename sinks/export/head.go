package export

import (
	"fmt"
	"strings"
)

// head is the lines of the comment at the head of a file.
func (d *document) head(notes ...string) []string {
	lines := []string{strings.TrimSpace("Written by dustbuster "+inComment(d.Version)) + ": do not edit."}
	lines = append(lines, fmt.Sprintf("%d rules, %d skipped, %d sites", d.rules, d.skipped, len(d.sites)))
	if d.Hash != "" {
		lines = append(lines, "set "+inComment(d.Hash))
	}
	if d.Time != "" {
		lines = append(lines, "time "+inComment(d.Time))
	}
	return append(lines, notes...)
}

// title is a line about a site.
func (s *site) title() string {
	return inComment(fmt.Sprintf("site %q: %d rules, %d rounds", s.Host, len(s.rules), s.rounds))
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
