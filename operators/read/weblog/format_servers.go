package weblog

import "bytes"

// gandi is the access log of the hosting provider Gandi.
var gandi = Format{
	Name:        "gandi",
	Description: "Gandi's web hosting: combined with the virtual host in front and the duration after the time",
	Pattern:     `%v %h %l %u %t (%{duration}n s) "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`,
	Example:     `www.example.org 192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] (0 s) "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeUnknown,
	plausible:   virtualHost,
}

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

// varnish is the format of varnishncsa. Requests are in absolute form.
var varnish = Format{
	Name:        "varnish",
	Description: "varnishncsa's default: combined, the host in the request",
	Pattern:     combined.Pattern,
	Example:     `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET http://www.example.org/a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`,
	Size:        SizeBody,
	Twin:        "combined",
}

// tomcat is the format of the AccessLogValve in Tomcat's own server.xml.
var tomcat = Format{
	Name:        "tomcat",
	Description: "Tomcat's default",
	Pattern:     common.Pattern,
	Example:     common.Example,
	Size:        SizeBody,
	SizeNote:    common.SizeNote,
	Twin:        "common",
}

// jetty is Jetty's extended NCSA format. Releases before 10 have more blanks, and append
// the latency.
var jetty = Format{
	Name:        "jetty",
	Description: "Jetty's extended NCSA format",
	Pattern:     combined.Pattern,
	Example:     combined.Example,
	Size:        SizeBody,
	SizeNote:    "Jetty writes %O here. In Jetty, %O counts the body only; in Apache, %O includes the headers.",
	Twin:        "combined",
}

// traefik is Traefik's "common" format: combined, the number of requests, the router, the
// backend's address and the duration.
var traefik = Format{
	Name:        "traefik",
	Description: "Traefik's common format: combined, count, router, backend, duration",
	Pattern:     combined.Pattern + ` %{count}n "%{router}n" "%{backend}n" %{duration}nms`,
	Example:     combined.Example + ` 17 "web@docker" "http://192.0.2.80:80" 3ms`,
	Size:        SizeBody,
	SizeNote: "Traefik 2 logs the size before its own compression, Traefik 3 the size sent: do not mine logs of both together. " +
		"URLs have no queries if accessLog.fields.queryParameters drops the queries.",
}

// ingressNginx is the default of Kubernetes' ingress-nginx.
var ingressNginx = Format{
	Name:        "ingress_nginx",
	Description: "Kubernetes ingress-nginx's default: combined and what its upstreams did",
	Pattern: `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"` +
		` $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr` +
		` $upstream_response_length $upstream_response_time $upstream_status $req_id`,
	Example: combined.Example + ` 412 0.003 [shop-web-80] [] 192.0.2.80:8080 5120 0.003 200 752178adb17130b291aefd8c386279e7`,
}

// npm is what Nginx Proxy Manager writes for its proxy hosts.
var npm = Format{
	Name:        "npm",
	Description: "Nginx Proxy Manager, of its proxy hosts",
	Pattern: `[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri"` +
		` [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $skip] "$http_user_agent" "$http_referer"`,
	Example: `[02/Jan/2006:22:04:05 +0000] - 200 200 - GET https www.example.org "/a?b=1"` +
		` [Client 192.0.2.7] [Length 5120] [Gzip -] [Sent-to 192.0.2.80] "Mozilla/5.0" "-"`,
}

// npmStandard is what Nginx Proxy Manager writes for its other hosts.
var npmStandard = Format{
	Name:        "npm_standard",
	Description: "Nginx Proxy Manager, of its other hosts",
	Pattern: `[$time_local] $status - $request_method $scheme $host "$request_uri"` +
		` [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"`,
	Example: `[02/Jan/2006:22:04:05 +0000] 200 - GET https www.example.org "/a?b=1"` +
		` [Client 192.0.2.7] [Length 5120] [Gzip -] "Mozilla/5.0" "-"`,
}

// uvicorn is the access log of uvicorn: no time, no size, no user agent.
var uvicorn = Format{
	Name:        "uvicorn",
	Description: "uvicorn's default: client, request, status",
	Pattern:     `INFO:     $remote_addr:$remote_port - "$request" $status $skip`,
	Example:     `INFO:     192.0.2.7:51234 - "GET /a?b=1 HTTP/1.1" 200 OK`,
}

// squidCombined is Squid's format combined.
var squidCombined = Format{
	Name:        "squid_combined",
	Description: "Squid's combined format: combined, cache result, hierarchy; the size is that of the whole answer",
	Pattern:     combined.Pattern + ` %{result}n:%{hierarchy}n`,
	Example: `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET http://www.example.org/a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0" ` +
		`TCP_MISS:FIRSTUP_PARENT`,
	Size:     SizeTotal,
	SizeNote: squidQueries,
	plausible: func(h *Hit, line []byte) bool {
		result, hierarchy, ok := bytes.Cut(line[bytes.LastIndexByte(line, ' ')+1:], []byte(":"))
		return ok && len(h.Client) > 0 && squidWord(result) && squidWord(hierarchy)
	},
}

// squidWord reports whether b is a code of Squid, such as TCP_MISS. Other servers end a
// line with an address or a quoted list.
func squidWord(b []byte) bool {
	return len(b) > 3 && len(bytes.Trim(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0
}

// squidQueries warns that Squid removes queries.
const squidQueries = "Squid logs URLs without their queries by default. Mining needs the queries: set strip_query_terms off."

// squid is the native format of Squid, also as a reverse proxy.
var squid = Format{
	Name:        "squid",
	Description: "Squid's native format",
	Pattern:     `$msec $skip_padded $remote_addr $skip/$status_loose $bytes_sent $request_method $request_uri $skip $skip/$skip $content_type`,
	Example:     `1136239445.123      3 192.0.2.7 TCP_MISS/200 5120 GET http://www.example.org/a?b=1 - FIRSTUP_PARENT/192.0.2.80 text/html`,
	SizeNote:    squidQueries,
}
