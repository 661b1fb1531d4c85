package weblog

import "strings"

// cloudfrontJSON is Amazon CloudFront's standard log (v2) as JSON, which it sends to Firehose and
// CloudWatch Logs. Keys and values are those of the columns. The fields of real-time logs may be
// among the keys.
var cloudfrontJSON = Format{
	Name:        "cloudfront_json",
	Description: "Amazon CloudFront's log as JSON (standard logging v2, real-time logs), one object a line",
	Example: `{"date":"2006-01-02","time":"22:04:05","x-edge-location":"FRA2","sc-bytes":"5489","c-ip":"192.0.2.7","cs-method":"GET","cs(Host)":"d111111abcdef8.cloudfront.net",` +
		`"cs-uri-stem":"/a","sc-status":"200","cs(Referer)":"-","cs(User-Agent)":"Mozilla/5.0%20(X11)","cs-uri-query":"b=1","cs(Cookie)":"-","x-edge-result-type":"Hit",` +
		`"x-host-header":"www.example.org","cs-protocol":"https","cs-bytes":"217","time-taken":"0.001","x-forwarded-for":"-","cs-protocol-version":"HTTP/2.0",` +
		`"sc-content-type":"text/html","sc-content-len":"5120","timestamp(ms)":"1136239445123","asn":"16509"}`,
	SizeNote: cloudfront.SizeNote,
	scanner: func() scanner {
		s := newColumns(cloudfrontFields, true)
		root := &jsonObject{keys: map[string]*jsonValue{}}
		for _, name := range strings.Fields(cloudfrontFields + realtimeFields + " timestamp(ms)") {
			c := lookupColumn([]byte(name))
			root.keys[name] = &jsonValue{field: c.field, rank: c.rank, letter: c.letter, dash: true}
		}
		return &jsonScanner{root: root, parts: true, encoded: true, filling: s.filling}
	},
}
