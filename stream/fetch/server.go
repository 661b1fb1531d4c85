package fetch

import (
	"context"
	"net/http"
	"time"
)

// server is the unit of politeness: an origin, or a host fetched by its own name. Sites
// behind one origin take turns, unless Options.OriginDelay is less than Delay: then each of
// their hosts is a server, and a pace has what they share.
type server struct {
	turn      chan struct{} // holds a token while a goroutine has the turn
	transport *http.Transport

	tempo tempo // of the server's answers

	users int       // number of goroutines that have the turn or wait for it
	last  time.Time // end of the last request, or start of the request in flight
	hold  time.Time // earliest next request, as the server asked
}

// enter returns the server of a place and the account of its site. Neither is dropped until
// the caller calls leave.
func (f *Fetcher) enter(p place) (*server, *account, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, a := f.serverOf(p), f.accountOf(p.site, time.Now())
	if s == nil || a == nil {
		return nil, nil, p.refuse(Full, nil)
	}
	s.users++
	a.users++
	return s, a, nil
}

func (f *Fetcher) leave(s *server, a *account) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.users--
	a.users--
}

func (f *Fetcher) serverOf(p place) *server {
	o, key := f.origin(p.site), p.host
	switch {
	case o != nil && f.apart():
		key = o.address + " " + p.host
	case o != nil:
		key = o.address
	}
	if s := f.servers[key]; s != nil {
		return s
	}
	if len(f.servers) >= f.o.MaxHosts && !f.forgetServers() {
		return nil
	}
	s := &server{turn: make(chan struct{}, 1), transport: f.transport(o, p.host), last: f.start}
	f.servers[key] = s
	return s
}

// apart reports whether the hosts behind an origin are asked side by side.
func (f *Fetcher) apart() bool { return f.o.OriginDelay < f.o.Delay }

// forgetServers drops the servers without users and without a running delay, and
// reports whether there were any.
func (f *Fetcher) forgetServers() bool {
	before, now := len(f.servers), time.Now()
	for key, s := range f.servers {
		if s.users == 0 && now.After(s.hold) && now.After(s.last.Add(maxCrawlDelay)) {
			delete(f.servers, key)
		}
	}
	return len(f.servers) < before
}

// take waits for the turn.
func (s *server) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *server) pass() { <-s.turn }

// pause waits, with the turn held, until the server may be asked. The delay after the
// last request, the server's Retry-After and the state from before a restart decide.
func (f *Fetcher) pause(ctx context.Context, s *server, a *account, p place, delay time.Duration) error {
	for began := time.Now(); ; {
		f.mu.Lock()
		open := latest(s.last.Add(delay), s.hold, a.floor)
		f.mu.Unlock()
		if time.Until(open) <= 0 {
			f.count(func(n *Stats) { n.Waited += time.Since(began).Seconds() })
			return nil
		}
		if err := f.until(ctx, p, open); err != nil {
			return err
		}
	}
}

func latest(times ...time.Time) time.Time {
	var last time.Time
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// took records the duration of an answer, and reports an event if the answers have become
// slow, slower, or quick again.
func (f *Fetcher) took(s *server, e Event, delay time.Duration) {
	f.mu.Lock()
	s.tempo.took(e.Took)
	if o := f.sharedOf(e.Site); o != nil && f.apart() {
		o.tempo.took(e.Took)
	}
	news := Event{Kind: s.tempo.news(delay), Site: e.Site, URL: e.URL, Delay: s.tempo.slowed(delay)}
	if news.Kind != "" {
		news.Took = median(s.tempo.late)
	}
	f.mu.Unlock()
	if news.Kind != "" {
		f.emit(news)
	}
}

// slowed returns the delay between requests, lengthened for a server with slow answers.
func (f *Fetcher) slowed(s *server, delay time.Duration) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.tempo.slowed(delay)
}

// asked records the start or end of a request, and the server's Retry-After.
func (f *Fetcher) asked(s *server, a *account, delay time.Duration, hold time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	s.last = now
	if hold > 0 {
		s.hold = latest(s.hold, now.Add(hold))
		f.holdOrigin(a.site, now, hold)
	}
	a.delay = delay
	a.next = latest(a.next, now.Add(s.tempo.slowed(delay)), s.hold)
}
