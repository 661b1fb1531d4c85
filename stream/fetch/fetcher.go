package fetch

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"dustbuster/stream/fetch/gate"
	"dustbuster/stream/recent"
)

// Said is what a server says about an answer in its header.
type Said struct {
	Canonical string // target of the Link header with rel=canonical, as sent; "" if there is none
	NoIndex   bool   // an X-Robots-Tag header asks that no index hold the document
	Varies    bool   // Vary names what tells browsers from this program: they may be sent another page
}

// Document is the answer at a mined string, or at the end of its redirects.
type Document struct {
	Site        string
	Target      string // as a mined string, after redirects
	Redirected  bool   // Target differs from the requested string
	Status      int    // any status: a 404 is a document, too; a 3xx is a redirect that leads nowhere
	ContentType string
	Content     any   // the result of Digest; nil unless the status is 2xx
	Size        int64 // bytes of the body, decompressed
	Sent        int64 // bytes of the body, as sent
	Header      int64 // bytes of the header, approximately
	Said
	Truncated bool      // the body was longer than MaxBody: Content and Size belong to its beginning
	At        time.Time // when the server last confirmed the answer, or an older redirect to it
	Cached    bool      // no request was made
	place     place     // place of the document
}

// Fetcher fetches documents. Any goroutine may use a Fetcher. Between two calls a
// Fetcher holds at most one idle connection to each server, for 30 s.
type Fetcher struct {
	o        Options
	agent    string
	start    time.Time
	never    *never
	standard *origin            // for sites not in origins; may be nil
	origins  map[string]*origin // by site

	mu      sync.Mutex
	stats   Stats
	answers *recent.Map[string, *answer] // used last, by URL
	rules   *recent.Map[string, rules]   // in force for the hosts asked last
	servers doors
	sites   doors
	shared  map[string]*gate.Gate // of origins, by address
	all     gate.Gate             // of the process
}

// burst is the time of which requests may be made up for at once, in seconds: see Options.Rate.
const burst = 0.1

