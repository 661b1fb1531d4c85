package weblog

import (
	"cmp"
	"errors"
	"strings"
	"testing"
)

func TestFormatsReadTheirExamples(t *testing.T) {
	for _, f := range Formats() {
		p := mustNew(t, f.Name)
		var h Hit
		if err := p.Parse(&h, []byte(f.Example)); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		size := int64(5120)
		if f.Fields&HasSize == 0 {
			size = 0
		}
		if f := exampleTarget(f.Name); string(h.Target) != f || string(h.Method) != "GET" || h.Status != 200 || h.Size != size {
			t.Errorf("%s: %+v", p.format.Name, *clone(&h))
		}
		if filled(&h)&^f.Fields != 0 || f.Fields&^filled(&h)&^HasEncoding != 0 {
			t.Errorf("%s has fields %s, its example %s", f.Name, f.Fields, filled(&h))
		}
		if p.further {
			t.Errorf("%s: its example goes on after the last field", f.Name)
		}
	}
}

// exampleTarget returns the target of the format's example.
func exampleTarget(format string) string {
	switch format {
	case "varnish", "squid", "squid_combined":
		return "http://www.example.org/a?b=1"
	case "alb", "azure_front_door":
		return "https://www.example.org:443/a?b=1"
	case "elb":
		return "http://www.example.org:80/a?b=1"
	case "google_lb", "cdx", "cdxj":
		return "https://www.example.org/a?b=1"
	case "ingress_haproxy":
		return "/a"
	}
	return "/a?b=1"
}

func TestFormatsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if seen[f.Name] || f.Description == "" || f.Size.String() == "" || f.Size.Note() == "" {
			t.Errorf("format %q is named twice or lacks a description", f.Name)
		}
		seen[f.Name] = true
	}
}

// TestSizesOfFormats: the size of each format counts what the servers' sources and
// manuals say.
func TestSizesOfFormats(t *testing.T) {
	for _, c := range []struct {
		size  SizeCount
		names string
	}{
		{SizeBody, "combinedio varnish tomcat jetty traefik traefik_json envoy istio elb s3 caddy"},
		{SizeBodyFramed, "lighttpd ingress_nginx"},
		{SizeBodyOrTotal, "combined vhost_combined combined_forwarded common common_vhost"},
		{SizeTotal, "squid squid_combined haproxy haproxy_clf ingress_haproxy alb google_lb cloudflare"},
		{SizeLengthOrTotal, "cloudfront"},
		{SizeNone, "w3c"}, // of IIS's default columns
		{SizeUnknown, "nginx_json azure_front_door google_storage gandi"},
		{SizeGiven, "urllist"},
	} {
		for name := range strings.FieldsSeq(c.names) {
			if got := mustNew(t, name).Format().Size; got != c.size {
				t.Errorf("%s: size counts %q, want %q", name, got, c.size)
			}
		}
	}
	for _, c := range []struct {
		name string
		told bool
	}{{"caddy", true}, {"traefik_json", true}, {"nginx_json", true}, {"combined", false}, {"alb", false}} {
		if got := mustNew(t, c.name).Format().Fields&HasEncoding != 0; got != c.told {
			t.Errorf("%s: encoding told: %t", c.name, got)
		}
	}
}

func TestDetectKnowsEachFormat(t *testing.T) {
	for _, f := range Formats() {
		d := Detect([][]byte{[]byte(f.Example), nil, []byte(f.Example)})
		best, ok := d.Best()
		if !ok || best.Format.Name != cmp.Or(f.Twin, f.Name) || best.Lines != 2 || d.Lines != 2 || d.Trouble != "" {
			t.Errorf("%s: detected %s: %+v", f.Name, best.Format.Name, best)
		}
		if f.Twin == "" && (best.Further != 0 || best.Seen|HasEncoding != f.Fields|HasEncoding) {
			t.Errorf("%s: sees %s, goes on in %d", f.Name, best.Seen, best.Further)
		}
	}
}

