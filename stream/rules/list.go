package rules

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// Bounds of a list.
const (
	maxLine  = 1 << 20  // bytes of a rule
	maxBytes = 64 << 20 // bytes of the list
)

// List is a list of rules.
type List struct {
	Sites []Site // in the order of their names
	Other int    // number of rules that are not valid: likely, refuted, retired

	// Unknown counts the valid rules whose meaning this version does not know, and Why is
	// the reason of the first. A site with such a rule has no rules in the list, since
	// the others were not validated without it.
	Unknown int
	Why     error
}

// Site holds the rules of one site.
type Site struct {
	Name     string
	ByDomain bool          // the rules apply to paths with their host in front
	Hosts    []string      // of a group
	Records  []rule.Record // valid, in the order of application
	Rules    []rule.Rule   // the same rules, parsed

	compiled *canon.Canonizer // of the rules when the site was made; nil: not compiled
}

// part is what is read of a site.
type part struct {
	records []rule.Record
	rules   []rule.Rule
	without bool // a rule is unknown
}

// readLines reads a list line by line.
func readLines(text []byte) (*List, error) {
	bySite, l, n := map[string]*part{}, &List{}, 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) > maxLine {
			return nil, fmt.Errorf("read rules: line %d: a line of more than %d bytes", n, maxLine)
		}
		if len(bytes.Trim(line, " \t\r")) == 0 {
			continue
		}
		record, made, err := rule.ReadPublished(line)
		if err != nil && !isUnknown(err) {
			return nil, fmt.Errorf("read rules: line %d: %w", n, err)
		}
		if record.State != rule.Valid {
			l.Other++
			continue
		}
		p := bySite[record.Site]
		if p == nil {
			p = &part{}
			bySite[record.Site] = p
		}
		p.records, p.rules = append(p.records, record), append(p.rules, made)
		if err != nil {
			p.without = true
			l.leaveOut(n, &record, err)
		}
	}
	for name, p := range bySite {
		s, err := p.site(name)
		if err != nil {
			return nil, fmt.Errorf("read rules: site %.100q: %w", name, err)
		}
		l.Sites = append(l.Sites, s)
	}
	slices.SortFunc(l.Sites, func(a, b Site) int { return cmp.Compare(a.Name, b.Name) })
	return l, nil
}

// site returns the site, without rules if one of them is unknown.
func (p *part) site(name string) (Site, error) {
	if !p.without {
		return newSite(name, p.records, p.rules)
	}
	s, err := inOrder(name, p.records, p.rules)
	return Site{Name: name, ByDomain: s.ByDomain, Hosts: s.Hosts}, err
}

// leaveOut counts a rule whose meaning this version does not know.
func (l *List) leaveOut(line int, record *rule.Record, err error) {
	if l.Unknown++; l.Why == nil {
		l.Why = fmt.Errorf("line %d: rule %.100q of site %.100q: %w", line, record.ID, record.Site, err)
	}
}

func isUnknown(err error) bool {
	var unknown *rule.UnknownError
	return errors.As(err, &unknown)
}

// NewSite returns the site of the given valid records, of which there must be at least
// one. An error names the rule.
func NewSite(name string, records []rule.Record) (Site, error) {
	rules := make([]rule.Rule, len(records))
	for i := range records {
		var err error
		if rules[i], err = records[i].Rule(); err != nil {
			return Site{}, fmt.Errorf("rule %q: %w", records[i].ID, err)
		}
	}
	return newSite(name, records, rules)
}

// newSite returns the site of valid records and their rules, compiled.
func newSite(name string, records []rule.Record, rules []rule.Rule) (Site, error) {
	s, err := inOrder(name, records, rules)
	if err != nil {
		return s, err
	}
	size := 0
	for i := range s.Records {
		size += s.Records[i].Size()
	}
	if size > rule.MaxSite {
		return s, fmt.Errorf("%d rules of the size %d, more than %d", len(rules), size, rule.MaxSite)
	}
	s.compiled, _ = canon.Compile(s.Rules) // List.Compile reports the error
	return s, nil
}

// inOrder returns the site of valid records and their rules, in the order of their ranks.
func inOrder(name string, records []rule.Record, rules []rule.Rule) (Site, error) {
	if !slices.IsSortedFunc(records, byRank) {
		records, rules = sortByRank(records, rules)
	}
	s := Site{Name: name, Records: records, Rules: rules, ByDomain: records[0].ByDomain, Hosts: records[0].Hosts}
	for i := range records {
		switch r := &records[i]; {
		case i > 0 && r.Rank == records[i-1].Rank:
			return s, fmt.Errorf("rules %q and %q have the same rank, %d", records[i-1].ID, r.ID, r.Rank)
		case r.ByDomain != s.ByDomain:
			return s, fmt.Errorf("rule %q and the rules before it disagree on by_domain", r.ID)
		case !slices.Equal(r.Hosts, s.Hosts):
			return s, fmt.Errorf("rule %q has other hosts than the rules before it", r.ID)
		}
	}
	return s, nil
}

func byRank(a, b rule.Record) int { return cmp.Compare(a.Rank, b.Rank) }

// sortByRank returns records and their rules in the order of the ranks.
func sortByRank(records []rule.Record, rules []rule.Rule) (sorted []rule.Record, made []rule.Rule) {
	order := make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byRank(records[a], records[b]) })
	for _, i := range order {
		sorted, made = append(sorted, records[i]), append(made, rules[i])
	}
	return sorted, made
}

// Of returns the part of the list for one site: its rules, or else the rules of a log without
// hosts, renamed to this site. So the caller says whose log it was.
func (l *List) Of(site string) *List {
	for _, name := range []string{site, ""} {
		for _, s := range l.Sites {
			if s.Name == name {
				s.rename(site)
				return &List{Sites: []Site{s}}
			}
		}
	}
	return &List{}
}

// rename moves the rules to another site. Each rule gets a new id, because an id
// depends on the site.
func (s *Site) rename(to string) {
	if s.Name == to {
		return
	}
	s.Name, s.Records = to, slices.Clone(s.Records)
	for i := range s.Records {
		s.Records[i].Site, s.Records[i].ID = to, rule.ID(to, &s.Rules[i])
	}
}

// Len returns the number of valid rules.
func (l *List) Len() (n int) {
	for i := range l.Sites {
		n += len(l.Sites[i].Rules)
	}
	return n
}

// Compile returns the canonizers of the list. The rules of a site are compiled once, when it is
// made, so that lists with a site in common share its canonizer. Rules without a site apply to
// relative URLs, and to those of the host that [canon.Sites.For] names.
func (l *List) Compile() (*canon.Sites, error) {
	var sites []canon.Site
	for i := range l.Sites {
		s := &l.Sites[i]
		sites = append(sites, canon.Site{Name: s.Name, ByDomain: s.ByDomain, Hosts: s.Hosts, Rules: s.Rules, Compiled: s.compiled})
	}
	return canon.NewSites(sites)
}
