package admit

import (
	"bytes"
	"fmt"

	"dustbuster/operators/dust"
	"dustbuster/operators/mined"
	"dustbuster/operators/table"
	"dustbuster/operators/weblog"

	"github.com/dchest/siphash"
)

// Options say what is admitted and whose it is.
type Options struct {
	Site      string                   // host of records that name none
	ByDomain  bool                     // one site for all hosts of a registrable domain
	Groups    map[string][]string      // site -> its hosts; "*.example.org" is every host below
	Hosts     []string                 // those that count, written alike; none: all do
	MaxBytes  int                      // longest mined string, in bytes
	MaxTokens int                      // and in tokens, without ^ and $; at most 65,533
	Ignore    func(client []byte) bool // tells whose records are left out; nil: nobody's
	Key       [2]uint64                // of the hash of clients: one for a deployment
}

// Defaults bound a mined string by 2,048 bytes and 400 tokens. The longest URLs of
// twelve real lists, scanners apart, have 1,111 bytes and 376 tokens.
func Defaults() Options { return Options{MaxBytes: 2048, MaxTokens: 400} }

// Reason says why a record was refused; Admitted, that it was not.
type Reason uint8

// What admission can say.
const (
	Admitted  Reason = iota
	Method           // not a GET
	Status           // not a whole page: an error, a redirect, a part
	Target           // neither a path nor a URL of the web
	Control          // control bytes in the target
	Host             // not the name of a host
	Client           // to be ignored
	Validator        // our own fetches
	TooLong          // more bytes than MaxBytes
	TooMany          // more tokens than MaxTokens
	OtherHost        // none of Options.Hosts
	Reasons          // how many there are
)

var reasons = [Reasons]string{"admitted", "method", "status", "target", "control_bytes", "host",
	"ignored_client", "own_validator", "too_many_bytes", "too_many_tokens", "other_host"}

// String is the reason's name in statistics.
func (r Reason) String() string { return reasons[r] }

// Gate admits records. It belongs to one goroutine.
type Gate struct {
	o      Options
	sites  sites
	url    []byte // the mined string at hand: the log's bytes, or buffer
	buffer []byte
}

// mostTokens is what the indexes can count, which they do with ^ and $.
const mostTokens = 65_533

// New returns a gate. An error names the group, the site, the host or the bound
// that cannot be.
func New(o Options) (*Gate, error) {
	if o.MaxTokens > mostTokens {
		return nil, fmt.Errorf("read bounds: URLs of %d tokens are more than the %d that can be counted", o.MaxTokens, mostTokens)
	}
	s, err := newSites(o)
	return &Gate{o: o, sites: s}, err
}

// ownAgent is how our validator's user agent begins.
var ownAgent = []byte("dustbuster/")

// Admit turns a record into an observation of a site. The observation's URL is
// valid as long as the record is, and until the next Admit. No allocation, but
// for a host not seen lately.
func (g *Gate) Admit(o *table.Observation, h *weblog.Hit) (site string, why Reason) {
	switch {
	case string(h.Method) != "GET":
		return "", Method
	case h.Status < 200 || h.Status > 299 || h.Status == 204 || h.Status == 206:
		return "", Status
	case bytes.HasPrefix(h.Agent, ownAgent):
		return "", Validator
	case g.o.Ignore != nil && g.o.Ignore(h.Client):
		return "", Client
	}
	host, path, ok := splitTarget(h.Target)
	if !ok {
		return "", Target
	}
	if len(host) == 0 {
		host = h.Host
	}
	place, ok := g.sites.find(host)
	switch {
	case !ok:
		return "", Host
	case place.other:
		return "", OtherHost
	}
	if why := g.mine(place.prefix, path); why != Admitted {
		return "", why
	}
	g.observe(o, h)
	return place.site, Admitted
}

// observe fills in an observation of g.url.
func (g *Gate) observe(o *table.Observation, h *weblog.Hit) {
	client := uint8(siphash.Hash(g.o.Key[0], g.o.Key[1], h.Client))
	*o = table.Observation{URL: g.url, Time: h.Time, Class: h.Class, Min: h.Size, Max: h.Size,
		DigestMin: h.Digest, DigestMax: h.Digest, ClientMin: client, ClientMax: client}
}

// splitTarget parts a request target into host and path with query. The host of
// a path is empty; the path of a URL may be empty or begin with "?" or "#".
func splitTarget(target []byte) (host, path []byte, ok bool) {
	if len(target) > 0 && target[0] == '/' {
		return nil, target, true
	}
	rest, ok := cutScheme(target)
	if !ok {
		return nil, nil, false
	}
	end := bytes.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host = rest[:end]
	if at := bytes.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return host, rest[end:], len(host) > 0
}

// cutScheme takes "http://" or "https://" off, in any case.
func cutScheme(target []byte) ([]byte, bool) {
	for _, scheme := range []string{"http://", "https://"} {
		if n := len(scheme); len(target) >= n && bytes.EqualFold(target[:n], []byte(scheme)) {
			return target[n:], true
		}
	}
	return nil, false
}

// mine makes g.url of a prefix and a path: the log's own bytes, if nothing has to be
// changed.
func (g *Gate) mine(prefix string, path []byte) Reason {
	end, size, ok := mined.Measure(path)
	switch {
	case !ok:
		return Control
	case len(prefix)+size > g.o.MaxBytes:
		return TooLong
	case len(prefix)+size == end:
		g.url = path[:end]
	default:
		g.buffer = mined.Append(append(g.buffer[:0], prefix...), path[:end])
		g.url = g.buffer
	}
	if len(g.url) > g.o.MaxTokens && dust.CountTokens(g.url) > g.o.MaxTokens {
		return TooMany
	}
	return Admitted
}
