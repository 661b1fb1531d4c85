package weblog

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
