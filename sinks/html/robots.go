package html

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/export"
)

// lines are the lines for robots.txt and for answers, of the rules that they can express.
func (b *builder) lines(g *group) (steps []step) {
	steps = append(steps,
		b.export(g, "clean-param", "Crawlers that know Clean-param, such as Yandex, skip the parameters with these lines in robots.txt:"),
		b.export(g, "no-vary-search", "Caches and browsers that know No-Vary-Search take one answer for all forms with this header:"))
	if code := disallow(g.shown, b.site.Machine.Separators()); code != nil {
		steps = append(steps, step{"For parameters without end, such as session numbers, robots.txt can keep crawlers away altogether. Links on these pages are then not followed either:", code})
	}
	return steps
}

// Bounds of the lines shown of a format.
const (
	mostLines   = 12
	longestLine = 1000 // bytes
)

// export returns the group's rules in a format of lines, without comments, or the reason why
// the format can express none of them.
func (b *builder) export(g *group, format, words string) step {
	var out bytes.Buffer
	skipped, err := export.Write(&out, format, []export.Site{b.exported(g.shown)}, export.Options{Unroll: 1})
	switch {
	case err != nil:
		return step{Text: "The rules cannot be written as " + format + ": " + err.Error()}
	case len(skipped) == len(g.shown):
		return step{Text: "The format " + format + " can express none of these rules; of the first: " + skipped[0].Reason + "."}
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case len(line) > longestLine: // a part of the line would say something else
			return step{"The line of the format " + format + " is too long for this page. This command writes it:", []string{b.o.Export(format, b.site.Machine.Site(), false)}}
		default:
			lines = append(lines, line)
		}
	}
	return step{words, few(lines)}
}

// few returns lines, of many only the first.
func few(lines []string) []string {
	if more := len(lines) - mostLines; more > 0 {
		return append(slices.Clone(lines[:mostLines]), fmt.Sprintf("# … and %d more", more))
	}
	return lines
}

// disallow returns lines for robots.txt, for all crawlers, that name the parameters that rules
// leave out on a whole site, without exceptions.
func disallow(rules []rule.Rule, separators urlnorm.Separators) []string {
	var lines []string
	for i := range rules {
		r := &rules[i]
		if r.Param == "" || !plainName(r.Param) || *r != (rule.Rule{Kind: rule.Drop, Param: r.Param}) {
			continue
		}
		lines = append(lines, "Disallow: /*?"+r.Param+"=", "Disallow: /*&"+r.Param+"=")
		if separators.Has(urlnorm.Semicolon) {
			lines = append(lines, "Disallow: /*;"+r.Param+"=")
		}
	}
	if lines == nil {
		return nil
	}
	return append([]string{"User-agent: *"}, few(lines)...)
}

// plainName reports whether a name has no character with a meaning in robots.txt.
func plainName(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' && c != '-' && c != '.'
	})
}
