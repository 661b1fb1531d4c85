package weblog

import "bytes"

// combinedForwarded is combined with X-Forwarded-For in front of the address of the
// connection, or behind it, as logged behind proxies: '%{X-Forwarded-For}i %h %l %u ...'.
// The client is what clientOf takes of all of them.
var combinedForwarded = Format{
	Name:        "combined_forwarded",
	Description: "combined with several addresses in front: X-Forwarded-For and the proxy",
	Pattern:     `$http_x_forwarded_for - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`,
	Example:     `192.0.2.7, 10.0.0.8 10.0.0.9 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyOrTotal,
	SizeNote:    "Of the addresses in front, the client is the first that is not private. If proxies stand first and have public addresses, give the server's own format string with $skip for the proxy.",
	plausible:   forwarded,
}

// forwarded reports whether a line begins with several addresses and nothing else. A single
// address with a port is a virtual host.
func forwarded(h *Hit, line []byte) bool {
	front, _, _ := bytes.Cut(line, []byte(" - "))
	n := 0
	for part, rest := cutAddress(front); part != nil; part, rest = cutAddress(rest) {
		if !isAddress(part) && !absent(part) && string(part) != unknownClient {
			return false
		}
		n++
	}
	return n > 1 && isAddress(h.Client)
}
