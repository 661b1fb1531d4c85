package weblog

// gandi is the access log of the hosting provider Gandi.
var gandi = Format{
	Name:        "gandi",
	Description: "Gandi's web hosting: combined with the virtual host in front and the duration after the time",
	Pattern:     `%v %h %l %u %t (%{duration}n s) "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `www.example.org 192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] (0 s) "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeUnknown,
	plausible:   virtualHost,
}
