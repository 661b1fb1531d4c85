package weblog

// haproxyCLF is HAProxy's other HTTP format: combined without a referer and a user
// agent, and with ports, timers and queues after them, so that it would pass for
// combined with bytes received and sent.
var haproxyCLF = Format{
	Name:        "haproxy_clf",
	Description: "HAProxy's HTTP format in Common Log Format's clothes (option httplog clf)",
	Pattern: `$remote_addr - - [$time_local] "$request_whole" $status_loose $bytes_sent "" "" $remote_port $skip "$skip" "$skip" "$skip"` +
		` $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip $skip`,
	Example: `192.0.2.7 - - [02/Jan/2006:22:04:05 +0000] "GET /a?b=1 HTTP/1.1" 200 5120 "" "" 51234 123 "www~" "web" "web1"` +
		` 0 0 1 2 3 ---- 1 1 0 0 0 0 0 "" ""`,
	SizeNote: haproxyCut,
	escaping: &hashed,
}
