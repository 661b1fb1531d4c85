package dashboard

import (
	"cmp"
	"dustbuster/sinks/text"
	"slices"

	"dustbuster/operators/judge/lifecycle/forms"
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
	d := leftData{seen: s, Memory: memoryPicture(s), Hits: reasonsOf(s.Loop.Dropped(), hitWords), Lines: linesLeft(s), Refused: reasonsOf(s.Fetches.Refused, refusedWords)}
	for i := range d.Refused {
		d.Refused[i].First = s.Fetches.First[fetch.Reason(d.Refused[i].Name)]
	}
	for i := range s.sites {
		site := &s.sites[i]
		if site.Loop != nil && site.Loop.Shed > 0 {
			d.Shed = append(d.Shed, site)
		}
		if site.Hidden != nil {
			d.Withheld = append(d.Withheld, site)
		}
		if site.Trials != nil && anyPrivate(&site.Trials.Private) {
			d.Private = append(d.Private, site)
		}
	}
	d.Shed = first(d.Shed, perPage, func(a, b *row) int { return cmp.Compare(b.Loop.Shed, a.Loop.Shed) })
	d.Withheld = first(d.Withheld, perPage, func(a, b *row) int { return cmp.Compare(b.Hidden.Sum(), a.Hidden.Sum()) })
	d.Pager = r.pager("left", len(d.Private))
	d.Private = part(r, first(d.Private, r.skip()+perPage, sorts["site"]))
	return content{"left", "Left out", "left", &d}, nil
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
	value := text.Size(used) + " of " + text.Size(budget)
	return &page.Shares{Rows: []page.Row{{Label: "Tables", Value: value, Title: value + " are used", Parts: []page.Part{{Tone: tone, Share: share}}}}}
}

// linesLeft returns the lines that are no hits that count.
func linesLeft(s *seen) []reason {
	return slices.DeleteFunc(linesRead(s), func(r reason) bool {
		return r.Name == "all" || r.Name == "reread" || r.Name == admit.Admitted.String()
	})
}

// reasonsOf returns the counts that are not 0 with their reasons in words, the greatest first.
func reasonsOf[K ~string, N int | int64](counts map[K]N, words map[K]string) (list []reason) {
	for name, n := range counts {
		if n > 0 {
			list = append(list, reason{Name: string(name), Words: words[name], Count: int(n)})
		}
	}
	slices.SortFunc(list, func(a, b reason) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return list
}

// anyPrivate reports whether some URLs of a site are never fetched.
func anyPrivate(p *forms.Private) bool { return p.Secret+p.OneClient+p.Unasked > 0 }

// The reasons in words.
var (
	hitWords = map[string]string{
		"late":               "older than the window",
		"shed":               "of URLs that were dropped to stay within max_urls or the memory; a sample is kept",
		"beyond_max_sites":   "of sites beyond max_sites",
		records.AheadOfClock: "with a time too far in the future",
	}
	refusedWords = map[fetch.Reason]string{
		fetch.Robots: "robots.txt forbids the URL", fetch.Action: "the URL looks like an action", fetch.Pattern: "never_fetch names the path",
		fetch.Secret: "the URL looks like a session, or a link for one person", fetch.Unasked: "redirected to a URL that too few visitors ask for", fetch.Address: "a private address that no origin names",
		fetch.OffSite: "redirected to another host", fetch.Budget: "the hourly limit is used up", fetch.Spent: "the total limit is used up",
		fetch.Held: "the server asked to wait (Retry-After)", fetch.Resting: "a pause after answers 429 or 503", fetch.Timeout: "no answer in time",
		fetch.Closed: "robots.txt cannot be read, so nothing is fetched", fetch.NoOrigin: "no origin is configured for the site", fetch.Loop: "too many redirects",
		fetch.Target: "the URL cannot be requested", fetch.Encoding: "a damaged content encoding", fetch.Network: "no connection, or no valid answer", fetch.Missing: "the archive has no such page",
		fetch.Full: "the hourly limit of hosts is used up", fetch.Barred: "another member of the group may have the site now", fetch.Cancelled: "the program ended",
	}
)
