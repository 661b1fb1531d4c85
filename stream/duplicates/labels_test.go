package duplicates_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/label"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/read/digest"
	"dustbuster/operators/window/table"
	"dustbuster/stream/duplicates"
	"dustbuster/stream/warc"
)

// answer is a record of a response.
func answer(url, headers, body string, more ...string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + headers + "\r\n" + body
	return recordOf("response", url, block, more...)
}

func recordOf(kind, url, block string, more ...string) string {
	return "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Target-URI: http://example.org/" + url + "\r\nWARC-Date: 2026-01-02T10:00:00Z\r\nContent-Type: application/http\r\n" +
		strings.Join(append(more, ""), "\r\n") + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// story is a page with a clock.
func story(n, clock int) string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "story%dword%d ", n, i)
	}
	return fmt.Sprintf("<p>%s at 12:04:%02d", &b, clock)
}

// numbers returns the digests of the index of an archive, by URL.
func numbers(t *testing.T, archive string) map[string]uint64 {
	t.Helper()
	index, err := io.ReadAll(warc.NewReader(strings.NewReader(archive)))
	expect.NoError(t, err)
	all := map[string]uint64{}
	for line := range strings.Lines(string(index)) {
		_, rest, _ := strings.Cut(line, "http://example.org/")
		url, rest, _ := strings.Cut(rest, `"`)
		_, rest, noted := strings.Cut(rest, `"digest":"`)
		text, _, _ := strings.Cut(rest, `"`)
		if noted {
			all[url] = digest.OfPayload([]byte(text))
		}
	}
	return all
}

func labels(t *testing.T, paths []string, workers int) *label.Labels {
	t.Helper()
	all, archives, err := duplicates.Labels(t.Context(), paths, duplicates.LabelOptions{
		Options: label.Options{Options: near.Options{Threshold: near.DefaultThreshold, Exact: true}},
		Rank:    table.Options{}.Rank, Workers: workers,
	})
	expect.NoError(t, err)
	if archives != len(paths) {
		t.Errorf("%d archives of %d files", archives, len(paths))
	}
	return all
}

// The archives' pages of one text have one label, whatever holds their bytes and whoever reads them.
func TestLabels(t *testing.T) {
	records := []string{
		answer("1", "", story(1, 1)),
		answer("2", "", story(1, 2), "WARC-Payload-Digest: sha1:NOTED"),
		answer("3", "Content-Encoding: gzip\r\n", zip(story(1, 3))),
		answer("4", "Transfer-Encoding: chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(story(1, 4)), story(1, 4))),
		recordOf("revisit", "5", "", "WARC-Payload-Digest: sha1:NOTED"),
		answer("other", "", story(2, 1)),
		answer("short", "", "<p>Not found at 12:00:01"),
		answer("short2", "", "<p>Not found at 12:00:02"),
		answer("br", "Content-Encoding: br\r\n", "xx"),
		answer("cut", "", story(1, 6), "WARC-Truncated: length"),
		recordOf("response", "gone", "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n"+story(1, 7)),
		answer("css", "", story(1, 8)),
	}
	records[11] = strings.Replace(records[11], "text/html", "text/plain", 1)
	records[11] = strings.Replace(records[11], fmt.Sprintf("Content-Length: %d", len(story(1, 8))+44), fmt.Sprintf("Content-Length: %d", len(story(1, 8))+45), 1)
	whole := strings.Join(records, "")
	of := numbers(t, whole)
	members := ""
	for _, r := range records {
		members += zip(r)
	}
	torn := whole + recordOf("response", "torn", "HTTP/1.1 200 OK\r\n\r\n"+story(1, 9))[:400]
	turned := slices.Clone(records)
	slices.Reverse(turned)
	for _, c := range []struct {
		name  string
		files []string
	}{
		{"plain", []string{whole}},
		{"gzip", []string{zip(whole)}},
		{"a member for each record", []string{members}},
		{"torn", []string{torn}},
		{"in another order", []string{strings.Join(turned, "")}},
		{"two files", []string{strings.Join(records[6:], ""), zip(strings.Join(records[:6], ""))}},
		{"twice", []string{whole, whole}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			for _, text := range c.files {
				paths = append(paths, expect.File(t, "crawl.warc", text))
			}
			for _, workers := range []int{1, 3} {
				l := labels(t, paths, workers)
				first := min(of["1"], of["2"], of["3"], of["4"])
				for _, url := range []string{"1", "2", "3", "4", "5"} {
					if l.Of(of[url]) != first {
						t.Errorf("%s has the label %x, want %x", url, l.Of(of[url]), first)
					}
				}
				for _, url := range []string{"other", "short", "short2", "br", "css"} {
					if of[url] == 0 || l.Of(of[url]) != of[url] {
						t.Errorf("%s of digest %x has the label %x", url, of[url], l.Of(of[url]))
					}
				}
				if l.Texts != 5 {
					t.Errorf("%+v", l.Counts)
				}
			}
		})
	}
}

// Files that are no archives are passed over, and a pipe is not waited for.
func TestNoArchives(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	expect.FIFO(t, pipe)
	paths := []string{"missing", t.TempDir(), pipe, expect.File(t, "log", "192.0.2.1 - -"), expect.File(t, "empty", ""), expect.File(t, "zip", "\x1f\x8b\x08damaged")}
	l, archives, err := duplicates.Labels(t.Context(), paths, duplicates.LabelOptions{})
	if err != nil || archives != 0 || l.Of(7) != 7 {
		t.Errorf("%d archives, %v", archives, err)
	}
}

// An interrupt ends the reading.
func TestLabelsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := expect.File(t, "crawl.warc", answer("1", "", story(1, 1)))
	if _, _, err := duplicates.Labels(ctx, []string{path}, duplicates.LabelOptions{Rank: table.Options{}.Rank}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
