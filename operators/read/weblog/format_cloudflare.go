package weblog

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
