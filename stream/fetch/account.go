package fetch

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// account is a site's: what of its hour is used up, and what must outlive a
// restart.
type account struct {
	since time.Time // begin of the hour
	used  int       // requests in it
	users int       // who are about to use it

	delay time.Duration // as last kept
	next  time.Time     // not before, over all of the site's hosts
	floor time.Time     // not before, from before a restart
	busy  int           // answers 429 and 503 in a row
	rest  time.Time     // not before, as there were too many of those
}

const hour = time.Hour // that a budget is for

// State is what of a site must outlive a restart. Times are of the wall clock.
type State struct {
	Site  string        `json:"site"`
	Next  time.Time     `json:"next"`           // no request before
	Delay time.Duration `json:"delay"`          // ns, between requests, as the host wished it
	Since time.Time     `json:"since"`          // begin of the hour
	Used  int           `json:"used"`           // requests in it
	Busy  int           `json:"busy,omitempty"` // answers 429 and 503 in a row
	Rest  time.Time     `json:"rest,omitzero"`  // no request before, as there were too many of those
}

// States are those of all sites asked within the last hour or held back, in order
// of their names.
//
// A request begun after the last saved state was taken is not in it: of the hour,
// it is not counted after a crash. The delay is kept all the same, since Restore
// counts as a request.
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

// Restore takes up what States gave, in another process or for sites that another
// process had. A clock that was wrong then holds nothing back for longer than
// MaxHold and an hour. States above MaxHosts are left out.
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
		next := earliest(s.Next, now.Add(f.o.MaxHold))
		a.busy, a.rest = max(a.busy, s.Busy), latest(a.rest, earliest(s.Rest, now.Add(max(f.o.MaxHold, longRest))))
		a.floor = latest(a.floor, next, now.Add(max(a.delay, f.o.Delay)))
		if o := f.origin(s.Site); o != nil {
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

// account finds the account of a place's site, and keeps it from being forgotten
// until it is returned.
func (f *Fetcher) account(p place) (*account, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.accountOf(p.site, time.Now())
	if a == nil {
		return nil, p.refuse(Full, nil)
	}
	a.users++
	return a, nil
}

func (f *Fetcher) returned(a *account) {
	f.mu.Lock()
	a.users--
	f.mu.Unlock()
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
	a = &account{}
	f.accounts[site] = a
	return a
}

// settled tells whether nothing of the account matters any more.
func (a *account) settled(now time.Time) bool {
	return now.Sub(a.since) >= hour && now.After(a.next) && now.After(a.floor) && now.After(a.rest)
}

// Left is how many requests a site's hour has left.
func (f *Fetcher) Left(site string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.accounts[site]
	switch {
	case f.o.Budget < 0:
		return math.MaxInt
	case a == nil || time.Since(a.since) >= hour:
		return f.o.Budget
	}
	return max(0, f.o.Budget-a.used)
}

// LeftInAll is how many requests there may still be, of all sites.
func (f *Fetcher) LeftInAll() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.Total == 0 {
		return math.MaxInt
	}
	return f.o.Total - f.made
}

// room tells whether the site may be asked: it does not rest, and its budget has room.
// Else the error says from when on.
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
