package weblog

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
