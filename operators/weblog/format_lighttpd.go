package weblog

import "bytes"

// lighttpd writes the name of the host where combined has that of the remote
// user's identd, and so do some hosting providers.
var lighttpd = Format{
	Name:        "lighttpd",
	Description: "lighttpd's default: combined with the virtual host in second place",
	Pattern:     `%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `192.0.2.7 www.example.org - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyFramed,
	plausible:   func(h *Hit, _ []byte) bool { return len(h.Client) > 0 && hostName(h.Host) },
}

// hostName tells the name of a host, with or without a port, from the user's
// names and the addresses that others log in that place.
func hostName(b []byte) bool {
	b, _, _ = bytes.Cut(b, []byte(":"))
	label := b[bytes.LastIndexByte(b, '.')+1:]
	return string(b) == "localhost" || len(label) < len(b) && len(label) > 1 && letter(label[0])
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
