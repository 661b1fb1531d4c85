package fetch

import (
	"cmp"
	"slices"
	"time"

	"dustbuster/stream/fetch/gate"
)

const hour = time.Hour // period of a budget

// State is the state of a site that must outlive a restart. Times are wall clock times.
type State struct {
	Site  string        `json:"site"`
	Next  time.Time     `json:"next"`           // earliest next request
	Delay time.Duration `json:"delay"`          // ns between requests, as the host asked for
	Since time.Time     `json:"since"`          // start of the hour
	Used  int           `json:"used"`           // requests in the hour
	Busy  int           `json:"busy,omitempty"` // consecutive answers 429 and 503
	Rest  time.Time     `json:"rest,omitzero"`  // earliest next request, after too many of those answers
}

// States returns the states of all sites asked within the last hour or held back, in
// the order of their names.
//
// A request begun after the last call of States is missing from the saved states. After
// a crash, the budget does not count the request. The delay is kept nevertheless,
// because Restore counts as a request.
func (f *Fetcher) States() (states []State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for site, s := range f.sites {
		if !s.settled(now) {
			states = append(states, State{Site: site, Next: gate.Latest(s.ready, s.Hold), Delay: s.Delay, Since: s.Since, Used: s.Used, Busy: s.Row, Rest: s.Rest})
		}
	}
	slices.SortFunc(states, func(x, y State) int { return cmp.Compare(x.Site, y.Site) })
	return states
}

// Restore resumes from the result of States, in another process or for sites that
// another process handled. A state from a wrong clock holds a site back for at most
// maxHold. States above MaxHosts are left out.
func (f *Fetcher) Restore(states []State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for _, s := range states {
		site := f.siteOf(s.Site)
		if site == nil {
			continue
		}
		next, rest, since := earliest(s.Next, now.Add(maxHold)), earliest(s.Rest, now.Add(maxHold)), earliest(s.Since, now)
		site.Delay = max(site.Delay, min(s.Delay, maxCrawlDelay))
		site.Until(gate.Latest(next, now.Add(max(site.Delay, f.o.Delay))))
		site.Row, site.Rest = max(site.Row, s.Busy), gate.Latest(site.Rest, rest)
		if s.Used > site.Used && now.Sub(since) < hour {
			site.Since, site.Used = since, s.Used
		}
		if o := f.origin(s.Site); o != nil && !f.apart() {
			if server := f.serverOf(place{site: s.Site, host: o.host}); server != nil {
				server.Until(next)
			}
		}
	}
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Limits are how many requests may be made of a site, and when.
type Limits struct {
	Left      int       // within the site's hour; math.MaxInt: any number
	LeftInAll int       // of all sites together; the same
	Renews    time.Time // end of the hour, when Left grows; zero: no hour has begun, or there is no limit
	Ready     time.Time // the hosts of the site may be asked
}

// Limits returns the limits of a site.
func (f *Fetcher) Limits(site string) Limits {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, s := time.Now(), f.sites[site]
	if s == nil {
		s = f.newSite()
	}
	return Limits{Left: s.Left(now), LeftInAll: f.all.Left(now), Renews: s.Renews(now), Ready: gate.Latest(s.ready, s.Hold)}
}

// Opens returns when a further caller with a pass may ask an origin, or for "" any; zero: at once.
func (f *Fetcher) Opens(origin string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, g := time.Now(), &f.all
	if origin != "" {
		g = f.shared[origin]
	}
	if g == nil || !g.Opens(now).After(now) {
		return time.Time{}
	}
	return g.Opens(now)
}

// Pass is a turn for one site that a caller has of many. A pass counts like a request until its first
// request is made, so no more callers begin than requests may.
type Pass struct {
	f    *Fetcher
	site string
	used bool
}

// Pass gives the caller a turn for one site, for its Requests. The turn ends with end.
func (f *Fetcher) Pass(site string) (p *Pass, end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p = &Pass{f: f, site: site}
	p.count(1)
	return p, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		p.use()
	}
}

// use ends the count. p may be nil. The caller holds mu.
func (p *Pass) use() {
	if p != nil && !p.used {
		p.used = true
		p.count(-1)
	}
}

func (p *Pass) count(n int) {
	p.f.all.Passes += n
	if g := p.f.behind(p.site); g != nil {
		g.Passes += n
	}
}
