package weblog

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unsafe"
)

func FuzzParse(f *testing.F) {
	for i := range table {
		f.Add(uint8(i), []byte(table[i].Example))
	}
	for _, q := range quirks {
		f.Add(uint8(0), []byte(q.line))
		f.Add(uint8(1), []byte("example.org:80 "+q.line))
	}
	f.Fuzz(func(t *testing.T, i uint8, line []byte) {
		checkInvariants(t, table[int(i)%len(table)].Name, line)
	})
}

// FuzzFormats begins with the peculiarities of servers with formats of their own.
func FuzzFormats(f *testing.F) {
	at := map[string]int{}
	for i := range table {
		at[table[i].Name] = i
		f.Add(uint8(i), []byte(table[i].Example))
	}
	for _, q := range serverQuirks {
		f.Add(uint8(at[q.format]), []byte(q.line))
	}
	f.Fuzz(func(t *testing.T, i uint8, line []byte) {
		checkInvariants(t, table[int(i)%len(table)].Name, line)
	})
}

// FuzzW3C reads files whose lines name their columns.
func FuzzW3C(f *testing.F) {
	f.Add([]byte(w3cFields + "\n" + w3cLine + "\n#Fields: time cs-uri sc-status\n22:04:05 /a 200"))
	f.Add([]byte("#Fields:" + cloudfrontFields + "\n" + cloudfront.Example))
	f.Add([]byte(cloudfrontRealtime.Example + "\n#Fields: timestamp x-edge-location cs-uri-stem sc-status\n1.5 a /b%7Ec 200"))
	f.Add([]byte("#Date: 2006-01-02\n#Fields: time\tcs-uri-stem sc-status\n\"22:04:05\" \"/a\"\"b\" 200"))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, format := range []string{"w3c", "cloudfront", "cloudfront_realtime"} {
			p, q := mustNew(t, format), mustNew(t, format)
			for line := range bytes.SplitSeq(file, []byte("\n")) {
				before := bytes.Clone(line)
				var h, again Hit
				err, err2 := p.Parse(&h, line), q.Parse(&again, line)
				checkBounds(t, p, &h, line)
				if (err == nil) != (err2 == nil) || err == nil && !same(&h, &again) || !bytes.Equal(before, line) {
					t.Fatalf("%q: %v, %v, %+v, %+v", line, err, err2, h, again)
				}
				if err != nil && !errors.Is(err, ErrDirective) {
					checkError(t, err, line)
				}
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(nginxJSON.Example))
	for i := range table {
		if table[i].Example[0] == '{' {
			f.Add([]byte(table[i].Example))
		}
	}
	f.Add([]byte(`{"a":{"b":[1,"\ud83d\ude00"]},"uri":"/\x41","args":"b","status":009,"size":}`))
	f.Add([]byte(`{"request":{"line":"GET / HTTP/1.1"},"u":"POST /x 17"}`))
	f.Add([]byte(`{"http.request.method":"get","http":{"response.status_code":200,"response":{"body":{"bytes":"1"}}},"url":{"domain":["a"],"full":{}},"source":[]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, format := range []string{"nginx_json", "ecs", "cloudfront_json", "caddy", "traefik_json", "google_lb", "azure_front_door", "cloudflare"} {
			checkInvariants(t, format, line)
		}
		checkInvariants(t, `{"request":{"line":"$request"},"u":"$request_method $request_uri $status","t":"%{%F}t"}`, line)
	})
}

func FuzzCompile(f *testing.F) {
	for i := range table {
		f.Add(table[i].Pattern, []byte(table[i].Example))
	}
	f.Add(`$host:$server_port $remote_addr [$time_local] "$request_method $uri$is_args$args" $status`, []byte(req("GET / HTTP/1.1")))
	f.Add(`"$request" $body_bytes_sent $status|`, []byte(`"GET /" 1 200|x`))
	f.Add(`$remote_addr-$host ${status_loose}1"$request"`, []byte(`--x 2001"GET /"`))
	f.Add(`$remote_addr $skip $remote_user ["$request" $status`, []byte(`192.0.2.7, 192.0.2.8 - a - b ["GET /" 200`))
	f.Add("$remote_addr $skip $remote_user\"$request $status", []byte("192.0.2.7, 192.0.2.8 -2. a - b [\"GET /\" 200"))
	f.Add(`%h "%r" %>s`, []byte(`192.0.2.7, 192.0.2.8 : x "GET /" 200`))
	f.Add(`{"a":{"b":"$request"},"c":$status}`, []byte(`{"a":{"b":"GET /"},"c":200}`))
	f.Add(`%{%d/%b/%y}t%{msec_frac}t "%r" %>s`, []byte(`02/Jan/06123 "GET /" 200`))
	f.Fuzz(func(t *testing.T, format string, line []byte) {
		if _, err := New(format); err == nil {
			checkInvariants(t, format, line)
		}
	})
}

// checkInvariants parses a line in several ways that must give the same hit, and checks that
// its slices lie in the line or the buffer.
func checkInvariants(t *testing.T, format string, line []byte) {
	t.Helper()
	p, q := mustNew(t, format), slow(mustNew(t, format))
	before := bytes.Clone(line)
	var h, again, slowly Hit
	err := p.Parse(&h, line)
	checkBounds(t, p, &h, line)
	first := clone(&h)
	err2 := p.Parse(&again, line)
	err3 := q.Parse(&slowly, line)
	if (err == nil) != (err2 == nil) || (err == nil) != (err3 == nil) {
		t.Fatalf("%q: errors %v, %v, slow path %v", line, err, err2, err3)
	}
	if !bytes.Equal(line, before) {
		t.Fatalf("the line was changed from %q to %q", before, line)
	}
	if errors.Is(err, ErrDirective) {
		return
	}
	if err != nil {
		checkError(t, err, line)
		return
	}
	if !same(first, &again) || !same(first, &slowly) {
		t.Fatalf("%q:\n first %+v\n again %+v\n slow  %+v", line, first, again, slowly)
	}
	if h.Status < 0 || h.Status > 999 || h.Size < 0 {
		t.Fatalf("%q: %+v", line, h)
	}
}

func checkError(t *testing.T, err error, line []byte) {
	t.Helper()
	var s *SyntaxError
	if !errors.As(err, &s) || !errors.Is(err, ErrMalformed) || s.Offset > len(line) || s.Want == "" {
		t.Fatalf("%q: error %#v", line, err)
	}
	if strings.ContainsAny(err.Error(), "\n\x00") {
		t.Fatalf("error with raw bytes: %q", err.Error())
	}
}

// checkBounds checks that each slice lies in the line or in the parser's buffer, which is at
// most twice as long.
func checkBounds(t *testing.T, p *Parser, h *Hit, line []byte) {
	t.Helper()
	if len(p.buf) > 3*len(line)+1 {
		t.Fatalf("buffer of %d for a line of %d", len(p.buf), len(line))
	}
	for _, s := range [][]byte{h.Host, h.Target, h.Agent, h.Client} {
		if len(s) > 2*len(line)+1 {
			t.Fatalf("field of %d bytes for a line of %d", len(s), len(line))
		}
		if len(s) > 0 && len(p.buf) == 0 && !inside(s, line) {
			t.Fatalf("%q is not inside of the line", s)
		}
	}
}

func inside(s, line []byte) bool {
	start, end := uintptr(unsafe.Pointer(unsafe.SliceData(line))), uintptr(len(line))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(s))) - start
	return at <= end && at+uintptr(len(s)) <= end
}
