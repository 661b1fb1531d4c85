package weblog

import (
	"strings"
	"testing"
)

// hostileLines are lines of 64 KiB, the greatest length that the sources allow, that try
// to make a parser read every byte many times. There is no timed test. BenchmarkHostile
// shows that the worst line costs about as much per byte as a line of separators.
var hostileLines = map[string]string{
	"quotes":          head + `"` + strings.Repeat(`"`, 65000),
	"escaped quotes":  head + `"` + strings.Repeat(`\"`, 32000),
	"backslashes":     head + `"` + strings.Repeat(`\`, 65000),
	"closing quotes":  head + `"` + strings.Repeat(`" `, 32000),
	"statuses":        head + `"` + strings.Repeat(`" 200 `, 10000),
	"blanks":          strings.Repeat(" ", 65000),
	"brackets":        `192.0.2.7 - ` + strings.Repeat(" [", 32000),
	"objects":         `{"a":` + strings.Repeat(`{"a":`, 13000),
	"keys":            `{` + strings.Repeat(`"request":"\u0041",`, 3500) + `"status":200}`,
	"unended strings": `{"a":"` + strings.Repeat(`\"`, 32000),
	"unended values":  `2006-01-02 22:04:05 ` + strings.Repeat(`"a `, 21000),
	"hashes":          haproxyExample + `"` + strings.Repeat("#", 65000),
	"lists":           `{"request":{"headers":{"User-Agent":[` + strings.Repeat(`"a",`, 16000),
}

func TestHostileLines(t *testing.T) {
	for name, line := range hostileLines {
		for _, format := range []string{"combined", "vhost_combined", "nginx_json", "urllist", "haproxy", "squid", "istio", "caddy", "w3c", "cloudfront"} {
			t.Run(name+"/"+format, func(t *testing.T) { checkInvariants(t, format, []byte(line)) })
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, line := range hostileLines {
		format := "combined"
		if line[0] == '{' {
			format = "nginx_json"
		}
		if name == "unended values" {
			format = "#Fields: date time" + strings.Repeat(" x", 250) + " cs-uri-stem sc-status"
		}
		b.Run(name, func(b *testing.B) {
			p, l := mustNew(b, format), []byte(line)
			b.SetBytes(int64(len(l)))
			var h Hit
			for b.Loop() {
				_ = p.Parse(&h, l)
			}
		})
	}
}
