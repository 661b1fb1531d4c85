package canon

import (
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// address is an absolute URL, split into parts.
type address struct {
	scheme      string // as written, with "://"
	origin      string // scheme and authority as written
	host        string // in normal form
	defaultPort string
	path        string // path, query and fragment as written
}

// parseAddress splits a URL, or returns false if the scheme is not http or https, or the
// authority is not a plain host.
func parseAddress(url string) (a address, ok bool) {
	for _, s := range [...]struct{ scheme, port string }{{"https://", "443"}, {"http://", "80"}} {
		if n := len(s.scheme); len(url) > n && strings.EqualFold(url[:n], s.scheme) {
			a.scheme, a.defaultPort = url[:n], s.port
		}
	}
	if a.scheme == "" {
		return a, false
	}
	end := len(a.scheme)
	for end < len(url) && url[end] != '/' && url[end] != '?' && url[end] != '#' {
		end++
	}
	a.origin, a.path = url[:end], url[end:]
	a.host, ok = urlnorm.Host(url[len(a.scheme):end], a.defaultPort)
	return a, ok
}

// mined appends the mined form of the path to prefix, or returns false if there are
// control bytes or the result is too long.
func (a *address) mined(prefix []byte) (text []byte, ok bool) {
	end, size, ok := urlnorm.Measure(a.path)
	if !ok || len(prefix)+size > rule.MaxBytes {
		return nil, false
	}
	if size == end {
		return append(prefix, a.path[:end]...), true
	}
	return urlnorm.Append(prefix, a.path[:end]), true
}
