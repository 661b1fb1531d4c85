package weblog

// lighttpd has the name of the host in the place of combined's identd user. Some hosting
// providers use the same format.
var lighttpd = Format{
	Name:        "lighttpd",
	Description: "lighttpd's default: combined with the virtual host in second place",
	Pattern:     `%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `192.0.2.7 www.example.org - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyFramed,
	plausible:   func(h *Hit, _ []byte) bool { return len(h.Client) > 0 && hostName(h.Host) },
}
