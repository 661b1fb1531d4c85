package weblog

import "bytes"

// peerAddress removes the port of an address:port, and words before, such as a log's tag
// ("haproxy[12]: "). An IPv6 address may have brackets.
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

// noStatus is the status that HAProxy logs if there was no response.
const noStatus = "-1"

const wantWhole = "a request line that ends in its protocol (HAProxy cuts long ones)"

// wholeRequest reports whether a request line is as long as the client sent it. The
// server writes HTTP/1.0 if there is no protocol.
func wholeRequest(b []byte) bool {
	i := bytes.IndexByte(b, ' ')
	return i <= 0 || !capitals(b[:i]) || protocolLen(b) > 0
}
