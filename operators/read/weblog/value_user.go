package weblog

import "bytes"

// oneUser reports whether b can be the name of a user. The name may contain blanks, but
// not a separate dash, which stands for a missing field. A value with a separate dash
// holds the client and perhaps the user, after a host, a time or another program's words
// that were read as the client. (Old releases of ingress-nginx log the client again, in
// brackets, and a dash.)
func oneUser(b []byte) bool {
	if len(b) < 2 || b[0] == '[' {
		return true
	}
	b = bytes.TrimSpace(b)
	return !bytes.HasPrefix(b, dashBefore) && !bytes.Contains(b, dashWithin)
}

var dashBefore, dashWithin = []byte("- "), []byte(" - ")

// words reports whether a client is several words and not a list.
func words(client []byte) bool {
	return bytes.IndexByte(client, ' ') >= 0 && bytes.IndexByte(client, ',') < 0
}
