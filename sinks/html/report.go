// Package html writes a report of a log as one page: what the log can and cannot tell, how many
// of the URLs are duplicates, the rules with examples and verdicts, and what to do with them.
//
// The page needs no other file, no script and no network. The look is that of package page. All
// texts of the log pass through a veil, which masks secrets, and are shown as package page shows
// foreign text. One log always gives one page.
package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
)

// Options configure a report.
type Options struct {
	Veil    secret.Veil // masks secrets in rules and URLs
	Version string      // of the program
	Time    string      // of the report, for the heads of the texts to copy
	Inputs  []string    // names of the logs
	Tried   bool        // the rules had trials: see Finding.Entry

	// Hosts returns the hosts of a site whose URLs begin with their hosts, as in export.Site;
	// nil for a site that is one host. A nil Hosts is a function that returns nil.
	Hosts func(site string) []string

	Export func(format, site string, redirect bool) string // returns the command that exports rules in a format; redirect: web servers redirect
}

// Command is a command line with its purpose.
type Command struct{ Purpose, Line string }

// Read is what was read of the logs.
type Read struct {
	Lines, Hits int      // lines, and those that count
	Nothing     string   // why no line counts; "" if a line counts
	Refused     []Reason // of the other lines
	Newest      int64    // Unix time of the newest hit, to the pane; 0: unknown
}

// Reason is a number of lines that do not count, for one reason.
type Reason struct {
	Name  string
	Lines int
}

// Words returns the reason in words; "" if there are none.
func (r Reason) Words() string { return page.LineWords[r.Name] }

// Bounds of a report.
const (
	mostSites = 100  // sites with a section of their own
	mostNamed = 1000 // further sites, one row each
	mostSaid  = 30   // sentences on the first screen
)

// Report collects the sites of a log.
type Report struct {
	o     Options
	t     *template.Template
	dust  miner.Dust
	waste page.Waste
	days  map[int64]waste.Day // by date
	rules int
	sites []*section // with the most duplicates, most first
	rest  []row      // of the other sites
	more  int        // sites that are only counted
	said  []string   // see Say
	spent []spent    // waste that is no duplicate
}

// row is a site without a section.
type row struct {
	Name        string
	URLs, Rules int
	Dust        miner.Dust
	Words       []string // of a site without rules that are shown: what its log shows
}

//go:embed report.html
var report string

// New returns an empty report.
func New(o Options) *Report {
	if o.Hosts == nil {
		o.Hosts = func(string) []string { return nil }
	}
	return &Report{o: o, days: map[int64]waste.Day{}, t: template.Must(page.New().Parse(report))}
}

// Say puts sentences on the first screen of the report, such as what was not tested. Of very many some are left out.
func (r *Report) Say(lines ...string) {
	r.said = append(r.said, lines[:min(len(lines), mostSaid-len(r.said))]...)
}

// insert adds a site with its section to the sites with the most duplicates.
func (r *Report) insert(s *section) {
	at, _ := slices.BinarySearchFunc(r.sites, s, func(a, b *section) int {
		return cmp.Or(cmp.Compare(b.dust.URLs, a.dust.URLs), cmp.Compare(b.All, a.All), cmp.Compare(a.Name, b.Name))
	})
	r.sites = slices.Insert(r.sites, at, s)
	if len(r.sites) > mostSites {
		last := r.sites[mostSites]
		r.sites = r.sites[:mostSites]
		r.name(row{last.Name, last.URLs, last.All, last.dust, nil})
	}
}

// name adds a site without a section.
func (r *Report) name(w row) {
	if len(r.rest) == mostNamed {
		r.more++
		return
	}
	r.rest = append(r.rest, w)
}

// view is what the template shows.
type view struct {
	Title   string
	Waste   string
	Askers  []page.Asker
	Days    *page.Days // nil: robots came on fewer than two days
	Tried   bool
	One     bool // one site has a section
	Unnamed bool // a site's host is not known
	Veiled  bool // secrets are masked
	Figures []figure
	Nothing string   // why no line counts
	Said    []string // what was not tested, and what helps
	Refused []Reason
	Spent   []spent // waste that is no duplicate
	Dust    page.Shares
	Joined  string // how the duplicates are counted
	Sites   []*section
	Next    []Command
	Rest    []row
	More    int
}

type figure struct{ Name, Value, More string }

// Write writes the report. The next commands are what is still to do.
func (r *Report) Write(w io.Writer, read Read, next ...Command) error {
	slices.SortFunc(r.rest, func(a, b row) int { return cmp.Compare(a.Name, b.Name) })
	for i, s := range r.sites {
		s.Number = i + 1
	}
	v := view{
		Title: r.title(), Waste: r.waste.String(), Askers: r.waste.Askers(), Days: r.byDay(), Tried: r.o.Tried, One: len(r.sites) == 1, Unnamed: slices.ContainsFunc(r.sites, func(s *section) bool { return s.Name == unnamed }), Veiled: !r.o.Veil.Lifted, Figures: r.figures(&read), Nothing: read.Nothing, Said: r.said, Spent: r.spent, Refused: read.Refused,
		Dust: shares(&r.dust), Joined: r.joined(), Sites: r.sites, Next: next, Rest: r.rest, More: r.more,
	}
	foot := r.o.made() + ". Hits and bytes count every line that was read, also lines that were read twice."
	p := page.Page{Title: v.Title, Foot: []string{foot}, Data: v}
	if err := page.Write(w, r.t, &p); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// byDay returns the newest days of all sites.
func (r *Report) byDay() *page.Days {
	days := slices.SortedFunc(maps.Values(r.days), func(d, e waste.Day) int { return cmp.Compare(e.Date, d.Date) })
	return page.NewDays(days[:min(len(days), waste.MostDays)])
}

func (r *Report) title() string {
	if len(r.sites) == 1 && r.sites[0].Name != unnamed {
		return "Duplicate pages of " + r.sites[0].Name
	}
	return "Duplicate pages"
}

func (r *Report) figures(read *Read) []figure {
	all := []figure{
		{"Lines read", page.Number(read.Lines), ""},
		{"Hits that count", page.Number(read.Hits), "GET, answered with a whole page"},
		{"URLs", page.Number(r.dust.AllURLs), sites(len(r.sites) + len(r.rest) + r.more)},
	}
	if r.o.Tried {
		return append(all, figure{"Rules with a trial", page.Number(r.rules), ""})
	}
	return append(all, figure{"Likely rules", page.Number(r.rules), ""})
}

// sites tells the number of several sites.
func sites(n int) string {
	if n < 2 {
		return ""
	}
	return "of " + page.Count(n, "site")
}

// joined says how the duplicates are counted.
func (r *Report) joined() string {
	if r.o.Tried {
		return "Counted with the rules that hold: of the URLs of one page, the URL with the most hits stays."
	}
	return "Counted as if every rule shown below held, where sizes agree: of the URLs of one page, the URL with the most hits stays. No page was fetched to check."
}

// made says what made a page, and from what.
func (o *Options) made() string {
	made := "Made by dustbuster " + o.Version
	const most = 5
	var names []string
	for _, name := range o.Inputs[:min(most, len(o.Inputs))] {
		names = append(names, page.Cut(120, name))
	}
	if names != nil {
		made += " from " + strings.Join(names, ", ")
	}
	if n := len(o.Inputs) - most; n > 0 {
		made += fmt.Sprintf(" and %d more", n)
	}
	return made
}
