// Package urlnorm normalizes URLs. Admission of log lines and canonization of URLs must
// agree on this form, so both use this package.
//
// A mined string is a path and query, beginning with "/" and without the fragment. For
// rules between hosts, the host stands before the path. Bytes that cannot stand in a URL
// (space, ", <, > and bytes above ASCII), which only sloppy clients send, are
// percent-encoded with capital digits. So a mined string is printable ASCII without
// spaces. Existing percent-encoding is kept.
//
// A host in normal form is in lower case, without a trailing dot and without a default
// port. The default port depends on the scheme. A log does not name the scheme, so 80 and
// 443 are both default ports for logged hosts. An https URL with port 80 is another
// server than the URL without a port.
package urlnorm

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

const maxHost = 255 + len(":65535") // bytes; RFC 1035, section 2.3.4

// Host returns the host of an authority in normal form. Default ports are given in digits. ok
// is false if the authority is not a host, or has a user in front. Host allocates only if the
// authority is not in normal form.
func Host(authority string, defaultPorts ...string) (host string, ok bool) {
	name, port, ok := splitPort(authority)
	if !ok || len(authority) > maxHost {
		return "", false
	}
	name = strings.ToLower(strings.TrimRight(name, "."))
	if name == "" || name[0] == '.' {
		return "", false
	}
	switch {
	case port == "" || slices.Contains(defaultPorts, port):
		return name, true
	case len(authority) == len(name)+1+len(port) && authority[:len(name)] == name:
		return authority, true
	}
	return name + ":" + port, true
}

// splitPort splits an authority into name and port, or returns false if a byte cannot be
// part of a host.
func splitPort(authority string) (name, port string, ok bool) {
	end := 0
	if strings.HasPrefix(authority, "[") { // an IPv6 address
		end = strings.IndexByte(authority, ']') + 1
		ok = end > 0 && consists(authority[1:end-1], addressByte)
	} else {
		end = strings.IndexByte(authority, ':')
		if end < 0 {
			end = len(authority)
		}
		ok = consists(authority[:end], nameByte)
	}
	name, port = authority[:end], authority[end:]
	if port == "" {
		return name, "", ok
	}
	port, colon := strings.CutPrefix(port, ":")
	return name, port, ok && colon && len(port) <= 5 && consists(port, digit)
}

// consists reports whether a text is not empty and is reports true for every byte.
func consists(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return s != ""
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func nameByte(c byte) bool {
	return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '.' || c == '_'
}

func addressByte(c byte) bool {
	return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' || c == ':' || c == '.'
}

// WithoutPort returns a host in normal form without the port.
func WithoutPort(host string) string {
	if at := strings.LastIndexByte(host, ':'); at >= 0 && host[len(host)-1] != ']' {
		return host[:at]
	}
	return host
}

// Domain returns the registrable domain of a host in normal form, from the public suffix list.
// An address, or a name with one label, is its own domain. Domain allocates.
func Domain(host string) string {
	name := WithoutPort(host)
	if strings.HasPrefix(name, "[") || strings.Trim(name, "0123456789.") == "" {
		return name
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return domain
	}
	return name
}
