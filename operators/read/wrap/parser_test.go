package wrap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/read/weblog"
)

const jsonLine = `{"time":"2006-01-02T15:04:05-07:00","request":"GET /j HTTP/1.1","status":"200","body_bytes_sent":5120}`

// parsedLine is a line after Vector's parse_apache_log, with the request as its message.
const parsedLine = `{"agent":"ua","host":"192.0.2.7","identity":"-","message":"GET /v HTTP/1.0","method":"GET","path":"/v","size":2326,"status":200,"timestamp":"2006-01-02T22:04:05Z"}`

const caddyLine = `{"level":"info","ts":1136239445.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"198.51.100.9","client_ip":"192.0.2.7",` +
	`"method":"GET","host":"www.example.org","uri":"/c","headers":{"User-Agent":["ua"]}},"size":12,"status":200,"resp_headers":{}}`

func split(text string) (lines [][]byte) {
	for line := range strings.Lines(text) {
		lines = append(lines, []byte(strings.TrimSuffix(line, "\n")))
	}
	return lines
}

func TestDetect(t *testing.T) {
	in := func(tag, line string) string { return "Jan  2 15:04:05 www " + tag + ": " + line + "\n" }
	noise := in("sshd[7]", "Accepted publickey for root")
	for _, c := range []struct{ name, wrapper, lines, want string }{
		{"bare", "", exampleLine, "combined"},
		{"bare JSON", "", jsonLine, "nginx_json"},
		{"half a wrapper", "", exampleLine + "\n" + exampleLine + "\n" + in("nginx", exampleLine), "combined"},
		{"a time before lines", "", "2006-01-02T22:04:05.678901234Z " + exampleLine, "syslog/combined"},
		{"a time before lines with hosts", "", "2006-01-02T22:04:05.678901234Z www.example.org:443 " + exampleLine, "syslog/vhost_combined"},
		{"one server amid others", "", strings.Repeat(noise, 20) + in("nginx", exampleLine), "syslog/combined"},
		{"too few", "", strings.Repeat(noise, 100) + in("nginx", exampleLine), ""},
		{"no server", "", strings.Repeat(noise, 5), ""},
		{"several servers", "", in("nginx", exampleLine) + noise + in("nginx", exampleLine) + in("caddy", jsonLine), "syslog/combined+nginx_json"},
		{"a wrapper named", "fluentbit", `{"log":"/a\t200\t1","stream":"stdout"}`, "fluentbit/urllist"},
		{"a wrapper named that is not there", "cri", exampleLine, ""},
		{"no known format", "", `{"message":"done"}`, ""},
		{"JSON in docker", "", fmt.Sprintf(`{"log":%q,"stream":"stdout"}`, jsonLine), "docker/nginx_json"},
		{"nothing", "", "", ""},
		{"any", "any", in("nginx", exampleLine) + exampleLine, "any/combined"},
		{"rsyslog", "", `{"msg":" 192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] \"GET / HTTP/1.1\" 200 5\n","rawmsg":"x","inputname":"imuxsock"}`, "rsyslog/common"},
		{"what a shipper has parsed", "", parsedLine, "nginx_json"},
		{"any of what shippers have parsed", "any", parsedLine, "any/nginx_json"},
		{"any of lines of several sorts", "any", parsedLine + "\n" + in("nginx", exampleLine) + caddyLine + "\n" + parsedLine, "any/nginx_json+combined+caddy"},
		{"the beginning of a line alone", "", "2024-01-02T03:04:05Z stdout P " + exampleLine, ""},
	} {
		d := Detect(c.wrapper, split(c.lines))
		got := ""
		if d.Parser != nil {
			got = d.Parser.Name()
		}
		if got != c.want {
			t.Errorf("%s: detected %q, want %q", c.name, got, c.want)
		}
	}
}