func TestDetectCases(t *testing.T) {
	long := combined.Example + ` "198.51.100.1"`
	for _, c := range []struct{ name, lines, want string }{
		{"nginx main", long, "combined"},
		{"torn combined", strings.Repeat(combined.Example+"\n", 5) + combined.Example[:len(combined.Example)-4], "combined"},
		{"combined with one common", combined.Example + "\n" + common.Example, "combined"},
		{"common with one combined", strings.Repeat(common.Example+"\n", 5) + combined.Example, "common"},
		{"user with a blank", strings.Replace(combined.Example, "- -", "- John Smith", 1), "combined"},
		{"host without port", "example.org " + combined.Example, "vhost_combined"},
		{"host of one word", "intranet:80 " + combined.Example, "vhost_combined"},
		{"host of one word, client by name", "_ " + strings.Replace(combined.Example, "192.0.2.7", "pc17.example.org", 1), "vhost_combined"},
		{"host and a client that is no address", "example.org " + strings.Replace(combined.Example, "192.0.2.7", "c17", 1), "vhost_combined"},
		{"hosts by address", "[2001:db8::1]:80 " + combined.Example + "\n192.0.2.80 " + strings.Replace(combined.Example, "192.0.2.7", "2001:db8::7", 1), "vhost_combined"},
		{"an address in front", "198.51.100.1 " + combined.Example, "combined_forwarded"},
		{"addresses in front", "198.51.100.1, 10.0.0.8 " + combined.Example + "\n- " + combined.Example, "combined_forwarded"},
		{"an address in quotes in front", `"198.51.100.1" ` + combined.Example, "combined_forwarded"},
		{"an address in parentheses in front", "(198.51.100.1) " + combined.Example, "combined_forwarded"},
		{"an address in front of common", "198.51.100.1 " + common.Example, "combined_forwarded"},
		{"a host by address, with a port", "198.51.100.1:80 " + combined.Example, "vhost_combined"},
		{"hosts, one by address", "example.org " + combined.Example + "\n198.51.100.1 " + combined.Example, "vhost_combined"},
		{"no host", "- " + combined.Example, "vhost_combined"},
		{"a list of clients", "198.51.100.1, " + combined.Example, "combined"},
		{"a list of clients in common", "198.51.100.1, " + common.Example, "common"},
		{"old ingress-nginx", strings.Replace(combined.Example, "- -", "- [192.0.2.7] - -", 1), "combined"},
		{"a time before it (docker logs -t)", "2006-01-02T22:04:05.678901234Z " + combined.Example, ""},
		{"seconds before it", "1136239445.123 " + combined.Example, ""},
		{"date and time before it", "2006-01-02 22:04:05 " + combined.Example, ""},
		{"a container before it (docker compose logs)", "web-1  | " + combined.Example, ""},
		{"a pod before it (kubectl logs --prefix)", "[pod/web-1/nginx] " + combined.Example, ""},
		{"a pod and a container before it (stern)", "web-1 nginx " + combined.Example, ""},
		{"a host and a program before it", "www nginx[12]: " + combined.Example, ""},
		{"a year in syslog's time", "Jan  2 2006 22:04:05 www nginx: " + combined.Example, ""},
		{"a time before ingress-nginx", "2006-01-02T22:04:05Z " + ingressNginx.Example, ""},
		{"lighttpd", lighttpd.Example, "lighttpd"},
		{"lighttpd with a port", strings.Replace(lighttpd.Example, "example.org", "example.org:8080", 1), "lighttpd"},
		{"a proxy's address in the second place", strings.Replace(combined.Example, "- -", "198.51.100.1 -", 1), "combined"},
		{"an IPv6 address in the second place", strings.Replace(combined.Example, "- -", "2001:db8::1 -", 1), "combined"},
		{"a user of identd", strings.Replace(combined.Example, "- -", "john.42 -", 1), "combined"},
		{"nginx main with an IPv6 list", combined.Example + ` "2001:db8::1, 2001:db8::2"`, "combined"},
		{"squid's combined", squidCombined.Example, "squid_combined"},
		{"half garbage", "x\n" + combined.Example, "combined"},
		{"mostly garbage", "x\ny\nz\n" + combined.Example, ""},
		{"nothing", "", ""},
		{"json of an application", `{"time":"2006-01-02T15:04:05Z","method":"GET","url":"/a","message":"done"}`, ""},
		{"an index's objects", `{"urlkey": "org,example)/a", "timestamp": "20060102150405", "url": "http://example.org/a", "status": "200", "digest": "AAAA", "length": "9"}`, "cdxj"},
		{"an index of seven columns", "org,example)/a 20060102150405 http://example.org/a text/html 200 AAAA 9", "cdx"},
		{"other json", `{"level":"info","msg":"started","status":200}`, ""},
	} {
		var lines [][]byte
		for line := range strings.SplitSeq(c.lines, "\n") {
			lines = append(lines, []byte(line))
		}
		best, ok := Detect(lines).Best()
		if ok != (c.want != "") || ok && best.Format.Name != c.want {
			t.Errorf("%s: detected %q, %t", c.name, best.Format.Name, ok)
		}
	}
}

