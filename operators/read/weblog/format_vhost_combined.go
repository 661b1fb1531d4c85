package weblog

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
