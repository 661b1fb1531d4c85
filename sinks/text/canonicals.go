package text

import (
	"fmt"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// Named is a page, and the canonical URL that it names: mined strings, or behind // one of another host.
type Named struct{ URL, Canonical string }

// Canonicals counts the pages that name another canonical URL than rules make of their own.
type Canonicals struct {
	pages, others int
	first         Named // of the others, the first whose URL the rules change; else the first
	form          string
}

// Site adds pages of a site, with its rules. If the site has no name, hosts are not compared: its own is not known. The
// error is that of rules that cannot be compiled.
func (c *Canonicals) Site(site string, pages []Named, rules []rule.Rule) error {
	by, err := canon.Compile(rules)
	if err != nil {
		return fmt.Errorf("apply rules: %w", err)
	}
	for _, p := range pages {
		if at := strings.IndexByte(strings.TrimPrefix(p.Canonical, "//"), '/'); site == "" && strings.HasPrefix(p.Canonical, "//") && at >= 0 {
			p.Canonical = p.Canonical[len("//")+at:]
		}
		c.pages++
		out, _ := by.Canon(nil, []byte(p.URL))
		form := string(out)
		if form == p.Canonical {
			continue
		}
		if c.others++; c.others == 1 || c.form == c.first.URL && form != p.URL {
			c.first, c.form = p, form
		}
	}
	return nil
}

// Outcome says how many pages name another URL, with an example, or returns "" if none does. veil masks URLs.
func (c *Canonicals) Outcome(veil func(string) string) string {
	if c.others == 0 {
		return ""
	}
	does := "leave it as it is"
	if c.form != c.first.URL {
		does = "make " + veil(c.form)
	}
	return fmt.Sprintf("Of %s with a canonical URL, %s another than the rules make. For example %s names %s, and the rules %s.",
		Count(c.pages, "fetched page"), numberOf(c.others, "names", "name"), veil(c.first.URL), veil(c.first.Canonical), does)
}
