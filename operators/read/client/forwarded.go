package client

import (
	"bytes"
	"net/netip"
)

// Proxies says whose word about the client counts. The zero value trusts nobody by name.
type Proxies struct {
	Trusted []netip.Prefix // addresses of proxies
	Header  string         // header that counts before X-Forwarded-For, without regard to case; "": none
}

// Trusts reports whether an address is named as that of a proxy. O(prefixes).
func (x *Proxies) Trusts(a netip.Addr) bool {
	for i := range x.Trusted {
		if x.Trusted[i].Contains(a) {
			return true
		}
	}
	return false
}

// isBetween are the bytes between the elements of a list, and around them. IIS writes a blank as '+'.
var isBetween = [256]bool{',': true, ' ': true, '\t': true, '(': true, ')': true, '+': true}

// Last returns the client of a list of forwarded addresses: the last that is neither private nor
// named as a proxy's. Each proxy appends the address that it was asked from, so what stands before
// may be the client's invention. An element that does not tell (unknown, unix:) is passed over.
// Another text ends the list, and without an address before that, the result is nil. The list may be
// that of X-Forwarded-For, with or without blanks and quotes, or of Forwarded (RFC 7239). The result
// aliases list or *buf. O(bytes).
func (x *Proxies) Last(list []byte, buf *[]byte) []byte {
	for {
		element, rest := cutLast(list)
		if element == nil {
			return nil
		}
		list = rest
		if quad, ok := parseQuad(element); ok && len(x.Trusted) == 0 { // nearly all
			if !isPrivateIPv4(quad) {
				return element
			}
			continue
		}
		text := Clean(element, buf)
		if text == nil || text[0] == '_' { // RFC 7239: a name that tells nothing
			continue
		}
		a, ok := Parse(text)
		switch {
		case !ok:
			return nil
		case !Private(a) && !x.Trusts(a):
			return text
		}
	}
}

// Nearest returns the last element of a list that tells somebody, private or not, and nil if none
// does. O(bytes).
func Nearest(list []byte, buf *[]byte) []byte {
	for {
		element, rest := cutLast(list)
		if element == nil {
			return nil
		}
		if text := Clean(element, buf); text != nil {
			return text
		}
		list = rest
	}
}

// IsList reports whether a text is a list of forwarded addresses, at least one of which tells
// somebody. O(bytes).
func IsList(list []byte) bool {
	told := false
	var buf []byte
	for {
		element, rest := cutLast(list)
		if element == nil {
			return told
		}
		list = rest
		text := Clean(element, &buf)
		if text == nil {
			continue
		}
		if _, ok := Parse(text); !ok {
			return false
		}
		told = true
	}
}

// Several reports whether a text may be several addresses.
func Several(b []byte) bool {
	b = trim(b)
	return bytes.IndexByte(b, ',') >= 0 || bytes.IndexByte(b, ' ') >= 0
}

// cutLast returns the last element of a list, and what stands before. The element is nil if there is
// none.
func cutLast(list []byte) (element, before []byte) {
	for {
		for len(list) > 0 && (isBetween[list[len(list)-1]] || isAround[list[len(list)-1]]) {
			list = list[:len(list)-1]
		}
		if len(list) == 0 {
			return nil, nil
		}
		start := len(list)
		for start > 0 && !isBetween[list[start-1]] {
			start--
		}
		element, before = list[start:], list[:start]
		if bytes.IndexByte(element, '=') < 0 {
			return element, before
		}
		if element = forOf(element); element != nil {
			return element, before
		}
		list = before
	}
}

// forOf returns the value of "for" among the pairs of an element of Forwarded, or nil.
func forOf(element []byte) []byte {
	for rest := element; len(rest) > 0; {
		var pair []byte
		pair, rest, _ = bytes.Cut(rest, []byte(";"))
		name, value, _ := bytes.Cut(pair, []byte("="))
		if bytes.EqualFold(name, []byte("for")) && len(value) > 0 {
			return value
		}
	}
	return nil
}
