package weblog

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dustbuster/internal/expect"
)

// must ends a test at an error.
var must = expect.NoError

// dataVariable names the folder with the real logs, which are not part of the repository.
const dataVariable = "DUSTBUSTER_DATA"

// readLines reads a plain or gzip file of the data folder, or skips the test.
func readLines(t testing.TB, name string) [][]byte {
	t.Helper()
	folder := os.Getenv(dataVariable)
	if folder == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s is not set, so %s was not read", dataVariable, name)
	}
	file, err := os.Open(filepath.Join(folder, name))
	must(t, err)
	defer func() { _ = file.Close() }()
	r, err := unpacked(file, name)
	must(t, err)
	all, err := io.ReadAll(r)
	must(t, err)
	return bytes.Split(bytes.TrimSuffix(all, []byte("\n")), []byte("\n"))
}

// TestRealLogs parses the real logs, and checks the detected format and how many lines there
// are, and how many of them are malformed.
func TestRealLogs(t *testing.T) {
	for _, c := range []struct {
		file, format string
		lines, bad   int
	}{
		{"logs/bplogs.log.gz", "combined", 496706, 0},
		{"logs/nspw.log.gz", "combined", 49994, 0},
		{"logs/nspw-vhost.log.gz", "vhost_combined", 38235, 0},
		{"logs/semicomplete.log.gz", "combined", 10000, 0},
		{"logs/nasa95.log.gz", "common", 30969, 0},
		{"logs/erddap.log.gz", "combined", 10479, 0},
		{"sites/docs/access.log.gz", "combined", 18818, 0},
		{"sites/gitweb/access.log.gz", "combined", 7179, 0},
		{"formats/rawquirks/bplogs_access.log", "combined", 120, 0},
		{"formats/rawquirks/carleton_access.log", "combined", 35, 0},
		{"formats/rawquirks/carleton_vhosts.log", "vhost_combined", 16, 0},
		{"formats/rawquirks/dmjacas_access.log", "vhost_combined", 33, 0},
		{"formats/rawquirks/esthetique_https.log", "combined", 101, 0},
		{"formats/rawquirks/nhanviet_https.log", "combined", 8, 0},
		{"formats/rawquirks/nskt_https.log", "combined", 5, 0},
		{"formats/rawquirks/school9_https.log", "combined", 120, 0},
		{"formats/rawquirks/talmedos_access.log", "combined", 20, 0},
		{"formats/lnav/logfile_access_log.0", "combined", 3, 0},
		{"formats/lnav/logfile_shop_access_log.0", "combined", -1, 0},
		{"expected/random/04.urls.tsv", "urllist", -1, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			lines := readLines(t, c.file)
			bad := parseAll(t, c.format, lines)
			t.Logf("%d lines, %d malformed", len(lines), bad)
			if c.lines >= 0 && len(lines) != c.lines || bad != c.bad {
				t.Errorf("%d lines, %d malformed, want %d, %d", len(lines), bad, c.lines, c.bad)
			}
		})
	}
}

// parseAll returns the number of malformed lines, and compares the fast path with the
// slow path.
func parseAll(t *testing.T, format string, lines [][]byte) (bad int) {
	t.Helper()
	if best, ok := Detect(lines[:min(len(lines), 1000)]).Best(); !ok || best.Format.Name != format {
		t.Errorf("detected %q, %t; want %q", best.Format.Name, ok, format)
	}
	p, q := mustNew(t, format), slow(mustNew(t, format))
	var h, k Hit
	for _, line := range lines {
		err := p.Parse(&h, line)
		if err != nil {
			t.Log(err)
			bad++
		}
		if err2 := q.Parse(&k, line); (err == nil) != (err2 == nil) || err == nil && !same(&h, &k) {
			t.Fatalf("%q: slow path differs: %v, %v", line, err, err2)
		}
	}
	return bad
}

// every returns the first of each n lines.
func every(lines [][]byte, n int) (some [][]byte) {
	for i := 0; i < len(lines); i += n {
		some = append(some, lines[i])
	}
	return some
}

var long = flag.Bool("long", false, "compare all lines of real logs with the plain program, and not one in ten")

// TestRealLogsOracle compares combined lines with the plain program.
func TestRealLogsOracle(t *testing.T) {
	for _, name := range []string{"logs/bplogs.log.gz", "logs/nspw.log.gz", "logs/semicomplete.log.gz", "formats/rawquirks/talmedos_access.log"} {
		lines := readLines(t, name)
		p := mustNew(t, "combined")
		var h Hit
		compared := 0
		if !*long {
			lines = every(lines, 10)
		}
		for _, line := range lines {
			m := plainCombined.FindSubmatch(line)
			if m == nil || p.Parse(&h, line) != nil {
				continue
			}
			method, target := splitRequest([]byte(plainUnescape(string(m[3]))))
			if !bytes.Equal(h.Target, target) || !bytes.Equal(h.Method, method) || !bytes.Equal(h.Client, m[1]) {
				t.Fatalf("%s: %q gives %+v", name, line, h)
			}
			compared++
		}
		t.Logf("%s: %d of %d lines compared", name, compared, len(lines))
		if compared < len(lines)-1 {
			t.Errorf("%s: %d of %d lines compared", name, compared, len(lines))
		}
	}
}

// dataFiles returns the files of the data folder's formats and logs, or skips the test.
func dataFiles(t testing.TB) []string {
	t.Helper()
	folder := os.Getenv(dataVariable)
	if folder == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s is not set, so the real logs were not read", dataVariable)
	}
	var names []string
	for _, part := range []string{"formats", "logs"} {
		err := filepath.WalkDir(filepath.Join(folder, part), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) != ".conf" {
				name, _ := filepath.Rel(folder, path)
				names = append(names, name)
			}
			return err
		})
		must(t, err)
	}
	return names
}

// extractedLine is a line from another program's test, with the test's expectation.
type extractedLine struct {
	Source, Line string
	expected     string // a JSON object; empty if there is no expectation
}

// extracted reads the lines from the table. The lines are quoted. Some stand within a
// call of the tested function, and some of these are followed by the returned object.
func extracted(t *testing.T, rows [][]byte) []extractedLine {
	var out []extractedLine
	open := -1 // the example of a following object
	for _, row := range rows {
		source, quoted, _ := strings.Cut(string(row), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "parse_"):
			_, text, _ = strings.Cut(text, "(")
			text = strings.TrimLeft(text, " \ns")
			// The line ends at its own quote, unless the quote is escaped. The rest of
			// the call may contain quotes of the other kind.
			end := strings.IndexByte(strings.ReplaceAll(text[1:], `\"`, "__"), text[0])
			text = strings.ReplaceAll(text[1:1+end], `\"`, `"`)
			open = len(out)
		case strings.HasPrefix(text, "{\n"):
			if open >= 0 {
				out[open].expected = text
			}
			open = -1
			continue
		default:
			open = -1
		}
		out = append(out, extractedLine{Source: source, Line: text})
	}
	return out
}

// unpacked reads a file that may be compressed.
func unpacked(file io.Reader, name string) (io.Reader, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewReader(file)
	case strings.HasSuffix(name, ".bz2"):
		return bzip2.NewReader(file), nil
	}
	return file, nil
}
