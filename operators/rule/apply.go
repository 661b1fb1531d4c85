package rule

import (
	"bytes"
	"strings"

	"dustbuster/operators/dust"
)

// Apply applies the rule once. Apply appends the edited URL to dst, or returns dst
// unchanged if the URL does not change. The rule must be valid. dst and url may share
// memory if url does not lie behind dst's end. Apply allocates only to grow dst. O(bytes
// of url), times the bytes of From at worst.
func (r *Rule) Apply(dst, url []byte) (out []byte, changed bool) {
	if !r.Scope.Holds(url) {
		return dst, false
	}
	switch r.Kind {
	case Drop:
		return dropParam(dst, url, r.Param)
	case Set:
		return setParam(dst, url, r.Param, r.Value)
	}
	at := r.find(url)
	if at < 0 {
		return dst, false
	}
	dst = append(dst, url[:at]...)
	dst = append(dst, r.To...)
	return append(dst, url[at+len(r.From):]...), true
}

func hasPrefix(url []byte, prefix string) bool {
	return len(url) >= len(prefix) && string(url[:len(prefix)]) == prefix
}

// hasPath reports whether a URL's path, without '?', equals path.
func hasPath(url []byte, path string) bool {
	return hasPrefix(url, path) && (len(url) == len(path) || url[len(path)] == '?')
}

// find returns the offset of the occurrence of From to replace, or -1.
func (r *Rule) find(url []byte) int {
	last := len(url) - len(r.From)
	switch {
	case last < 0 || r.AtStart && r.AtEnd && last > 0:
		return -1
	case r.AtStart:
		return r.at(url, 0)
	case r.AtEnd:
		return r.at(url, last)
	case r.From == "":
		return r.at(url, 0)
	}
	for at := 0; at <= last; at++ {
		next := bytes.IndexByte(url[at:last+1], r.From[0])
		if next < 0 {
			return -1
		}
		if at += next; r.at(url, at) >= 0 {
			return at
		}
	}
	return -1
}

// at returns the offset itself if From stands there on token boundaries and may be
// replaced, else -1.
func (r *Rule) at(url []byte, at int) int {
	end := at + len(r.From)
	if string(url[at:end]) == r.From && dust.Boundary(url, at) && dust.Boundary(url, end) && !r.beheads(url, at) && !r.made(url, at) {
		return at
	}
	return -1
}

// beheads reports whether an edit would remove the slash at the beginning of a path. The
// rest would be no path, or part of the host before the path.
func (r *Rule) beheads(url []byte, at int) bool {
	switch {
	case at > 0 || len(url) == 0 || url[0] != '/':
		return false
	case r.To != "":
		return r.To[0] != '/'
	}
	return len(url) == len(r.From) || url[len(r.From)] != '/'
}

// made reports whether an occurrence of From is part of a To on token boundaries.
func (r *Rule) made(url []byte, at int) bool {
	for k := 0; k+len(r.From) <= len(r.To); k++ {
		next := strings.Index(r.To[k:], r.From)
		if next < 0 {
			return false
		}
		k += next
		start, end := at-k, at-k+len(r.To)
		if start >= 0 && end <= len(url) && string(url[start:end]) == r.To && dust.Boundary(url, start) && dust.Boundary(url, end) {
			return true
		}
	}
	return false
}
