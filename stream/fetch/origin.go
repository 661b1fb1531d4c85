package fetch

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dustbuster/operators/url/urlnorm"

	"code.dny.dev/ssrf"
)

// origin is a server that stands for sites: connections go to the origin whatever the
// site's name.
type origin struct {
	scheme  string
	host    string         // as configured, with a port other than the scheme's
	address string         // host and port to connect to
	port    uint16         // the only allowed port
	private []netip.Prefix // allowed although not public
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// parseOrigin parses scheme://host[:port]. An address named in the configuration may be
// private or loopback. A name other than localhost may lead only to public addresses and to
// the private ones listed, because its owner can change its addresses.
func parseOrigin(s string, private []netip.Prefix) (*origin, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("read origin %q: want http://HOST[:PORT] or https://HOST[:PORT]", s)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || (u.Path != "" && u.Path != "/") ||
		u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, fmt.Errorf("read origin %q: want http://HOST[:PORT] or https://HOST[:PORT]", s)
	}
	o := &origin{scheme: u.Scheme, host: normalHost(u), private: slices.Clone(private)}
	if !isHost(o.host) {
		return nil, fmt.Errorf("read origin %q: %w", s, errHost)
	}
	name := (&url.URL{Host: o.host}).Hostname()
	if o.port, err = portOf(u); err != nil {
		return nil, fmt.Errorf("read origin %q: %w", s, err)
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		ip = ip.Unmap()
		name = ip.String()
		if ip.IsPrivate() || ip.IsLoopback() {
			o.private = append(o.private, netip.PrefixFrom(ip, ip.BitLen()))
		}
		if err := o.guard().SafeAddr(ip); err != nil {
			return nil, fmt.Errorf("read origin %q: %w", s, err)
		}
	} else if name == "localhost" {
		o.private = append(o.private, loopback...)
	}
	o.address = net.JoinHostPort(name, strconv.Itoa(int(o.port)))
	return o, nil
}

// logged returns the host, as written in the log, to which an origin redirects from p.
// A server that does not know its public name redirects to itself or to its own port. So
// its own host, and p's name with its port or without one, mean p's host. Another name with
// its port loses the port, unless p's host has one.
func (o *origin) logged(p place, host string) string {
	name, port := urlnorm.WithoutPort(host), portIn(host)
	itsOwn := port == "" || port == strconv.Itoa(int(o.port))
	switch {
	case host == o.host, itsOwn && name == urlnorm.WithoutPort(p.host):
		return p.host
	case itsOwn && portIn(p.host) == "":
		return name
	}
	return host
}

// portIn returns the port of a host in normal form, or "" if there is none.
func portIn(host string) string {
	return strings.TrimPrefix(host[len(urlnorm.WithoutPort(host)):], ":")
}

func portOf(u *url.URL) (uint16, error) {
	switch {
	case u.Port() != "":
		n, err := strconv.ParseUint(u.Port(), 10, 16)
		return uint16(n), err
	case u.Scheme == "https":
		return 443, nil
	}
	return 80, nil
}

// guard returns the check of each address right before connecting, after all names are
// resolved. The tables of the check are generated from IANA's registries of special
// purpose addresses. Of IPv6, the check allows 2000::/3 without the special addresses.
func (o *origin) guard() *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, p := range o.private {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return ssrf.New(ssrf.WithPorts(o.port), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...))
}

// public returns the guard of a site fetched by its own name. The allowed ports are
// those of http and https, and the port in the site's name.
func public(host string) *ssrf.Guardian {
	ports := []uint16{80, 443}
	if port, err := strconv.ParseUint((&url.URL{Host: host}).Port(), 10, 16); err == nil {
		ports = append(ports, uint16(port))
	}
	return ssrf.New(ssrf.WithPorts(ports...))
}

// idle is the lifetime of a connection without a request. It is longer than most delays. A longer one would keep more
// connections than it spares: sites are tried one after the other, and a connection takes 16 KB.
const idle = 30 * time.Second

// transport makes the connections to one server, one after the other, without proxy,
// cookies, HTTP/2 or decompression. At most one connection is open between requests.
func (f *Fetcher) transport(o *origin, host string) *http.Transport {
	guard, address := public(host), ""
	if o != nil {
		guard, address = o.guard(), o.address
	}
	dialer := &net.Dialer{Timeout: f.o.Timeout, Resolver: f.o.Resolver, Control: guard.Safe}
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, named string) (net.Conn, error) {
			if address != "" {
				named = address
			}
			if f.o.Dial != nil {
				return f.o.Dial(ctx, network, named)
			}
			return dialer.DialContext(ctx, network, named)
		},
		TLSClientConfig:        &tls.Config{RootCAs: f.o.RootCAs, MinVersion: tls.VersionTLS12},
		MaxIdleConns:           1, // to one server, whatever the names of its sites
		IdleConnTimeout:        idle,
		DisableCompression:     true, // done in this package, with a bound
		ResponseHeaderTimeout:  f.o.Timeout,
		TLSHandshakeTimeout:    f.o.Timeout,
		MaxResponseHeaderBytes: maxHeader,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	return t
}
