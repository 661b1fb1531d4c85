package mined

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

const maxHost = 255 + len(":65535") // bytes; RFC 1035, section 2.3.4

// Host is the host of an authority in normal form; the default ports are in
// digits. False for what is no host, and for one with a user before it. It
// allocates only if the host is not written so.
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

// splitPort parts an authority; false if one of its bytes is no part of a host.
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

// consists tells whether a text that is not empty is made of such bytes.
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

// WithoutPort takes the port off a host in normal form.
func WithoutPort(host string) string {
	if at := strings.LastIndexByte(host, ':'); at >= 0 && host[len(host)-1] != ']' {
		return host[:at]
	}
	return host
}

// Domain is the domain that somebody registered, of which a host in normal form
// is part; an address, or a name of one label, is its own. It asks the public
// suffix list, and allocates.
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
