package warc

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"dustbuster/internal/expect"
)

// must ends a test at an error.
var must = expect.NoError

// readAll returns the documents of an archive as lines, and what was skipped.
func readAll(t testing.TB, archive io.Reader, limit int64) (got []string, skips Skips) {
	t.Helper()
	p, err := NewResponses(archive, limit)
	must(t, err)
	for {
		r, err := p.Read()
		if err == io.EOF {
			return got, p.Skips
		}
		must(t, err)
		line := strings.TrimPrefix(r.URL, "http://example.org/") + " " + string(r.Body)
		if r.Revisit {
			line += "revisit " + r.Digest
		}
		got = append(got, line)
	}
}

func response(url, headers, body string) string {
	return record("response", "HTTP/1.1 200 OK\r\n"+headers+"\r\n"+body, "WARC-Target-URI: http://example.org/"+url, date, answer)
}

func gzipped(body string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, body)
	_ = z.Close()
	return b.String()
}

func zlibbed(body string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = io.WriteString(z, body)
	_ = z.Close()
	return b.String()
}

func TestResponses(t *testing.T) {
	a, b := response("a", "", "one"), response("b", "", "two")
	both := []string{"a one", "b two"}
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		name  string
		parts []string
		want  []string
		skips Skips
	}{
		{"two", []string{a, b}, both, Skips{}},
		{"other records", []string{record("warcinfo", "x", date), a, record("request", "GET / HTTP/1.1\r\n\r\n", uri, "Content-Type: application/http; msgtype=request"), b}, both, Skips{}},
		{"a post", []string{a, response("c", "", "three"), requestOf("POST", "c"), b}, both, Skips{Method: 1}},
		{"a post of a page, its request first", []string{a, requestOf("GET", "a"), requestOf("POST", "a"), response("a", "", "thanks"), b}, both, Skips{Method: 1}},
		{"a post at the end", []string{a, b, response("c", "", "three"), requestOf("POST", "c")}, both, Skips{Method: 1}},
		{"a method in the URL", []string{a, b, response("c?__wb_method=POST&x=1", "", "three")}, both, Skips{Method: 1}},
		{"chunked", []string{response("a", "Transfer-Encoding: chunked\r\n", "2\r\non\r\n1\r\ne\r\n0\r\n\r\n"), b}, both, Skips{}},
		{"chunked, stored without", []string{response("a", "Transfer-Encoding: chunked\r\n", "one"), b}, both, Skips{}},
		{"gzip", []string{response("a", "Content-Encoding: gzip\r\n", gzipped("one")), b}, both, Skips{}},
		{"gzip, stored without", []string{response("a", "Content-Encoding: gzip\r\n", "one"), b}, both, Skips{}},
		{"deflate", []string{response("a", "Content-Encoding: deflate\r\n", zlibbed("one")), response("b", "Content-Encoding: deflate\r\n", zlibbed("two")[2:])}, both, Skips{}},
		{"a length that is too small", []string{response("a", "Content-Length: 3\r\n", "one more"), b}, both, Skips{}},
		{"a length that is too large", []string{response("a", "Content-Length: 300\r\n", "one"), b}, both, Skips{}},
		{"an unknown encoding", []string{response("c", "Content-Encoding: br\r\n", "x"), a, b}, both, Skips{Encoding: 1}},
		{"a damaged encoding", []string{response("c", "Content-Encoding: gzip\r\n", gzipped("three")[:20]), a, b}, both, Skips{Encoding: 1}},
		{"a bomb", []string{response("c", "Content-Encoding: gzip\r\n", gzipped(long)), a, b}, both, Skips{Large: 1}},
		{"a huge record", []string{response("c", "", long), a, b}, both, Skips{Large: 1}},
		{"a large body", []string{response("c", "", long[:1001]), a, b}, both, Skips{Large: 1}},
		{"a body of the limit", []string{response("a", "", long[:1000]), b}, []string{"a " + long[:1000], "b two"}, Skips{}},
		{"a redirect", []string{record("response", "HTTP/1.1 301 Moved\r\n\r\n", uri, date, answer), a, b}, both, Skips{Status: 1}},
		{"a part", []string{record("response", "HTTP/1.1 206 Partial\r\n\r\nx", uri, date, answer), a, b}, both, Skips{Status: 1}},
		{"no HTTP", []string{record("response", "hello", uri, date, answer), a, b}, both, Skips{HTTP: 1}},
		{"a bad header", []string{response("c", "no colon\r\n", ""), a, b}, both, Skips{HTTP: 1}},
		{"not of the web", []string{strings.Replace(a, "http://", "ftp://", 1), a, b}, both, Skips{URL: 1}},
		{"cut", []string{record("response", page, uri, date, answer, "WARC-Truncated: length"), a, b}, both, Skips{Cut: 1}},
		{"a revisit", []string{a, record("revisit", "HTTP/1.1 200 OK\r\n\r\n", uri, digest, answer), b}, []string{"a one", "a revisit sha1:AAAA", "b two"}, Skips{}},
		{"a revisit of nothing new", []string{record("revisit", "HTTP/1.1 304 Not Modified\r\n\r\n", uri, digest, answer)}, []string{"a revisit sha1:AAAA"}, Skips{}},
		{"a revisit without headers", []string{record("revisit", "", uri, digest)}, []string{"a revisit sha1:AAAA"}, Skips{}},
		{"a revisit of a redirect", []string{a, record("revisit", "HTTP/1.1 302 Found\r\n\r\n", uri, digest, answer), b}, both, Skips{Status: 1}},
		{"a revisit without a digest", []string{a, record("revisit", "", uri), b}, both, Skips{Revisits: 1}},
		{"garbage between records", []string{a, "garbage\r\nmore\r\n", b}, both, Skips{Damaged: 1}},
		{"no length", []string{a, "WARC/1.0\r\nWARC-Type: response\r\n\r\n", b}, both, Skips{Damaged: 1}},
		{"a bad length", []string{a, "WARC/1.0\r\nContent-Length: -1\r\n\r\nWARC\r\n", b}, both, Skips{Damaged: 1}},
		{"a long header", []string{a, "WARC/1.0\r\nX: " + long + "\r\nContent-Length: 1\r\n\r\nx\r\n\r\n", b}, both, Skips{Damaged: 1}},
		{"torn in a block", []string{a, b, a[:len(a)-6]}, both, Skips{Torn: 1}},
		{"torn in a header", []string{a, b, a[:60]}, both, Skips{Torn: 1}},
		{"torn in the first line", []string{a, b, "WARC/1"}, both, Skips{Torn: 1}},
		{"empty", nil, nil, Skips{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, test := range []struct {
				name string
				text []byte
			}{
				{"plain", archive(t, false, c.parts...)}, {"members", archive(t, true, c.parts...)}, {"whole", archive(t, true, strings.Join(c.parts, ""))},
			} {
				for _, in := range []io.Reader{bytes.NewReader(test.text), iotest.OneByteReader(bytes.NewReader(test.text))} {
					got, skips := readAll(t, in, 1000)
					if fmt.Sprint(got) != fmt.Sprint(c.want) || skips != c.skips {
						t.Errorf("%s: %.200q, %+v; want %.200q, %+v", test.name, got, skips, c.want, c.skips)
					}
				}
			}
		})
	}
}

