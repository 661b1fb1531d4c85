package weblog

import "strings"

// caddy is the access log of Caddy 2. Up to 2.4, the address of the connection is remote_addr, with its port. Caddy logs all headers of the response, so one without
// Content-Encoding was not encoded.
var caddy = Format{
	Name:        "caddy",
	Description: "Caddy's JSON access log",
	Pattern: `{"ts":"$msec","request":{"remote_ip":"$realip_remote_addr","client_ip":"$remote_addr","method":"$request_method","host":"$host",` +
		`"uri":"$request_uri","remote_addr":"$realip_remote_addr",` +
		`"headers":{"User-Agent":["$http_user_agent"],"X-Forwarded-For":["$http_x_forwarded_for"]}},"size":"$body_bytes_sent","status":"$status",` +
		`"resp_headers":{"Content-Encoding":["$sent_http_content_encoding"]}}`,
	Example: `{"level":"info","ts":1136239445.123,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7",` +
		`"remote_port":"51234","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"www.example.org","uri":"/a?b=1",` +
		`"headers":{"User-Agent":["Mozilla/5.0"],"Accept-Encoding":["gzip"]}},"bytes_read":0,"user_id":"","duration":0.003,"size":5120,"status":200,` +
		`"resp_headers":{"Server":["Caddy"],"Content-Type":["text/html"],"Content-Encoding":["gzip"]}}`,
	Size: SizeBody,
}

// traefikJSON is Traefik's "json" format.
var traefikJSON = Format{
	Name:        "traefik_json",
	Description: "Traefik's JSON format",
	Pattern: `{"ClientHost":"$remote_addr","ClientAddr":"$realip_remote_addr","request_X-Forwarded-For":"$http_x_forwarded_for","time":"$time_iso8601","RequestHost":"$host","RequestMethod":"$request_method",` +
		`"RequestPath":"$request_uri","DownstreamStatus":"$status","DownstreamContentSize":"$body_bytes_sent",` +
		`"request_User-Agent":"$http_user_agent","downstream_Content-Encoding":"$sent_http_content_encoding"}`,
	Example: `{"ClientAddr":"192.0.2.7:51234","ClientHost":"192.0.2.7","DownstreamContentSize":5120,"DownstreamStatus":200,"Duration":3021943,` +
		`"RequestAddr":"www.example.org","RequestHost":"www.example.org","RequestMethod":"GET","RequestPath":"/a?b=1","RequestProtocol":"HTTP/1.1",` +
		`"StartUTC":"2006-01-02T22:04:05.123456789Z","level":"info","msg":"","request_User-Agent":"Mozilla/5.0","time":"2006-01-02T22:04:05Z"}`,
	Size: SizeBody,
	SizeNote: "DownstreamContentSize is the size sent, after Traefik's compression; have Content-Encoding kept (accessLog.fields.headers.names) to keep encodings apart. " +
		"URLs have no queries if accessLog.fields.queryParameters drops the queries.",
}

// googleLB is the log of Google Cloud's load balancers in Cloud Logging, one entry a line
// as exported by gcloud and sinks.
var googleLB = Format{
	Name:        "google_lb",
	Description: "Google Cloud load balancer (httpRequest of Cloud Logging), one JSON entry a line",
	Pattern: `{"httpRequest":{"requestMethod":"$request_method","requestUrl":"$request_uri","status":"$status","responseSize":"$bytes_sent",` +
		`"userAgent":"$http_user_agent","remoteIp":"$remote_addr"},"timestamp":"$time_iso8601"}`,
	Example: `{"httpRequest":{"latency":"0.003s","remoteIp":"192.0.2.7","requestMethod":"GET","requestSize":"412","requestUrl":"https://www.example.org/a?b=1",` +
		`"responseSize":"5120","status":200,"userAgent":"Mozilla/5.0"},"insertId":"1x2y3z","logName":"projects/p/logs/requests",` +
		`"receiveTimestamp":"2006-01-02T22:04:06.1Z","resource":{"type":"http_load_balancer"},"timestamp":"2006-01-02T22:04:05.123456Z"}`,
}

// googleStorage is the usage log of Google Cloud Storage: CSV, with a line of names
// before the records. The bucket is part of the URL or, for web sites, the host.
var googleStorage = Format{
	Name:        "google_storage",
	Description: "Google Cloud Storage usage log (CSV)",
	Pattern: `"$msec","$remote_addr","$skip","$skip","$request_method","$request_uri","$status","$skip","$bytes_sent","$skip",` +
		`"$host","$http_referer","$http_user_agent","$skip","$skip","$skip","$skip"`,
	Example: `"1136239445123456","192.0.2.7","1","","GET","/a?b=1","200","0","5120","3000",` +
		`"www.example.org","","Mozilla/5.0","AAANsUkQfY","GET_Object","www.example.org","a"`,
	Size:     SizeUnknown,
	SizeNote: "The field is sc_bytes. Its documentation says only: the bytes sent in the response.",
	escaping: &doubled,
	header:   `"time_micros",`,
}

