package weblog

// istio is the default of Istio's proxies.
var istio = Format{
	Name:        "istio",
	Description: "Istio's default: Envoy's with more fields",
	Pattern: `[$time_iso8601] "$request" $status_loose $skip $skip $skip "$skip" $skip $body_bytes_sent $skip $skip` +
		` "$http_x_forwarded_for" "$http_user_agent" "$skip" "$host" "$skip" $skip $skip $skip $skip $skip $skip`,
	Example: `[2006-01-02T22:04:05.123Z] "GET /a?b=1 HTTP/1.1" 200 - via_upstream - "-" 0 5120 3 2 "192.0.2.7" "Mozilla/5.0"` +
		` "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "www.example.org" "192.0.2.80:8080"` +
		` inbound|8080|| 127.0.0.6:40001 192.0.2.80:8080 192.0.2.7:0 outbound_.80_._.web.shop.svc.cluster.local default`,
	Size:      SizeBody,
	escaping:  &raw,
	plausible: anything,
}