// Damage in one gzip member costs this member, and at most a few more that the decompressor
// has run into.
func TestDamagedMembers(t *testing.T) {
	var parts []string
	for i := range 50 {
		parts = append(parts, response(fmt.Sprint("p", i), "", strings.Repeat("some words of page ", 9)+fmt.Sprint(i)))
	}
	whole := archive(t, true, parts...)
	all, _ := readAll(t, bytes.NewReader(whole), 0)
	if len(all) != len(parts) {
		t.Fatalf("%d documents", len(all))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		damaged := bytes.Clone(whole)
		damaged[rng.IntN(len(damaged))] ^= 1 << rng.IntN(8)
		got, skips := readAll(t, bytes.NewReader(damaged), 0)
		if len(got) < len(all)-5 {
			t.Fatalf("%d of %d documents, %+v", len(got), len(all), skips)
		}
	}
	for range 100 {
		end := rng.IntN(len(whole))
		got, skips := readAll(t, bytes.NewReader(whole[:end]), 0)
		if fmt.Sprint(got) != fmt.Sprint(all[:len(got)]) || sum(skips) > 1 {
			t.Fatalf("cut at %d: %d documents, %+v", end, len(got), skips)
		}
	}
}

// A member that expands beyond all bounds is left, and the next one is found.
func TestBombMember(t *testing.T) {
	const most = 1 << 20
	zeros := strings.Repeat("\x00", 2*most)
	for _, c := range []struct{ name, bomb string }{
		{"a block", fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\n%s\r\n%s\r\nContent-Length: %d\r\n\r\n%s", uri, answer, len(zeros), zeros)},
		{"a metadata", fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n%s", len(zeros), zeros)},
		{"no record", zeros},
		{"many lines", strings.Repeat("\x00\n", 2*most)},
		{"a long line", "WARC/1.0\r\n" + zeros},
	} {
		in := append(archive(t, true, response("a", "", "one"), c.bomb), archive(t, true, response("b", "", "two"))...)
		p, err := NewResponses(bytes.NewReader(in), 1000)
		must(t, err)
		p.most = most
		var got []string
		for {
			r, err := p.Read()
			if err == io.EOF {
				break
			}
			must(t, err)
			got = append(got, string(r.Body))
		}
		if fmt.Sprint(got) != "[one two]" || p.Skips == (Skips{}) {
			t.Errorf("%s: %q, %+v", c.name, got, p.Skips)
		}
	}
}

func TestNoArchive(t *testing.T) {
	for _, text := range []string{"hello, this is no archive", "PK\x03\x04aaaaaaaaaaaaaaa"} {
		if _, err := NewResponses(strings.NewReader(text), 0); err == nil {
			t.Errorf("%q is an archive", text)
		}
	}
}

// An error of the stream is not damage.
func TestStreamError(t *testing.T) {
	broken := errors.New("broken")
	for _, zip := range []bool{false, true} {
		text := archive(t, zip, response("a", "", "one"), response("b", "", "two"))
		more := append(slices.Clone(text), text[:2]...)
		for _, part := range [][]byte{text[:len(text)-9], text, more[:len(text)+1], more} {
			p, err := NewResponses(io.MultiReader(bytes.NewReader(part), iotest.ErrReader(broken)), 0)
			must(t, err)
			for err == nil {
				_, err = p.Read()
			}
			if !errors.Is(err, broken) {
				t.Errorf("after %d of %d bytes: error %v", len(part), len(text), err)
			}
		}
	}
}

// FuzzResponses reads hostile archives, plain and compressed.
func FuzzResponses(f *testing.F) {
	f.Add([]byte(response("a", "Content-Encoding: gzip\r\n", gzipped("x"))+record("revisit", "", uri, digest)), false)
	f.Add([]byte("WARC/1.0\r\n\r\nWARC/1.0\r\nContent-Length: 9\r\n\r\n"), true)
	f.Add(archive(f, true, response("a", "Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\r\n")), false)
	f.Fuzz(func(t *testing.T, text []byte, zip bool) {
		if zip {
			text = archive(t, true, string(text))
		}
		p, err := NewResponses(bytes.NewReader(text), 1<<16)
		if err != nil {
			return
		}
		for n := 0; ; n++ {
			r, err := p.Read()
			if err == io.EOF {
				return
			}
			must(t, err)
			if len(r.Body) > 1<<16 || r.URL == "" || r.Revisit && r.Digest == "" || n > len(text) {
				t.Fatalf("%d: %+v", n, r)
			}
		}
	})
}

func sum(s Skips) int64 {
	return s.Method + s.Status + s.URL + s.Cut + s.Large + s.Encoding + s.HTTP + s.Revisits + s.Damaged + s.Torn
}
