package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/notes"
	"dustbuster/sinks/page"
	"dustbuster/stream/prober"
	sites "dustbuster/stream/site"
)

// age is for how long a look is shown again instead of a new one. The script of the pages waits
// as long before it loads a page anew.
const age = time.Second

// looks keeps the last look at the daemon.
type looks struct {
	of func() *Look

	mu   sync.Mutex
	last *seen
	at   time.Time
}

// seen is a look with its sites.
type seen struct {
	*Look
	sites []row          // in no order
	at    map[string]int // index of sites
}

// row is what a look says about one site.
type row struct {
	Name                string
	URLs, Likely, Valid int                      // Valid: published rules
	Published           *book.Publication        // nil: nothing has been published
	Trials              *prober.SiteStatus       // nil: no rule was validated
	Trial               *lifecycle.OnTrial       // under way, or nil
	Held                *lifecycle.PendingUpdate // nil: nothing is held
	Loop                *sites.Status            // nil: the site has no table here
	Hidden              *sites.Withheld          // likely rules that are neither told nor validated; nil: none
	Notes               []notes.Note
	Waste               *page.Waste // nil: not known
	Seen                *notes.Seen // what the log shows; nil: there are rules, or it is not known
	merged              float64     // share of the URLs that are merged with others
}

// unmerged reports whether the share of merged URLs is not known yet: after a start, the share of
// a published list is computed with the first look at the site.
func (r *row) unmerged() bool { return r.Trials == nil && r.Valid > 0 }

// live adds what the published rules of the site cover, of so many days.
func (r *row) live(to *page.Live, days int) {
	if r.Valid == 0 || r.Loop == nil {
		return
	}
	since := r.Published.Records[0].ValidatedAt
	for i := range r.Published.Records {
		since = min(since, r.Published.Records[i].ValidatedAt)
	}
	to.Add(r.Valid, since, r.Loop.Curve, days)
}

// counted reports whether the waste was counted since the rules were published: an estimate of before is none.
func counted(w *page.Waste, published int) bool { return w != nil && (published == 0 || w.Valid > 0) }

// MergedWords returns the share of the URLs that are merged with others, as it is shown.
func (r *row) MergedWords() string {
	if r.unmerged() {
		return "–"
	}
	return page.Percent(r.merged)
}

// get returns a look that is at most a second old.
func (l *looks) get() *seen {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || time.Since(l.at) >= age {
		l.last, l.at = newSeen(l.of()), time.Now()
	}
	return l.last
}

// forget has the next get look anew.
func (l *looks) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = nil
}

func newSeen(look *Look) *seen {
	s := &seen{Look: look, sites: make([]row, 0, len(look.Loop.Sites)), at: make(map[string]int, len(look.Loop.Sites))}
	of := func(name string) *row {
		i, known := s.at[name]
		if !known {
			i = len(s.sites)
			s.at[name] = i
			s.sites = append(s.sites, row{Name: name})
		}
		return &s.sites[i]
	}
	for i := range look.Loop.Sites {
		site := &look.Loop.Sites[i]
		r := of(site.Name)
		r.Loop, r.URLs, r.Likely, r.Notes, r.Waste, r.Seen = site, site.URLs, site.Rules, site.Notes, (*page.Waste)(site.Waste), site.Seen
		if site.Withheld.Sum() > 0 {
			r.Hidden = &site.Withheld
		}
	}
	for name, p := range look.Trials.Published {
		r := of(name)
		if r.Published = p; p != nil {
			r.Valid = len(p.Records)
		}
	}
	tried := make([]prober.SiteStatus, 0, len(look.Trials.Sites))
	for name, trials := range look.Trials.Sites {
		tried = append(tried, trials)
		r := of(name)
		r.Trials, r.Trial, r.merged = &tried[len(tried)-1], trials.Trial, trials.Merged()
	}
	for name, update := range look.Trials.Pending {
		of(name).Held = &update
	}
	return s
}

// find returns the row of a site, or nil.
func (s *seen) find(name string) *row {
	i, known := s.at[name]
	if !known {
		return nil
	}
	return &s.sites[i]
}

// sorts are the orders of the table of sites. Sites that an order does not distinguish follow their
// names.
var sorts = map[string]func(a, b *row) int{
	"site":   func(a, b *row) int { return strings.Compare(a.Name, b.Name) },
	"urls":   func(a, b *row) int { return cmp.Compare(b.URLs, a.URLs) },
	"likely": func(a, b *row) int { return cmp.Compare(b.Likely, a.Likely) },
	"rules":  func(a, b *row) int { return cmp.Compare(b.Valid, a.Valid) },
	"merged": func(a, b *row) int { return cmp.Compare(b.merged, a.merged) },
}

// list returns the sites whose names contain a text, in no order.
func (s *seen) list(contains string) []*row {
	list := make([]*row, 0, len(s.sites))
	for i := range s.sites {
		if strings.Contains(s.sites[i].Name, contains) {
			list = append(list, &s.sites[i])
		}
	}
	return list
}

// first returns the first n rows in an order, and overwrites all. O(rows) for a small n, as a row after n others
// is skipped: the first 2n rows are sorted, and again when n further rows are before the last of the first n.
func first(all []*row, n int, by func(a, b *row) int) []*row {
	order := func(a, b *row) int {
		if before := by(a, b); before != 0 {
			return before
		}
		return strings.Compare(a.Name, b.Name)
	}
	kept, sorted := all[:0], false
	for _, r := range all {
		if sorted && order(r, kept[n-1]) > 0 {
			continue
		}
		if kept = append(kept, r); len(kept) == 2*n {
			slices.SortFunc(kept, order)
			kept, sorted = kept[:n], true
		}
	}
	slices.SortFunc(kept, order)
	return kept[:min(n, len(kept))]
}
