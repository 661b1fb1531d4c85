package weblog

import (
	"bytes"
	"slices"
	"strings"

	"dustbuster/operators/read/client"
)

// combinedForwarded is combined with X-Forwarded-For in front of the address of the
// connection, or behind it, as logged behind proxies: '%{X-Forwarded-For}i %h %l %u ...'.
// Which of both stands first is told from the lines.
var combinedForwarded = Format{
	Name:        "combined_forwarded",
	Description: "combined with several addresses in front: X-Forwarded-For and the proxy",
	Pattern:     `$http_x_forwarded_for - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`,
	Example:     `192.0.2.7, 10.0.0.8 10.0.0.9 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyOrTotal,
	SizeNote:    "Of the addresses in front, the client is the last that is neither private nor that of a trusted proxy.",
	plausible:   forwarded,
}

// forwarded reports whether a line begins with several addresses and nothing else. A single
// address with a port is a virtual host.
func forwarded(h *Hit, line []byte) bool {
	front, _, _ := bytes.Cut(line, []byte(" - "))
	parts := bytes.FieldsFunc(front, func(r rune) bool { return strings.ContainsRune(between, r) })
	if len(parts) < 2 || bytes.IndexByte(front, ',') < 0 && slices.ContainsFunc(parts, ported) {
		return false
	}
	return client.IsList(front) && isAddress(h.Client)
}

// ported reports whether an address has a port.
func ported(address []byte) bool {
	return address[0] == '[' || bytes.Count(address, []byte(":")) == 1
}
