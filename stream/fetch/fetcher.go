package fetch

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"dustbuster/stream/recent"
)

// Document is the answer at a mined string, or at the end of its redirects.
type Document struct {
	Site        string
	Target      string // as a mined string, after redirects
	Host        string // the host that answered
	Redirected  bool   // Target differs from the requested string
	Status      int    // any status: a 404 is a document, too; a 3xx is a redirect that leads nowhere
	ContentType string
	Content     any       // the result of Digest; nil unless the status is 2xx
	Size        int64     // bytes of the body, decompressed
	Sent        int64     // bytes of the body, as sent
	Header      int64     // bytes of the header, approximately
	Canonical   string    // target of the Link header with rel=canonical, as sent; "" if there is none
	NoIndex     bool      // an X-Robots-Tag header asks that no index hold the document
	Truncated   bool      // the body was longer than MaxBody: Content and Size belong to its beginning
	At          time.Time // when the server last confirmed the answer, or an older redirect to it
	Cached      bool      // no request was made
	place       place     // place of the document
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
	answers  *answers

	mu       sync.Mutex
	made     int // number of requests
	stats    Stats
	rules    *recent.Map[string, rules] // in force for the hosts asked last
	servers  map[string]*server
	pace     *pace
	accounts map[string]*account

	connect func(d *net.Dialer, ctx context.Context, network, address string) (net.Conn, error) // replaced by tests, and by Options.Dial
}

// New returns a Fetcher. Invalid options are an error.
func New(o Options) (*Fetcher, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	f := &Fetcher{
		o: o, start: time.Now(), answers: newAnswers(o.CacheBytes), rules: recent.New(o.MaxHosts, maxRules, func(_ string, r rules) int64 { return int64(r.size()) }), origins: map[string]*origin{},
		servers: map[string]*server{}, pace: newPace(o.Rate), accounts: map[string]*account{}, connect: (*net.Dialer).DialContext,
	}
	if o.Dial != nil {
		f.connect = func(_ *net.Dialer, ctx context.Context, network, address string) (net.Conn, error) {
			return o.Dial(ctx, network, address)
		}
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

// Where returns the URL at which a mined string is requested. The error is an *Error
// that says why the string is never requested. Where does not consult robots.txt, which
// would take a request.
func (f *Fetcher) Where(site, target string) (string, error) {
	p, err := f.place(site, target)
	if err != nil {
		return "", err
	}
	if why := f.never.why(p.path, true); why != "" {
		return "", p.refuse(why, nil)
	}
	return p.url(), nil
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

// Get returns the document at a mined string of a site, following redirects within it. Get
// waits until the host may be asked or ctx ends. If the deadline of ctx is too early, it
// returns at once (Held). An error is always an *Error, whose Reason says why there is no
// document.
func (f *Fetcher) Get(ctx context.Context, site, target string) (Document, error) {
	return f.get(ctx, site, target, false)
}

// Again is like Get without the cache. Two documents of one URL, fetched one after the
// other, show whether the page differs from itself.
func (f *Fetcher) Again(ctx context.Context, site, target string) (Document, error) {
	return f.get(ctx, site, target, true)
}

func (f *Fetcher) get(ctx context.Context, site, target string, again bool) (Document, error) {
	d, err := f.chase(ctx, site, target, again)
	var e *Error
	if errors.As(err, &e) {
		f.emit(Event{Kind: Refused, Site: e.Site, URL: e.Target, Reason: e.Reason, Err: e})
	}
	return d, err
}

// chase follows redirects to their end.
func (f *Fetcher) chase(ctx context.Context, site, target string, again bool) (Document, error) {
	p, err := f.place(site, target)
	if err != nil {
		return Document{}, err
	}
	seen := map[string]bool{}
	cached := true
	var oldest time.Time
	for {
		seen[p.url()] = true
		got, hit, err := f.hop(ctx, p, again)
		if err != nil {
			return Document{}, err
		}
		cached = cached && hit
		if oldest.IsZero() || got.At.Before(oldest) {
			oldest = got.At
		}
		if !got.redirects() {
			d := got.Document
			d.Site, d.Target, d.Host, d.place = p.site, p.target(), p.host, p
			d.Redirected, d.Cached, d.At = d.Target != target, cached, oldest
			return d, nil
		}
		next, err := f.within(p, got.location)
		if err != nil {
			return Document{}, err
		}
		if seen[next.url()] || len(seen) > f.o.MaxRedirects {
			var why error
			if f.wantsTLS(p, got.location) {
				why = errTLS
			}
			return Document{}, p.refuse(Loop, why)
		}
		if !mayLead(ctx, target, next.target()) {
			return Document{}, next.refuse(Unasked, nil)
		}
		p = next
	}
}

// place determines where a mined string is to be fetched.
func (f *Fetcher) place(site, target string) (place, error) {
	p, err := parse(site, target, f.o.Within)
	if err != nil {
		return p, &Error{Reason: Target, Site: site, Target: target, Err: err}
	}
	if !f.CanFetch(site) {
		return p, p.refuse(NoOrigin, nil)
	}
	p.scheme = f.o.Scheme
	if o := f.origin(site); o != nil {
		p.scheme = o.scheme
		if p.host == "" {
			p.host = o.host
		}
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

// hop returns the answer at one place, and whether it came from the cache.
func (f *Fetcher) hop(ctx context.Context, p place, again bool) (got *answer, hit bool, err error) {
	if f.o.Archive != nil {
		return f.recorded(p)
	}
	if why := f.never.why(p.path, p.redirects == 0); why != "" {
		return nil, false, p.refuse(why, nil)
	}
	if got := f.cached(p, again); got != nil {
		return got, true, nil
	}
	if r, ok := f.known(p); ok { // a known refusal need not queue
		if err := r.check(p); err != nil {
			return nil, false, err
		}
	}
	for {
		err := f.turn(ctx, p, func(s *server, a *account) (err error) {
			if got = f.cached(p, again); got != nil { // has entered the cache meanwhile
				hit = true
				return nil
			}
			got, err = f.inTurn(ctx, s, a, p, again)
			return err
		})
		var moved *elsewhere
		if !errors.As(err, &moved) {
			return got, hit, err
		}
		if err := f.pursue(ctx, p, moved); err != nil {
			return nil, false, err
		}
	}
}

// turn waits for the turn of a place's server and then calls ask. If the site's budget
// is used up, turn returns an error instead.
func (f *Fetcher) turn(ctx context.Context, p place, ask func(*server, *account) error) error {
	s, a, err := f.enter(p)
	if err != nil {
		return err
	}
	defer f.leave(s, a)
	if err := f.room(a, p); err != nil {
		return err
	}
	if err := s.take(ctx); err != nil {
		return p.refuse(Cancelled, err)
	}
	defer s.pass()
	return ask(s, a)
}

func (f *Fetcher) inTurn(ctx context.Context, s *server, a *account, p place, again bool) (*answer, error) {
	r, err := f.obey(ctx, s, a, p)
	if err != nil {
		return nil, err
	}
	if err := r.check(p); err != nil {
		return nil, err
	}
	var old *answer
	if !again {
		old, _ = f.answers.Get(p.url())
	}
	if old != nil && old.failures > 0 {
		old = nil // a failure cannot be confirmed
	}
	got, err := f.ask(ctx, s, a, p, old, f.digested(p))
	if err != nil {
		return nil, err
	}
	f.remember(p, got)
	return got, nil
}
