package html

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
)

// step is something to do about the rules of a group.
type step struct {
	Text string
	Code []string // lines
}

// advisable returns a rule as it may be shown. ok is false if nothing is advised because of it: no
// trial has found it valid, scanners alone asked for its URLs, or it looks like a secret.
func (b *builder) advisable(c *card) (shown rule.Rule, ok bool) {
	if !c.proved || c.scanned {
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
		if c.scanned {
			g.scanned++
		}
	}
	if g.scanned > 0 {
		g.Steps = append(g.Steps, step{Text: "Nothing is advised because of " + page.Count(g.scanned, "rule") + " of this group: only what seem to be scanners asked for the URLs."})
	}
	if len(g.shown) == 0 {
		b.askForProof(g)
		return
	}
	g.Steps = append(g.Steps, b.link(g)...)
	if g.Kind == leftOut {
		g.Steps = append(g.Steps, b.lines(g)...)
	}
	g.Steps = append(g.Steps, b.exports(g))
}

// askForProof says once, of likely rules, what comes before all advice.
func (b *builder) askForProof(g *group) {
	if b.o.Tried || b.asked || !slices.ContainsFunc(g.Cards, func(c *card) bool { return !c.scanned }) {
		return
	}
	b.asked = true
	g.Steps = append(g.Steps, step{Text: "Prove the rules first. They are likely: the log suggests them, and no page was compared. The command is at the end of this page, under Next. The report of their trials then says what to change in links, robots.txt and servers, with the text to copy."})
}

// link is the advice for the site's own pages. What loses nothing comes first, and a redirect only where
// the URLs of the rules moved for good.
func (b *builder) link(g *group) (steps []step) {
	switch g.Kind {
	case leftOut, valued:
		steps = append(steps, step{Text: "In the site's own links, leave the parameter out, or always give it the same value. A parameter that only counts visits can follow a # instead."})
	case hosts:
		steps = append(steps, step{Text: "Link to one host only."})
	default:
		steps = append(steps, step{Text: "Link to one form only."})
	}
	name := step{Text: "Name the canonical form in the head of each page, in all its forms, or in the header Link (rel=canonical). Readers keep their URL, and crawlers count the page once."}
	if slices.ContainsFunc(b.fits(g), func(f fit) bool { return f.Server }) {
		name.Text += " Texts by which web servers send the header are below, under Texts to copy."
	}
	if code, ok := b.canonical(g); ok {
		name.Text += " For example, in the forms of one page:"
		name.Code = []string{code}
	}
	return append(append(steps, name), b.redirect(g)...)
}

// redirect is the advice to redirect, or not to.
func (b *builder) redirect(g *group) []step {
	moved := 0
	for i := range g.shown {
		if g.shown[i].Moves() {
			moved++
		}
	}
	if moved == 0 {
		return []step{{Text: "Do not redirect these URLs: a redirect loses the campaign, the visit or the view that a URL stands for."}}
	}
	words := "These URLs may also be answered with a permanent redirect (301)"
	if moved < len(g.shown) {
		words = fmt.Sprintf("%s may also be answered with a permanent redirect (301), the others not: it would lose the campaign, the visit or the view that their URLs stand for", ofRules(moved, len(g.shown)))
	}
	for _, f := range b.fits(g) {
		if f.Name == "nginx" {
			return []step{{words + ". The command leaves out the rules by which a redirect loses something:", []string{b.o.Export(f.Name, b.site.Machine.Site(), true)}}}
		}
	}
	return []step{{Text: words + "."}}
}

// ofRules says of how many rules something is true.
func ofRules(n, all int) string {
	return fmt.Sprintf("The URLs of %s of %s", page.Number(n), page.Count(all, "rule"))
}

// file is the text of a server's configuration.
type file struct {
	Name  string   // of the format
	About string   // what the server does by it
	Lines []string // none: the text is too long, see Command

	Command string // that writes the text
}

// files returns the texts of servers for all rules of the site that hold, as its URLs need them.
func (b *builder) files() (all []file) {
	var rules []rule.Rule
	for i := range b.site.Holding {
		if made, ok := b.site.Holding[i].Shown(b.o.Veil.HidesValid); ok {
			rules = append(rules, made)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	site := b.exported(rules)
	site.Host = b.site.Machine.Site() // "": the server has one site
	site.URLs = func(yield func([]byte) bool) {
		for _, p := range b.reach.Pages() {
			if !yield([]byte(p.URL)) {
				return
			}
		}
	}
	for _, f := range export.Formats() {
		if !f.Server {
			continue
		}
		var out bytes.Buffer
		about := "name the canonical form of each URL in the header Link"
		if f.Name == "varnish" {
			about = "keep all forms of a page as one object of the cache"
		}
		skipped, err := export.Write(&out, f.Name, []export.Site{site}, export.Options{Version: b.o.Version, Time: b.o.Time})
		if err != nil || len(skipped) == len(rules) {
			continue
		}
		made := file{Name: f.Name, About: about, Command: b.o.Export(f.Name, b.site.Machine.Site(), false)}
		if len(skipped) > 0 {
			made.About += fmt.Sprintf(" (%d of %d rules)", len(rules)-len(skipped), len(rules))
		}
		made.Lines = page.TextLines(out.String())
		all = append(all, made)
	}
	return all
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

// fit is a format with the number of rules that it can express.
type fit struct {
	export.Format
	rules int
}

// fits returns the formats that can express some rule of a group.
func (b *builder) fits(g *group) (fits []fit) {
	site := b.exported(g.shown)
	for _, f := range export.Formats() {
		skipped, err := export.Write(io.Discard, f.Name, []export.Site{site}, export.Options{Unroll: 1})
		if n := len(g.shown) - len(skipped); err == nil && n > 0 {
			fits = append(fits, fit{f, n})
		}
	}
	return fits
}

// exports says which formats can express the rules of a group.
func (b *builder) exports(g *group) step {
	fits := b.fits(g)
	if len(fits) == 0 {
		return step{Text: "No other tool's format can express these rules. The project's own libraries for crawlers apply them."}
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return b.rules - a.rules })
	var names []string
	for _, f := range fits {
		if f.rules == len(g.shown) {
			names = append(names, f.Name)
		} else {
			names = append(names, fmt.Sprintf("%s (%d of %d)", f.Name, f.rules, len(g.shown)))
		}
	}
	return step{"Formats that can express rules of this group: " + strings.Join(names, ", ") + ". For example:",
		[]string{b.o.Export(fits[0].Name, b.site.Machine.Site(), false)}}
}

// lines are the lines for robots.txt and for answers, of the rules that they can express.
func (b *builder) lines(g *group) (steps []step) {
	steps = append(steps,
		b.export(g, "clean-param", "Crawlers that know Clean-param, such as Yandex, skip the parameters with these lines in robots.txt:"),
		b.export(g, "no-vary-search", "Caches and browsers that know No-Vary-Search take one answer for all forms with this header:"))
	return steps
}

// Bounds of the lines shown of a format.
const (
	mostLines   = 12
	longestLine = 1000 // bytes
)

// export returns the group's rules in a format of lines, without comments, or the reason why it can
// express none of them.
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
