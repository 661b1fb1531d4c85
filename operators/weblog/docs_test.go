package weblog

import (
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// -rewrite-docs writes docs/formats.md anew instead of comparing it.
var rewriteDocs = flag.Bool("rewrite-docs", false, "write docs/formats.md anew")

const docs = "../../docs/formats.md"

// TestDocs compares what is made of docs/formats.md with what the program says:
// the formats, what is to be known of them, and, where the real logs are, what
// those come to.
func TestDocs(t *testing.T) {
	t.Run("formats", func(t *testing.T) { checkDocs(t, "formats", formatRows()) })
	t.Run("notes", func(t *testing.T) { checkDocs(t, "notes", noteRows()) })
	t.Run("files", func(t *testing.T) { checkDocs(t, "files", fileRows(t)) })
}

// checkDocs compares the rows between two marks.
func checkDocs(t *testing.T, mark string, rows []string) {
	t.Helper()
	page, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks its marks %q", docs, begin)
	}
	want := before + begin + strings.Join(rows, "\n") + "\n" + end + after
	if *rewriteDocs {
		if err := os.WriteFile(docs, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, line := range strings.Split(want, "\n") {
		if got := strings.Split(string(page), "\n"); i >= len(got) || got[i] != line {
			t.Fatalf("%s is not what the program says at line %d:\n%s\n(go test ./operators/weblog -run Docs -rewrite-docs writes it anew)", docs, i+1, line)
		}
	}
}

func formatRows() []string {
	rows := []string{"| format | what | what its size counts | encoding told |", "|---|---|---|---|"}
	for _, f := range Formats() {
		told := "no"
		if f.Fields&HasEncoding != 0 {
			told = "where it is logged"
		}
		name := "`" + f.Name + "`"
		if f.Twin != "" {
			name += " (detected as `" + f.Twin + "`)"
		}
		size := f.Size.String()
		if f.Name == "w3c" {
			size = "as #Fields says: sc-bytes, body and headers"
		}
		rows = append(rows, cell(name, f.Description, size, told))
	}
	return rows
}

func noteRows() (rows []string) {
	for _, f := range Formats() {
		if f.SizeNote != "" {
			rows = append(rows, "- `"+f.Name+"`: "+f.SizeNote)
		}
	}
	return rows
}

func cell(values ...string) string {
	for i := range values {
		values[i] = strings.ReplaceAll(values[i], "|", `\|`)
	}
	return "| " + strings.Join(values, " | ") + " |"
}

// outcome is what the lines of a file come to.
type outcome struct {
	format                           string
	lines, blank, directives, parsed int
	refused                          map[string]int // by what was expected
}

// read detects the format of lines and parses them.
func read(lines [][]byte) outcome {
	o := outcome{refused: map[string]int{}}
	found := Detect(lines[:min(len(lines), 512)])
	best, known := found.Best()
	o.format = best.Format.Name
	p, err := New(cmp.Or(best.Format.Name, "combined"))
	if err != nil {
		panic(err)
	}
	if !known {
		o.format = "none (nearest " + o.format + ")"
	}
	var h Hit
	for _, line := range lines {
		o.lines++
		err := p.Parse(&h, line)
		var syntax *SyntaxError
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			o.blank++
		case errors.Is(err, ErrDirective):
			o.directives++
		case errors.As(err, &syntax):
			o.refused["expected "+syntax.Want]++
		case !known: // a file is read whole or not at all
			o.refused["in a file of no known format"]++
		default:
			o.parsed++
		}
	}
	return o
}

func (o *outcome) row(name string) string {
	var why []string
	for _, want := range slices.Sorted(maps.Keys(o.refused)) {
		why = append(why, fmt.Sprintf("%d %s", o.refused[want], want))
	}
	return cell(name, o.format, strconv.Itoa(o.lines), strconv.Itoa(o.parsed), strconv.Itoa(o.directives+o.blank), strings.Join(why, "; "))
}

// fileRows reads every file of the data folder's formats and logs.
func fileRows(t *testing.T) []string {
	rows := []string{"| file | format | lines | parsed | directives, blank | refused |", "|---|---|---|---|---|---|"}
	for _, name := range dataFiles(t) {
		lines := readLines(t, name)
		if strings.HasSuffix(name, "extracted_lines.tsv") {
			rows = append(rows, extractedRows(t, lines)...)
			continue
		}
		o := read(lines)
		rows = append(rows, o.row(name))
	}
	return rows
}

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
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// extractedRows reads the lines of other programs' tests, each as a file by itself.
func extractedRows(t *testing.T, lines [][]byte) []string {
	all := map[string]*outcome{}
	for _, e := range extracted(t, lines) {
		o := read([][]byte{[]byte(e.line)})
		key := e.source + "\x00" + o.format
		if all[key] == nil {
			all[key] = &outcome{format: o.format, refused: map[string]int{}}
		}
		all[key].lines += o.lines
		all[key].parsed += o.parsed
		for why, n := range o.refused {
			all[key].refused[why] += n
		}
	}
	var rows []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		source, _, _ := strings.Cut(key, "\x00")
		rows = append(rows, all[key].row("formats/extracted_lines.tsv, each line by itself, from "+source))
	}
	return rows
}

// extractedLine is a line with what the test that it is from expects of it.
type extractedLine struct {
	source, line string
	expected     string // a JSON object, empty if the test's expectation was not kept
}

// extracted takes the lines out of the table: quoted, some within a call of the
// function under test, and after some of those the object that it returns.
func extracted(t *testing.T, rows [][]byte) []extractedLine {
	var out []extractedLine
	open := -1 // the example that an object belongs to
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
			// The line ends at its own quote, an escaped one not counting; what else
			// is in the call may be quoted too, with the other.
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
		out = append(out, extractedLine{source: source, line: text})
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
