package columnar_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/columnar"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// common is a row as Common Crawl writes them, with some of the columns that are not read.
type common struct {
	Key    string    `parquet:"url_surtkey"`
	URL    string    `parquet:"url,zstd"`
	Host   string    `parquet:"url_host_name,dict"`
	Time   time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Status int32     `parquet:"fetch_status"`
	Digest *string   `parquet:"content_digest,optional"`
	Length int32     `parquet:"warc_record_length"`
}

// spark is a row with a time as Spark writes them.
type spark struct {
	URL    string           `parquet:"url,gzip"`
	Time   deprecated.Int96 `parquet:"fetch_time"`
	Status int32            `parquet:"fetch_status"`
	Digest string           `parquet:"content_digest"`
}

// chosen is a row of the columns that somebody chose.
type chosen struct {
	URL    *string `parquet:"url,optional,snappy"`
	Status int64   `parquet:"fetch_status"`
	Digest string  `parquet:"content_digest"`
	Length int32   `parquet:"warc_record_length"`
}

type least struct {
	URL    string `parquet:"url"`
	Digest string `parquet:"content_digest"`
}

type several struct {
	URL    []string `parquet:"url,list"`
	Digest []string `parquet:"content_digest"`
}

func text(s string) *string { return &s }

// file returns a file of rows, in groups of two.
func file[T any](t testing.TB, rows ...T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.MaxRowsPerRowGroup(2))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(file []byte) (string, error) {
	r, err := columnar.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return "", err
	}
	lines, err := io.ReadAll(r)
	return string(lines), errors.Join(err, r.Close())
}

func TestReader(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 6_000_000, time.UTC)
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"as Common Crawl", file(t,
			common{"org,a)/", "https://a.org/?b=\"1\\\"", "a.org", at, 200, text("3EM7"), 2112},
			common{"org,a)/x", "https://a.org/x", "a.org", at.Add(time.Second), 404, nil, 7},
			common{"org,a)/\n", "https://a.org/\n", "a.org", at, 200, text("AB"), 7}),
			`- 20260102150405 {"url":"https://a.org/?b=\"1\\\"","status":"200","digest":"3EM7"}` + "\n" +
				`- 20260102150406 {"url":"https://a.org/x","status":"404","digest":""}` + "\n" +
				`- 20260102150405 {"url":"https://a.org/%0A","status":"200","digest":"AB"}` + "\n"},
		{"times of Spark", file(t, spark{"https://a.org/", deprecated.Int96{1_000_000_000, 0, 2_440_589}, 200, "AB"}),
			`- 19700102000001 {"url":"https://a.org/","status":"200","digest":"AB"}` + "\n"},
		{"no times", file(t, chosen{text("https://a.org/\t1"), 200, "AB", 51}, chosen{nil, 200, "AB", 1}, chosen{text(""), 200, "AB", 1}, chosen{text("/b"), 301, "", 2}),
			"https://a.org/%091\t200\t51\tAB\n/b\t301\t2\t\n"},
		{"two columns", file(t, least{"https://a.org/", "AB"}), "https://a.org/\t200\t-\tAB\n"},
		{"no rows", file[least](t), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := read(c.file); err != nil || got != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestNoIndex(t *testing.T) {
	whole := file(t, least{"https://a.org/", "AB"}, least{"https://a.org/b", "AB"})
	claims := bytes.Clone(whole)
	copy(claims[len(claims)-8:], "\xff\xff\xff\xff")
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"no digests", file(t, struct {
			URL string `parquet:"url"`
		}{"/"}), `no column "content_digest"`},
		{"no URLs", file(t, struct {
			Digest string `parquet:"content_digest"`
		}{"AB"}), `no column "url"`},
		{"several values", file(t, several{[]string{"/a", "/b"}, []string{"AB"}}), "url"},
		{"several digests", file(t, struct {
			URL    string   `parquet:"url"`
			Digest []string `parquet:"content_digest"`
		}{"/a", []string{"AB", "CD"}}), "several values"},
		{"torn", whole[:len(whole)-1], "torn"},
		{"a footer larger than the file", claims, "torn"},
		{"short", []byte(columnar.Magic), "unexpected EOF"},
		{"empty", nil, "unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if lines, err := read(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s\n%s", err, c.want, lines)
			}
		})
	}
}

// A damaged file is an error or has other lines, and ends nothing.
func TestDamage(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, file := range [][]byte{
		file(t, common{"org,a)/", "https://a.org/", "a.org", at, 200, text("3EM7"), 2112}, common{"", "/b", "", at, 200, nil, 1}, common{"", "/c", "", at, 200, nil, 1}),
		file(t, spark{"https://a.org/", deprecated.Int96{1, 0, 2_440_589}, 200, "AB"}),
	} {
		for i := range file {
			for _, bits := range []byte{0x01, 0x41, 0x80, 0xff} {
				damaged := bytes.Clone(file)
				damaged[i] ^= bits
				if lines, err := read(damaged); err == nil && lines != "" && !strings.HasSuffix(lines, "\n") {
					t.Errorf("byte %d ^ %x: half a line: %q", i, bits, lines)
				}
			}
		}
	}
}

func BenchmarkReader(b *testing.B) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	rows := make([]common, 100_000)
	for i := range rows {
		url := "https://www.example.org/articles/" + strings.Repeat("x", i%40) + "?id=" + at.Add(time.Duration(i)*time.Hour).Format("2006-01-02T15")
		rows[i] = common{url, url, "www.example.org", at, 200, text(strings.Repeat("A", 28) + url[len(url)-4:]), 2112}
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[common](&out)
	_, _ = w.Write(rows)
	_ = w.Close()
	b.ResetTimer()
	for b.Loop() {
		r, err := columnar.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
