package weblog

// combined is nginx's default and Apache's usual choice. nginx's "main" of the packaged
// nginx.conf is combined and one more field, which is ignored.
var combined = Format{
	Name:        "combined",
	Description: "nginx's default and Apache's combined: client, time, request, status, size, referer, user agent",
	Pattern:     `%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBodyOrTotal,
}