// A detected parser reads the lines of several servers and recognizes lines of other
// programs.
func TestParseMixed(t *testing.T) {
	lines := split("Jan  2 15:04:05 www nginx: " + exampleLine + "\n" +
		"Jan  2 15:04:05 www sshd[1]: hello\n" +
		"Jan  2 15:04:05 www caddy: " + jsonLine + "\n" +
		"-- MARK --\n")
	p := Detect("", lines).Parser
	var got []string
	for _, line := range lines {
		var h weblog.Hit
		kind, err := p.Parse(&h, line)
		if (kind == Other || kind == Malformed) != (err != nil) {
			t.Errorf("%q: kind %d with error %v", line, kind, err)
		}
		got = append(got, fmt.Sprintf("%d %s", kind, h.Target))
	}
	want := []string{fmt.Sprintf("%d /a?b=1", Hit), fmt.Sprintf("%d ", Other), fmt.Sprintf("%d /j", Hit), fmt.Sprintf("%d ", Malformed)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// In a topic with mixed lines, each line is read on its own.
func TestParseAny(t *testing.T) {
	lines := split(strings.Join([]string{parsedLine, "<190>Jan  2 15:04:05 www nginx: " + exampleLine, caddyLine, exampleLine, `{"msg":" ` + exampleJSON + `"}`, `{"message":"no line"}`}, "\n"))
	p := Detect("any", lines).Parser
	var got []string
	for _, line := range lines {
		var h weblog.Hit
		kind, _ := p.Parse(&h, line)
		got = append(got, fmt.Sprintf("%d %s %s of %s", kind, h.Target, h.Client, h.Host))
	}
	hit := func(target, host string) string { return fmt.Sprintf("%d %s 192.0.2.7 of %s", Hit, target, host) }
	want := []string{hit("/v", ""), hit("/a?b=1", ""), hit("/c", "www.example.org"), hit("/a?b=1", ""), hit("/a?b=1", ""), fmt.Sprintf("%d   of ", Other)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The host beside a line is the site of a line that names none. The machine is not the site.
func TestSiteBesideTheLine(t *testing.T) {
	p, err := New("filebeat/combined")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ beside, want string }{
		{`"url":{"domain":"www.example.org"}`, "www.example.org"},
		{`"url.domain":"www.example.org","vhost":"b","destination":{"domain":"c"}`, "www.example.org"},
		{`"vhost":"b","destination":{"domain":"c"}`, "c"},
		{`"vhost":"b:8080"`, "b:8080"},
		{`"host":{"name":"web-1"},"agent":{"hostname":"web-1"},"source":{"domain":"client.example.net"},"host.name":"web-1"`, ""},
		{`"url":{"domain":["a"]},"url.domain":7,"vhost":{"domain":"a"},"destination":"a"`, ""},
		{`"vhost":"-","destination.domain":"","url.domain":"a\u0062"`, ""},
		{`"vhost":"` + strings.Repeat("a", 256) + `"`, ""},
	} {
		var h weblog.Hit
		kind, err := p.Parse(&h, []byte(`{"@timestamp":"x",`+c.beside+`,"message":`+quote(exampleLine)+`}`))
		if kind != Hit || err != nil || string(h.Host) != c.want {
			t.Errorf("%s: %v, %v, host %q, want %q", c.beside, kind, err, h.Host, c.want)
		}
	}
	named, err := New("filebeat/vhost_combined")
	if err != nil {
		t.Fatal(err)
	}
	var h weblog.Hit
	if kind, _ := named.Parse(&h, []byte(`{"@timestamp":"x","vhost":"b","message":`+quote("a.example.org:443 "+exampleLine)+`}`)); kind != Hit || string(h.Host) != "a.example.org:443" {
		t.Errorf("%v, host %q of a line that names one", kind, h.Host)
	}
}

func quote(line string) string { return `"` + strings.ReplaceAll(line, `"`, `\"`) + `"` }

func TestNew(t *testing.T) {
	for _, c := range []struct{ name, want string }{{"combined", "combined"}, {"syslog/combined", "syslog/combined"}, {`cri/"$request" $status`, "cri/custom"}, {`"$host/$request" $status`, "custom"}} {
		p, err := New(c.name)
		if err != nil || p.Name() != c.want {
			t.Errorf("New(%q): %v", c.name, err)
		}
	}
	for _, name := range []string{"syslog", "syslog/", "syslog/nosuch", "nosuch/combined", ""} {
		if _, err := New(name); err == nil {
			t.Errorf("New(%q): no error", name)
		}
	}
	if Check("syslog") != nil || Check("combined") != nil || Check("syslog/nosuch") == nil || Check("") == nil {
		t.Error("Check takes what New or Detect do not, or not what they take")
	}
}

// benchLines returns several realistic wrapped lines.
func benchLines(wrapper string) (lines [][]byte) {
	for i := range 64 {
		line := fmt.Sprintf(`192.0.2.%d - - [02/Jan/2006:15:%02d:05 -0700] "GET /articles/2006/%d/how-to-%d.html?ref=feed&page=%d HTTP/1.1" 200 %d`+
			` "https://www.example.org/articles/2006/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Safari/537.36"`,
			i*3, i%60, i%12, i*977, i%7, 3000+i*i*31)
		text := fmt.Sprintf("%q", line)
		meta := `"host":{"name":"www","ip":["192.0.2.1"],"os":{"family":"debian","version":"12 (bookworm)"}},"agent":{"id":"6c2b0e2e","type":"filebeat","version":"8.11.1"},"log":{"offset":1234,"file":{"path":"/var/log/nginx/access.log"}},"input":{"type":"log"},"ecs":{"version":"8.0.0"}`
		lines = append(lines, []byte(map[string]string{
			"documents":    documentMark + "- " + line,
			"cri":          "2006-01-02T15:04:05.678901234Z stdout F " + line,
			"syslog":       "<190>Jan  2 15:04:05 www nginx: " + line,
			"docker":       `{"log":` + text[:len(text)-1] + `\n","stream":"stdout","time":"2006-01-02T15:04:05.678901234Z"}`,
			"journal_json": `{"__CURSOR":"s=1;i=2","_HOSTNAME":"www","_PID":"12","SYSLOG_IDENTIFIER":"nginx","PRIORITY":"6","MESSAGE":` + text + `}`,
			"filebeat":     `{"@timestamp":"2006-01-02T15:04:05.000Z",` + meta + `,"message":` + text + `,"event":{"dataset":"nginx.access","original":` + text + `}}`,
			"vector":       `{"file":"/var/log/access.log","host":"www","message":` + text + `,"source_type":"file","timestamp":"2006-01-02T15:04:05Z"}`,
			"fluentbit":    `[1136239445.0,{"log":` + text + `}]`,
			"rsyslog":      `{"msg":` + text[:1] + " " + text[1:] + `,"rawmsg":"<190>Jan  2 15:04:05 www nginx: x","timereported":"2006-01-02T15:04:05+00:00","hostname":"www","syslogtag":"nginx:","inputname":"imuxsock"}`,
			"journal":      "MESSAGE=" + line,
			"compose":      "\x1b[36mweb-1  | \x1b[0m2006-01-02T15:04:05.678901234Z " + line,
			"any":          `{"file":"/var/log/access.log","host":"www","message":` + text + `,"source_type":"file","timestamp":"2006-01-02T15:04:05Z"}`,
		}[wrapper]))
	}
	return lines
}

func TestParseDoesNotAllocate(t *testing.T) {
	for _, w := range table {
		p, err := New(w.Name + "/combined")
		if err != nil {
			t.Fatal(err)
		}
		if len(benchLines(w.Name)[0]) == 0 {
			t.Errorf("benchLines has no lines of %s", w.Name)
		}
		lines := append(benchLines(w.Name), nil, []byte("garbage"), []byte(strings.Replace(w.Example, " F ", " P ", 1)))
		var h weblog.Hit
		n := testing.AllocsPerRun(20, func() {
			for _, line := range lines {
				_, _ = p.Parse(&h, line)
			}
		})
		if n != 0 {
			t.Errorf("%s allocates %v times in %d lines", w.Name, n, len(lines))
		}
	}
}

// BenchmarkUnwrap measures the cost of a wrapper on top of the parser of its lines.
func BenchmarkUnwrap(b *testing.B) {
	for _, w := range table {
		lines := benchLines(w.Name)
		u := Unwrapper{wrapper: &w}
		b.Run(w.Name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, got := u.Unwrap(lines[i%len(lines)]); got != Inner {
					b.Fatal(got)
				}
			}
		})
	}
}

// Sizes that count different things are in different classes, so they are never compared.
// The encoding stays in the class.
func TestWhatSizesCount(t *testing.T) {
	const tail = ` - - [02/Jan/2006:15:04:05 +0000] "GET /a HTTP/1.1" 200 512 gzip`
	for _, c := range []struct {
		format string
		want   uint8
	}{
		{`%h %l %u %t "%r" %>s %B %{Content-Encoding}o`, weblog.ClassGzip},
		{`%h %l %u %t "%r" %>s %b %{Content-Encoding}o`, weblog.ClassGzip},
		{`%h %l %u %t "%r" %>s %O %{Content-Encoding}o`, weblog.ClassGzip | weblog.SizeTotal.Class()},
		{`syslog/%h %l %u %t "%r" %>s %O %{Content-Encoding}o`, weblog.ClassGzip | weblog.SizeTotal.Class()},
	} {
		p, err := New(c.format)
		if err != nil {
			t.Fatal(err)
		}
		line := "192.0.2.7" + tail
		if p.Wrapped() {
			line = "Jan  2 15:04:05 www apache2: " + line
		}
		var h weblog.Hit
		if kind, err := p.Parse(&h, []byte(line)); kind != Hit || h.Class != c.want || h.Size != 512 {
			t.Errorf("%s: kind %d, class %d, want %d; %v", c.format, kind, h.Class, c.want, err)
		}
	}
	columns, err := New("w3c")
	if err != nil {
		t.Fatal(err)
	}
	var h weblog.Hit
	for _, c := range []struct {
		line string
		want uint8
	}{{"#Fields: cs-uri-stem sc-status sc-bytes", 0}, {"/a 200 512", weblog.SizeTotal.Class()}, {"#Fields: cs-uri-stem sc-status sc-bytes sc-content-len", 0}, {"/a 200 900 512", weblog.SizeLengthOrTotal.Class()}} {
		if kind, err := columns.Parse(&h, []byte(c.line)); kind == Hit && h.Class != c.want || kind == Malformed {
			t.Errorf("%s: class %d, want %d; %v", c.line, h.Class, c.want, err)
		}
	}
	classes := map[uint8]bool{}
	for _, s := range []weblog.SizeCount{weblog.SizeBody, weblog.SizeTotal, weblog.SizeLengthOrTotal} {
		classes[s.Class()] = true
		if s.Class()&(weblog.ClassOther|weblog.ClassGzip|weblog.ClassBrotli) != 0 {
			t.Errorf("%d is a coding's class too", s.Class())
		}
	}
	if len(classes) != 3 {
		t.Errorf("classes %v", classes)
	}
}