// New returns a Fetcher. Invalid options are an error.
func New(o Options) (*Fetcher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	f := &Fetcher{
		o: o, start: time.Now(), origins: map[string]*origin{},
		answers: recent.New(math.MaxInt, o.CacheBytes, bytesOf), rules: recent.New(o.MaxHosts, maxRules, sizeOf),
		servers: doors{}, sites: doors{}, shared: map[string]*gate.Gate{}, all: gate.Gate{Budget: o.Total},
	}
	if o.Rate > 0 {
		f.all.Delay = time.Duration(float64(time.Second) / o.Rate)
		f.all.Slack = time.Duration(max(0, math.Ceil(o.Rate*burst)-1)) * f.all.Delay
	}
	var err error
	if f.never, err = newNever(o.Actions, o.Never); err != nil {
		return nil, err
	}
	if f.agent, err = o.userAgent(); err != nil {
		return nil, err
	}
	if o.Origin != "" {
		if f.standard, err = parseOrigin(o.Origin, o.Private); err != nil {
			return nil, err
		}
	}
	for site, s := range o.Origins {
		if f.origins[site], err = parseOrigin(s, o.Private); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *Fetcher) origin(site string) *origin {
	if o, ok := f.origins[site]; ok {
		return o
	}
	return f.standard
}

// Origin returns the host and port to which the connections of a site go, or "" if they
// go to its own hosts.
func (f *Fetcher) Origin(site string) string {
	if o := f.origin(site); o != nil {
		return o.address
	}
	return ""
}

// Where returns the URL at which a mined string is requested. The error is an *Error that says why the string is never
// requested. Where does not consult robots.txt, which would take a request.
func (f *Fetcher) Where(site, target string) (string, error) {
	p, err := f.askable(&Request{Site: site, Target: target})
	if err != nil {
		return "", err
	}
	return p.url(), nil
}

// askable returns where a request goes, or why it is never made.
func (f *Fetcher) askable(q *Request) (p place, err error) {
	if p, err = f.place(q); err == nil {
		if why := f.never.why(p.path, true); why != "" {
			err = p.refuse(why, nil)
		}
	}
	return p, err
}

// CanFetch reports whether the configuration allows fetching a site. Without an origin,
// an address as a site's name does not count: in a log, an address in place of a host
// comes from the client. Documents of an archive can be had of any site with a name.
func (f *Fetcher) CanFetch(site string) bool {
	if f.o.Archive != nil {
		return site != ""
	}
	return f.origin(site) != nil || site != "" && f.o.Scheme != "" && !isAddress(site)
}

// Request says which document is wanted, and on what terms.
type Request struct {
	Site    string
	Target  string                     // a mined string
	Fresh   bool                       // the cache does not count: two documents of one URL show whether the page differs from itself
	Purpose string                     // Events report it
	MayLead func(from, to string) bool // reports whether a redirect of Target, which is from, may be followed to another mined string; called by the goroutine of Get; nil: always
	Pass    *Pass                      // the turn that the request is part of; may be nil
}

// Get returns the document that a Request asks for, following redirects within the site. Get
// waits until the host may be asked or ctx ends. If the deadline of ctx is too early, it
// returns at once (Held). An error is always an *Error, whose Reason says why there is no
// document.
func (f *Fetcher) Get(ctx context.Context, q Request) (Document, error) {
	d, err := f.chase(ctx, &q)
	return d, f.told(err)
}

// chase follows redirects to their end.
func (f *Fetcher) chase(ctx context.Context, q *Request) (Document, error) {
	p, err := f.place(q)
	cached, seen, oldest := true, map[string]bool{}, time.Time{}
	for err == nil {
		seen[p.url()] = true
		got, hit, failed := f.hop(ctx, p, q)
		if failed != nil {
			return Document{}, failed
		}
		cached = cached && hit
		if oldest.IsZero() || got.At.Before(oldest) {
			oldest = got.At
		}
		if !got.redirects() {
			d := got.Document
			d.Site, d.Target, d.place = p.site, p.target(), p
			d.Redirected, d.Cached, d.At = d.Target != q.Target, cached, oldest
			return d, nil
		}
		p, err = f.next(p, q, got.location, seen)
	}
	return Document{}, err
}

// next returns the target of a redirect if it may be followed.
func (f *Fetcher) next(p place, q *Request, location string, seen map[string]bool) (place, error) {
	next, err := f.within(p, location)
	switch {
	case err != nil:
		return next, err
	case !seen[next.url()] && len(seen) <= maxRedirects:
		if q.MayLead != nil && !q.MayLead(q.Target, next.target()) {
			return next, next.refuse(Unasked, nil)
		}
		return next, nil
	case f.wantsTLS(p, location):
		return next, p.refuse(Loop, errTLS)
	}
	return next, p.refuse(Loop, nil)
}

// place determines where a request goes.
func (f *Fetcher) place(q *Request) (place, error) {
	p, err := parse(q.Site, q.Target, f.o.Within)
	if err != nil {
		return p, &Error{Reason: Target, Site: q.Site, Target: q.Target, Err: err}
	}
	if !f.CanFetch(q.Site) {
		return p, p.refuse(NoOrigin, nil)
	}
	p.scheme, p.purpose = f.o.Scheme, q.Purpose
	if o := f.origin(q.Site); o != nil {
		p.scheme, p.host = o.scheme, cmp.Or(p.host, o.host)
	}
	return p, nil
}

// within returns the target of a redirect if it is within the site.
func (f *Fetcher) within(p place, location string) (place, error) {
	next, err := p.follow(f.origin(p.site), location)
	if err != nil {
		return next, p.refuse(Target, err)
	}
	if !f.same(p, next) || p.scheme == "https" && next.scheme == "http" {
		e := p.refuse(OffSite, nil)
		e.Location = location
		return next, e
	}
	return next, nil
}

// same reports whether a redirect from p leads to a host of p's site. Without an origin, the
// port must be that of p or of the scheme, so no server can choose one to connect to.
func (f *Fetcher) same(p, next place) bool {
	if next.host == p.host {
		return true
	}
	port := portIn(next.host)
	return p.whole && f.o.Within(p.site, next.host) && (f.origin(p.site) != nil || port == "" || port == portIn(p.host))
}

// follow resolves a redirect. A request to an origin uses its scheme, whatever the public
// one of the site. The origin's own names for the site are replaced by those in the log.
func (p place) follow(o *origin, location string) (place, error) {
	next, err := p.redirect(location)
	if err == nil && o != nil {
		next.scheme = o.scheme
		next.host, next.called = o.logged(p, next.host), next.host
	}
	return next, err
}

// Refusal returns the error with which Get would end, as far as that is known without a request; nil if it is not.
func (f *Fetcher) Refusal(q Request) error {
	if f.o.Archive != nil {
		return nil
	}
	p, err := f.askable(&q)
	if r, known := f.known(p); known && err == nil {
		err = r.check(p)
	}
	return f.told(err)
}

// told tells of a refusal, and returns it.
func (f *Fetcher) told(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		f.emit(Event{Kind: Refused, Site: e.Site, URL: e.Target, Reason: e.Reason, Err: e})
	}
	return err
}

// hop returns the answer at one place, and whether it came from the cache.
func (f *Fetcher) hop(ctx context.Context, p place, q *Request) (got *answer, hit bool, err error) {
	if f.o.Archive != nil {
		return f.recorded(p)
	}
	if why := f.never.why(p.path, p.redirects == 0); why != "" {
		return nil, false, p.refuse(why, nil)
	}
	if got := f.cached(p, q.Fresh); got != nil {
		return got, true, nil
	}
	if err := f.obey(ctx, p, q.Pass); err != nil {
		return nil, false, err
	}
	err = f.inTurn(ctx, p, q.Pass, func(t *turn) (err error) {
		if got = f.cached(p, q.Fresh); got != nil { // has entered the cache meanwhile
			hit = true
			return nil
		}
		got, err = t.page(ctx, p, q.Fresh)
		return err
	})
	return got, hit, err
}

// page requests a page. Unless it is to be fresh, an older answer may be confirmed.
func (t *turn) page(ctx context.Context, p place, fresh bool) (*answer, error) {
	old := t.f.old(p)
	if fresh || old != nil && old.failures > 0 { // a failure cannot be confirmed
		old = nil
	}
	got, err := t.ask(ctx, p, old, t.f.digested(p, asSent))
	if err != nil {
		return nil, err
	}
	t.f.remember(p, got)
	return got, nil
}
