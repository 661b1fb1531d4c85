package html

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
)

// advice is what to do about the rules of a site that hold.
type advice struct {
	Steps []step
	Files []file
}

// step is something to do.
type step struct {
	Text string
	Code []string // lines
}

// file is a text to copy.
type file struct {
	Name    string   // of the format
	About   string   // what it does
	Where   string   // where it belongs
	Lines   []string // none: the text is too long, see Command
	Command string   // that writes the text
}

// adviser makes the advice.
type adviser struct {
	*builder
	rules []rule.Rule // that may be shown as they are
}

// advise returns what to do. Nothing is advised because of a rule that no trial has confirmed, whose URLs scanners
// alone asked for, or that looks like a secret.
func (b *builder) advise() (a advice) {
	v := adviser{builder: b}
	scanned := 0
	for _, c := range b.cards {
		if c.scanned {
			scanned++
		} else if c.Trial.proved {
			if made, ok := c.rule.Shown(b.o.Veil.HidesValid); ok {
				v.rules = append(v.rules, made)
			}
		}
	}
	if len(v.rules) > 0 {
		a.Steps = append(a.Steps, v.canonicalStep(), v.linkStep(), v.redirectStep())
		a.Files = v.files()
		a.Steps = append(a.Steps, v.toolStep())
	}
	if scanned > 0 {
		a.Steps = append(a.Steps, step{Text: "Ignore " + page.Count(scanned, "rule") + " below: only scanners seem to have asked for the URLs."})
	}
	return a
}

// canonicalStep is the advice that loses nothing.
func (v *adviser) canonicalStep() step {
	s := step{Text: "Name one URL of each page as canonical, in the head of the page (link rel=canonical) or in the header Link. Readers keep their URL, and crawlers count the page once."}
	if code, ok := v.canonical(); ok {
		s.Text += " For example, on all URLs of one page:"
		s.Code = []string{code}
	}
	return s
}

// mostParams is the number of parameters that are named.
const mostParams = 8

// linkStep is the advice for the site's own links.
func (v *adviser) linkStep() step {
	var names []string
	for i := range v.rules {
		for _, name := range paramsOf(&v.rules[i]) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return step{Text: "In your own links, use one URL for each page."}
	}
	more := ""
	if n := len(names) - mostParams; n > 0 {
		names, more = names[:mostParams], " and "+page.Count(n, "more parameter")
	}
	return step{Text: "In your own links, leave out the parameters " + page.Cut(200, strings.Join(names, ", ")) + more + "."}
}

// paramsOf returns the parameters that a rule drops.
func paramsOf(r *rule.Rule) []string {
	d, drops := r.Edit.(rule.Drop)
	if !drops || d.Param == "" {
		return nil
	}
	return []string{d.Param}
}

// redirectStep is the advice to redirect, or not to: only where URLs moved for good.
func (v *adviser) redirectStep() step {
	moved := 0
	for i := range v.rules {
		if v.rules[i].Moves() {
			moved++
		}
	}
	if moved == 0 {
		return step{Text: "Do not redirect these URLs: a redirect loses the campaign, the visit or the view that a URL stands for."}
	}
	words := "You may redirect these URLs for good (301)"
	if moved < len(v.rules) {
		words = fmt.Sprintf("You may redirect the URLs of %d of %s for good (301). The others would lose a campaign, a visit or a view", moved, page.Count(len(v.rules), "rule"))
	}
	if export.Expressed("nginx", v.exported(v.rules)) > 0 {
		return step{words + ". This command leaves out the rules by which a redirect loses something:", []string{v.o.Export("nginx", v.site.Machine.Site(), true)}}
	}
	return step{Text: words + "."}
}

// toolStep names the formats of other tools that can express the rules.
func (v *adviser) toolStep() step {
	site := v.exported(v.rules)
	var fits []string
	var most int
	var best string
	for _, f := range export.Formats() {
		n := export.Expressed(f.Name, site)
		switch {
		case n == 0:
			continue
		case n == len(v.rules):
			fits = append(fits, f.Name)
		default:
			fits = append(fits, fmt.Sprintf("%s (%d of %d)", f.Name, n, len(v.rules)))
		}
		if n > most {
			most, best = n, f.Name
		}
	}
	if most == 0 {
		return step{Text: "No other tool's format can express these rules. The project's libraries for crawlers apply them."}
	}
	return step{"For other tools, export the rules as " + strings.Join(fits, ", ") + ":", []string{v.o.Export(best, v.site.Machine.Site(), false)}}
}

// files returns the texts to copy, of all rules of the site that hold, as its URLs need them.
func (v *adviser) files() (all []file) {
	var rules []rule.Rule
	for i := range v.site.Holding {
		if made, ok := v.site.Holding[i].Shown(v.o.Veil.HidesValid); ok {
			rules = append(rules, made)
		}
	}
	for _, f := range export.Formats() {
		if f.Where == "" {
			continue
		}
		of := v.exported(v.rules)
		if f.Server { // whose rules are used together
			of = v.exported(rules)
			of.Host = v.site.Machine.Site() // "": the server has one site
			of.URLs = v.urls
		}
		var out bytes.Buffer
		skipped, err := export.Write(&out, f.Name, []export.Site{of}, export.Options{Version: v.o.Version, Time: v.o.Time})
		if err != nil || len(skipped) == len(of.Rules) {
			continue
		}
		made := file{Name: f.Name, About: f.Does, Where: f.Where, Command: v.o.Export(f.Name, v.site.Machine.Site(), false), Lines: page.TextLines(out.String())}
		if len(skipped) > 0 {
			made.About += fmt.Sprintf(" (%d of %d rules)", len(of.Rules)-len(skipped), len(of.Rules))
		}
		all = append(all, made)
	}
	return all
}

// urls yields the URLs of the site.
func (v *adviser) urls(yield func([]byte) bool) {
	for _, p := range v.reach.Pages() {
		if !yield([]byte(p.URL)) {
			return
		}
	}
}

// exported is the site for exports. A site without a name has that of an example.
func (v *adviser) exported(rules []rule.Rule) export.Site {
	m := v.site.Machine
	s := export.Site{Host: cmp.Or(m.Site(), "www.example.org"), Rules: rules, Hosts: v.hosts()}
	separators := m.Separators()
	for range rules {
		s.Separators = append(s.Separators, &separators)
	}
	return s
}
