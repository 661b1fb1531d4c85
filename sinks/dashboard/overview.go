package dashboard

import (
	"fmt"

	"dustbuster/sinks/page"
)

// mostListed is the number of rows of the short tables of the overview.
const mostListed = 10

type overviewData struct {
	*seen
	sums
	Waste       *page.Waste // of all sites; nil: not known yet, or an estimate of before the rules were published
	Live        string      // what the published rules cover; "" if none is published
	Saved       *page.Saved // what crawlers save by them; nil: nothing, or it is not known yet
	Needs       []need
	NeedsMore   int
	Running     []*row
	RunningMore int
	Notices     []notice
	Table       table
	Done        string
}

// sums are the figures of all sites.
type sums struct {
	Count               int // sites
	URLs, Likely, Rules int
	Merged              float64
	Unmerged            bool // the share of some site is not known yet
}

// table is the table of the sites.
type table struct {
	Query, Order string
	Orders       []choice
	Rows         []*row
	Pager        pager
}

// notice is something that the operator should know.
type notice struct{ Tone, Text string }

// need is a decision that only an operator can take.
type need struct{ Site, Words, URL string }

// choice is a link to the same page in another order or with another filter.
type choice struct {
	Text, URL string
	Here      bool
}

func overview(r *request) (content, error) {
	o := overviewData{seen: r.seen, Notices: notices(r.seen), Done: acts[r.query.Get("done")].said, Table: tableOf(r)}
	var held []*row
	var live page.Live
	merged := 0
	o.Count = len(r.seen.sites)
	for i := range r.seen.sites {
		site := &r.seen.sites[i]
		o.URLs, o.Likely, o.Rules = o.URLs+site.URLs, o.Likely+site.Likely, o.Rules+site.Valid
		if t := site.Trials; t != nil && t.Out > 0 {
			merged += t.URLs - t.Out
		}
		o.Unmerged = o.Unmerged || site.unmerged()
		site.live(&live, page.TrendDates)
		if site.Held != nil {
			held = append(held, site)
		}
		if site.Trial != nil {
			o.Running = append(o.Running, site)
		}
	}
	if o.URLs > 0 {
		o.Merged = min(1, float64(merged)/float64(o.URLs))
	}
	o.Live, o.Saved = live.String(), live.Saved()
	if all := (*page.Waste)(r.seen.Loop.Waste()); counted(all, o.Rules) {
		o.Waste = all
	}
	o.needs(held)
	o.RunningMore = max(0, len(o.Running)-mostListed)
	o.Running = first(o.Running, mostListed, sorts["site"])
	return content{"overview", "Sites", "./", &o}, nil
}

// needs sets what only an operator can decide.
func (o *overviewData) needs(held []*row) {
	waiting := o.Trials.WaitingSites()
	all := len(held) + len(waiting)
	for _, site := range first(held, mostListed, sorts["site"]) {
		words := fmt.Sprintf("%s for your approval: with all confirmed rules, %s of the URLs would change.", waits(site.Held.Rules), page.Percent(site.Held.Share))
		o.Needs = append(o.Needs, need{site.Name, words, "#held"})
	}
	for _, w := range waiting[:min(len(waiting), mostListed-len(o.Needs))] {
		o.Needs = append(o.Needs, need{w.Site, "Is this site yours? Its rules wait: set hosts in the configuration, or approve the site on its page.", "#whose"})
	}
	o.NeedsMore = all - len(o.Needs)
}

func waits(rules int) string {
	if rules == 1 {
		return "1 rule waits"
	}
	return page.Count(rules, "rule") + " wait"
}

// Needed says how many decisions are needed.
func (o *overviewData) Needed() string {
	if n := len(o.Needs) + o.NeedsMore; n > 1 {
		return page.Count(n, "thing") + " need you"
	}
	return "One thing needs you"
}

// tableOf returns the rows of the table of sites that are asked for.
func tableOf(r *request) table {
	t := table{Query: r.query.Get("q"), Order: r.query.Get("by")}
	if sorts[t.Order] == nil {
		t.Order = "urls"
	}
	for _, by := range []choice{{Text: "most URLs", URL: "urls"}, {Text: "most duplicates", URL: "merged"}, {Text: "most rules", URL: "rules"}, {Text: "most suggested rules", URL: "likely"}, {Text: "name", URL: "site"}} {
		t.Orders = append(t.Orders, choice{by.Text, r.with("./", "by", by.URL), by.URL == t.Order})
	}
	list := r.seen.list(t.Query)
	t.Rows, t.Pager = part(r, first(list, r.skip()+perPage, sorts[t.Order])), r.pager("./", len(list))
	return t
}

// notices returns what keeps the daemon from its work.
func notices(s *seen) (all []notice) {
	if s.Unready != nil {
		all = append(all, notice{"warn", "Not ready: " + s.Unready.Error() + "."})
	}
	if s.Loop.LastError != "" && s.Loop.Failing.Err() == nil { // else the first notice has it
		all = append(all, notice{"bad", "Last error: " + s.Loop.LastError})
	}
	if !s.Trials.On {
		all = append(all, notice{"", "Rules are not tested yet: all are estimates from the log. To test them, set the origin from which pages may be fetched."})
	}
	return all
}
