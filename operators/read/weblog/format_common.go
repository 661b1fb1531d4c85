package weblog

// common is the log format of NCSA httpd, the oldest format.
var common = Format{
	Name:        "common",
	Description: "Common Log Format: client, time, request, status, size",
	Pattern:     `%h %l %u %t "%r" %>s %b`,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120`,
	Size:        SizeBodyOrTotal,
	SizeNote:    "Without a user agent, robots and the validator's own fetches can only be excluded by client address.",
}
