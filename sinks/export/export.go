package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/text"
	"dustbuster/stream/rules"
)

// Site is the rules of one site, in their order.
type Site struct {
	Host string // lower case, with a port other than the default; "" if unknown

	// Hosts is set if mined strings begin with their host: then the site is all of
	// these, of any port; "*.example.org" is every host below example.org.
	Hosts []string

	Rules []rule.Rule
	IDs   []string // by rule, as published; nil: those of Host

	// Separators are, by rule, the separators of parameters in the queries of the site. A
	// missing or nil value is unknown.
	Separators []*urlnorm.Separators

	// URLs, if not nil, are mined strings of the site. What they do not need is not written: further
	// rounds, and further places of a URL in which a rule edits. Read once.
	URLs iter.Seq[[]byte]
}

// id returns the id of a rule, by its place in the list.
func (s *Site) id(rank int) string {
	if rank < len(s.IDs) && s.IDs[rank] != "" {
		return s.IDs[rank]
	}
	return rule.ID(s.Host, &s.Rules[rank])
}

// Mark returns what a file says of a rule, by its place in the list: see rule.Mark.
func (s *Site) Mark(rank int) string { return rule.Mark(s.Host, s.id(rank), &s.Rules[rank]) }

// SiteOf returns the site of a list, without URLs.
func SiteOf(s *rules.Site) Site {
	made := Site{Host: s.Name, Rules: s.Rules}
	for i := range s.Records {
		made.Separators = append(made.Separators, s.Records[i].Separators)
		made.IDs = append(made.IDs, s.Records[i].ID)
	}
	made.Hosts = HostsOf(s.Name, s.Hosts, s.ByDomain)
	return made
}

// HostsOf returns the hosts of a site whose mined strings begin with their host, as in Site: those of a
// group, or all of a domain. Other sites have none.
func HostsOf(site string, group []string, byDomain bool) []string {
	switch {
	case len(group) > 0:
		return append([]string{site}, group...)
	case byDomain:
		return []string{site, "*." + site}
	}
	return nil
}

// Options configure an export.
type Options struct {
	Version, Hash, Time string // of the program, the set and the export, for the comment at the head; may be empty

	Unroll   int  // rounds written, 1 to canon.MaxRounds; 0: as many as the site's URLs need
	Redirect bool // of the formats of servers: answer 301, where they else only report in a header; rules by which a redirect loses something are left out

	Wrote func(Written) // called for each site with rules that are written; may be nil
}

// Written is what an export holds for a site.
type Written struct {
	Host        string
	Rules       int // of the site, less those left out
	Rounds      int // how often the rules are written
	Expressions int // that a reader may match against one URL; 0: the format has none
}

// Skipped is a rule that a format cannot express.
type Skipped struct {
	Site   string // its host
	Rank   int    // of the rule in the site's list, from 0
	Rule   rule.Rule
	Reason string
}

// Made is the rules of one site in a format.
type Made struct {
	Text    []byte
	Marks   []string // of the rules in the text: see rule.Mark
	Rules   int      // of the site
	Skipped []Skipped
	URLs    int // that were looked at: what they need is written; 0: the text has what any URL may need
	Of      int // URLs of the site
}

// Write writes the rules of sites in a format, and returns those left out, in the order of the
// sites and their lists. O(rules · rounds). One canonization of each of the sites' URLs, and two of
// those that it changes, count the rounds and places.
func Write(w io.Writer, format string, sites []Site, o Options) (skipped []Skipped, err error) {
	f, err := Find(format)
	if err != nil {
		return nil, err
	}
	if err := o.check(f, len(sites)); err != nil {
		return nil, err
	}
	d := document{Options: o, format: f.Name}
	for i := range sites {
		s, out := f.fit(&sites[i], d)
		d.sites = append(d.sites, s)
		d.rules += len(s.rules)
		skipped = append(skipped, out...)
		if len(s.rules) > 0 && o.Wrote != nil {
			o.Wrote(Written{s.Host, len(s.rules), len(s.rounds), f.count(&s)})
		}
	}
	d.skipped = len(skipped)
	b := bufio.NewWriter(w)
	f.write(b, &d)
	if err := b.Flush(); err != nil {
		return nil, fmt.Errorf("write %s: %w", format, err)
	}
	return skipped, nil
}

