package weblog

import "bytes"

// haproxyCut describes the longest line and request that HAProxy logs.
const haproxyCut = "Lines over 1,023 bytes, and request lines over 1,023 bytes in longer ones, are cut, and refused: raise len of HAProxy's log directive and tune.http.logurilen. With option logasap sizes are not known."

const haproxyZone = " Times have no zone and are read as UTC."

// haproxyHead is the part of HAProxy's HTTP formats before the request: client, time,
// frontend, backend and server, timers, status, size, cookies, termination state,
// connections, queues and captured headers, if any.
const haproxyHead = `$remote_addr:$remote_port [$time_local] $skip $skip/$skip $skip/$skip/$skip/$skip/$skip $status_loose $bytes_sent $skip $skip $skip $skip/$skip/$skip/$skip/$skip $skip/$skip `

const haproxyExample = `192.0.2.7:51234 [02/Jan/2006:15:04:05.123] www~ web/web1 0/0/1/2/3 200 5120 - - ---- 1/1/0/0/0 0/0 `

// haproxy is HAProxy's HTTP format (option httplog), with or without syslog's tag in
// front. The fields appended by option httpslog are ignored.
var haproxy = Format{
	Name:        "haproxy",
	Description: "HAProxy's HTTP format (option httplog), also of the HAProxy Ingress that keeps it",
	Pattern:     haproxyHead + `"$request_whole"`,
	Example:     haproxyExample + `"GET /a?b=1 HTTP/1.1"`,
	SizeNote:    haproxyCut + haproxyZone,
	escaping:    &hashed,
	plausible: func(h *Hit, _ []byte) bool {
		return len(h.Client) > 0 && (h.Method == nil || bytes.IndexByte(h.Target, '/') == 0 ||
			bytes.Contains(h.Target, []byte("://")) || string(h.Target) == "*")
	},
}
