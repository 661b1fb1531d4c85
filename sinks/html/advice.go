package html

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
)

// step is something to do about the rules of a group.
type step struct {
	Text string
	Code []string // lines
}

// advisable returns a rule as it may be shown. ok is false if nothing is advised because of the
// rule: a trial has not found the rule valid, or the rule looks like a secret.
func (b *builder) advisable(c *card) (shown rule.Rule, ok bool) {
	if c.order > 0 {
		return rule.Rule{}, false
	}
	return c.rule.Shown(b.o.Veil.HidesValid)
}

// advise sets what to do about the rules of a group.
func (b *builder) advise(g *group) {
	for _, c := range g.Cards {
		if made, ok := b.advisable(c); ok {
			g.shown = append(g.shown, made)
		}
	}
	if len(g.shown) == 0 {
		return
	}
	g.Steps = append(g.Steps, b.link(g)...)
	if g.Kind == leftOut {
		g.Steps = append(g.Steps, b.lines(g)...)
	}
	g.Steps = append(g.Steps, b.exports(g))
}

// link is the advice for the site's own pages.
func (b *builder) link(g *group) (steps []step) {
	switch g.Kind {
	case leftOut, valued:
		steps = append(steps, step{Text: "In the site's own links, leave the parameter out, or always give it the same value. A parameter that only counts visits can follow a # instead."})
	case hosts:
		steps = append(steps, step{Text: "Answer all hosts but one with a permanent redirect (301) to the same path of that host."})
	default:
		steps = append(steps, step{Text: "Link to one form only, and answer the other forms with a permanent redirect (301)."})
		steps = append(steps, b.redirects(g)...)
	}
	name := step{Text: "Name the canonical form in the head of each page, in all its forms."}
	if code, ok := b.canonical(g); ok {
		name.Text += " For example, in the forms of one page:"
		name.Code = []string{code}
	}
	return append(steps, name)
}

// redirects are the commands that make web servers redirect, of the servers that can express
// rules of the group.
func (b *builder) redirects(g *group) []step {
	var code []string
	site := b.exported(g.shown)
	for _, f := range export.Formats() {
		if !f.Server {
			continue
		}
		skipped, err := export.Write(io.Discard, f.Name, []export.Site{site}, export.Options{Unroll: 1, Redirect: true})
		if err == nil && len(skipped) < len(g.shown) {
			code = append(code, b.o.Export(f.Name, b.site.Machine.Site(), true))
		}
	}
	if code == nil {
		return nil
	}
	return []step{{"These commands write such redirects for web servers, of all rules of the site that were tried and hold. The head of each file says where the file belongs:", code}}
}

// exported is the site for exports. A site without a name has that of an example.
func (b *builder) exported(rules []rule.Rule) export.Site {
	m := b.site.Machine
	s := export.Site{Host: m.Site(), Rules: rules}
	if s.Host == "" {
		s.Host = "www.example.org"
	}
	s.Hosts = b.hosts()
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
		[]string{b.o.Export(fits[0].name, b.site.Machine.Site(), false)}}
}
