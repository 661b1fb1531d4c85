package warc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"dustbuster/operators/read/weblog"
)

// record returns a record of an archive.
func record(kind, block string, headers ...string) string {
	return "WARC/1.0\r\nWARC-Type: " + kind + "\r\n" + strings.Join(headers, "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

const (
	uri    = "WARC-Target-URI: http://example.org/a"
	date   = "WARC-Date: 2006-01-02T15:04:05Z"
	digest = "WARC-Payload-Digest: sha1:AAAA"
	answer = "Content-Type: application/http; msgtype=response"
	page   = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello"
)

const line = `- 2006-01-02T15:04:05Z {"url":"http://example.org/a","status":"200","digest":"sha1:AAAA"}` + "\n"

// helloLine has the SHA-1 of hello.
var (
	helloLine = strings.Replace(line, "AAAA", "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", 1)
	noDigest  = strings.Replace(line, `,"digest":"sha1:AAAA"`, "", 1)
)

func TestRecords(t *testing.T) {
	good := record("response", page, uri, date, digest, answer)
	for _, c := range []struct{ name, archive, want, err string }{
		{"an answer", good, line, ""},
		{"several", record("warcinfo", "software: x\r\n", date) + record("request", "GET / HTTP/1.1\r\n\r\n", uri, "Content-Type: application/http; msgtype=request") + good + record("metadata", "x", uri) + good, line + line, ""},
		{"a revisit", record("revisit", "HTTP/1.1 200 OK\r\n\r\n", uri, date, digest, answer), line, ""},
		{"a revisit without headers", record("revisit", "", uri, date, digest), strings.Replace(line, `"200"`, `"-"`, 1), ""},
		{"a redirect", record("response", "HTTP/1.1 301 Moved\r\n\r\n", uri, date, digest, answer), strings.Replace(line, `"200"`, `"301"`, 1), ""},
		{"HTTP/2 without a reason", record("response", "HTTP/2 200\r\n\r\n", uri, date, digest, answer), line, ""},
		{"no status", record("response", "hello", uri, date, digest, answer), strings.Replace(line, `"200"`, `"-"`, 1), ""},
		{"not HTTP", record("response", "x", "WARC-Target-URI: dns:example.org", date, digest, "Content-Type: text/dns"), "", ""},
		{"cut short", record("response", page, uri, date, digest, answer, "WARC-Truncated: length"), strings.Replace(line, `,"digest":"sha1:AAAA"`, "", 1), ""},
		{"no digest", record("response", page, uri, date, answer), helloLine, ""},
		{"no digest, with other headers", record("response", "HTTP/1.1 200 OK\r\nDate: x\r\n\r\nhello", uri, date, answer), helloLine, ""},
		{"no digest, in chunks", record("response", "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", uri, date, answer), helloLine, ""},
		{"no digest, chunks undone by the crawler", record("response", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello", uri, date, answer), helloLine, ""},
		{"no digest, damaged chunks", record("response", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello", uri, date, answer), noDigest, ""},
		{"no digest, no end of the headers", record("response", "HTTP/1.1 200 OK\r\nX: y\r\n", uri, date, answer), noDigest, ""},
		{"no digest, a long header", record("response", "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 4095)+"\r\n\r\n\r\n\r\nhello", uri, date, answer), strings.Replace(line, "AAAA", "R3MPJLAK7ARM5PIKJYSZ3OD6K3HA5GIM", 1), ""},
		{"no digest, and cut", record("response", page, uri, date, answer, "WARC-Truncated: length") + good, noDigest + line, ""},
		{"names in capitals, brackets, no carriage returns", strings.NewReplacer("\r\n", "\n", "WARC-Target-URI: http://example.org/a", "warc-target-uri:<http://example.org/a>", "Content-Length", "CONTENT-LENGTH").Replace(
			record("response", strings.ReplaceAll(page, "\r", ""), uri, date, digest, answer)), line, ""},
		{"a folded header", record("response", page, uri, date, digest, answer, "WARC-Note: a", "\tWARC-Type: request"), line, ""},
		{"a URL to be escaped", record("response", page, "WARC-Target-URI: http://example.org/\"\\\x01\xff", date, digest, answer), strings.Replace(line, "/a", `/\"\\\u0001`+"\xff", 1), ""},
		{"empty", "", "", ""},
		{"cut in a block", good + good[:len(good)-12], line, "read WARC record at byte " + strconv.Itoa(len(good)) + ": unexpected EOF"},
		{"cut in a header", good + good[:60], line, "unexpected EOF"},
		{"cut in the first line", good + "WARC/1", line, "unexpected EOF"},
		{"no record", good + "hello\r\n", line, `expected WARC/ at the beginning of a record, found "hello"`},
		{"no length", "WARC/1.0\r\nWARC-Type: response\r\n\r\n", "", "expected a Content-Length, found none"},
		{"a bad length", "WARC/1.0\r\nContent-Length: -1\r\n\r\n", "", `expected a number for Content-Length, found "-1"`},
		{"a long length", "WARC/1.0\r\nContent-Length: 9223372036854775807\r\n\r\n", "", "unexpected EOF"},
		{"an overflowing length", "WARC/1.0\r\nContent-Length: 9223372036854775808\r\n\r\n", "", "expected a number"},
		{"a long header", good + "WARC/1.0\r\nX: " + strings.Repeat("x", 1<<17), line, "a header of more than 65536 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := io.ReadAll(iotest.OneByteReader(NewReader(strings.NewReader(c.archive))))
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}

// An error of the reader below is passed on, and is not reported as one of the archive.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	_, err := io.ReadAll(NewReader(io.MultiReader(strings.NewReader("WARC/1.0\r\n"), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

// plain reads an archive with the standard library's parsers, all in memory.
func plain(t *testing.T, archive []byte) (lines []string) {
	t.Helper()
	for len(archive) > 0 {
		_, rest, _ := bytes.Cut(archive, []byte("\r\n"))
		in := bufio.NewReader(bytes.NewReader(rest))
		head, err := textproto.NewReader(in).ReadMIMEHeader()
		must(t, err)
		n, err := strconv.Atoi(head.Get("Content-Length"))
		must(t, err)
		block := make([]byte, n+4)
		if _, err := io.ReadFull(in, block); err != nil {
			t.Fatal(err)
		}
		if kind := head.Get("WARC-Type"); kind == "response" || kind == "revisit" {
			answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block[:n])), nil)
			must(t, err)
			answer.Body.Close()
			lines = append(lines, fmt.Sprint(head.Get("WARC-Target-URI"), answer.StatusCode, head.Get("WARC-Payload-Digest")))
		}
		archive, _ = io.ReadAll(in)
	}
	return lines
}

func TestOracle(t *testing.T) {
	var archive strings.Builder
	archive.WriteString(record("warcinfo", "software: x\r\n", date))
	for i := range 500 {
		kind := []string{"response", "revisit", "request"}[i%3]
		archive.WriteString(record(kind, fmt.Sprintf("HTTP/1.1 %d OK\r\nX: y\r\n\r\n%s", 200+i%5, strings.Repeat("WARC/1.0\r\n", i*7%1000)),
			fmt.Sprintf("WARC-Target-URI: http://example.org/%d", i), date, fmt.Sprintf("WARC-Payload-Digest: sha1:%d", i%7), answer))
	}
	var got []string
	in := bufio.NewScanner(NewReader(strings.NewReader(archive.String())))
	for in.Scan() {
		var o struct{ URL, Status, Digest string }
		must(t, json.Unmarshal([]byte(in.Text()[strings.Index(in.Text(), "{"):]), &o))
		got = append(got, o.URL+o.Status+o.Digest)
	}
	if want := plain(t, []byte(archive.String())); !slices.Equal(got, want) || in.Err() != nil {
		t.Errorf("%d lines, %v; want %d", len(got), in.Err(), len(want))
	}
}

// FuzzReader reads hostile archives. The output consists of whole lines, and the lines
// of web pages are CDXJ that weblog can parse.
func FuzzReader(f *testing.F) {
	f.Add([]byte(record("response", page, uri, date, digest, answer) + record("revisit", "", uri)))
	f.Add([]byte(record("response", page, "WARC-Target-URI: http://\"\\\x00\x7f\xff", date, "WARC-Payload-Digest: \"", answer)))
	f.Fuzz(func(t *testing.T, archive []byte) {
		r := NewReader(bytes.NewReader(archive))
		got, _ := io.ReadAll(r)
		if len(got) > 0 && got[len(got)-1] != '\n' {
			t.Fatalf("%q has no end", got)
		}
		p, err := weblog.New("cdxj")
		must(t, err)
		for line := range bytes.Lines(got) {
			head, _, _ := bytes.Cut(line, []byte(" {"))
			var h weblog.Hit
			if err := p.Parse(&h, bytes.TrimSuffix(line, []byte("\n"))); err != nil && len(head) == len("- 2006-01-02T15:04:05Z") && !strings.Contains(err.Error(), "a date") {
				t.Fatalf("%q: %v", line, err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	one := record("response", page+strings.Repeat("x", 20_000), uri, date, digest, answer)
	archive := strings.Repeat(one, 1000)
	b.SetBytes(int64(len(archive)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.Copy(io.Discard, NewReader(strings.NewReader(archive))); err != nil {
			b.Fatal(err)
		}
	}
}
