package fetch

import (
	"context"
	"net/http"
	"time"
)

// server is what politeness is shown to: an origin, or a host fetched by its own
// name. Sites behind one origin take turns.
type server struct {
	turn      chan struct{} // holds a token while somebody has the turn
	transport *http.Transport

	tempo tempo // of its answers

	users int       // who have the turn or wait for it
	last  time.Time // end of the last request, or begin of one in flight
	hold  time.Time // not before, as the server wished
}

// server finds the server of a place, and takes part in it until leave.
func (f *Fetcher) server(p place) (*server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.serverOf(p)
	if s == nil {
		return nil, p.refuse(Full, nil)
	}
	s.users++
	return s, nil
}

func (f *Fetcher) serverOf(p place) *server {
	o, key := f.origin(p.site), p.host
	if o != nil {
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

func (f *Fetcher) leave(s *server) {
	f.mu.Lock()
	s.users--
	f.mu.Unlock()
}

// forgetServers drops those that nothing is known of any more which would matter:
// nobody waits, and no delay can still be running. False: there is none.
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

// pause waits, with the turn, until the server may be asked: the delay after the
// last request, what the server wished, and what was known before a restart.
func (f *Fetcher) pause(ctx context.Context, s *server, a *account, p place, delay time.Duration) error {
	for began := time.Now(); ; {
		f.mu.Lock()
		open := latest(s.last.Add(delay), s.hold, a.floor)
		f.mu.Unlock()
		wait := time.Until(open)
		if wait <= 0 {
			f.tally.waited(time.Since(began))
			return nil
		}
		if end, ok := ctx.Deadline(); ok && end.Before(open) {
			return p.refuseUntil(Held, open, nil)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return p.refuse(Cancelled, ctx.Err())
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

// took notes how long an answer took, and tells if the delay has become longer for it.
func (f *Fetcher) took(s *server, e Event, delay time.Duration) {
	f.mu.Lock()
	before := s.tempo.slowed(delay)
	s.tempo.took(e.Took)
	after := s.tempo.slowed(delay)
	f.mu.Unlock()
	if after > before {
		f.tell(Event{Kind: Slowed, Site: e.Site, URL: e.URL, Took: e.Took, Delay: after})
	}
}

// slowed is the delay between requests, given how long a server's answers take.
func (f *Fetcher) slowed(s *server, delay time.Duration) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.tempo.slowed(delay)
}

// asked notes that a request has begun or ended, and what the server wished.
func (f *Fetcher) asked(s *server, a *account, delay time.Duration, hold time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	s.last = now
	if hold > 0 {
		s.hold = latest(s.hold, now.Add(hold))
	}
	a.delay = delay
	a.next = latest(a.next, now.Add(s.tempo.slowed(delay)), s.hold)
}
