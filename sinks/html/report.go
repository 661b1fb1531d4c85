// Package html writes a report of a log as one page. The first screen has what crawlers fetched, the few rules that
// explain most of the duplicates, what was not tested and why, and what to do. All else is folded.
//
// The page needs no other file and no network, and all of it can be read without its script, which only copies texts
// and saves tables. The look is that of package page. All texts of the log pass through a veil, which masks secrets,
// and are shown as package page shows foreign text. One log always gives one page.
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
	"dustbuster/sinks/text"
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

	acts func(url string) bool // the URL looks like an action
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
	return &Report{o: o, days: map[int64]waste.Day{}, t: template.Must(page.New().Parse(report)), acts: actionWords()}
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

// view is a report as the template shows it.
type view struct {
	*Report
	Read
	Next []Command // what is still to do
}

type figure struct{ Name, Value, More string }

// Write writes the report. The next commands are what is still to do.
func (r *Report) Write(w io.Writer, read Read, next ...Command) error {
	slices.SortFunc(r.rest, func(a, b row) int { return cmp.Compare(a.Name, b.Name) })
	for i, s := range r.sites {
		s.Number = i + 1
	}
	foot := r.o.made() + ". Requests and bytes count every line that was read, also lines that were read twice."
	p := page.Page{Title: r.title(), Foot: []string{foot}, Data: view{r, read, next}}
	if err := page.Write(w, r.t, &p); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// What the template asks for.
func (v view) Title() string        { return v.title() }
func (v view) Waste() string        { return v.waste.String() }
func (v view) Askers() []page.Asker { return v.waste.Askers() }
func (v view) Days() *page.Days     { return v.byDay() }
func (v view) Tried() bool          { return v.o.Tried }
func (v view) Veiled() bool         { return !v.o.Veil.Lifted }
func (v view) Unnamed() bool {
	return slices.ContainsFunc(v.sites, func(s *section) bool { return s.Name == unnamed })
}
func (v view) Said() []string    { return v.said }
func (v view) Spent() []spent    { return v.spent }
func (v view) Dust() page.Shares { return shares(&v.dust) }
func (v view) Sites() []*section { return v.sites }
func (v view) Rest() []row       { return v.rest }
func (v view) More() int         { return v.more }
func (v view) Figures() []figure { return v.figures(&v.Read) }

// One reports whether the report is of one site.
func (v view) One() bool { return len(v.sites) == 1 }

// Top returns the rules that explain most, of all sites.
func (v view) Top() (all []topRow) {
	for _, s := range v.sites {
		for _, c := range s.Top.Cards {
			all = append(all, topRow{c, s, len(v.sites) > 1})
		}
	}
	slices.SortStableFunc(all, func(a, b topRow) int { return cmp.Compare(b.URLs, a.URLs) })
	return all[:min(len(all), text.Most)]
}

// topRow is a rule on the first screen.
type topRow struct {
	*card
	Site    *section
	Several bool // the report has several sites
}

// Explained says how many of the duplicates the first rules explain.
func (v view) Explained() string {
	rows := v.Top()
	switch n := len(rows); {
	case n == 0 && v.o.Tried:
		return "No rule is confirmed"
	case n == 0:
		return "No rule is suggested"
	case len(v.sites) > 1:
		return "The rules that explain most"
	case rows[0].Site.Top.share == 0:
		return "Nobody fetched a page twice because of these rules"
	case n == 1:
		return "One rule explains " + page.Bound(rows[0].Site.Top.share) + " of the duplicates"
	default:
		return fmt.Sprintf("%d rules explain %s of the duplicates", n, page.Bound(rows[0].Site.Top.share))
	}
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
		{"Requests that count", page.Number(read.Hits), "GET, answered with a whole page"},
		{"URLs", page.Number(r.dust.AllURLs), sites(len(r.sites) + len(r.rest) + r.more)},
	}
	if r.o.Tried {
		return append(all, figure{"Tested rules", page.Number(r.rules), ""})
	}
	return append(all, figure{"Suggested rules", page.Number(r.rules), ""})
}

// sites tells the number of several sites.
func sites(n int) string {
	if n < 2 {
		return ""
	}
	return "of " + page.Count(n, "site")
}

// Joined says how the duplicates are counted.
func (v view) Joined() string {
	if v.o.Tried {
		return "Counted by the confirmed rules. The most requested URL of each page is kept."
	}
	return "An estimate: it takes all rules below for right where page sizes match. The most requested URL of each page is kept."
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
