package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"dustbuster/operators/mined"
)

// place is where a document is: a URL of a site.
type place struct {
	site   string
	scheme string
	host   string // with a port that is not the scheme's
	path   string // and query, byte for byte as it is asked for
	whole  bool   // the mined strings of this site begin with the host
	called string // what an origin that redirected here calls the host; "": as it is

	redirects int // that led here
}

// maxTarget is the longest path and query that is asked for, in bytes. Servers
// take about as much in a request line.
const maxTarget = 8192

var (
	errTarget = errors.New("not printable ASCII without #, or too long")
	errHost   = errors.New("not the name of a host")
	errWithin = errors.New("not a host of the site")
)

// target is the place as a mined string.
func (p place) target() string {
	if p.whole {
		return p.host + p.path
	}
	return p.path
}

// url is the place as an absolute URL.
func (p place) url() string { return p.scheme + "://" + p.header() + p.path }

// header is what goes into the Host header.
func (p place) header() string { return cmp.Or(p.called, p.host) }

// parse takes a mined string apart. The scheme is not known from it.
func parse(site, target string, within func(site, host string) bool) (place, error) {
	p := place{site: site, host: site, path: target, whole: !strings.HasPrefix(target, "/")}
	if p.whole {
		slash := max(strings.IndexByte(target, '/'), 0)
		p.host, p.path = target[:slash], target[slash:]
		if p.host == "" || !within(site, p.host) {
			return p, errWithin
		}
	}
	if !askable(p.path) {
		return p, errTarget
	}
	if p.host != "" && !isHost(p.host) {
		return p, errHost
	}
	return p, nil
}

// askable tells whether a path and query can stand in a request line and be one
// for every reader: nothing that could end the line, the path or the query.
func askable(path string) bool {
	return len(path) <= maxTarget && strings.HasPrefix(path, "/") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '#' })
}

// isHost tells whether a string is a host in normal form, as admission makes them,
// and the URL library reads all of it as one.
func isHost(s string) bool {
	if host, ok := mined.Host(s); !ok || host != s {
		return false
	}
	u, err := url.Parse("http://" + s)
	return err == nil && u.Host == s && u.Hostname() != ""
}

// isAddress tells whether a host in normal form is an address: one of IPv6, or a name
// whose last part is a number, which resolvers and browsers take for one of IPv4.
func isAddress(host string) bool {
	host = mined.WithoutPort(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	hex, ok := strings.CutPrefix(last, "0x")
	return strings.HasPrefix(host, "[") || strings.Trim(last, "0123456789") == "" || ok && strings.Trim(hex, "0123456789abcdef") == ""
}

// redirect resolves the Location of an answer from p. The result may be of
// another host: see within.
func (p place) redirect(location string) (place, error) {
	if len(location) > maxTarget {
		return p, errTarget
	}
	ref, err := url.Parse(plain(location))
	if err != nil {
		return p, err
	}
	base, err := url.Parse(p.url())
	if err != nil { // logged paths may have a % that encodes nothing
		base = &url.URL{Scheme: p.scheme, Host: p.header(), Path: "/"}
	}
	to := base.ResolveReference(ref)
	if to.Scheme != "http" && to.Scheme != "https" || to.Opaque != "" || to.User != nil {
		return p, fmt.Errorf("not a plain http or https URL: %q", location)
	}
	next := p
	next.redirects++
	next.scheme, next.host, next.path, next.called = to.Scheme, normalHost(to), requestURI(to), ""
	if !isHost(next.host) {
		return p, errHost
	}
	if !askable(next.path) {
		return p, errTarget
	}
	return next, nil
}

// plain percent-encodes what sloppy servers leave bare, so that the library keeps
// the rest of the path as it stands. Control bytes remain, which it refuses.
func plain(location string) string {
	var b strings.Builder
	query := false
	for i := range len(location) {
		c := location[i]
		query = query || c == '?'
		switch {
		case c == ' ', c >= 0x80, strings.IndexByte(`"<>`, c) >= 0, !query && strings.IndexByte("\\^`{|}", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// requestURI is the path and query of a URL. The library's own writes a path
// that begins with // differently.
func requestURI(u *url.URL) string {
	path := u.EscapedPath()
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if u.ForceQuery || u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// normalHost is the host of a URL in normal form; "" if that is none.
func normalHost(u *url.URL) string {
	port := "80"
	if u.Scheme == "https" {
		port = "443"
	}
	host, _ := mined.Host(strings.TrimSuffix(u.Host, ":"), port) // an empty port is one too
	return host
}
