package weblog

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
