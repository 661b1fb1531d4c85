package weblog_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
)

// -rewrite-docs writes the pages instead of comparing them.
var rewriteDocs = flag.Bool("rewrite-docs", false, "write docs/formats.md and testdata/real.md anew")

const (
	docs = "../../../docs/formats.md"
	real = "testdata/real.md"
)

// TestDocs compares the table of formats in docs/formats.md with the program. If the real logs are there,
// it compares the results of reading the logs as well.
func TestDocs(t *testing.T) {
	t.Run("formats", func(t *testing.T) { checkDocs(t, docs, "formats", formatRows(t)) })
	t.Run("files", func(t *testing.T) { checkDocs(t, real, "files", fileRows(t)) })
}

// checkDocs compares the rows between two marks of a page.
func checkDocs(t *testing.T, file, mark string, rows []string) {
	t.Helper()
	page, err := os.ReadFile(file)
	expect.NoError(t, err)
	begin, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks its marks %q", file, begin)
	}
	want := before + begin + strings.Join(rows, "\n") + "\n" + end + after
	if *rewriteDocs {
		expect.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	for i, line := range strings.Split(want, "\n") {
		if got := strings.Split(string(page), "\n"); i >= len(got) || got[i] != line {
			t.Fatalf("%s is not what the program says at line %d:\n%s\n(go test ./operators/read/weblog -run Docs -rewrite-docs writes it anew)", file, i+1, line)
		}
	}
}

func formatRows(t *testing.T) []string {
	rows := []string{"| format | what | size |", "|---|---|---|"}
	for _, f := range weblog.Formats() {
		name := "`" + f.Name + "`"
		if f.Twin != "" {
			name += " (detected as `" + f.Twin + "`)"
		}
		size := sizeWord(f.Size)
		if size == "" {
			t.Errorf("%s: sizeWord has no word for %q", f.Name, f.Size)
		}
		if f.Name == "w3c" {
			size = "as #Fields says"
		}
		if f.Fields&weblog.HasEncoding != 0 {
			size += ", encoding"
		}
		rows = append(rows, cell(name, f.Description, size))
	}
	return rows
}

// sizeWord names the bytes that a size counts by a word that the page explains.
func sizeWord(s weblog.SizeCount) string {
	switch s {
	case weblog.SizeNone:
		return "none"
	case weblog.SizeUnknown:
		return "unknown"
	case weblog.SizeBody:
		return "body"
	case weblog.SizeBodyFramed:
		return "framed"
	case weblog.SizeBodyOrTotal:
		return "either"
	case weblog.SizeTotal:
		return "all"
	case weblog.SizeLengthOrTotal:
		return "length"
	case weblog.SizeGiven:
		return "given"
	case weblog.SizeDigest:
		return "digest"
	}
	return ""
}

func cell(values ...string) string {
	for i := range values {
		values[i] = strings.ReplaceAll(values[i], "|", `\|`)
	}
	return "| " + strings.Join(values, " | ") + " |"
}

// outcome is the result of reading the lines of a file.
type outcome struct {
	format                string
	lines, parsed, others int            // others are directives, blank, or the wrapper's
	refused               map[string]int // by expectation; for a file in no format, the error of its first line
}

// read detects the wrapper and the format of lines, and parses the lines.
func read(lines [][]byte) outcome {
	o := outcome{refused: map[string]int{}, lines: len(lines)}
	found := wrap.Detect("", lines[:min(len(lines), 512)])
	p := found.Parser
	if p == nil { // a file is read whole or not at all
		best, _ := found.Best()
		o.format = "none (nearest " + best.Format.Name + ")"
		why, _, _ := strings.Cut(strings.TrimPrefix(best.Misfit, "parse line: "), " at byte ")
		o.refused[why] = len(lines)
		return o
	}
	o.format = p.Name()
	var h weblog.Hit
	for _, line := range lines {
		kind, err := p.Parse(&h, line)
		var syntax *weblog.SyntaxError
		switch {
		case kind == wrap.Hit:
			o.parsed++
		case kind == wrap.Directive || kind == wrap.Wrapping || len(bytes.TrimSpace(line)) == 0:
			o.others++
		case errors.As(err, &syntax):
			o.refused["expected "+syntax.Want]++
		default:
			o.refused["for no reason"]++
		}
	}
	return o
}

func (o *outcome) row(name string) string {
	var why []string
	for _, want := range slices.Sorted(maps.Keys(o.refused)) {
		why = append(why, fmt.Sprintf("%d %s", o.refused[want], want))
	}
	return cell(name, o.format, strconv.Itoa(o.lines), strconv.Itoa(o.parsed), strconv.Itoa(o.others), strings.Join(why, "; "))
}

// fileRows reads every file of the data folder's formats and logs.
func fileRows(t *testing.T) []string {
	rows := []string{"| file | format | lines | parsed | directives, blank, wrapper's | refused |", "|---|---|---|---|---|---|"}
	for _, name := range weblog.DataFiles(t) {
		lines := weblog.ReadLines(t, name)
		if strings.HasSuffix(name, "extracted_lines.tsv") {
			rows = append(rows, extractedRows(t, lines)...)
			continue
		}
		o := read(lines)
		rows = append(rows, o.row(name))
	}
	return rows
}

// extractedRows reads the lines of other programs' tests, each as a separate file.
func extractedRows(t *testing.T, lines [][]byte) []string {
	all := map[string]*outcome{}
	for _, e := range weblog.Extracted(t, lines) {
		o := read([][]byte{[]byte(e.Line)})
		key := e.Source + "\x00" + o.format
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
