package weblog

import "bytes"

// heroku is the line of Heroku's router, which stands in the wrapper syslog.
var heroku = Format{
	Name:        "heroku",
	Description: "Heroku's router, behind its time (syslog/heroku)",
	Pattern: `at=info method=$request_method path="$request_uri" host=$host request_id=$skip fwd="$http_x_forwarded_for"` +
		` dyno=$skip connect=$skip service=$skip status=$status bytes=$body_bytes_sent protocol=$skip`,
	Example: `at=info method=GET path="/a?b=1" host=www.example.org request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="192.0.2.7"` +
		` dyno=web.1 connect=1ms service=18ms status=200 bytes=5120 protocol=https`,
	Size:      SizeUnknown,
	SizeNote:  "The field is bytes. Its documentation says only: bytes transferred from the server to the client.",
	escaping:  &raw,
	plausible: anything,
}

// haproxyCut describes the longest line and request that HAProxy logs.
const haproxyCut = "Lines over 1,023 bytes, and request lines over 1,023 bytes in longer ones, are cut, and refused: raise len of HAProxy's log directive and tune.http.logurilen. With option logasap sizes are not known."

const haproxyZone = " Times have no zone and are read as UTC."

// haproxyHead is the part of HAProxy's HTTP formats before the request: client, time,
// frontend, backend and server, timers, status, size, cookies, termination state,
// connections, queues and captured headers, if any.
const haproxyHead = `$remote_addr:$remote_port [$time_local] $skip $skip/$skip $skip/$skip/$skip/$skip/$skip $status_loose $bytes_sent $skip $skip $skip $skip/$skip/$skip/$skip/$skip $skip/$skip `

const haproxyExample = `192.0.2.7:51234 [02/Jan/2006:15:04:05.123] www~ web/web1 0/0/1/2/3 200 5120 - - ---- 1/1/0/0/0 0/0 `

// haproxy is HAProxy's HTTP format (option httplog), with or without syslog's tag in
// front. The fields appended by option httpslog are ignored.
var haproxy = Format{
	Name:        "haproxy",
	Description: "HAProxy's HTTP format (option httplog), also of the HAProxy Ingress that keeps it",
	Pattern:     haproxyHead + `"$request_whole"`,
	Example:     haproxyExample + `"GET /a?b=1 HTTP/1.1"`,
	SizeNote:    haproxyCut + haproxyZone,
	escaping:    &hashed,
	plausible: func(h *Hit, _ []byte) bool {
		return len(h.Client) > 0 && (h.Method == nil || bytes.IndexByte(h.Target, '/') == 0 ||
			bytes.Contains(h.Target, []byte("://")) || string(h.Target) == "*")
	},
}

// haproxyCLF is HAProxy's other HTTP format: combined with an empty referer and user
// agent, followed by ports, timers and queues. Without its own format, such a line would
// be read as combinedio.
var haproxyCLF = Format{
	Name:        "haproxy_clf",
	Description: "HAProxy's HTTP format in the style of the Common Log Format (option httplog clf)",
	Pattern: `$remote_addr - - [$time_local] "$request_whole" $status_loose $bytes_sent "" "" $remote_port $skip "$skip" "$skip" "$skip"` +
		` $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip`,
	Example: `192.0.2.7 - - [02/Jan/2006:22:04:05 +0000] "GET /a?b=1 HTTP/1.1" 200 5120 "" "" 51234 123 "www~" "web" "web1"` +
		` 0 0 1 2 3 ---- 1 1 0 0 0 0 0 "" ""`,
	SizeNote: haproxyCut,
	escaping: &hashed,
}

