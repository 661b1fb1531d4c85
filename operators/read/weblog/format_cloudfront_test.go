package weblog

import (
	"strings"
	"testing"
)

// The second line of JSON is a whole line as CloudFront's standard logging v2 writes it, the third
// has the fields of the example in its documentation ("Configure standard logging (v2)"), and more.
func TestCloudFrontShapes(t *testing.T) {
	w := want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0 (X11)", client: "192.0.2.7", status: 200, size: 5120, time: at05}
	change := func(f func(w *want)) want { w := w; f(&w); return w }
	for _, c := range []struct {
		name, format, line string
		want               want
	}{
		{"JSON", "cloudfront_json", cloudfrontJSON.Example, w},
		{"JSON, a whole line", "cloudfront_json", `{"date":"2026-04-04","time":"12:57:53","x-edge-location":"SFO53-P7","sc-bytes":"1068","c-ip":"8.29.198.27","cs-method":"GET",` +
			`"cs(Host)":"d3bkd4xdlxgkfz.cloudfront.net","cs-uri-stem":"/feed.xml","sc-status":"304","cs(Referer)":"-","cs(User-Agent)":"Feedly/1.0","cs-uri-query":"-","cs(Cookie)":"-",` +
			`"x-edge-result-type":"Hit","x-edge-request-id":"VqkomJQiWUvU0bQu33T0","x-host-header":"www.example.net","cs-protocol":"https","cs-bytes":"336","time-taken":"0.001",` +
			`"x-forwarded-for":"-","sc-content-type":"-","sc-content-len":"-","sc-range-start":"-","sc-range-end":"-","c-country":"US"}`,
			want{host: "www.example.net", method: "GET", target: "/feed.xml", agent: "Feedly/1.0", client: "8.29.198.27", status: 304, size: 1068, time: 1775307473}},
		{"JSON, chosen fields", "cloudfront_json", `{"x-edge-location":"SOF50-P2","asn":"16509","timestamp(ms)":"1731620046814","origin-fbl":"0.251","x-host-header":"d111111abcdef8.cloudfront.net",` +
			`"cs(Cookie)":"examplecookie=value","cs-method":"GET","cs-uri-stem":"/b\/%7Ec%2520","sc-status":200}`,
			want{host: "d111111abcdef8.cloudfront.net", method: "GET", target: "/b/~c%20", status: 200, time: 1731620046}},
		{"JSON of real-time fields", "cloudfront_json", `{"timestamp":"1136239445.123","c-ip":"192.0.2.7","cs-host":"d1.cloudfront.net","x-host-header":"www.example.org","cs-method":"GET","cs-uri-stem":"/a?b=1","cs-uri-query":"b=1","sc-status":"200","sc-content-len":"5120","cs-user-agent":"Mozilla/5.0%20(X11)"}`, w},
		{"JSON without the viewer's host", "cloudfront_json", strings.Replace(cloudfrontJSON.Example, `"x-host-header":"www.example.org",`, "", 1), change(func(w *want) { w.host = "d111111abcdef8.cloudfront.net" })},
		{"JSON, a bad date", "cloudfront_json", `{"date":"yesterday","cs-uri-stem":"/","sc-status":"200"}`, want{malformed: "a value that fits its format"}},
		{"JSON, a date that does not exist", "cloudfront_json", `{"date":"2006-13-02","time":"-","cs-uri-stem":"/","sc-status":"200"}`, want{malformed: "a date that exists"}},
		{"JSON, wrong types", "cloudfront_json", `{"date":{},"time":[],"c-ip":7,"cs-uri-stem":["/"],"sc-status":"200"}`, want{malformed: "a field with the request"}},
		{"JSON, no status", "cloudfront_json", `{"cs-uri-stem":"/","sc-status":null}`, want{malformed: "a field with the status"}},

		{"real-time", "cloudfront_realtime", cloudfrontRealtime.Example, w},
		{"real-time, the columns that are needed", "cloudfront_realtime", strings.Join(strings.Split(cloudfrontRealtime.Example, "\t")[:21], "\t"), change(func(w *want) { w.size = 5489 })},
		{"real-time, encoded", "cloudfront_realtime", strings.Replace(cloudfrontRealtime.Example, "/a?b=1", "/%7Ea?b=%2520", 1), change(func(w *want) { w.target = "/~a?b=%20" })},
		{"real-time, fewer columns", "cloudfront_realtime", "1136239445.123\t192.0.2.7\t200", want{malformed: "as many values"}},
		{"standard lines are not real-time", "cloudfront_realtime", cloudfront.Example, want{malformed: "sc-status"}},
		{"real-time lines are not standard", "cloudfront", cloudfrontRealtime.Example, want{malformed: "a date like 2006-01-02"}},
		{"chosen real-time fields", "#Fields: timestamp c-ip sc-status sc-content-len cs-method x-host-header cs-uri-stem x-edge-location cs-user-agent",
			"1136239445.123\t192.0.2.7\t200\t5120\tGET\twww.example.org\t/a?b=1\tFRA2\tMozilla/5.0%20(X11)", w},
		{"a column timestamp of another server", "#Fields: timestamp cs-uri-stem sc-status", "whenever /a 200", want{method: "GET", target: "/a", status: 200}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, c.format, c.line, c.want) })
	}
	for _, f := range []Format{cloudfrontJSON, cloudfrontRealtime} {
		if best, ok := Detect([][]byte{[]byte(f.Example)}).Best(); !ok || best.Format.Name != f.Name {
			t.Errorf("detected %s, want %s", best.Format.Name, f.Name)
		}
	}
}
