package weblog

import (
	"strings"
	"testing"
)

// TestMoreServers: what servers write beside the examples of their formats.
func TestMoreServers(t *testing.T) {
	full := want{host: "www.example.org", method: "GET", target: "/a?b=1", agent: "Mozilla/5.0", client: "192.0.2.7", status: 200, size: 5120, time: at05}
	with := func(change func(w *want)) want {
		w := full
		change(&w)
		return w
	}
	identity := func(w *want) { w.class = ClassIdentity }
	bare := want{host: "www.example.org", method: "GET", target: "/a?b=1", client: "192.0.2.7", status: 200, size: 5120}
	for _, q := range []quirk{
		{"npm, several upstreams", "npm", strings.Replace(npm.Example, " 200 200 ", " 502, 200 200 ", 1), with(identity)},
		{"npm, packed", "npm", strings.Replace(npm.Example, "[Gzip -]", "[Gzip 3.05]", 1), with(func(w *want) { w.class = ClassGzip })},
		{"npm, standard", "npm_standard", npmStandard.Example, with(identity)},
		{"uvicorn, words after the status", "uvicorn", `INFO:     2001:db8::7:51234 - "GET /b HTTP/1.1" 404 Not Found`, want{method: "GET", target: "/b", client: "2001:db8::7", status: 404}},
		{"uvicorn, another line", "uvicorn", `INFO:     Application startup complete.`, want{malformed: "expected"}},
		{"heroku, tls", "heroku", heroku.Example + " tls=true tls_version=tls1.3", bare},
		{"heroku, an error", "heroku", strings.Replace(heroku.Example, "at=info", `at=error code=H12 desc="Request timeout"`, 1), want{malformed: "first literal text"}},
		{"azure, with its first target", "azure_app_gateway", strings.Replace(azureAppGateway.Example, `"requestUri":"/a"`, `"originalRequestUriWithArgs":"/b?c","requestUri":"/a"`, 1), with(func(w *want) { w.target = "/b?c" })},
		{"caddy, colors", "caddy_console", strings.Replace(caddyConsole.Example, "INFO", "\x1b[34mINFO\x1b[0m", 1), with(func(w *want) { w.class = ClassGzip })},
		{"caddy, another line", "caddy_console", "2006/01/02 22:04:05.123\tINFO\tadmin\tadmin endpoint started\t{\"address\": \"localhost:2019\"}", want{malformed: "a field with the request"}},
		{"caddy, no object", "caddy_console", "2006/01/02 22:04:05.123\tINFO\tserving", want{malformed: "a tab and a JSON object"}},
		{"caddy, no time", "caddy_console", "-\tINFO\t{}", want{malformed: "a time and a tab"}},
		{"host at the end, and more", "combined_host", combinedHost.Example + " 0.004", full},
		{"API gateway", "nginx_json", `{"requestId":"x","ip":"192.0.2.7","requestTime":"02/Jan/2006:22:04:05 +0000","httpMethod":"GET","path":"/a","status":"200","responseLength":"5120","domainName":"www.example.org","userAgent":"Mozilla/5.0"}`,
			with(func(w *want) { w.target = "/a" })},
		{"Istio", "nginx_json", `{"authority":"www.example.org","bytes_received":0,"bytes_sent":5120,"downstream_remote_address":"192.0.2.7:51234","method":"GET","path":"/a?b=1","response_code":200,"start_time":"2006-01-02T22:04:05.123Z","user_agent":"Mozilla/5.0","x_forwarded_for":null}`, full},
	} {
		t.Run(q.name, func(t *testing.T) { q.run(t) })
	}
}

// TestDetectHostAtEnd: what stands after the agent is a host only if it looks like one.
func TestDetectHostAtEnd(t *testing.T) {
	for _, c := range []struct{ more, format string }{
		{` "www.example.org"`, "combined_host"},
		{` "www.example.org:8080" 0.004`, "combined_host"},
		{` www.example.org`, "combined_host_bare"},
		{` "198.51.100.9"`, "combined"},
		{` "198.51.100.9, 192.0.2.1"`, "combined"},
		{` "-"`, "combined"},
		{` "TLSv1.3"`, "combined"},
		{` "/index.php"`, "combined"},
		{` 0.004`, "combined"},
		{` 412 5489`, "combinedio"},
	} {
		t.Run(c.more, func(t *testing.T) {
			if best, ok := Detect([][]byte{[]byte(combined.Example + c.more)}).Best(); !ok || best.Format.Name != c.format {
				t.Errorf("%s, %t, want %s", best.Format.Name, ok, c.format)
			}
		})
	}
}

// A log of connections is told by name, with what to do.
func TestConnectionsAreNoRequests(t *testing.T) {
	const line = `192.0.2.7:51234 [02/Jan/2006:15:04:05.123] ssh ssh/one 0/0/1500 2153 -- 1/1/1/1/0 0/0`
	for _, head := range []string{"", "<134>Jan  2 15:04:05 lb1 haproxy[12]: "} {
		d := Detect([][]byte{[]byte(head + line), []byte(head + line)})
		if _, ok := d.Best(); ok || !strings.Contains(d.Trouble, "option httplog") {
			t.Errorf("%q: %t, trouble %q", head, ok, d.Trouble)
		}
	}
}
