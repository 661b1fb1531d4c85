package weblog

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
