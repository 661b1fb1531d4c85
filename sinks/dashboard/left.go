package dashboard

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/window/admit"
	"dustbuster/sinks/page"
	"dustbuster/stream/fetch"
	"dustbuster/stream/records"
)

type leftData struct {
	*seen
	Memory   *page.Shares // nil: there is no bound
	Hits     []reason
	Lines    []reason
	Refused  []reason
	Shed     []*row // sites whose windows were cut, most URLs first
	Withheld []*row // sites with rules that are not published, most rules first
	Private  []*row // sites with URLs that are never fetched, most URLs first
	Pager    pager  // of Private
}

// reason is something left out, with the reason in words.
type reason struct {
	Name, Words string
	Count       int
	First       string // the first of them; may be ""
}

func left(r *request) (content, error) {
	s := r.seen
	d := leftData{seen: s, Memory: memoryPicture(s), Hits: hitsLeft(s), Lines: linesLeft(s)}
	for why, n := range s.Fetches.Refused {
		d.Refused = append(d.Refused, reason{string(why), refusedWords[why], int(n), s.Fetches.First[why]})
	}
	slices.SortFunc(d.Refused, func(a, b reason) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	for i := range s.sites {
		site := &s.sites[i]
		if site.Loop != nil && site.Loop.Shed > 0 {
			d.Shed = append(d.Shed, site)
		}
		if site.withheld() > 0 {
			d.Withheld = append(d.Withheld, site)
		}
		if site.Trials != nil && anyPrivate(&site.Trials.Private) {
			d.Private = append(d.Private, site)
		}
	}
	slices.SortStableFunc(d.Shed, func(a, b *row) int { return cmp.Compare(b.Loop.Shed, a.Loop.Shed) })
	d.Shed = d.Shed[:min(len(d.Shed), perPage)]
	slices.SortStableFunc(d.Withheld, func(a, b *row) int { return cmp.Compare(b.withheld(), a.withheld()) })
	d.Withheld = d.Withheld[:min(len(d.Withheld), perPage)]
	d.Pager = r.pager("left", len(d.Private))
	d.Private = part(r, d.Private)
	return content{"left", "Left out", "left", &d}, nil
}

// withheld returns the number of likely rules that are neither told nor tried.
func (r *row) withheld() int {
	if r.Loop == nil {
		return 0
	}
	return r.Loop.Withheld.Sum()
}

func memoryPicture(s *seen) *page.Shares {
	budget, used := s.Loop.MemoryBudget, s.Loop.MemoryUsed
	if budget == 0 {
		return nil
	}
	share := float64(used) / float64(budget)
	tone := page.Kept
	if share > .9 {
		tone = page.Warn
	}
	value := bytesOf(used) + " of " + bytesOf(budget)
	return &page.Shares{Rows: []page.Row{{Label: "Tables", Value: value, Title: value + " are used", Parts: []page.Part{{Tone: tone, Share: share}}}}}
}

// hitsLeft returns the hits that were read and not kept.
func hitsLeft(s *seen) (list []reason) {
	for _, c := range counts(s.Loop.Dropped()) {
		list = append(list, reason{Name: c.Name, Words: hitWords[c.Name], Count: c.Count})
	}
	return list
}

// linesLeft returns the lines that are no hits that count.
func linesLeft(s *seen) (list []reason) {
	for _, r := range linesRead(s) {
		if r.Name != "all" && r.Name != "reread" && r.Name != admit.Admitted.String() {
			list = append(list, r)
		}
	}
	return list
}

// anyPrivate reports whether some URLs of a site are never fetched.
func anyPrivate(p *lifecycle.Private) bool { return p.Secret+p.OneClient+p.Unasked > 0 }

// The reasons in words.
var (
	hitWords = map[string]string{
		"late":               "older than the window",
		"shed":               "on URLs beyond the bound of URLs or of memory; a sample of the URLs is kept",
		"beyond_max_sites":   "on sites beyond the greatest number of sites",
		records.AheadOfClock: "with a time too far ahead of the clock",
	}
	refusedWords = map[fetch.Reason]string{
		fetch.Robots: "robots.txt forbids the URL", fetch.Action: "the URL looks as if it did something", fetch.Pattern: "the configuration names the path",
		fetch.Secret: "the URL looks like a session, or like a link for one person", fetch.Unasked: "redirected to a URL that too few clients ask for", fetch.Address: "a private address that no origin names",
		fetch.OffSite: "redirected to another host", fetch.Budget: "the requests of this hour are made", fetch.Spent: "all requests are made",
		fetch.Held: "the server wished to rest", fetch.Resting: "the site rests after answers 429 or 503", fetch.Timeout: "no answer in time",
		fetch.Closed: "robots.txt cannot be fetched", fetch.NoOrigin: "no origin is configured for the site", fetch.Loop: "too many redirects",
		fetch.Target: "the URL cannot be requested", fetch.Encoding: "a damaged content encoding", fetch.Network: "no connection, or no intelligible answer", fetch.Missing: "the archive has no such page",
		fetch.Full: "enough hosts were asked within the hour", fetch.Barred: "another member may own the site now", fetch.Cancelled: "the program ended",
	}
)
