package admit

import (
	"bytes"
	"fmt"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
)

// Options configure admission.
type Options struct {
	Site      string                   // host of records that name none
	ByDomain  bool                     // one site for all hosts of a registrable domain
	Groups    map[string][]string      // site -> its hosts; "*.example.org" is every host below
	Hosts     []string                 // admitted hosts, in the syntax of Groups; empty: all
	MaxBytes  int                      // longest mined string, in bytes
	MaxTokens int                      // longest mined string, in tokens without ^ and $; at most 65,533
	Ignore    func(client []byte) bool // reports whether a client's records are left out; may be nil
	Key       [2]uint64                // key of the hash of clients; the same everywhere in a deployment

	// Denies reports whether a client is not the named crawler, by the family, that it calls itself; may be nil.
	Denies func(client []byte, family uint32) bool

	Label func(digest uint64) uint64 // the digest of an observation, from that of the hit; any goroutine may call it; nil: it stays
}

// Defaults returns the default options: mined strings of at most 2,048 bytes and 400
// tokens. The longest URLs of twelve real lists, scanners apart, have 1,111 bytes and 376
// tokens.
func Defaults() Options { return Options{MaxBytes: 2048, MaxTokens: 400} }

// Reason is the result of admission: Admitted, or the reason of a refusal.
type Reason uint8

// The results of admission.
const (
	Admitted  Reason = iota
	Method           // not a GET
	Status           // not a whole page: an error, a redirect, a part
	Target           // neither a path nor an http or https URL
	Control          // control bytes in the target
	Host             // not a valid host
	Client           // refused by Options.Ignore
	Validator        // a fetch by dustbuster's own validator
	TooLong          // more bytes than MaxBytes
	TooMany          // more tokens than MaxTokens
	OtherHost        // not in Options.Hosts
	Reasons          // the number of reasons
)

var reasons = [Reasons]string{"admitted", "method", "status", "target", "control_bytes", "host",
	"ignored_client", "own_validator", "too_many_bytes", "too_many_tokens", "other_host"}

// String returns the name of the reason in statistics.
func (r Reason) String() string { return reasons[r] }

// Gate admits records. A Gate belongs to one goroutine.
type Gate struct {
	o      Options
	sites  sites
	url    []byte // the current mined string: the log's bytes, or buffer
	buffer []byte
	agents *crawler.Memory

	seen   []seen // by seenAt
	client []byte // the network of the current client
}

// mostTokens is the greatest number of tokens the indexes can count, without ^ and $.
const mostTokens = 65_533

// New returns a gate. The error names the group, the site, the host or the bound that is
// not valid.
func New(o Options) (*Gate, error) {
	if o.MaxTokens > mostTokens {
		return nil, fmt.Errorf("read bounds: URLs of %d tokens are more than the %d that can be counted", o.MaxTokens, mostTokens)
	}
	s, err := newSites(o)
	return &Gate{o: o, sites: s, agents: crawler.NewMemory(), seen: make([]seen, 1<<seenBits)}, err
}

// ownAgent is the beginning of the validator's user agent.
var ownAgent = []byte("dustbuster/")

// isOwn reports whether an agent is that of the validator. Shippers leave quotes around agents.
func isOwn(agent []byte) bool {
	if len(agent) > 0 && (agent[0] == '"' || agent[0] == '\'' || agent[0] == '\\' || agent[0] == ' ') {
		agent = bytes.TrimLeft(agent, "\"'\\ ")
	}
	return bytes.HasPrefix(agent, ownAgent)
}

// Admit turns a record into an observation of a site. The observation's URL is valid
// until the next Admit, and only while the record is valid. Admit allocates only for a
// host not seen lately.
func (g *Gate) Admit(o *evidence.Observation, h *weblog.Hit) (site string, why Reason) {
	switch {
	case string(h.Method) != "GET":
		return "", Method
	case h.Status < 200 || h.Status > 299 || h.Status == 204 || h.Status == 206:
		return "", Status
	case isOwn(h.Agent):
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
	place := g.sites.find(host)
	switch {
	case place == nil:
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

func (g *Gate) observe(o *evidence.Observation, h *weblog.Hit) {
	// One by one: a whole Observation would be made elsewhere and copied, and the copy waits for the parts.
	o.URL, o.Time, o.Class = g.url, h.Time, h.Class
	o.Min, o.Max, o.DigestMin, o.DigestMax = h.Size, h.Size, h.Digest, h.Digest
	if g.o.Label != nil && h.Digest != 0 {
		label := g.o.Label(h.Digest)
		o.DigestMin, o.DigestMax = label, label
	}
	o.Clients, o.Families = g.who(h.Client, h.Agent)
}

// splitTarget splits a request target into the host, and the path with its query. The
// host of a path is empty. The path of a URL may be empty or begin with "?" or "#".
func splitTarget(target []byte) (host, path []byte, ok bool) {
	if len(target) > 0 && target[0] == '/' {
		return nil, target, true
	}
	rest, ok := cutScheme(target)
	if !ok {
		return nil, nil, false
	}
	start, end := 0, 0
	for ; end < len(rest) && !endsHost[rest[end]]; end++ {
		if rest[end] == '@' {
			start = end + 1
		}
	}
	return rest[start:end], rest[end:], end > start
}

var endsHost = [256]bool{'/': true, '?': true, '#': true}

// cutScheme removes "http://" or "https://", in any case.
func cutScheme(target []byte) ([]byte, bool) {
	for _, scheme := range [...]string{"http://", "https://"} {
		if n := len(scheme); len(target) >= n && string(target[:n]) == scheme {
			return target[n:], true
		}
	}
	for _, scheme := range [...]string{"http://", "https://"} {
		if n := len(scheme); len(target) >= n && bytes.EqualFold(target[:n], []byte(scheme)) {
			return target[n:], true
		}
	}
	return nil, false
}

// mine sets g.url to the mined string of a prefix and a path. If no byte changes, g.url
// is the log's own bytes.
func (g *Gate) mine(prefix string, path []byte) Reason {
	end, size, ok := urlnorm.Measure(path)
	switch {
	case !ok:
		return Control
	case len(prefix)+size > g.o.MaxBytes:
		return TooLong
	case len(prefix)+size == end:
		g.url = path[:end]
	default:
		g.buffer = urlnorm.Append(append(g.buffer[:0], prefix...), path[:end])
		g.url = g.buffer
	}
	if len(g.url) > g.o.MaxTokens && dust.CountTokens(g.url) > g.o.MaxTokens {
		return TooMany
	}
	return Admitted
}

// Mined returns the site and the mined string of a URL that no log has: of a host in normal form, or "" for the host of
// lines that name none, and a path. ok is false if no line with this URL would be admitted.
func (g *Gate) Mined(host, path string) (site, url string, ok bool) {
	place := g.sites.find([]byte(host))
	if place == nil || place.other || g.mine(place.prefix, []byte(path)) != Admitted {
		return "", "", false
	}
	return place.site, string(g.url), true
}

// Limits bound the URLs that a gate admits, and those that a miner takes from Kafka.
type Limits struct {
	MaxBytes  int // of a mined string
	MaxTokens int // of a mined string, without ^ and $
}

// Refuses reports whether no gate of these limits admits a URL: the URL is empty or
// too long, or holds a byte that cannot be in a mined string. O(bytes).
func (l Limits) Refuses(url []byte) bool {
	for _, c := range url {
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c >= 0x7f {
			return true
		}
	}
	return len(url) == 0 || len(url) > l.MaxBytes ||
		len(url) > l.MaxTokens && dust.CountTokens(url) > l.MaxTokens
}