// azureFrontDoor is Azure Front Door's FrontDoorAccessLog. Azure takes clientIp from X-Forwarded-For
// if the client sends one. The address of the connection is socketIp.
var azureFrontDoor = Format{
	Name:        "azure_front_door",
	Description: "Azure Front Door access log, one JSON record a line",
	Pattern: `{"time":"$time_iso8601","properties":{"httpMethod":"$request_method","requestUri":"$request_uri","httpStatusCode":"$status",` +
		`"responseBytes":"$bytes_sent","userAgent":"$http_user_agent","socketIp":"$remote_addr","clientIp":"$http_x_forwarded_for"}}`,
	Example: `{"time":"2006-01-02T22:04:05.123Z","category":"FrontDoorAccessLog","operationName":"Microsoft.Cdn/Profiles/AccessLog/Write",` +
		`"properties":{"trackingReference":"0abc","httpMethod":"GET","httpVersion":"2.0","requestUri":"https://www.example.org:443/a?b=1",` +
		`"requestBytes":"412","responseBytes":"5120","userAgent":"Mozilla/5.0","clientIp":"192.0.2.7","httpStatusCode":"200","cacheStatus":"MISS"}}`,
	Size:     SizeUnknown,
	SizeNote: "The field is responseBytes. Its documentation says only: the bytes of the response.",
}

// azureAppGateway is the access log of Azure Application Gateway.
var azureAppGateway = Format{
	Name:        "azure_app_gateway",
	Description: "Azure Application Gateway's access log, one JSON object a line",
	Pattern: `{"time":"$time_iso8601","timeStamp":"$time_iso8601","properties":{"clientIP":"$remote_addr","httpMethod":"$request_method",` +
		`"originalRequestUriWithArgs":"$request_uri","requestUri":"$uri","requestQuery":"$args","userAgent":"$http_user_agent",` +
		`"httpStatus":"$status","sentBytes":"$bytes_sent","originalHost":"$host","host":"$http_host"}}`,
	Example: `{"timeStamp":"2006-01-02T22:04:05+00:00","resourceId":"/x","operationName":"ApplicationGatewayAccess","category":"ApplicationGatewayAccessLog",` +
		`"properties":{"instanceId":"appgw_0","clientIP":"192.0.2.7","httpMethod":"GET","requestUri":"/a","requestQuery":"b=1","userAgent":"Mozilla/5.0",` +
		`"httpStatus":200,"httpVersion":"HTTP/1.1","receivedBytes":184,"sentBytes":5120,"host":"10.0.0.7","originalHost":"www.example.org"}}`,
	SizeNote: "The field is sentBytes, which counts the headers.",
}

// cloudflare is Cloudflare Logpush's data set http_requests.
var cloudflare = Format{
	Name:        "cloudflare",
	Description: "Cloudflare Logpush (http_requests), one JSON object a line",
	Pattern: `{"ClientIP":"$remote_addr","ClientRequestHost":"$host","ClientRequestMethod":"$request_method","ClientRequestURI":"$request_uri",` +
		`"ClientRequestUserAgent":"$http_user_agent","EdgeResponseStatus":"$status","EdgeResponseBodyBytes":"$body_bytes_sent",` +
		`"EdgeResponseBytes":"$bytes_sent","EdgeStartTimestamp":"$msec"}`,
	Example: `{"ClientIP":"192.0.2.7","ClientRequestHost":"www.example.org","ClientRequestMethod":"GET","ClientRequestURI":"/a?b=1",` +
		`"ClientRequestUserAgent":"Mozilla/5.0","EdgeEndTimestamp":1136239445130000000,"EdgeResponseBytes":5120,"EdgeResponseStatus":200,` +
		`"EdgeStartTimestamp":1136239445123000000,"RayID":"87a1b2c3d4e5f001"}`,
	Size:     SizeTotal,
	SizeNote: "Log EdgeResponseBodyBytes as well: if present, this field is the size.",
}

// cloudfrontJSON is Amazon CloudFront's standard log (v2) as JSON, which it sends to Firehose and
// CloudWatch Logs. Keys and values are those of the columns. The fields of real-time logs may be
// among the keys.
var cloudfrontJSON = Format{
	Name:        "cloudfront_json",
	Description: "Amazon CloudFront's log as JSON (standard logging v2, real-time logs), one object a line",
	Example: `{"date":"2006-01-02","time":"22:04:05","x-edge-location":"FRA2","sc-bytes":"5489","c-ip":"192.0.2.7","cs-method":"GET","cs(Host)":"d111111abcdef8.cloudfront.net",` +
		`"cs-uri-stem":"/a","sc-status":"200","cs(Referer)":"-","cs(User-Agent)":"Mozilla/5.0%20(X11)","cs-uri-query":"b=1","cs(Cookie)":"-","x-edge-result-type":"Hit",` +
		`"x-host-header":"www.example.org","cs-protocol":"https","cs-bytes":"217","time-taken":"0.001","x-forwarded-for":"-","cs-protocol-version":"HTTP/2.0",` +
		`"sc-content-type":"text/html","sc-content-len":"5120","timestamp(ms)":"1136239445123","asn":"16509"}`,
	SizeNote: cloudfront.SizeNote,
	scanner: func() scanner {
		s := newColumns(cloudfrontFields, true)
		root := &jsonObject{keys: map[string]*jsonValue{}}
		for _, name := range strings.Fields(cloudfrontFields + realtimeFields + " timestamp(ms)") {
			root.keys[name] = &jsonValue{variable: columnOf(strings.ToLower(name)).variable, dash: true}
		}
		return &jsonScanner{root: root, parts: true, encoded: true, filling: s.filling}
	},
}