// Expressed returns the number of a site's rules that a format can express.
func Expressed(format string, site Site) int {
	skipped, err := Write(io.Discard, format, []Site{site}, Options{Unroll: 1})
	if err != nil {
		return 0
	}
	return len(site.Rules) - len(skipped)
}

func (o *Options) check(f *Format, sites int) error {
	if o.Unroll < 0 || o.Unroll > canon.MaxRounds {
		return fmt.Errorf("write %s: %d rounds, want 1 to %d", f.Name, o.Unroll, canon.MaxRounds)
	}
	if o.Redirect && !f.Server {
		return fmt.Errorf("write %s: only a server redirects", f.Name)
	}
	if f.OneSite && sites > 1 {
		return fmt.Errorf("write %s: a file is of one site, not of %d", f.Name, sites)
	}
	return nil
}

// Loses is the reason to leave a rule out of a file that redirects.
const Loses = "a redirect would lose the campaign, the visit or the view that the URL stands for; without a redirect, the header Link names the canonical form"

// fit divides a site's rules into rules that the format can express, measured by the site's URLs, and the rest. Of a
// format whose files are bounded, only as many of the first rules as a file of this site alone can hold are among them.
func (f *Format) fit(from *Site, d document) (s site, out []Skipped) {
	choose := func(most int) (size int) {
		s, out = f.choose(from, d.Redirect, most)
		s.measure(d.Unroll)
		if f.most == 0 {
			return 0
		}
		var b countingWriter
		d.sites, d.rules, d.skipped = []site{s}, len(s.rules), len(out)
		w := bufio.NewWriter(&b)
		f.write(w, &d)
		_ = w.Flush() // a countingWriter takes everything
		return int(b)
	}
	if f.most > 0 && from.URLs != nil { // they are read once, and measured for each try
		urls, own := collected(from.URLs), *from
		own.URLs, from = slices.Values(urls), &own
	}
	if choose(len(from.Rules)) <= f.most {
		return s, out
	}
	most := sort.Search(len(s.rules), func(n int) bool { return choose(n+1) > f.most })
	for choose(most) > f.most && most > 0 {
		most--
	}
	return s, out
}

func collected(urls iter.Seq[[]byte]) (all [][]byte) {
	for url := range urls {
		all = append(all, slices.Clone(url))
	}
	return all
}

// countingWriter counts the bytes that are written.
type countingWriter int

func (n *countingWriter) Write(b []byte) (int, error) {
	*n += countingWriter(len(b))
	return len(b), nil
}

// choose divides a site's rules into at most so many rules that the format can express, and the rest.
func (f *Format) choose(from *Site, redirect bool, most int) (site, []Skipped) {
	s := site{Site: from}
	var skipped []Skipped
	refuse, separated := f.refuse(from), f.refuseSemicolons(from)
	for rank, r := range from.Rules {
		reason := ""
		if err := r.Validate(); err != nil {
			reason = "it is not valid: " + err.Error()
		} else {
			if !f.applies {
				_, reason = express("", &r)
			}
			reason = cmp.Or(reason, refuse(&r), separated(rank))
			if redirect && !r.Moves() {
				reason = cmp.Or(reason, Loses)
			}
		}
		if reason == "" && len(s.rules) == most {
			reason = fmt.Sprintf("the file would have more than %s bytes with it", text.Number(f.most))
		}
		if reason == "" {
			s.rules, s.marks = append(s.rules, r), append(s.marks, from.Mark(rank))
		} else {
			skipped = append(skipped, Skipped{from.Host, rank, r, reason})
		}
	}
	return s, skipped
}
