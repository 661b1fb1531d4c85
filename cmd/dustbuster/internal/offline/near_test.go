package offline

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	madeup "dustbuster/internal/oracle/pages"
	"dustbuster/internal/schema"
)

// The lines of near fit their schema, whatever the URLs and types are.
func TestNearFitsItsSchema(t *testing.T) {
	var archive strings.Builder
	add := func(kind, url, block string) {
		fmt.Fprintf(&archive, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Payload-Digest: d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, url, len(block), block)
	}
	for d := range (madeup.World{Seed: 2, Documents: 300, Threshold: 0.9}).All() {
		add("response", fmt.Sprintf("http://example.org/%d\x01\"\xff<", d.Index), "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(d.Body))
	}
	add("revisit", "http://example.org/revisit", "")
	add("response", "http://example.org/empty", "HTTP/1.1 200 OK\r\n\r\n")
	add("response", "http://example.org/empty?", "HTTP/1.1 200 OK\r\n\r\n")
	var out, stderr bytes.Buffer
	if code := run(t.Context(), []string{"near", "-o", "json", "-"}, strings.NewReader(archive.String()), &out, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	n := 0
	for line := range bytes.Lines(out.Bytes()) {
		n++
		must(t, schema.Check("near", line))
	}
	if n < 30 || !strings.Contains(out.String(), `{"url":"http://example.org/revisit","revisit":true}`) || !strings.Contains(out.String(), "%01%22%FF%3C") {
		t.Errorf("%d clusters\n%s", n, &stderr)
	}
	for _, bad := range []string{`{"schema":1,"size":2,"pages":[{"url":"http://a"},{"url":"http://b","revisit":true}]}`, `{"schema":1,"size":2,"pages":[{"url":"http://b","revisit":true}]}`} {
		if schema.Check("near", []byte(bad)) == nil {
			t.Errorf("%s fits the schema", bad)
		}
	}
}

// An interrupted near prints nothing and leaves no files.
func TestNearInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, stderr bytes.Buffer
	code := run(ctx, []string{"near", "--temp", dir, "-"}, strings.NewReader("WARC/1.0\r\nContent-Length: 0\r\n\r\n"), &out, &stderr)
	if code != cli.ExitFailure || out.Len() > 0 || stderr.String() != "dustbuster: interrupted\n" {
		t.Errorf("exit code %d, %q, %q", code, &out, &stderr)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}
