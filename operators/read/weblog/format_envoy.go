package weblog

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
