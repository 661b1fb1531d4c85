package records

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/window/admit"
)

type object = map[string]any

// text is an attribute of OTLP.
func text(key, value string) object {
	return object{"key": key, "value": object{"stringValue": value}}
}

// otlp is a document of OTLP with one record, from the machine web-1.
func otlp(record object) object {
	return object{"resourceLogs": []any{object{"resource": object{"attributes": []any{text("host.name", "web-1")}}, "scopeLogs": []any{object{"logRecords": []any{record}}}}}}
}

// Whatever a shipper puts around a line, or makes of it, the site is the host that the client asked
// for. It is never the machine of the shipper, web-1, nor the client.
func TestShippers(t *testing.T) {
	const line = `203.0.113.9 - - [02/Jan/2026:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`
	const hosted = "www.example.org " + line
	const alb = `https 2026-01-02T10:00:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 203.0.113.9:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 5120 ` +
		`"GET https://www.example.org:443/a?b=1 HTTP/1.1" "Mozilla/5.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 - "Root=1-5833" "www.example.org" "-" 1 2026-01-02T10:00:00Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"`
	realtime := strings.ReplaceAll("1767348000.1 203.0.113.9 10.0.0.1 0.1 200 5489 GET https d111111abcdef8.cloudfront.net /a?b=1 10 FRA2 id== www.example.org 0.1 HTTP/2.0 IPv4 Mozilla/5.0 - - b=1 Hit - TLSv1.3 - Hit - - text/html 5120 - - 1 Hit DE", " ", "\t")
	cloudfront := object{"date": "2026-01-02", "time": "10:00:00", "x-edge-location": "FRA2", "sc-bytes": "5489", "sc-content-len": "5120", "c-ip": "203.0.113.9", "cs-method": "GET",
		"cs(Host)": "d111111abcdef8.cloudfront.net", "x-host-header": "www.example.org", "cs-uri-stem": "/a", "cs-uri-query": "b=1", "sc-status": "200", "x-forwarded-for": "-"}
	ecs := object{"@timestamp": "2026-01-02T10:00:00Z", "host": object{"name": "web-1"}, "http": object{"request": object{"method": "GET"}, "response": object{"status_code": 200, "body": object{"bytes": 5120}}},
		"source": object{"address": "203.0.113.9"}, "url": object{"original": "/a?b=1", "domain": "www.example.org"}}
	firehose := func(text string) object {
		return object{"requestId": "x", "timestamp": 1767348000000, "records": []any{object{"data": base64.StdEncoding.EncodeToString([]byte(text + "\n"))}}}
	}
	loki := func(labels object, text string) object {
		return object{"streams": []any{object{"stream": labels, "values": []any{[]any{"1767348000000000000", text}}}}}
	}
	marshal := func(value any) string {
		b, err := json.Marshal(value)
		must(t, err)
		return string(b)
	}
	for _, c := range []struct {
		format  string
		shipped any
	}{
		{"filebeat/vhost_combined", object{"@timestamp": "2026-01-02T10:00:00Z", "message": hosted, "event": object{"module": "nginx"}, "host": object{"name": "web-1"}, "agent": object{"hostname": "web-1"}}},
		{"filebeat/combined", object{"@timestamp": "2026-01-02T10:00:00Z", "event": object{"original": line}, "host": object{"name": "web-1"}, "url": object{"domain": "www.example.org"}}},
		{"ecs", ecs},
		{"fluentbit/vhost_combined", object{"@timestamp": 1767348000.1, "log": hosted}},
		{"vector/vhost_combined", object{"file": "/var/log/access.log", "host": "web-1", "message": hosted, "source_type": "file", "timestamp": "2026-01-02T10:00:00Z"}},
		{"vector/alb", object{"message": alb}},
		{"vector/cloudfront_json", object{"message": marshal(cloudfront)}},
		{"cloudfront_json", cloudfront},
		{"cloudfront_realtime", realtime},

		{"documents/vhost_combined OTLP", otlp(object{"timeUnixNano": "1767348000000000000", "body": object{"stringValue": hosted}})},
		{"documents/vhost_combined CRI", otlp(object{"body": object{"stringValue": "2026-01-02T10:00:00.1Z stdout F " + hosted}})},
		{"documents/combined OTLP", otlp(object{"body": object{"stringValue": line}, "attributes": []any{text("server.address", "www.example.org")}})},
		{"documents/ecs OTLP", otlp(object{"timeUnixNano": "1767348000000000000", "body": object{"stringValue": "served"}, "attributes": []any{text("http.request.method", "GET"), text("url.path", "/a"), text("url.query", "b=1"),
			text("server.address", "www.example.org"), text("client.address", "203.0.113.9"), object{"key": "http.response.status_code", "value": object{"intValue": "200"}}, object{"key": "http.response.body.size", "value": object{"intValue": "5120"}}}})},
		{"documents/vhost_combined Loki", loki(object{"job": "nginx", "host": "web-1"}, hosted)},
		{"documents/combined Loki", loki(object{"vhost": "www.example.org", "host": "web-1"}, line)},
		{"documents/vhost_combined Connect", object{"schema": object{"type": "string", "optional": false}, "payload": hosted}},
		{"documents/ecs Connect", object{"schema": object{"type": "struct"}, "payload": ecs}},
		{"documents/ecs Connect, text", object{"schema": object{"type": "string"}, "payload": marshal(ecs)}},
		{"documents/alb Firehose", firehose(alb)},
		{"documents/cloudfront_json Firehose", firehose(marshal(cloudfront))},
		{"documents/cloudfront_realtime Firehose", firehose(realtime)},
		{"documents/alb CloudWatch", object{"messageType": "DATA_MESSAGE", "owner": "1", "logEvents": []any{object{"id": "1", "timestamp": 1767348000000, "message": alb}}}},
	} {
		t.Run(c.format, func(t *testing.T) {
			content, ok := c.shipped.(string)
			if !ok {
				content = marshal(c.shipped)
			}
			path := filepath.Join(t.TempDir(), "log")
			must(t, os.WriteFile(path, []byte(content+"\n"), 0o600))
			client := ""
			o := Options{Admit: admit.Defaults()}
			o.Admit.Ignore = func(b []byte) bool { client = string(b); return false }
			got := readAll(t, o, path)
			name, _, _ := strings.Cut(c.format, " ")
			if len(got.formats) != 1 || got.formats[0] != name {
				t.Errorf("read as %q", got.formats)
			}
			if len(got.records) != 1 || !strings.HasPrefix(got.records[0], "www.example.org /a?b=1 5120 ") || client != "203.0.113.9" {
				t.Errorf("read %q of client %q, %+v", got.records, client, fmt.Sprint(got.malformed))
			}
		})
	}
}
