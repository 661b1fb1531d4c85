package integration

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// w3cLog is goodLog in W3C's extended format, under other columns.
func w3cLog(fields string, line func(path, query string, size int) string) string {
	var b strings.Builder
	b.WriteString("#Software: Microsoft Internet Information Services 10.0\r\n#Version: 1.0\r\n#Fields: " + fields + "\r\n")
	for i := range 4 {
		b.WriteString(line("/story", fmt.Sprintf("id=%d", i), 1000<<i) + "\r\n" + line(fmt.Sprintf("/story_%d", i), "-", 1000<<i) + "\r\n")
	}
	return b.String()
}

// Two orders of the same columns.
func w3cLogs() (a, b string) {
	a = w3cLog("date time c-ip cs-method cs-uri-stem cs-uri-query sc-status sc-bytes", func(path, query string, size int) string {
		return fmt.Sprintf("2026-01-02 10:00:00 192.0.2.1 GET %s %s 200 %d", path, query, size)
	})
	b = w3cLog("sc-bytes sc-status cs-uri-query cs-uri-stem cs-method x-else date time", func(path, query string, size int) string {
		return fmt.Sprintf("%d 200 %s %s GET - 2026-01-02 10:00:00", size, query, path)
	})
	return a, b
}

// Each file's #Fields line is its own, also under a format that was named, and
// counts where it changes within a file.
func TestW3CColumns(t *testing.T) {
	t.Parallel()
	a, b := w3cLogs()
	one, two := write(t, "a.log", []byte(a)), write(t, "b.log", []byte(b))
	both := write(t, "both.log", []byte(a+b+a))
	for _, c := range []struct {
		args              []string
		directives, lines int
	}{
		{[]string{one}, 3, 11}, {[]string{two}, 3, 11}, {[]string{one, two}, 6, 22}, {[]string{both}, 9, 33},
		{[]string{"--format", "w3c", one, two, both}, 15, 55},
	} {
		o := mineStats(t, nil, c.args...)
		o.expect(t, 0, "")
		o.counted(t, c.lines)
		o.good(t)
		if o.stats["lines_directive"] != c.directives || o.stats["lines_malformed"] != 0 {
			t.Errorf("%v: %d directives, want %d\n%s", c.args, o.stats["lines_directive"], c.directives, o.stderr)
		}
	}
	_, records, _ := strings.Cut(b, "time\r\n")
	o := mineStats(t, strings.NewReader(records), "--format", "#Fields: sc-bytes sc-status cs-uri-query cs-uri-stem cs-method x-else date time", "-")
	o.counted(t, 8)
	o.good(t)
}

// Files that change their format, are in another encoding or hold nothing yet get
// a clear word, and each of their lines a reason.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	w3c, _ := w3cLogs()
	header, _, _ := strings.Cut(w3c, "2026")
	var changed strings.Builder
	for range 100 {
		changed.WriteString(goodLog())
	}
	for range 800 {
		changed.WriteString(`{"status":200,"request_uri":"/a","body_bytes_sent":5}` + "\n")
	}
	hosts := changed.String()[:100*len(goodLog())] + strings.ReplaceAll("\n"+strings.Repeat(goodLog(), 100), "\n192", "\nwww.example.org:443 192")[1:]
	bom := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(goodLog())) {
		bom = append(bom, byte(u), byte(u>>8))
	}
	for _, c := range []struct {
		name, text, said string
		code, lines      int
		good             bool
	}{
		{"changed", changed.String(), "which are read as well: nginx_json", 0, 1600, true},
		{"changed_hosts", hosts, "which are read as well: vhost_combined", 0, 1600, false}, // the host is another site
		{"crlf", strings.ReplaceAll(goodLog(), "\n", "\r\n"), "", 0, 8, true},
		{"utf16", string(bom), "in no known format: it is UTF-16 text: convert it to UTF-8", 1, 9, false},
		{"utf16be", string(bom[3:len(bom)-1]) + "\n", "it is UTF-16 text", 1, 9, false},
		{"binary", string(noise(1 << 16)), "in no known format: it is binary data, not a log", 1, -1, false},
		{"header", header, "none of 3 lines is a GET answered with a whole page: directive 3", 0, 3, false},
		{"no_names", "#Fields: date time\n2026-01-02 10:00:00\n", "(nearest is w3c: parse line: expected a name for the path in #Fields (cs-uri-stem)", 1, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.name, []byte(c.text))
			o := mineStats(t, nil, path)
			o.expect(t, c.code, c.said)
			if c.lines >= 0 {
				o.counted(t, c.lines)
			}
			if c.good {
				o.good(t)
			}
			if n := o.stats["lines_malformed"]; n != 0 {
				t.Errorf("%d lines are malformed", n)
			}
		})
	}
}

