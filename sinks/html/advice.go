package html

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"dustbuster/operators/canon"
	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
)

// step is something to do about the rules of a group.
type step struct {
	Text string
	Code []string // lines
}

// hold joins the pages whose canonical forms by the rules that hold are the same.
func (b *builder) hold() {
	c, err := canon.Compile(b.site.Holding)
	if err != nil { // too many rules for one canonizer
		return
	}
	var buf []byte
	for n, p := range b.reach.Pages() {
		out, end := c.Canon(buf, []byte(p.URL))
		if end.Changed() {
			buf = out
			b.joined.Form(n, out)
		}
	}
}

// advise sets what to do about the rules of a group. Of rules that were tried, only valid rules
// count.
func (b *builder) advise(g *group) {
	var shown *card
	for _, c := range g.Cards {
		if c.order > 0 {
			continue
		}
		if made, ok := c.rule.Shown(b.o.Veil.Hides); ok {
			g.shown = append(g.shown, made)
		}
		if shown == nil {
			shown = c
		}
	}
	if len(g.shown) == 0 {
		return
	}
	g.Steps = append(g.Steps, link(g.Kind, shown)...)
	if g.Kind == leftOut {
		g.Steps = append(g.Steps, b.lines(g)...)
	}
	g.Steps = append(g.Steps, b.exports(g))
}

// link is the advice for the site's own pages.
func link(k kind, c *card) (steps []step) {
	switch k {
	case leftOut, valued:
		steps = append(steps, step{Text: "In the site's own links, leave the parameter out, or always give it the same value. A parameter that only counts visits can follow a # instead."})
	case hosts:
		steps = append(steps, step{Text: "Answer all hosts but one with a permanent redirect (301) to the same path of that host."})
	default:
		steps = append(steps, step{Text: "Link to one form only, and answer the other forms with a permanent redirect (301)."})
	}
	var code []string
	if len(c.Examples) > 0 {
		code = []string{`<link rel="canonical" href="` + join(c.Examples[0].To) + `">`}
	}
	return append(steps, step{"Name the canonical form in the head of each page, in all its forms:", code})
}

func join(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// lines are the lines for robots.txt and for answers, of the rules that they can express.
func (b *builder) lines(g *group) (steps []step) {
	steps = append(steps,
		b.export(g, "clean-param", "Crawlers that know Clean-param, such as Yandex, skip the parameters with these lines in robots.txt:"),
		b.export(g, "no-vary-search", "Caches and browsers that know No-Vary-Search take one answer for all forms with this header:"))
	if code := disallow(g.shown); code != nil {
		steps = append(steps, step{"For parameters without end, such as session numbers, robots.txt can keep crawlers away altogether. Links on these pages are then not followed either:", code})
	}
	return steps
}

// mostLines is the number of lines shown of a format.
const mostLines = 12

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
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, page.Cut(500, line))
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

// disallow returns lines for robots.txt that name parameters of a whole site.
func disallow(rules []rule.Rule) []string {
	var lines []string
	for i := range rules {
		r := &rules[i]
		if r.Kind != rule.Drop || r.Param == "" || r.Other != "" || r.HasValue || r.InPath || r.Scope != (rule.Scope{}) || !plainName(r.Param) {
			continue
		}
		lines = append(lines, "Disallow: /*?"+r.Param+"=", "Disallow: /*&"+r.Param+"=")
	}
	return few(slices.Compact(lines))
}

// plainName reports whether a name has no character with a meaning in robots.txt.
func plainName(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' && c != '-' && c != '.'
	})
}

// exported is the site for exports. A site without a name has that of an example.
func (b *builder) exported(rules []rule.Rule) export.Site {
	m := b.site.Machine
	s := export.Site{Host: m.Site(), Rules: rules}
	if s.Host == "" {
		s.Host = "www.example.org"
	}
	if b.o.ByDomain {
		s.Hosts = []string{s.Host, "*." + s.Host}
	}
	separators := m.Separators()
	for range rules {
		s.Separators = append(s.Separators, &separators)
	}
	return s
}

// exports says which formats can express the rules of a group.
func (b *builder) exports(g *group) step {
	type fit struct {
		name  string
		rules int
	}
	var fits []fit
	site := b.exported(g.shown)
	for _, f := range export.Formats() {
		skipped, err := export.Write(io.Discard, f.Name, []export.Site{site}, export.Options{Unroll: 1})
		if n := len(g.shown) - len(skipped); err == nil && n > 0 {
			fits = append(fits, fit{f.Name, n})
		}
	}
	if len(fits) == 0 {
		return step{Text: "No other tool's format can express these rules. The project's own libraries for crawlers apply them."}
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return b.rules - a.rules })
	var names []string
	for _, f := range fits {
		if f.rules == len(g.shown) {
			names = append(names, f.name)
		} else {
			names = append(names, fmt.Sprintf("%s (%d of %d)", f.name, f.rules, len(g.shown)))
		}
	}
	return step{"Formats that can express rules of this group: " + strings.Join(names, ", ") + ". For example:",
		[]string{b.o.Export(fits[0].name)}}
}
