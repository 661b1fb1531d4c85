package weblog

// npmStandard is what Nginx Proxy Manager writes for its other hosts.
var npmStandard = Format{
	Name:        "npm_standard",
	Description: "Nginx Proxy Manager, of its other hosts",
	Pattern: `[$time_local] $status - $request_method $scheme $host "$request_uri"` +
		` [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"`,
	Example: `[02/Jan/2006:22:04:05 +0000] 200 - GET https www.example.org "/a?b=1"` +
		` [Client 192.0.2.7] [Length 5120] [Gzip -] "Mozilla/5.0" "-"`,
}
