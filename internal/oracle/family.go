package oracle

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	comments = regexp.MustCompile(`(?m)^#.*$`)
	other    = regexp.MustCompile(`crawl|spider|(^|[^u]|(^|[^c])u)bot([^a-z]|$)`)
	patterns sync.Map // expressions, by their texts
)

// patternOf returns the expression for a text of the lists.
func patternOf(text string) *regexp.Regexp {
	p, known := patterns.Load(text)
	if !known {
		name, first := strings.CutPrefix(strings.ReplaceAll(text, "~", " "), "^")
		before := `(^|[^a-z0-9])`
		if first {
			before = "^"
		}
		p, _ = patterns.LoadOrStore(text, regexp.MustCompile(before+regexp.QuoteMeta(name)))
	}
	return p.(*regexp.Regexp)
}

// Family returns the mask of the family of a user agent, by regular expressions, one for each text of the
// lists of package crawler: named crawlers, and texts of other robots.
func Family(crawlers, robots, agent string) uint32 {
	if agent == "" {
		return 0
	}
	agent = strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, agent[:min(len(agent), 512)])
	for line := range strings.Lines(comments.ReplaceAllString(crawlers, "")) { // in the order of their bits
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		bit, err := strconv.Atoi(fields[0])
		if err != nil {
			panic(err) // the list is no list
		}
		for _, text := range fields[2 : len(fields)-1] {
			if patternOf(text).MatchString(agent) {
				return 1 << bit
			}
		}
	}
	for text := range strings.FieldsSeq(comments.ReplaceAllString(robots, "")) {
		if patternOf(text).MatchString(agent) {
			return 2
		}
	}
	if other.MatchString(agent) {
		return 2
	}
	return 1
}
