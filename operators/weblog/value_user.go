package weblog

import "bytes"

// oneUser reports whether b can be the name of a user. Blanks may be in it, but not
// a dash by itself, which stands for a field that is not there: what has one holds
// the client and perhaps the user, behind a host, a time or another program's words
// that were taken for the client. (Old releases of ingress-nginx have the client
// again, in brackets, and a dash.)
func oneUser(b []byte) bool {
	if len(b) < 2 || b[0] == '[' {
		return true
	}
	b = bytes.TrimSpace(b)
	return !bytes.HasPrefix(b, dashBefore) && !bytes.Contains(b, dashWithin)
}

var dashBefore, dashWithin = []byte("- "), []byte(" - ")

// words reports whether what was taken for a client is several words and no list.
func words(client []byte) bool {
	return bytes.IndexByte(client, ' ') >= 0 && bytes.IndexByte(client, ',') < 0
}
