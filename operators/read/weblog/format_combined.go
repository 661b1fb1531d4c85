package weblog

import (
	"bytes"
	"slices"

	"dustbuster/operators/read/client"
)

// combined is nginx's default and Apache's usual choice. nginx's "main" of the packaged
// nginx.conf is combined and one more field, which is ignored.
var combined = Format{
	Name:        "combined",
	Description: "nginx's default and Apache's combined: client, time, request, status, size, referer, user agent",
	Pattern:     `%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyOrTotal,
}

// vhostCombined is Debian's format for other_vhosts_access.log. The host may have no
// port, as in nginx's '$host $remote_addr - ...'.
var vhostCombined = Format{
	Name:        "vhost_combined",
	Description: "combined with the virtual host and perhaps its port in front",
	Pattern:     `%v:%p %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `www.example.org:443 192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyOrTotal,
	plausible:   virtualHost,
}

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
	parts := bytes.FieldsFunc(front, func(r rune) bool { return r < 256 && isBetween[r] })
	if len(parts) < 2 || bytes.IndexByte(front, ',') < 0 && slices.ContainsFunc(parts, ported) {
		return false
	}
	return client.IsList(front) && isAddress(h.Client)
}

// ported reports whether an address has a port.
func ported(address []byte) bool {
	return address[0] == '[' || bytes.Count(address, []byte(":")) == 1
}

// combinedio is Apache's combined with mod_logio's two fields. The size is %b, the body,
// and not %O, which includes the headers and so differs between equal responses.
var combinedio = Format{
	Name:        "combinedio",
	Description: "Apache's combined with bytes received and sent (mod_logio) at the end",
	Pattern:     combined.Pattern + ` %I %O`,
	Example:     combined.Example + ` 412 5489`,
	Size:        SizeBody,
	SizeNote:    "The size is %b, the body. %O includes the headers, which differ between equal responses, and is not used.",
}

// combinedHost is combined with the host at its end, in quotes.
var combinedHost = Format{
	Name:        "combined_host",
	Description: "combined with the host at its end, in quotes",
	Pattern:     combined.Pattern + ` "%{Host}i"`,
	Example:     combined.Example + ` "www.example.org"`,
	Size:        combined.Size,
	plausible:   hostAtEnd,
}

// hostAtEnd reports whether the field after the agent is a host. Other servers write addresses,
// times and protocols there.
func hostAtEnd(h *Hit, _ []byte) bool {
	return len(h.Client) > 0 && !words(h.Client) && len(h.Host) > 0 && hostShaped(h.Host) && hostName(h.Host)
}

// combinedHostBare is combined with the host at its end, without quotes.
var combinedHostBare = Format{
	Name:        "combined_host_bare",
	Description: "combined with the host at its end, without quotes",
	Pattern:     combined.Pattern + ` %{Host}i`,
	Example:     combined.Example + ` www.example.org`,
	Size:        combined.Size,
	plausible:   hostAtEnd,
}

// common is the log format of NCSA httpd, the oldest format.
var common = Format{
	Name:        "common",
	Description: "Common Log Format: client, time, request, status, size",
	Pattern:     `%h %l %u %t "%r" %>s %b`,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120`,
	Size:        SizeBodyOrTotal,
	SizeNote:    "Without a user agent, robots and the validator's own fetches can only be excluded by client address.",
}

// commonVhost is common with a host in front, as in Apache's manual.
var commonVhost = Format{
	Name:        "common_vhost",
	Description: "Common Log Format with the virtual host and perhaps its port in front",
	Pattern:     `%v:%p %h %l %u %t "%r" %>s %b`,
	Example:     `www.example.org:80 192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120`,
	Size:        SizeBodyOrTotal,
	SizeNote:    common.SizeNote,
	plausible:   virtualHost,
}
