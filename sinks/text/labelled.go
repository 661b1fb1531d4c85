package text

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
)

// Labelled is what rules explain of the duplicates that a file names.
type Labelled struct {
	own       int // rows of the sites of the log
	all       int // of these, duplicates
	known     int // duplicates in the log
	explained int // by the rules
	elsewhere int // of other hosts, or with canonical URLs on other sites
	open      []string
}

// mostOpen is the number of unexplained duplicates that are shown.
const mostOpen = 3

// Site adds the duplicates of a site, of which the log has some pages, in byte order of their URLs. Rules explain a
// duplicate if both URLs have one form under them. The error is that of rules that cannot be compiled.
func (l *Labelled) Site(labels *labelled.Labels, site string, rules []rule.Rule, pages []evidence.Page) error {
	c, err := canon.Compile(rules)
	if err != nil {
		return fmt.Errorf("apply rules: %w", err)
	}
	pairs, elsewhere := labels.On(site)
	l.elsewhere += elsewhere
	l.own += len(pairs)
	has := func(url string) bool {
		_, is := slices.BinarySearchFunc(pages, url, func(p evidence.Page, url string) int { return strings.Compare(p.URL, url) })
		return is
	}
	var known, unknown []string // unexplained
	for _, p := range pairs {
		if p.URL == p.Canonical {
			continue
		}
		l.all++
		inLog := has(p.URL)
		if inLog {
			l.known++
		}
		form, _ := c.Canon(nil, []byte(p.URL))
		other, _ := c.Canon(nil, []byte(p.Canonical))
		switch {
		case string(form) == string(other):
			l.explained++
		case inLog && len(known) < mostOpen:
			known = append(known, p.URL)
		case len(unknown) < mostOpen:
			unknown = append(unknown, p.URL)
		}
	}
	l.open = append(append(l.open, known...), unknown...)
	return nil
}

// Outcome says how many duplicates some rules explain, such as "the confirmed rules". veil masks URLs.
func (l *Labelled) Outcome(rules string, veil func(string) string) string {
	switch {
	case l.all == 0 && l.own > 0:
		return "The table of duplicates names no duplicate of your log's sites" + l.others() + "."
	case l.all == 0:
		return "The table of duplicates has none of your log's sites" + l.others() + "."
	}
	said := fmt.Sprintf("Of %s in the table, %s explained by %s, %s", Count(l.all, "duplicate"), numberOf(l.explained, "is", "are"), rules,
		numberOf(l.all-l.explained, "is not", "are not"))
	if l.explained < l.all {
		var some []string
		for _, url := range l.open[:min(mostOpen, len(l.open))] {
			some = append(some, veil(url))
		}
		if l.all-l.explained > len(some) {
			some = append(some, "...")
		}
		said += " (" + strings.Join(some, ", ") + ")"
	}
	return said + fmt.Sprintf(". Your log has %d of them", l.known) + l.others() + "."
}

// others tells of rows of no site of the log.
func (l *Labelled) others() string {
	if l.elsewhere == 0 {
		return ""
	}
	return fmt.Sprintf("; %s to another host", numberOf(l.elsewhere, "more leads", "more lead"))
}
