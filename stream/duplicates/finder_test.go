package duplicates

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/internal/oracle/pages"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/judge/sketch"
	"dustbuster/stream/warc"
)

// must ends a test at an error.
var must = expect.NoError

// record returns a record of an archive.
func warcRecord(kind, url, block string, headers ...string) string {
	return "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Target-URI: " + url + "\r\nContent-Type: application/http\r\n" +
		strings.Join(append(headers, ""), "\r\n") + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

func htmlAt(url, body string, headers ...string) string {
	return warcRecord("response", url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+body, headers...)
}

func textAt(url, body string) string {
	return warcRecord("response", url, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"+body)
}

// found returns the clusters of archives.
func found(t testing.TB, o Options, paths ...string) ([][]string, Counts) {
	t.Helper()
	if o.Threshold == 0 {
		o.Threshold = near.DefaultThreshold
	}
	o.Dir = t.TempDir()
	f, err := New(o)
	must(t, err)
	must(t, errors.Join(f.Read(t.Context(), paths), f.Match(t.Context())))
	clusters, err := f.URLs()
	must(t, err)
	f.Close()
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	return clusters, f.Counts()
}

func write(t testing.TB, text string) string {
	t.Helper()
	return expect.File(t, "crawl.warc", text)
}

const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"

func TestClusters(t *testing.T) {
	long := strings.Repeat(words+" ", 1) + strings.ToUpper(strings.Repeat("x", 5))
	a := "http://example.org/"
	for _, c := range []struct {
		name    string
		records []string
		want    [][]string
	}{
		{"nothing", nil, nil},
		{"strangers", []string{htmlAt(a+"1", words), htmlAt(a+"2", "other words than these")}, nil},
		{"equal bytes", []string{htmlAt(a+"1", "x"), htmlAt(a+"2", "x")}, [][]string{{a + "1", a + "2"}}},
		{"equal words", []string{htmlAt(a+"1", words), htmlAt(a+"2", "<p>"+words)}, [][]string{{a + "1", a + "2"}}},
		{"nearly equal words", []string{htmlAt(a+"1", words), htmlAt(a+"2", long)}, [][]string{{a + "1", a + "2"}}},
		{"text that is not HTML", []string{textAt(a+"1", words), textAt(a+"2", words), textAt(a+"3", words+" ")}, [][]string{{a + "1", a + "2"}}},
		{"text and HTML", []string{textAt(a+"1", words), htmlAt(a+"2", words), htmlAt(a+"3", "<b>"+words)}, [][]string{{a + "1", a + "2", a + "3"}}},
		{"no words", []string{htmlAt(a+"1", "<p>"), htmlAt(a+"2", "<b>"), htmlAt(a+"3", "<p>")}, [][]string{{a + "1", a + "3"}}},
		{"one URL twice", []string{htmlAt(a+"1", "x"), htmlAt(a+"1", "x")}, nil},
		{"one URL twice of two", []string{htmlAt(a+"1", "x"), htmlAt(a+"1", "x"), htmlAt(a+"2", "x")}, [][]string{{a + "1", a + "2"}}},
		{"a revisit", []string{htmlAt(a+"1", "x", "WARC-Payload-Digest: d"), warcRecord("revisit", a+"2", "", "WARC-Payload-Digest: d")}, [][]string{{a + "1", a + "2"}}},
		{"a revisit before its response", []string{warcRecord("revisit", a+"2", "", "WARC-Payload-Digest: d"), htmlAt(a+"1", "x", "WARC-Payload-Digest: d")}, [][]string{{a + "2", a + "1"}}},
		{"revisits alone", []string{warcRecord("revisit", a+"1", "", "WARC-Payload-Digest: d"), warcRecord("revisit", a+"2", "", "WARC-Payload-Digest: d"), warcRecord("revisit", a+"3", "", "WARC-Payload-Digest: e")}, [][]string{{a + "1", a + "2"}}},
		{"a wrong digest", []string{htmlAt(a+"1", "x", "WARC-Payload-Digest: d"), htmlAt(a+"2", "y", "WARC-Payload-Digest: d")}, nil},
		{"the largest first", []string{htmlAt(a+"1", "x"), htmlAt(a+"2", "x"), htmlAt(a+"3", "y"), htmlAt(a+"4", "y"), htmlAt(a+"5", "y")}, [][]string{{a + "3", a + "4", a + "5"}, {a + "1", a + "2"}}},
		{"bytes that no URL holds", []string{htmlAt(a+"\x1b \xff\"", "x"), htmlAt(a+"2", "x")}, [][]string{{a + "%1B%20%FF%22", a + "2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, exact := range []bool{false, true} {
				o := Options{Options: near.Options{Threshold: 0.9, Exact: exact}}
				if got, _ := found(t, o, write(t, strings.Join(c.records, ""))); fmt.Sprint(got) != fmt.Sprint(c.want) {
					t.Errorf("exact %v: %v, want %v", exact, got, c.want)
				}
			}
		})
	}
}

// The clusters of archives, in little memory, are those of all pairs.
func TestAllPairs(t *testing.T) {
	const n = 1200
	var files []string
	var text strings.Builder
	var list []*sketch.Page
	for d := range (pages.World{Seed: 4, Documents: n, Threshold: 0.9}).All() {
		text.WriteString(htmlAt(fmt.Sprintf("http://example.org/%d", d.Index), string(d.Body)))
		list = append(list, sketch.PageOf("text/html", d.Body))
		if d.Index%500 == 499 || d.Index == n-1 {
			files = append(files, write(t, text.String()))
			text.Reset()
		}
	}
	for _, exact := range []bool{false, true} {
		o := near.Options{Threshold: 0.9, Exact: exact}
		var forest near.Forest
		for i, p := range list {
			forest.Add()
			for k := range i {
				if o.Alike(list[k], p) {
					forest.Join(uint32(k), uint32(i))
				}
			}
		}
		var want [][]string
		for docs := range forest.Clusters() {
			var urls []string
			for _, doc := range docs {
				urls = append(urls, fmt.Sprintf("http://example.org/%d", doc))
			}
			want = append(want, urls)
		}
		got, counts := found(t, Options{Options: o, Memory: 1, Workers: 3}, files...)
		slices.SortStableFunc(want, func(a, b []string) int { return len(b) - len(a) })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("exact %v: %d clusters, want %d", exact, len(got), len(want))
		}
		if counts.Documents != n || len(counts.Damaged) > 0 || counts.Skips != (warc.Skips{}) {
			t.Errorf("%+v", counts)
		}
	}
}

func TestDocuments(t *testing.T) {
	a := "http://example.org/"
	path := write(t, warcRecord("revisit", a+"0", "", "WARC-Payload-Digest: d")+htmlAt(a+"1", words, "WARC-Payload-Digest: d")+htmlAt(a+"2", words+" more"))
	f, err := New(Options{Options: near.Options{Threshold: 0.9}, Dir: t.TempDir()})
	must(t, err)
	defer f.Close()
	must(t, errors.Join(f.Read(t.Context(), []string{path}), f.Match(t.Context())))
	var got []Document
	for c, err := range f.Clusters() {
		if err != nil || c.Len() != 3 {
			t.Fatal(c.Len(), err)
		}
		for d, err := range c.Documents() {
			must(t, err)
			got = append(got, d)
		}
	}
	digest := func(body string) string { s := sketch.Of("", []byte(body)); return fmt.Sprintf("%x", s.Digest) }
	want := []Document{{a + "0", "", 0, true}, {a + "1", digest(words), 1, false}, {a + "2", digest(words + " more"), 13. / 14, false}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What cannot be read is counted, and the rest is read.
func TestDamaged(t *testing.T) {
	good := htmlAt("http://example.org/1", "x") + htmlAt("http://example.org/2", "x")
	missing := filepath.Join(t.TempDir(), "missing")
	clusters, counts := found(t, Options{Stdin: strings.NewReader(good[:len(good)-9])}, missing, write(t, "no archive"), "-", write(t, good))
	if len(clusters) != 1 || len(counts.Damaged) != 2 || counts.Skips != (warc.Skips{Torn: 1}) || counts.Documents != 3 {
		t.Errorf("%v, %+v", clusters, counts)
	}
}

// An error on disk ends Read and Match, and so does the context.
func TestErrors(t *testing.T) {
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	for d := range (pages.World{Seed: 4, Documents: 3000, Threshold: 0.9, Least: 20}).All() {
		_, _ = io.WriteString(z, htmlAt(fmt.Sprintf("http://example.org/%d", d.Index), string(d.Body)))
	}
	must(t, z.Close())
	path := write(t, text.String())
	if _, err := New(Options{Options: near.Options{Threshold: 2}}); err == nil {
		t.Error("a threshold of 2")
	}
	if _, err := New(Options{Options: near.Options{Threshold: 1}, Dir: filepath.Join(path, "x")}); err == nil {
		t.Error("no directory")
	}
	for _, phase := range []string{"read", "match"} {
		f, err := New(Options{Options: near.Options{Threshold: 0.9}, Dir: t.TempDir(), Memory: 1})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		if phase == "read" {
			cancel()
			if err := f.Read(ctx, []string{path}); !errors.Is(err, context.Canceled) {
				t.Errorf("read: %v", err)
			}
		} else {
			must(t, f.Read(ctx, []string{path}))
			cancel()
			if err := f.Match(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("match: %v", err)
			}
		}
		f.Close()
	}
	f, err := New(Options{Options: near.Options{Threshold: 0.9}, Dir: t.TempDir(), Memory: 1})
	must(t, err)
	f.Close() // the directory for sorting is gone
	if err := f.Read(t.Context(), []string{path}); err == nil {
		t.Error("Read works without its files")
	}
}

// FuzzFinder reads hostile archives: each URL is in one cluster at most for each document.
func FuzzFinder(f *testing.F) {
	f.Add(htmlAt("http://example.org/1", words) + htmlAt("http://example.org/2", words+" x") + warcRecord("revisit", "http://example.org/3", "", "WARC-Payload-Digest: d"))
	f.Add(htmlAt("http://\x00", "") + htmlAt("http://\x01", ""))
	f.Fuzz(func(t *testing.T, archive string) {
		clusters, counts := found(t, Options{Memory: 1 << 16, Workers: 1}, write(t, archive))
		n := 0
		for _, c := range clusters {
			if len(c) < 2 {
				t.Fatalf("a cluster of %q", c)
			}
			n += len(c)
		}
		if int64(n) > counts.Documents {
			t.Fatalf("%d URLs of %d documents", n, counts.Documents)
		}
	})
}
