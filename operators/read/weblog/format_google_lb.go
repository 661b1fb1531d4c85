package weblog

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
