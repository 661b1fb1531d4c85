package fetch

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// account holds a site's used budget and the state that must outlive a restart.
type account struct {
	site  string
	since time.Time // start of the hour
	used  int       // requests in the hour
	users int       // number of goroutines about to use the account

	delay time.Duration // delay at the last request
	next  time.Time     // earliest next request, over all of the site's hosts
	floor time.Time     // earliest next request, from before a restart
	busy  int           // consecutive answers 429 and 503
	rest  time.Time     // earliest next request, after too many of those answers
}

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
func (f *Fetcher) States() []State {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	var states []State
	for site, a := range f.accounts {
		if !a.settled(now) {
			states = append(states, State{Site: site, Next: latest(a.next, a.floor), Delay: a.delay, Since: a.since, Used: a.used, Busy: a.busy, Rest: a.rest})
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
		a := f.accountOf(s.Site, now)
		if a == nil {
			continue
		}
		a.delay = max(a.delay, min(max(s.Delay, 0), maxCrawlDelay))
		next := earliest(s.Next, now.Add(maxHold))
		a.busy, a.rest = max(a.busy, s.Busy), latest(a.rest, earliest(s.Rest, now.Add(maxHold)))
		a.floor = latest(a.floor, next, now.Add(max(a.delay, f.o.Delay)))
		if o := f.origin(s.Site); o != nil && !f.apart() {
			if behind := f.serverOf(place{site: s.Site, host: o.host}); behind != nil {
				behind.hold = latest(behind.hold, next)
			}
		}
		if since := earliest(s.Since, now); s.Used > a.used && now.Sub(since) < hour {
			a.since, a.used = since, s.Used
		}
	}
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func (f *Fetcher) accountOf(site string, now time.Time) *account {
	a := f.accounts[site]
	if a != nil {
		return a
	}
	if len(f.accounts) >= f.o.MaxHosts {
		for site, a := range f.accounts {
			if a.users == 0 && a.settled(now) {
				delete(f.accounts, site)
			}
		}
	}
	if len(f.accounts) >= f.o.MaxHosts {
		return nil
	}
	a = &account{site: site}
	f.accounts[site] = a
	return a
}

// settled reports whether the account can be dropped without effect.
func (a *account) settled(now time.Time) bool {
	return now.Sub(a.since) >= hour && now.After(a.next) && now.After(a.floor) && now.After(a.rest)
}

// Left returns the number of requests left in a site's hour.
func (f *Fetcher) Left(site string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.Budget < 0 {
		return math.MaxInt
	}
	if a := f.accounts[site]; a != nil && time.Since(a.since) < hour {
		return max(0, f.o.Budget-a.used)
	}
	return f.o.Budget
}

// Renews returns the end of a site's hour, when Left grows; zero if no hour has begun, or if there is
// no budget.
func (f *Fetcher) Renews(site string) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a := f.accounts[site]; a != nil && f.o.Budget >= 0 && time.Since(a.since) < hour {
		return a.since.Add(hour)
	}
	return time.Time{}
}

// LeftInAll returns the number of requests left for all sites together.
func (f *Fetcher) LeftInAll() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.Total == 0 {
		return math.MaxInt
	}
	return f.o.Total - f.made
}

// room returns nil if the site may be asked: the site does not rest, and its budget has
// room. Otherwise the error says when the site may be asked.
func (f *Fetcher) room(a *account, p place) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.full(a, p, time.Now())
}

// spend takes one request from the budget. An hour begins with its first request.
func (f *Fetcher) spend(a *account, p place) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if err := f.full(a, p, now); err != nil {
		return err
	}
	if now.Sub(a.since) >= hour {
		a.since, a.used = now, 0
	}
	a.used++
	f.made++
	return nil
}

func (f *Fetcher) full(a *account, p place, now time.Time) error {
	if f.o.Total > 0 && f.made >= f.o.Total {
		return p.refuse(Spent, nil)
	}
	if now.Before(a.rest) {
		return p.refuseUntil(Resting, a.rest, nil)
	}
	if f.o.Budget > 0 && now.Sub(a.since) < hour && a.used >= f.o.Budget {
		return p.refuseUntil(Budget, a.since.Add(hour), nil)
	}
	return nil
}
