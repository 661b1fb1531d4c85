package fetch

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"dustbuster/operators/url/action"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/url/urlnorm"
)

// Options say which servers the Fetcher may ask, how often, and at what cost. A site
// without an origin is fetched only if Scheme is set.
type Options struct {
	Version string // version of this program; the user agent is "dustbuster/VERSION (+CONTACT)"
	Contact string // an address or a page for questions of a site's owner; "": none

	Origin  string            // of all sites not in Origins: "http://127.0.0.1:8081"; connections go there, while the Host header and the name in TLS stay the site's
	Origins map[string]string // by site
	Scheme  string            // "http" or "https": sites without an origin are fetched by their own name, from public addresses; "": they are not fetched. Names come from logs, so any client can choose them by a Host header
	Private []netip.Prefix    // addresses, besides public addresses, to which origins may lead; an origin given as a private or loopback address, or as localhost, needs no entry

	Archive Archive // all documents come from here, and no request is made; nil: from the sites

	Allow   func(site string) bool       // called right before each request; reports whether this process may still fetch the site; nil: always
	Within  func(site, host string) bool // reports whether a host belongs to the site, if the mined strings have hosts; nil: the site's name and all names below
	Actions []string                     // words that mark a URL as an action, see action.New; nil: the standard words
	Never   []string                     // patterns of paths, with their query, that are never fetched: a pattern begins with / or *, and matches as in robots.txt

	Delay       time.Duration // between the end of a request and the next request to the same host; 0: 1 s
	OriginDelay time.Duration // between the starts of two requests to one origin, to different hosts, if less than Delay; 0: Delay
	Rate        float64       // requests a second, to all sites; 0: no limit
	Budget      int           // requests per site and hour, including redirects and robots.txt; 0: 1000; negative: no limit
	Total       int           // requests to all sites since New; 0: no limit
	Timeout     time.Duration // of a request, from connecting to the last byte; 0: 30 s
	MaxBody     int64         // bytes kept of a body, before and after decompression; 0: 2 MiB
	CacheBytes  int64         // of the answers kept, with their digests if these are Sized; 0: 64 MiB
	MaxHosts    int           // bound on the hosts whose politeness is tracked; 0: 131,072

	Veil     secret.Veil                                       // examples in Stats go through it
	Digest   func(target, contentType string, body []byte) any // digest of the body of a 2xx; the body is not kept, and is valid until Digest returns; nil: a copy
	Trace    func(Event)                                       // called for each request and each refusal, from the goroutine of Get; may be nil
	Resolver *net.Resolver                                     // nil: the system's
	RootCAs  *x509.CertPool                                    // nil: the system's

	// Dial connects to servers that are not on the network, such as those of tests: no address is checked. nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

const (
	maxCrawlDelay = time.Hour        // the longest Crawl-delay obeyed; a host that asks for more is not asked at all
	maxHold       = 24 * time.Hour   // the longest Retry-After obeyed
	robotsFor     = 24 * time.Hour   // how long a robots.txt holds (RFC 9309, section 2.4)
	robotsRetry   = 10 * time.Minute // between requests for an unreachable robots.txt
	cacheFor      = time.Hour        // how long an answer is used without asking the server for changes
	maxHeader     = 64 << 10         // bytes of a response's header
	maxRedirects  = 5                // followed for one document
)

func (o Options) withDefaults() Options {
	o.Delay = cmp.Or(o.Delay, time.Second)
	o.OriginDelay = min(cmp.Or(o.OriginDelay, o.Delay), o.Delay)
	o.Budget = cmp.Or(o.Budget, 1000)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 2<<20)
	o.CacheBytes = cmp.Or(o.CacheBytes, 64<<20)
	o.MaxHosts = cmp.Or(o.MaxHosts, 1<<17)
	if o.Allow == nil {
		o.Allow = func(string) bool { return true }
	}
	if o.Within == nil {
		o.Within = Below
	}
	if o.Actions == nil {
		o.Actions = []string{action.Standard}
	}
	if o.Archive != nil {
		o.Origin, o.Origins, o.Scheme = "", nil, "http"
	}
	if o.Digest == nil {
		o.Digest = func(_, _ string, body []byte) any { return append([]byte(nil), body...) }
	}
	if o.Trace == nil {
		o.Trace = func(Event) {}
	}
	return o
}

// Below reports whether a host, of any port, is the site or a name below it.
func Below(site, host string) bool {
	host = urlnorm.WithoutPort(host)
	return site != "" && (host == site || strings.HasSuffix(host, "."+site))
}

func (o Options) check() error {
	if o.Scheme != "" && o.Scheme != "http" && o.Scheme != "https" {
		return fmt.Errorf("read scheme %q: neither http nor https", o.Scheme)
	}
	if min(o.Delay, o.OriginDelay, o.Timeout) < 0 || min(o.MaxBody, o.CacheBytes, int64(o.MaxHosts), int64(o.Total)) < 0 || o.Rate < 0 {
		return errors.New("read options of fetching: a bound is negative")
	}
	return nil
}

// tokenMarks are the characters of a token besides letters and digits (RFC 9110, 5.6.2).
const tokenMarks = "!#$%&'*+-.^_`|~"

// IsToken reports whether a text may stand behind the slash of a product in a user agent.
func IsToken(text string) bool {
	other := func(r rune) bool {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(tokenMarks, r)
	}
	return text != "" && !strings.ContainsFunc(text, other)
}

// userAgent returns the user agent. It begins with dustbuster/, by which admission
// recognizes this program's requests in the log and leaves them out.
func (o Options) userAgent() (string, error) {
	version := o.Version
	if version == "" {
		version = "devel"
	}
	if !IsToken(version) {
		return "", fmt.Errorf("read version %q: not letters, digits and %s", version, tokenMarks)
	}
	if o.Contact == "" {
		return "dustbuster/" + version, nil
	}
	if strings.ContainsFunc(o.Contact, func(r rune) bool { return r < ' ' || r >= 0x7f || strings.ContainsRune(`()\`, r) }) {
		return "", fmt.Errorf("read contact %q: not printable ASCII without parentheses", o.Contact)
	}
	return "dustbuster/" + version + " (+" + o.Contact + ")", nil
}