// Detection says what a file nearly is, and where not.
func TestDetectNearly(t *testing.T) {
	t.Parallel()
	w3c, _ := w3cLogs()
	header, _, _ := strings.Cut(w3c, "2026")
	for _, c := range []struct{ name, text, want string }{
		{"header", header, "w3c by its first lines, and no records yet\n  3 more say how they are read\n"},
		{"comment", "# nothing\n", "unknown, all lines begin with '#'"},
		{"utf16", "\xff\xfe1\x00", "unknown: it is UTF-16 text"},
		{"binary", string(noise(5000)), "unknown: it is binary data, not a log"},
		{"status", "192.0.2.1 - - [02/Jan/2026:10:00:00 +0000] \"GET / HTTP/1.1\" OK 5\n", "the nearest is combined, which the first of them leaves at column 45\n"},
		{"json", `{"time":"2026-01-02T10:00:00Z","status":200,"bytes":5}` + "\n", "the nearest is nginx_json, which the first of them leaves at column 55\n"},
		{"keys", `{"q":"GET / HTTP/1.1","c":200,"n":5}` + "\n", "the nearest is nginx_json, which the first of them leaves at column 37\n"},
		{"long", strings.Repeat("a", 70<<10), "empty, or without a line of at most 64 KiB\n"},
		{"index", " CDX N b a m s k r M S V g\n", "cdx by its first lines, and no records yet\n"},
		{"time", "2026-01-02T10:00:00.5Z " + record("/", 5), "syslog/combined, which 1 of the first 1 lines in syslog fit\n"},
		{"pod", "[pod/web-1/nginx] " + record("/", 5), "the nearest is combined, which the first of them leaves at column 29\n"},
		{"no name", "#Fields: date time\n2026-01-02 10:00:00\n", "expected a name for the path in #Fields (cs-uri-stem)"},
	} {
		path := write(t, "file", []byte(c.text))
		out, _ := exec.Command(program, "formats", "detect", path).Output()
		if !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%s: %s, want %q", c.name, out, c.want)
		}
	}
}

// A daemon that starts again in the middle of a file still knows its columns.
func TestRunKeepsColumns(t *testing.T) {
	t.Parallel()
	_, text := w3cLogs()
	header, _, _ := strings.Cut(text, "1000 ")
	dir := t.TempDir()
	log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
	lines := func(from, to int) (text string) {
		for i := from; i < to; i++ {
			text += fmt.Sprintf("%[2]d 200 id=%[1]d /story GET - 2026-01-02 10:00:00\r\n%[2]d 200 - /story_%[1]d GET - 2026-01-02 10:00:00\r\n", i, 1000+100*i)
		}
		return text
	}
	for _, part := range []struct{ from, to int }{{0, 5}, {5, 9}} {
		file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		must(t, err)
		if part.from == 0 {
			header += lines(part.from, part.to)
			_, err = file.WriteString(header)
		} else {
			_, err = file.WriteString(lines(part.from, part.to))
		}
		must(t, errors.Join(err, file.Close()))
		d := daemon(t, log, state, "--window", "0", "--no-withhold")
		awaitText(t, filepath.Join(state, "rules.jsonl"), fmt.Sprintf(`"support":%d,`, part.to))
		d.stop(t, os.Interrupt)
	}
}
