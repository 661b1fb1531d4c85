package weblog

// cloudfrontRealtime is Amazon CloudFront's real-time log with all fields, as Kinesis and Firehose
// deliver it: columns with tabs, in this order, and no line that names them.
var cloudfrontRealtime = Format{
	Name:        "cloudfront_realtime",
	Description: "Amazon CloudFront's real-time log with all fields, columns with tabs",
	Example: "1136239445.123\t192.0.2.7\t198.51.100.1\t0.001\t200\t5489\tGET\thttps\td111111abcdef8.cloudfront.net\t/a?b=1\t217\tFRA2\t" +
		"MRVMF7KydIvxMWfJIglgwHQwZsbG2IhRJ07sn9AkKUFSHS9EXAMPLE==\twww.example.org\t0.001\tHTTP/2.0\tIPv4\tMozilla/5.0%20(X11)\t-\t-\tb=1\tHit\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\t" +
		"Hit\t-\t-\ttext/html\t5120\t-\t-\t51234\tHit\tDE\tgzip\t*/*\t*",
	SizeNote:  "The size is sc-content-len, as in cloudfront. If only some fields are sent, give them as the format in their order, with x-edge-location among them (#Fields: timestamp c-ip sc-status ...).",
	scanner:   func() scanner { return newColumns(realtimeFields, true) },
	plausible: func(h *Hit, _ []byte) bool { return h.Time != 0 && len(h.Client) > 0 && len(h.Method) > 0 },
}

// realtimeFields are the columns that requests of all kinds have. (CloudFront, "Real-time log
// fields")
const realtimeFields = " timestamp c-ip s-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes" +
	" x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie" +
	" cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher x-edge-result-type fle-encrypted-fields" +
	" fle-status sc-content-type sc-content-len sc-range-start sc-range-end c-port x-edge-detailed-result-type c-country" +
	" cs-accept-encoding cs-accept cache-behavior-path-pattern cs-headers cs-header-names cs-headers-count"
