package worlds

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// Data returns a file of the folder DUSTBUSTER_DATA, which holds real logs and the rules that
// other programs have computed. Without the folder, the test is skipped.
func Data(t testing.TB, name ...string) string {
	t.Helper()
	folder := os.Getenv("DUSTBUSTER_DATA")
	if folder == "" {
		t.Skip("SKIPPED: needs real logs; set DUSTBUSTER_DATA to their folder")
	}
	return filepath.Join(append([]string{folder}, name...)...)
}

// Open returns the lines of a file, which may be compressed.
func Open(t testing.TB, path string) *bufio.Scanner {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var text io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if text, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	return bufio.NewScanner(text)
}

// Log returns the pages of a log without hosts, in the order of their URLs.
func Log(t testing.TB, path string) []evidence.Page {
	return pagesOf(LogHits(t, path))
}

// LogHits returns the admitted hits of a log without hosts.
func LogHits(t testing.TB, path string) []evidence.Observation {
	parser, err := weblog.New("combined")
	if err != nil {
		t.Fatal(err)
	}
	return admitted(t, Open(t, path), func(h *weblog.Hit, line []byte) bool { return parser.Parse(h, line) == nil })
}

// Table returns the pages of a table of targets, statuses and sizes.
func Table(t testing.TB, path string) []evidence.Page {
	hits := admitted(t, Open(t, path), func(h *weblog.Hit, line []byte) bool {
		fields := strings.Split(string(line), "\t")
		if len(fields) != 3 {
			t.Fatalf("%s: %q", path, line)
		}
		status, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		size, _ := strconv.ParseInt(fields[2], 10, 64) // 0 for "-"
		*h = weblog.Hit{Method: []byte("GET"), Target: []byte(fields[0]), Status: status, Size: size}
		return true
	})
	return pagesOf(hits)
}

// admitted returns the hits of the lines that are admitted.
func admitted(t testing.TB, lines *bufio.Scanner, parse func(h *weblog.Hit, line []byte) bool) (hits []evidence.Observation) {
	gate, err := admit.New(admit.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		var h weblog.Hit
		var o evidence.Observation
		if !parse(&h, lines.Bytes()) {
			continue
		}
		if _, why := gate.Admit(&o, &h); why == admit.Admitted {
			o.URL = bytes.Clone(o.URL)
			hits = append(hits, o)
		}
	}
	return hits
}

func pagesOf(hits []evidence.Observation) []evidence.Page {
	m := map[string]evidence.Spans{}
	for i := range hits {
		o := &hits[i]
		p := evidence.Page{Evidence: m[string(o.URL)]}
		p.Join(o)
		m[string(o.URL)] = p.Evidence
	}
	return Pages(m)
}
