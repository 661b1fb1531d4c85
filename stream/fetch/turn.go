package fetch

import (
	"context"
	"maps"
	"net/http"
	"time"

	"dustbuster/stream/fetch/gate"
)

// turn is the right of a goroutine to ask a server, while no other goroutine does. A request passes
// four gates: of its server, its site, its origin and the process.
//
// A server is a host, or an origin with all its sites. If Options.OriginDelay is less than Delay, each
// host behind the origin is a server, and the origin's gate has what they share.
type turn struct {
	f            *Fetcher
	server, site *door
	origin       *gate.Gate // nil: there is no origin
	pass         *Pass
}

// door is a gate and what else is known under its key.
type door struct {
	gate.Gate
	users int       // goroutines that use the door, which is not forgotten meanwhile
	ready time.Time // of a site: when all of its hosts may be asked

	turn      chan struct{} // of a server: holds a token while a goroutine has the turn
	transport *http.Transport
}

func (d *door) settled(now time.Time) bool {
	return d.Settled(now, max(d.Delay, maxCrawlDelay)) && !now.Before(d.ready)
}

// doors are doors by key.
type doors map[string]*door

// open returns the door with a key, made if need be; nil: there are as many as may be.
func (ds doors) open(key string, most int, make func() *door) *door {
	if d := ds[key]; d != nil {
		return d
	}
	if now := time.Now(); len(ds) >= most {
		maps.DeleteFunc(ds, func(_ string, d *door) bool { return d.users == 0 && d.settled(now) })
	}
	if len(ds) >= most {
		return nil
	}
	ds[key] = make()
	return ds[key]
}

func (f *Fetcher) siteOf(site string) *door { return f.sites.open(site, f.o.MaxHosts, f.newSite) }

func (f *Fetcher) newSite() *door {
	return &door{Gate: gate.Gate{Budget: max(0, f.o.Budget), Period: hour}}
}

func (f *Fetcher) serverOf(p place) *door {
	o, key := f.origin(p.site), p.host
	switch {
	case o != nil && f.apart():
		key = o.address + " " + p.host
	case o != nil:
		key = o.address
	}
	return f.servers.open(key, f.o.MaxHosts, func() *door {
		return &door{Gate: gate.Gate{Last: f.start}, turn: make(chan struct{}, 1), transport: f.transport(o, p.host)}
	})
}

// apart reports whether the hosts behind an origin are asked side by side.
func (f *Fetcher) apart() bool { return f.o.OriginDelay < f.o.Delay }

// behind returns the gate of a site's origin; nil: the site has none. The caller holds mu.
func (f *Fetcher) behind(site string) *gate.Gate {
	o := f.origin(site)
	if o == nil {
		return nil
	}
	if f.shared[o.address] == nil {
		f.shared[o.address] = &gate.Gate{Delay: f.o.OriginDelay, Last: f.start}
	}
	return f.shared[o.address]
}

// inTurn waits for the turn of a place's server and then calls ask. If the site's budget
// is used up, inTurn returns an error instead.
func (f *Fetcher) inTurn(ctx context.Context, p place, pass *Pass, ask func(*turn) error) error {
	t := &turn{f: f, pass: pass}
	if err := t.enter(p); err != nil {
		return err
	}
	defer t.use(-1)
	if ctx.Err() != nil {
		return p.refuse(Cancelled, ctx.Err())
	}
	select {
	case t.server.turn <- struct{}{}:
	case <-ctx.Done():
		return p.refuse(Cancelled, ctx.Err())
	}
	defer func() { <-t.server.turn }()
	return ask(t)
}

// enter finds the gates of a place. They are not forgotten until use(-1).
func (t *turn) enter(p place) error {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	t.server, t.site, t.origin = t.f.serverOf(p), t.f.siteOf(p.site), t.f.behind(p.site)
	if t.server == nil || t.site == nil {
		return p.refuse(Full, nil)
	}
	if err := t.refused(p, time.Now()); err != nil {
		return err
	}
	t.server.users++
	t.site.users++
	return nil
}

func (t *turn) use(n int) {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	t.server.users += n
	t.site.users += n
}

