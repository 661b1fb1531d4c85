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

	"dustbuster/operators/mined"

	"code.dny.dev/ssrf"
)

// origin is a server that stands for sites: connections go to it whatever the
// site's name is.
type origin struct {
	scheme  string
	host    string         // as configured, with a port that is not the scheme's
	address string         // host and port to connect to
	port    uint16         // the one port
	private []netip.Prefix // not public, and allowed nevertheless
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// parseOrigin reads scheme://host[:port]. What the configuration names in so many
// words may be private or loopback; a name other than localhost may lead to the
// private addresses listed, since who answers for it can change.
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

// logged is a host as the log has it to which an origin sends from p. A server that does
// not know that it is an origin names itself or its port: its own host, or p's name with
// the origin's port or with none, is p's host. Another name with the origin's port has
// no port, unless p's host has one.
func (o *origin) logged(p place, host string) string {
	name, port := mined.WithoutPort(host), portIn(host)
	itsOwn := port == "" || port == strconv.Itoa(int(o.port))
	switch {
	case host == o.host, itsOwn && name == mined.WithoutPort(p.host):
		return p.host
	case itsOwn && portIn(p.host) == "":
		return name
	}
	return host
}

// portIn is the port of a host in normal form; "" if it has none.
func portIn(host string) string { return strings.TrimPrefix(host[len(mined.WithoutPort(host)):], ":") }

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

// guard is what looks at each address right before it is connected to, after all
// names are resolved. Its tables are generated from IANA's registries of special
// purpose addresses; of IPv6 it lets through 2000::/3 without the special ones.
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

// public is the guard of a site that is fetched by its own name: the ports of
// http and https, and the one that the site's name has.
func public(host string) *ssrf.Guardian {
	ports := []uint16{80, 443}
	if port, err := strconv.ParseUint((&url.URL{Host: host}).Port(), 10, 16); err == nil {
		ports = append(ports, uint16(port))
	}
	return ssrf.New(ssrf.WithPorts(ports...))
}

// idle is how long a connection without a request is kept. It is longer than any delay
// that slow answers lead to.
const idle = 90 * time.Second

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
			return f.connect(dialer, ctx, network, named)
		},
		TLSClientConfig:        &tls.Config{RootCAs: f.o.RootCAs, MinVersion: tls.VersionTLS12},
		MaxIdleConns:           1, // to one server, whatever the names of its sites
		IdleConnTimeout:        idle,
		DisableCompression:     true, // done here, with a cap
		ResponseHeaderTimeout:  f.o.Timeout,
		TLSHandshakeTimeout:    f.o.Timeout,
		MaxResponseHeaderBytes: f.o.MaxHeader,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	return t
}
