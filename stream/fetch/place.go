package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// place is the URL of a document of a site.
type place struct {
	site   string
	scheme string
	host   string // with a port other than the scheme's
	path   string // and query, byte for byte as requested
	whole  bool   // the mined strings of this site begin with the host
	called string // the host's name in the redirect of an origin; "": host

	redirects int    // number of redirects that led here
	purpose   string // of the request
}

// maxTarget is the longest path and query requested, in bytes. Servers accept about
// this much in a request line.
const maxTarget = 8192

var (
	errTarget = errors.New("not printable ASCII without #, or too long")
	errHost   = errors.New("not the name of a host")
	errWithin = errors.New("not a host of the site")
)

// target returns the place as a mined string.
func (p place) target() string {
	if p.whole {
		return p.host + p.path
	}
	return p.path
}

// url returns the place as an absolute URL.
func (p place) url() string { return p.scheme + "://" + p.header() + p.path }

// header returns the value of the Host header.
func (p place) header() string { return cmp.Or(p.called, p.host) }

// parse splits a mined string. The scheme is not part of a mined string.
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

// askable reports whether a path and query can stand in a request line and mean the
// same to every reader: no byte could end the line, the path or the query.
func askable(path string) bool {
	return len(path) <= maxTarget && strings.HasPrefix(path, "/") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '#' })
}

// isHost reports whether a string is a host in normal form, as made by admission, and as the
// URL library parses it.
func isHost(s string) bool {
	if host, ok := urlnorm.Host(s); !ok || host != s {
		return false
	}
	u, err := url.Parse("http://" + s)
	return err == nil && u.Host == s && u.Hostname() != ""
}

// isAddress reports whether a host in normal form is an address. A name whose last part is a
// number also counts, because resolvers and browsers read it as an IPv4 address.
func isAddress(host string) bool {
	host = urlnorm.WithoutPort(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	hex, ok := strings.CutPrefix(last, "0x")
	return strings.HasPrefix(host, "[") || strings.Trim(last, "0123456789") == "" || ok && strings.Trim(hex, "0123456789abcdef") == ""
}

// redirect resolves the Location of an answer from p. The result may lie on another
// host: see within.
func (p place) redirect(location string) (place, error) {
	if len(location) > maxTarget {
		return p, errTarget
	}
	ref, err := url.Parse(plain(location))
	if err != nil {
		return p, err
	}
	base, err := url.Parse(p.url())
	if err != nil { // logged paths may contain a % that encodes nothing
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

// plain percent-encodes the characters that sloppy servers leave bare, so that the
// library keeps the rest of the path unchanged. Control bytes stay, and the library
// refuses them.
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

// requestURI returns the path and query of a URL. The library's method writes a path
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

// normalHost returns the host of a URL in normal form, or "" if it is invalid.
func normalHost(u *url.URL) string {
	port := "80"
	if u.Scheme == "https" {
		port = "443"
	}
	host, _ := urlnorm.Host(strings.TrimSuffix(u.Host, ":"), port) // an empty port is valid
	return host
}