// refused returns why the site is not asked at all, and until when. The caller holds mu.
func (t *turn) refused(p place, now time.Time) error {
	switch {
	case t.f.all.Left(now) == 0:
		return p.refuse(Spent, nil)
	case now.Before(t.site.Rest):
		return p.refuseUntil(Resting, t.site.Rest, nil)
	case t.site.Left(now) == 0:
		return p.refuseUntil(Budget, t.site.Renews(now), nil)
	}
	return nil
}

// wait waits until the server may be asked, and then until the process and the origin may make a request.
// Meanwhile an answer to another request may have asked for a rest.
func (t *turn) wait(ctx context.Context, p place) error {
	began := time.Now()
	t.f.mu.Lock()
	t.server.Delay = t.f.delay(p, t.site)
	err := t.refused(p, began) // before a useless wait
	t.f.mu.Unlock()
	if err != nil {
		return err
	}
	var taken time.Time
	inRow := func(now time.Time) time.Time {
		if taken.IsZero() {
			taken = t.take(now)
		}
		return taken
	}
	for _, opens := range []func(time.Time) time.Time{t.opens, inRow, t.opens} {
		if err := t.f.until(ctx, p, opens); err != nil {
			return err
		}
	}
	t.f.count(func(n *Stats) { n.Waited += time.Since(began).Seconds() })
	return nil
}

// opens returns when the server may be asked. The caller holds mu.
func (t *turn) opens(now time.Time) time.Time { return gate.Latest(t.server.Opens(now), t.site.Hold) }

// take takes a place in the rows of the process and the origin. The caller holds mu.
func (t *turn) take(now time.Time) time.Time {
	t.pass.use()
	at := t.f.all.Take(now)
	if t.origin != nil {
		at = t.origin.Take(at)
	}
	return at
}

// until waits until the time that opens returns, which may become later meanwhile. opens is called with mu held.
func (f *Fetcher) until(ctx context.Context, p place, opens func(now time.Time) time.Time) error {
	for {
		f.mu.Lock()
		now := time.Now()
		at := opens(now)
		f.mu.Unlock()
		if !at.After(now) {
			return nil
		}
		if end, ok := ctx.Deadline(); ok && end.Before(at) {
			return p.refuseUntil(Held, at, nil)
		}
		timer := time.NewTimer(at.Sub(now))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return p.refuse(Cancelled, ctx.Err())
		}
	}
}

// begin takes a request from the budgets and records its begin.
func (t *turn) begin(p place) (now time.Time, err error) {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	now = time.Now()
	if err := t.refused(p, now); err != nil {
		return now, err
	}
	t.site.Spend(now)
	t.f.all.Spend(now)
	t.asked(now)
	return now, nil
}

// asked records the begin or end of a request. The caller holds mu.
func (t *turn) asked(now time.Time) {
	t.server.Last, t.site.Delay = now, t.server.Delay
	t.site.ready = gate.Latest(t.site.ready, now.Add(t.server.Pace()), t.server.Hold)
}

// end records the end of a request, and what its answer says of the server. It returns the events to report.
// Another answer than 429 or 503 ends a row of them only for a document, since an overloaded server often
// still serves robots.txt. A request without an answer changes nothing of the row.
func (t *turn) end(p place, e *Event) []Event {
	t.f.mu.Lock()
	defer t.f.mu.Unlock()
	now, all, apart := time.Now(), []Event{*e}, t.origin != nil && t.f.apart()
	if e.Held > 0 {
		t.server.Until(now.Add(e.Held))
	}
	if e.Held > 0 && apart { // the answer speaks for its own host
		t.origin.Until(now.Add(min(e.Held, 10*t.origin.Delay)))
	}
	t.asked(now)
	if isBusy := busy(e.Status); isBusy || e.Status != 0 && p.path != "/robots.txt" {
		if rest := t.site.Answered(now, isBusy, e.Held); rest > 0 {
			all = append(all, Event{Kind: Rested, Site: p.site, URL: e.URL, Status: e.Status, Row: t.site.Row, Held: rest})
		}
	}
	if e.Reason != "" || busy(e.Status) {
		return all
	}
	if apart {
		t.origin.Took(e.Took)
	}
	if news, median := t.server.Took(e.Took); news != gate.Nothing {
		kind := Slowed
		if news == gate.Recovered {
			kind = Recovered
		}
		all = append(all, Event{Kind: kind, Site: e.Site, URL: e.URL, Delay: t.server.Pace(), Took: median})
	}
	return all
}
