package urlnorm

import "strings"

// Address is an absolute URL, split into parts.
type Address struct {
	Scheme      string // as written, with "://"
	Origin      string // scheme and authority as written
	Host        string // in normal form
	DefaultPort string
	Path        string // path, query and fragment as written
}

// ParseAddress splits a URL, or returns false if the scheme is not http or https, or the
// authority is not a plain host.
func ParseAddress(url string) (a Address, ok bool) {
	for _, s := range [...]struct{ scheme, port string }{{"https://", "443"}, {"http://", "80"}} {
		if n := len(s.scheme); len(url) > n && strings.EqualFold(url[:n], s.scheme) {
			a.Scheme, a.DefaultPort = url[:n], s.port
		}
	}
	if a.Scheme == "" {
		return a, false
	}
	end := len(a.Scheme)
	for end < len(url) && url[end] != '/' && url[end] != '?' && url[end] != '#' {
		end++
	}
	a.Origin, a.Path = url[:end], url[end:]
	a.Host, ok = Host(url[len(a.Scheme):end], a.DefaultPort)
	return a, ok
}

// Fragment returns the fragment of the path if it names a page of its own: if it begins with
// "#!" or "#/", as the pages of some applications in a browser do. Otherwise it returns "".
func (a *Address) Fragment() string {
	at := strings.IndexByte(a.Path, '#')
	if at < 0 || !strings.HasPrefix(a.Path[at:], "#!") && !strings.HasPrefix(a.Path[at:], "#/") {
		return ""
	}
	return a.Path[at:]
}

// Mined appends the mined form of the path to prefix, or returns false if there are
// control bytes or the result has more than limit bytes.
func (a *Address) Mined(prefix []byte, limit int) (text []byte, ok bool) {
	end, size, ok := Measure(a.Path)
	if !ok || len(prefix)+size > limit {
		return nil, false
	}
	if size == end {
		return append(prefix, a.Path[:end]...), true
	}
	return Append(prefix, a.Path[:end]), true
}
