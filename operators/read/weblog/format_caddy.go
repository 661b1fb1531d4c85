package weblog

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
