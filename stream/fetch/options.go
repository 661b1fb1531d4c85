package fetch

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"dustbuster/operators/action"
	"dustbuster/operators/mined"
)

// Options say whom the Fetcher may ask, how often, and what it may cost. A site
// without an origin is fetched only if Scheme is set.
type Options struct {
	Version string // of this program; the user agent is "dustbuster/VERSION (+CONTACT)"
	Contact string // an address or a page that tells the site's owner whom to ask; "": none is given

	Origin  string            // of all sites that Origins does not name: "http://127.0.0.1:8081"; connections go there, the Host header and the name in TLS stay the site's
	Origins map[string]string // by site
	Scheme  string            // "http" or "https": sites without an origin are fetched by their own name, from public addresses; "": they are not fetched. Names come from logs, and so from whoever wrote a Host header
	Private []netip.Prefix    // addresses other than public ones that origins may lead to; an origin that is itself a private or loopback address, or localhost, need not be named here

	Allow   func(site string) bool       // asked right before each request: whether the site may be fetched by this process still; nil: it may
	Within  func(site, host string) bool // tells whether a host is the site's, where the mined strings have hosts; nil: the site's name and those below it
	Actions []string                     // words that make a URL one that does something, see action.New; nil: the standard ones
	Never   []string                     // patterns of paths, with their query, that are never fetched: they begin with / or *, and match as in robots.txt

	Delay        time.Duration // between the end of a request and the next to the same host; 0: 1 s
	Budget       int           // requests per site and hour, redirects and robots.txt among them; 0: 1000; negative: no limit
	Total        int           // requests in all, of all sites, since New; 0: no limit
	MaxHold      time.Duration // the longest that Retry-After is believed; 0: a day
	Timeout      time.Duration // of a request, from connecting to the last byte; 0: 30 s
	MaxBody      int64         // bytes kept of a body, before and after decompression; 0: 2 MiB
	MaxHeader    int64         // bytes of a response's header; 0: 64 KiB
	MaxRedirects int           // followed for one document; 0: 5
	RobotsFor    time.Duration // a robots.txt is believed; 0, and at most: 24 h
	RobotsRetry  time.Duration // after which an unreachable one is asked for again; 0: 10 min
	CacheSize    int           // answers kept; 0: 4096
	CacheFor     time.Duration // an answer counts without asking the server whether it has changed; 0: 1 h
	MaxHosts     int           // whose politeness is kept track of; 0: 4096

	Digest   func(contentType string, body []byte) any // what becomes of the body of a 2xx, which is not kept itself; the body is valid until Digest returns; nil: a copy
	Trace    func(Event)                               // told each request and each refusal, from the goroutine of Get; nil: nobody is
	Resolver *net.Resolver                             // nil: the system's
	RootCAs  *x509.CertPool                            // nil: the system's
}

// maxCrawlDelay is the longest Crawl-delay that is waited for. Who asks for more
// does not want to be asked at all.
const maxCrawlDelay = time.Hour

func (o Options) withDefaults() Options {
	preset(&o.Delay, time.Second)
	preset(&o.Budget, 1000)
	preset(&o.MaxHold, 24*time.Hour)
	preset(&o.Timeout, 30*time.Second)
	preset(&o.MaxBody, 2<<20)
	preset(&o.MaxHeader, 64<<10)
	preset(&o.MaxRedirects, 5)
	preset(&o.RobotsFor, 24*time.Hour)
	preset(&o.RobotsRetry, 10*time.Minute)
	preset(&o.CacheSize, 4096)
	preset(&o.CacheFor, time.Hour)
	preset(&o.MaxHosts, 4096)
	o.RobotsFor = min(o.RobotsFor, 24*time.Hour) // RFC 9309, section 2.4
	if o.Allow == nil {
		o.Allow = func(string) bool { return true }
	}
	if o.Within == nil {
		o.Within = Below
	}
	if o.Actions == nil {
		o.Actions = []string{action.Standard}
	}
	if o.Digest == nil {
		o.Digest = func(_ string, body []byte) any { return append([]byte(nil), body...) }
	}
	if o.Trace == nil {
		o.Trace = func(Event) {}
	}
	return o
}

func preset[N ~int | ~int64](field *N, value N) {
	if *field == 0 {
		*field = value
	}
}

// Below tells whether a host, of any port, is a site, or below it.
func Below(site, host string) bool {
	host = mined.WithoutPort(host)
	return site != "" && (host == site || strings.HasSuffix(host, "."+site))
}

func (o Options) check() error {
	if o.Scheme != "" && o.Scheme != "http" && o.Scheme != "https" {
		return fmt.Errorf("read scheme %q: neither http nor https", o.Scheme)
	}
	for _, n := range []int64{int64(o.Delay), int64(o.MaxHold), int64(o.Timeout), o.MaxBody, o.MaxHeader, int64(o.MaxRedirects),
		int64(o.RobotsFor), int64(o.RobotsRetry), int64(o.CacheSize), int64(o.CacheFor), int64(o.MaxHosts), int64(o.Total)} {
		if n < 0 {
			return errors.New("read options of fetching: a bound is negative")
		}
	}
	return nil
}

// userAgent begins with dustbuster/, by which admission knows our own requests
// in the log and leaves them out.
func (o Options) userAgent() (string, error) {
	version := o.Version
	if version == "" {
		version = "dev"
	}
	if strings.ContainsFunc(version, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fmt.Errorf("read version %q: not printable ASCII", version)
	}
	if o.Contact == "" {
		return "dustbuster/" + version, nil
	}
	if strings.ContainsFunc(o.Contact, func(r rune) bool { return r < ' ' || r >= 0x7f || strings.ContainsRune(`()\`, r) }) {
		return "", fmt.Errorf("read contact %q: not printable ASCII without parentheses", o.Contact)
	}
	return "dustbuster/" + version + " (+" + o.Contact + ")", nil
}
