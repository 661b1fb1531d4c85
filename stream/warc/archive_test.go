package warc

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	digests "dustbuster/operators/read/digest"
)

// pageAt returns the record of a page.
func pageAt(url, body string, headers ...string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
	return record("response", block, append([]string{"WARC-Target-URI: " + url, date, answer}, headers...)...)
}

// file writes an archive.
func file(t testing.TB, zipped bool, records ...string) string {
	t.Helper()
	path := expect.File(t, "crawl.warc", string(archive(t, zipped, records...)))
	return path
}

// archive returns the bytes of an archive; zipped, with one member for each record.
func archive(t testing.TB, zipped bool, records ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		if zipped {
			r = gzipped(r)
		}
		b.WriteString(r)
	}
	return b.Bytes()
}

// bodyAt returns the recorded body of a URL, or "-" if none is recorded.
func bodyAt(t testing.TB, a *Archive, url string) string {
	t.Helper()
	resp, err := a.Answer(url)
	must(t, err)
	if resp == nil {
		if a.Has(url) {
			t.Errorf("%s is in the archive, and has no answer", url)
		}
		return "-"
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 && resp.StatusCode != 301 {
		t.Fatalf("%s: %d, %v", url, resp.StatusCode, err)
	}
	return string(body)
}

func TestArchive(t *testing.T) {
	records := []string{
		record("warcinfo", "software: x\r\n", date),
		pageAt("http://Example.org:80/a b?x=ü#top", "blanks"),
		pageAt("http://example.org", "root"),
		pageAt("http://example.org/twice", "first"),
		pageAt("http://example.org/twice", "second"),
		pageAt("https://example.org/secure", "secure", "WARC-Payload-Digest: sha1:BBBB"),
		record("revisit", "HTTP/1.1 200 OK\r\n\r\n", "WARC-Target-URI: http://example.org/again", date, "WARC-Payload-Digest: sha1:BBBB", answer),
		record("revisit", "HTTP/1.1 200 OK\r\n\r\n", "WARC-Target-URI: http://example.org/unknown", date, "WARC-Payload-Digest: sha1:CCCC", answer),
		pageAt("http://example.org/cut", "cut", "WARC-Truncated: length"),
		pageAt("ftp://example.org/file", "file"),
		record("response", "HTTP/1.1 301 Moved\r\nLocation: /secure\r\nContent-Length: 0\r\n\r\n", "WARC-Target-URI: http://example.org/moved", date, answer),
		record("response", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "WARC-Target-URI: http://example.org/chunks", date, answer),
	}
	for _, zipped := range []bool{false, true} {
		a, err := Open(file(t, zipped, records...), false)
		must(t, err)
		for _, c := range []struct{ url, want string }{
			{"http://example.org/a%20b?x=%C3%BC", "blanks"},
			{"http://example.org/", "root"},
			{"http://example.org/twice", "second"},
			{"https://example.org/secure", "secure"},
			{"http://example.org/secure", "secure"},
			{"https://example.org/twice", "second"},
			{"http://example.org/again", "secure"},
			{"http://example.org/unknown", "-"},
			{"http://example.org/cut", "-"},
			{"http://example.org/moved", ""},
			{"http://example.org/chunks", "abc"},
			{"http://other.example/", "-"},
			{"http://example.org:8080/", "-"},
			{"ftp://example.org/file", "-"},
			{"no URL", "-"},
			{"http://example.org/a\nb", "-"},
		} {
			if got := bodyAt(t, a, c.url); got != c.want {
				t.Errorf("zipped %v: %s: %q, want %q", zipped, c.url, got, c.want)
			}
		}
		if a.Len() != 7 {
			t.Errorf("%d URLs, want 7", a.Len())
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestBadArchive(t *testing.T) {
	good := pageAt("http://example.org/", "page")
	member := gzipped(good)
	for _, c := range []struct{ name, path, want string }{
		{"none", filepath.Join(t.TempDir(), "none"), "no such file"},
		{"a log", file(t, false, "127.0.0.1 - - [x]"), "neither a WARC file nor one compressed by gzip"},
		{"empty", file(t, false), "neither a WARC file"},
		{"several in one", file(t, true, good+good), "decompress the file"},
		{"torn", file(t, false, member[:len(member)-12]), "gzip member at byte 0: unexpected EOF"},
		{"short", file(t, false, good[:len(good)-8]), "record at byte 0: unexpected EOF"},
		{"garbage", file(t, false, good, "garbage\r\n"), "expected WARC/"},
	} {
		if _, err := Open(c.path, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	a, err := Open(file(t, false, record("response", "no HTTP", "WARC-Target-URI: http://example.org/", date, answer)), false)
	must(t, err)
	defer a.Close()
	if resp, err := a.Answer("http://example.org/"); err == nil {
		t.Errorf("answer %v of a record without HTTP", resp.Status)
		resp.Body.Close()
	}
}

// A hostile archive has an error or answers, and the answers of a whole archive are those
// that its index names.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(pageAt("http://example.org/a", "page")), false)
	f.Add([]byte(pageAt("http://example.org/a", "page")+record("revisit", "", "WARC-Target-URI: http://example.org/b", digest, answer)), true)
	f.Fuzz(func(t *testing.T, text []byte, zipped bool) {
		a := newArchive(bytes.NewReader(archive(t, zipped, string(text))), nil)
		if a.index() != nil {
			return
		}
		for _, url := range []string{"http://example.org/a", "http://example.org/b"} {
			resp, err := a.Answer(url)
			if err != nil || resp == nil {
				continue
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if !a.Has(url) {
				t.Errorf("an answer of %s, which is not in the archive", url)
			}
		}
	})
}

// With labels, a page answers with the response of its label. Answers that are no pages stay, and so do pages whose label
// is in no response.
func TestArchiveLabels(t *testing.T) {
	const uri = "WARC-Target-URI: http://example.org/"
	moved := func(url, to string) string {
		return record("response", "HTTP/1.1 301 Moved\r\nLocation: "+to+"\r\n\r\nfirst", uri+url, date, answer)
	}
	records := []string{
		moved("0", "/there"),
		pageAt("http://example.org/1", "first"), // without a noted digest
		pageAt("http://example.org/2", "second", "WARC-Payload-Digest: sha1:BBBB"),
		record("revisit", "", uri+"3", date, answer, "WARC-Payload-Digest: sha1:BBBB"),
		pageAt("http://example.org/4", "fourth", "WARC-Payload-Digest: sha1:DDDD"),
		moved("5", "/elsewhere"),
		pageAt("http://example.org/6", "sixth", "WARC-Truncated: length", "WARC-Payload-Digest: sha1:BBBB"),
	}
	noted := func(text string) uint64 { return digests.OfPayload([]byte(text)) }
	labels := map[uint64]uint64{noted("BBBB"): noted(string(payloadDigest(nil, strings.NewReader("HTTP/1.1 200 OK\r\n\r\nfirst")))), noted("DDDD"): 1}
	label := func(digest uint64) uint64 {
		if l, ok := labels[digest]; ok {
			return l
		}
		return digest
	}
	for _, zipped := range []bool{false, true} {
		a, err := Open(file(t, zipped, records...), true)
		must(t, err)
		defer a.Close()
		bodies := func() (all []string) {
			for _, n := range "1234" {
				all = append(all, bodyAt(t, a, "http://example.org/"+string(n)))
			}
			return all
		}
		if got := strings.Join(bodies(), " "); got != "first second second fourth" {
			t.Errorf("without labels: %q", got)
		}
		a.Label(label)
		if got := strings.Join(bodies(), " "); got != "first first first fourth" {
			t.Errorf("with labels: %q", got)
		}
		resp, err := a.Answer("http://example.org/5")
		must(t, err)
		if resp.Header.Get("Location") != "/elsewhere" || a.Has("http://example.org/6") {
			t.Errorf("redirect to %q", resp.Header.Get("Location"))
		}
		resp.Body.Close()
	}
}
