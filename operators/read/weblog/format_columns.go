package weblog

// cloudfront is Amazon CloudFront's standard log, W3C extended with tabs.
var cloudfront = Format{
	Name:        "cloudfront",
	Description: "Amazon CloudFront's standard log (W3C extended with tabs)",
	Example: "2006-01-02\t22:04:05\tFRA2\t5489\t192.0.2.7\tGET\td111111abcdef8.cloudfront.net\t/a\t200\t-\tMozilla/5.0%20(X11)\tb=1\t-\tHit\t" +
		"MRVMF7KydIvxMWfJIglgwHQwZsbG2IhRJ07sn9AkKUFSHS9EXAMPLE==\twww.example.org\thttps\t217\t0.001\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tHit\tHTTP/2.0\t" +
		"-\t-\t51234\t0.001\tHit\ttext/html\t5120\t-\t-",
	SizeNote: "If sc-content-len is logged (not for responses sent in chunks), the size is sc-content-len: the body, without headers.",
	scanner:  func() scanner { return newColumns(cloudfrontFields, true) },
}

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

// w3c is the W3C's extended log file format, which IIS writes.
var w3c = Format{
	Name:        "w3c",
	Description: "W3C extended: a #Fields line names the columns, and may come again (IIS; NetScaler, Incapsula, ...)",
	Example:     `2006-01-02 22:04:05 192.0.2.80 GET /a b=1 443 - 192.0.2.7 Mozilla/5.0+(Windows+NT+10.0) - 200 0 0 15`,
	SizeNote: "IIS does not log sc-bytes by default. A '+' in cs-uri-stem is read as a blank, as written by IIS. " +
		"Lines without a #Fields line before them are read with IIS's default columns. To name other columns, give the #Fields line as the format.",
	scanner: func() scanner { return newColumns(iisFields, false) },
}

// The default columns of logs without a #Fields line.
const (
	iisFields = " date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer)" +
		" sc-status sc-substatus sc-win32-status time-taken"
	cloudfrontFields = " date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer)" +
		" cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes" +
		" time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status" +
		" fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len" +
		" sc-range-start sc-range-end"
)