// ingressHAProxy is the default of HAProxy's own Kubernetes ingress controller.
var ingressHAProxy = Format{
	Name:        "ingress_haproxy",
	Description: "HAProxy Kubernetes Ingress Controller's default: method, host and path in the request's place",
	Pattern:     haproxyHead + `"$request_method $host$uri $server_protocol"`,
	Example:     haproxyExample + `"GET www.example.org/a HTTP/1.1"`,
	SizeNote:    haproxyCut + haproxyZone + " The default omits the queries, so URLs differ by their paths only: log %HU instead of %[var(txn.base)].",
	escaping:    &hashed,
	plausible: func(h *Hit, _ []byte) bool {
		return len(h.Client) > 0 && len(h.Host) > 0 && h.Host[len(h.Host)-1] != ':'
	},
}

// envoy is Envoy's default. The client is the X-Forwarded-For header, which is often
// missing.
var envoy = Format{
	Name:        "envoy",
	Description: "Envoy's default",
	Pattern: `[$time_iso8601] "$request" $status_loose $skip $skip $body_bytes_sent $skip $skip` +
		` "$http_x_forwarded_for" "$http_user_agent" "$skip" "$host" "$skip"`,
	Example: `[2006-01-02T22:04:05.123Z] "GET /a?b=1 HTTP/1.1" 200 - 0 5120 3 2 "192.0.2.7" "Mozilla/5.0"` +
		` "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "www.example.org" "192.0.2.80:8080"`,
	Size:      SizeBody,
	escaping:  &raw,
	plausible: anything,
}

// anything accepts every hit. The other fields of these formats leave no doubt.
func anything(*Hit, []byte) bool { return true }

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

// alb is the access log of AWS Application Load Balancers. Fields after the user agent
// are ignored.
var alb = Format{
	Name:        "alb",
	Description: "AWS Application Load Balancer",
	Pattern: `$skip $time_iso8601 $skip $remote_addr:$remote_port $skip $skip $skip $skip $status_loose $skip $skip $bytes_sent` +
		` "$request" "$http_user_agent" $skip $skip $skip`,
	Example: `https 2006-01-02T22:04:05.123456Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.7:51234 192.0.2.80:80 0.000 0.003 0.000 200 200 412 5120` +
		` "GET https://www.example.org:443/a?b=1 HTTP/1.1" "Mozilla/5.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:target`,
	plausible: hasClient,
}

func hasClient(h *Hit, _ []byte) bool { return len(h.Client) > 0 }

// elb is the access log of AWS Classic Load Balancers with HTTP listeners.
var elb = Format{
	Name:        "elb",
	Description: "AWS Classic Load Balancer",
	Pattern: `$time_iso8601 $skip $remote_addr:$remote_port $skip $skip $skip $skip $status_loose $skip $skip $body_bytes_sent` +
		` "$request" "$http_user_agent" $skip $skip`,
	Example: `2006-01-02T22:04:05.123456Z my-loadbalancer 192.0.2.7:51234 192.0.2.80:80 0.000086 0.001048 0.001337 200 200 0 5120` +
		` "GET http://www.example.org:80/a?b=1 HTTP/1.1" "Mozilla/5.0" - -`,
	Size:      SizeBody,
	plausible: hasClient,
}

// s3 is the server access log of Amazon S3. The bucket counts as the host, since the bucket of
// a web site is named after its host. The fields of newer logs after the user agent are
// ignored.
var s3 = Format{
	Name:        "s3",
	Description: "Amazon S3 server access log; the bucket's name stands for the host",
	Pattern: `%{owner}n %v %t %h %{requester}n %{id}n %{operation}n %{key}n "%r" %>s %{error}n %b` +
		` %{object}n %{total}n %{turnaround}n "%{Referer}i" "%{User-Agent}i"`,
	Example: `79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be www.example.org [02/Jan/2006:15:04:05 -0700] 192.0.2.7 - 3E57427F3EXAMPLE` +
		` WEBSITE.GET.OBJECT a "GET /a?b=1 HTTP/1.1" 200 - 5120 5120 7 6 "-" "Mozilla/5.0"`,
	Size: SizeBody,
}
