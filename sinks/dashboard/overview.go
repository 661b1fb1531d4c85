package dashboard

import (
	"fmt"
	"strings"

	"dustbuster/sinks/page"
)

// mostListed is the number of rows of the short tables of the overview.
const mostListed = 10

// mostWaiting is the number of sites that are named of those that nobody has called his own.
const mostWaiting = 3

type overviewData struct {
	*seen
	Waste               *page.Waste // of all sites; nil: not known yet
	Count               int         // sites
	URLs, Likely, Rules int
	Merged              float64
	Unmerged            bool // the share of some site is not known yet
	Held, Running       []*row
	HeldMore            int
	RunningMore         int
	Notices             []notice
	Query, Order        string
	Orders              []choice
	Rows                []*row
	Pager               pager
	Done                string
}

// notice is something that the operator should know.
type notice struct{ Tone, Text string }

// choice is a link to the same page in another order or with another filter.
type choice struct {
	Text, URL string
	Here      bool
}

func overview(r *request) (content, error) {
	o := overviewData{seen: r.seen, Count: len(r.seen.sites), Query: r.query.Get("q"), Order: r.query.Get("by"), Notices: notices(r.seen), Done: acts[r.query.Get("done")].said}
	o.Waste = (*page.Waste)(r.seen.Loop.Waste())
	merged := 0
	for i := range r.seen.sites {
		site := &r.seen.sites[i]
		o.URLs, o.Likely, o.Rules = o.URLs+site.URLs, o.Likely+site.Likely, o.Rules+site.Valid
		if t := site.Trials; t != nil && t.Out > 0 {
			merged += t.URLs - t.Out
		}
		o.Unmerged = o.Unmerged || site.unmerged()
		if site.Held != nil {
			o.Held = append(o.Held, site)
		}
		if site.Trial != nil {
			o.Running = append(o.Running, site)
		}
	}
	if o.URLs > 0 {
		o.Merged = min(1, float64(merged)/float64(o.URLs))
	}
	o.HeldMore, o.RunningMore = max(0, len(o.Held)-mostListed), max(0, len(o.Running)-mostListed)
	o.Held, o.Running = first(o.Held, mostListed, sorts["site"]), first(o.Running, mostListed, sorts["site"])
	if sorts[o.Order] == nil {
		o.Order = "urls"
	}
	for _, by := range []choice{{Text: "most URLs", URL: "urls"}, {Text: "most merged", URL: "merged"}, {Text: "most rules", URL: "rules"}, {Text: "most likely rules", URL: "likely"}, {Text: "name", URL: "site"}} {
		o.Orders = append(o.Orders, choice{by.Text, r.with("./", "by", by.URL), by.URL == o.Order})
	}
	list := r.seen.list(o.Query)
	o.Rows, o.Pager = part(r, first(list, r.skip()+perPage, sorts[o.Order])), r.pager("./", len(list))
	return content{"overview", "Sites", "./", &o}, nil
}

// notices returns what keeps the daemon from its work.
func notices(s *seen) (all []notice) {
	if s.Unready != nil {
		all = append(all, notice{"warn", "Not ready: " + s.Unready.Error() + "."})
	}
	if s.Loop.LastError != "" && s.Loop.Failing.Err() == nil { // else the first notice has it
		all = append(all, notice{"bad", "Last error: " + s.Loop.LastError})
	}
	if waiting := s.Trials.WaitingSites(); len(waiting) > 0 {
		names := []string{}
		for i := range waiting[:min(mostWaiting, len(waiting))] {
			names = append(names, waiting[i].Site)
		}
		text := "Is this site yours? " + names[0]
		if len(waiting) > 1 {
			text = fmt.Sprintf("Are these %d sites yours? Such as %s", len(waiting), strings.Join(names, ", "))
		}
		all = append(all, notice{"warn", text + ". Their rules wait: name your hosts in the settings, or approve the site on its page."})
	}
	if !s.Trials.On {
		all = append(all, notice{"", "Rules are not validated, since no origin is configured from which pages may be fetched. All rules are guesses from the log."})
	}
	return all
}
