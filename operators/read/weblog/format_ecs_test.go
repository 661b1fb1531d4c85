package weblog

import (
	"strings"
	"testing"
)

// The first lines are those that the tests of Filebeat's modules nginx and apache expect
// (elastic/beats, filebeat/module/nginx/access/test/test-with-host.log-expected.json and
// filebeat/module/apache/access/test/test-vhost.log-expected.json), less some fields.
func TestECS(t *testing.T) {
	w := want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "ua", client: "192.0.2.7", status: 200, size: 12, time: at05}
	at := func(host string) want { w := w; w.host = host; return w }
	const rest = `"http.request.method":"GET","http.response.status_code":200,"http.response.body.bytes":12,"user_agent.original":"ua","source.address":"192.0.2.7","@timestamp":"2006-01-02T22:04:05Z"`
	for _, c := range []struct {
		name, line string
		want       want
	}{
		{"nginx module", `{"@timestamp":"2016-12-07T10:05:07.000Z","destination.domain":"example.com","event.category":["web"],"event.dataset":"nginx.access","event.module":"nginx",` +
			`"fileset.name":"access","http.request.method":"get","http.response.body.bytes":571,"http.response.status_code":200,"http.version":"1.1","input.type":"log","log.offset":365,` +
			`"nginx.access.remote_ip_list":["10.0.0.2","10.0.0.1","85.181.35.98"],"related.ip":["85.181.35.98"],"service.type":"nginx","source.address":"85.181.35.98","source.as.number":6805,` +
			`"source.geo.location.lat":52.4473,"source.ip":"85.181.35.98","url.original":"/ocelot","user_agent.name":"Firefox","user_agent.original":"Mozilla/5.0 (Macintosh)"}`,
			want{host: "example.com", method: "GET", target: "/ocelot", agent: "Mozilla/5.0 (Macintosh)", client: "85.181.35.98", status: 200, size: 571, time: 1481105107}},
		{"apache module", `{"@timestamp":"2016-12-26T16:22:14.000Z","destination.domain":"vhost1.domaine.fr","event.module":"apache","http.request.method":"GET","http.request.referrer":"-",` +
			`"http.response.body.bytes":499,"http.response.status_code":404,"source.ip":"192.168.33.2","url.original":"/hello","user.name":"-","user_agent.original":"Mozilla/5.0"}`,
			want{host: "vhost1.domaine.fr", method: "GET", target: "/hello", agent: "Mozilla/5.0", client: "192.168.33.2", status: 404, size: 499, time: 1482769334}},
		{"nginx module, a bad request", `{"@timestamp":"2019-02-26T14:39:42.000Z","destination.domain":"example.com","http.response.body.bytes":173,"http.response.status_code":400,"source.address":"unix:"}`,
			want{malformed: "a field with the request"}},

		{"the client is not the site", `{"url.original":"/a?b=1",` + rest + `}`, at("")},
		{"the machine is not the site", `{"host.name":"web-1","host":{"name":"web-1","hostname":"web-1"},"agent":{"hostname":"web-1"},"url.original":"/a?b=1",` + rest + `}`, at("")},
		{"the server's address is not the site", `{"destination":{"ip":"198.51.100.1","address":"198.51.100.1"},"url.original":"/a?b=1",` + rest + `}`, at("")},
		{"hosts by rank", `{"url":{"domain":"www.example.org","original":"/a?b=1"},"destination":{"domain":"b"},"server":{"address":"c"},"server_name":"d",` + rest + `}`, w},
		{"an absolute URL", `{"url":{"full":"https://www.example.org/a?b=1","original":"/x"},` + rest + `}`, func() want { w := at(""); w.target = "https://www.example.org/a?b=1"; return w }()},
		{"path and query", `{"url":{"path":"/a","query":"b=1","domain":"www.example.org"},` + rest + `}`, w},
		{"keys in between", `{"url":{"original":"/a?b=1","domain":"www.example.org"},"http.request":{"method":"GET"},"http":{"response.status_code":200,"response":{"body.bytes":12}},` +
			`"user_agent":{"original":"ua"},"client":{"address":"192.0.2.7"},"@timestamp":"2006-01-02T22:04:05Z"}`, w},
		{"of OpenTelemetry", `{"@timestamp":"1136239445000000000","http.request.method":"GET","url.path":"/a","url.query":"b=1","server.address":"www.example.org","client.address":"192.0.2.7",` +
			`"network.peer.address":"10.0.0.1","http.response.status_code":200,"http.response.body.size":12,"http.response.size":400,"user_agent.original":"ua"}`, w},
		{"of an older OpenTelemetry", `{"@timestamp":"1136239445","http.method":"GET","http.target":"/a?b=1","http.host":"www.example.org","http.client_ip":"192.0.2.7","net.sock.peer.addr":"10.0.0.1",` +
			`"http.status_code":"200","http.response_content_length":12,"http.user_agent":"ua"}`, w},
		{"headers as lists", `{"http.request.header.host":["www.example.org"],"http.response.header.content-encoding":["gzip"],"url.original":"/a?b=1",` + rest + `}`,
			func() want { w := w; w.class = ClassGzip; return w }()},

		{"wrong types", `{"url":"/a?b=1","http":[1],"source":7,"user_agent":null,"url.original":{"a":1},"http.response.status_code":[]}`, want{malformed: "a field with the request"}},
		{"a status that is none", `{"url.original":"/a","http.response.status_code":"ok"}`, want{malformed: "a status of at most three digits"}},
		{"keys twice", `{"url.original":"/b","url":{"original":"/a?b=1"},"url.domain":"x","url":{"domain":"www.example.org"},` + rest + `}`, w},
		{"invalid UTF-8", "{\"url.original\":\"/\xff\",\"http.response.status_code\":200}", want{method: "GET", target: "/\xff", status: 200}},
		{"deep in a known key", `{"url":` + strings.Repeat(`{"domain":`, 1000) + `1` + strings.Repeat("}", 1000) + `}`, want{malformed: "no more than 64 levels"}},
		{"deep in an unknown key", `{"x":` + strings.Repeat(`{"url":`, 1000) + `1` + strings.Repeat("}", 1000) + `}`, want{malformed: "no more than 64 levels"}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, "ecs", c.line, c.want) })
	}
}
