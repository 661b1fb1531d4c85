package weblog

import "bytes"

// peerAddress cuts the port off an address:port, and words before it, as a
// log's tag ("haproxy[12]: "). An IPv6 address comes in brackets or without.
func peerAddress(b []byte) []byte {
	b = b[bytes.LastIndexByte(b, ' ')+1:]
	if i := bytes.LastIndexByte(b, ':'); i >= 0 && digits(b[i+1:]) == len(b)-i-1 {
		b = b[:i]
	}
	if n := len(b); n > 1 && b[0] == '[' && b[n-1] == ']' {
		b = b[1 : n-1]
	}
	return b
}

// noStatus is what HAProxy logs where there was no answer.
const noStatus = "-1"

const wantWhole = "a request line that ends in its protocol (HAProxy cuts long ones)"

// wholeRequest reports whether a request line is as long as the client sent it,
// to a server that writes HTTP/1.0 where there is no protocol.
func wholeRequest(b []byte) bool {
	i := bytes.IndexByte(b, ' ')
	return i <= 0 || !capitals(b[:i]) || protocolLen(b) > 0
}
