package weblog

// varnish is the format of varnishncsa. Requests are in absolute form.
var varnish = Format{
	Name:        "varnish",
	Description: "varnishncsa's default: combined, the host in the request",
	Pattern:     combined.Pattern,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET http://www.example.org/a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBody,
	Twin:        "combined",
}