// TestDetectHeaders: the header line of a format suffices to detect the format, and is
// not a record.
func TestDetectHeaders(t *testing.T) {
	for _, c := range []struct{ header, format string }{
		{" CDX N b a m s k r M S V g", "cdx"}, {"!OpenWayback-CDXJ 1.0", "cdxj"}, {`!meta 0 {"a":1}`, "cdxj"},
		{`"time_micros","c_ip","c_ip_type"`, "google_storage"}, {"#Fields: date time cs-uri-stem sc-status", "w3c"},
	} {
		var h Hit
		if err := mustNew(t, c.format).Parse(&h, []byte(c.header)); !errors.Is(err, ErrDirective) {
			t.Errorf("%s: %v", c.format, err)
		}
		d := Detect([][]byte{[]byte(c.header)})
		if best, ok := d.Best(); !ok || best.Format.Name != c.format || d.Lines != 0 || d.Directives != 1 {
			t.Errorf("%s: detected %s, %t, of %d lines", c.format, best.Format.Name, ok, d.Lines)
		}
		if best, ok := Detect([][]byte{[]byte(c.header), []byte("x")}).Best(); ok {
			t.Errorf("%s is taken for the format of a line that is in none", best.Format.Name)
		}
	}
}

func TestVhostDoesNotFitCombined(t *testing.T) {
	var h Hit
	if err := mustNew(t, "vhost_combined").Parse(&h, []byte(combined.Example)); err == nil {
		t.Fatalf("vhost_combined took a line of combined: %+v", h)
	}
}

func TestMeasureReportsMisfits(t *testing.T) {
	p := mustNew(t, "common")
	f := Measure(p, [][]byte{[]byte(common.Example), []byte("garbage")})
	if f.Lines != 1 || !strings.Contains(f.Misfit, "garbage") {
		t.Fatalf("%+v", f)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct{ format, want string }{
		{"combind", `unknown format "combind" (did you mean "combined"?): known are combined, vhost_combined,`},
		{"google", `unknown format "google": known are combined`},
		{"HAProxy", `unknown format "HAProxy" (did you mean "haproxy"?)`},
		{"IIS", `unknown format "IIS" (did you mean "w3c"?)`},
		{"nginx", `unknown format "nginx" (did you mean "combined"?)`},
		{"", "unknown format"},
		{`$remote_addr "$requst" $status`, `compile format: unknown variable "$requst" at byte 14 (did you mean "$request"?) (write $skip`},
		{`"$request" $status $boddy_byte_sent`, `at byte 19 (did you mean "$body_bytes_sent"?)`},
		{`"$request" $status $quite_another`, `unknown variable "$quite_another" at byte 19 (write $skip`},
		{`%h "%r" %S %>s %{Referer}I`, `unknown directive "%{Referer}I" at byte 15 (did you mean "%{Referer}i"?)`},
		{`%h "%r" %>s %Z`, `compile format: unknown directive "%Z" at byte 12 (known are %A %B %D`},
		{`%h %^[%d:%t %^] "%r" %s %b "%R" "%u"`, `compile format: unknown directive "%^" at byte 3`}, // GoAccess's
		{`%h "%r" %>s %{unique`, `unknown directive "%{unique"`},
		{`%h "%r" %>s %{x}Q`, `unknown directive "%{x}Q"`},
		{`%{%Q}t "%r" %>s`, `unknown time letter "%Q" (did you mean "%Y"?) in "%{%Q}t" at byte 0`},
		{`$remote_addr$remote_user "$request" $status`, "$remote_addr and $remote_user stand side by side at byte 12"},
		{`%h%u "%r" %>s`, "%h and %u stand side by side"},
		{`$remote_addr $status $body_bytes_sent`, "the format has no request"},
		{`$remote_addr "$request" $body_bytes_sent`, "the format has no status"},
		{`{"a":"$request"}`, "the format has no status"},
		{`{"a":"$request$status$host"}`, `key "a": $request and $status stand side by side`},
		{`{"a":"$request","b":"$nope"}`, `key "b": unknown variable "$nope"`},
		{`{"a" "$request"}`, `expected "key": and a value, or }, at byte 5`},
		{`{"a":$request`, `the object has no end`},
	} {
		_, err := New(c.format)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%q): %v, want %q", c.format, err, c.want)
		}
	}
}

// Configurations name these formats, and the order of two formats decides which one is
// detected. New formats may stand between.
func TestNames(t *testing.T) {
	want := []string{"combined", "vhost_combined", "combinedio", "common", "common_vhost", "gandi", "lighttpd", "varnish", "tomcat", "jetty",
		"traefik", "ingress_nginx", "squid_combined", "squid", "haproxy", "haproxy_clf", "ingress_haproxy", "envoy", "istio", "alb", "elb", "s3",
		"cloudfront", "w3c", "nginx_json", "caddy", "traefik_json", "google_lb", "google_storage", "azure_front_door", "cloudflare", "cdx", "cdxj", "urllist"}
	seen := map[string]bool{}
	for _, name := range Names() {
		if seen[name] {
			t.Errorf("two formats have the name %q", name)
		}
		seen[name] = true
		if len(want) > 0 && name == want[0] {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		t.Fatalf("%q is missing, or not in the order, in %q", want[0], Names())
	}
}
