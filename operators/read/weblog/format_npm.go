package weblog

// npm is what Nginx Proxy Manager writes for its proxy hosts.
var npm = Format{
	Name:        "npm",
	Description: "Nginx Proxy Manager, of its proxy hosts",
	Pattern: `[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri"` +
		` [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $skip] "$http_user_agent" "$http_referer"`,
	Example: `[02/Jan/2006:22:04:05 +0000] - 200 200 - GET https www.example.org "/a?b=1"` +
		` [Client 192.0.2.7] [Length 5120] [Gzip -] [Sent-to 192.0.2.80] "Mozilla/5.0" "-"`,
}
