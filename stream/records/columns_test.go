package records

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/admit"
	"dustbuster/stream/lines"
)

// Batches of two growing files that name their columns alternate. Each file is read by
// its own columns. The same holds if the format was named, and if the directives stand
// before the position at which reading resumes.
func TestColumnsByFile(t *testing.T) {
	const a, b = "#Fields: cs-uri-stem sc-status sc-bytes\n", "#Fields: sc-bytes cs-uri-stem sc-status\r\n"
	for _, format := range []string{"", "w3c"} {
		pool := lines.NewPool(6)
		batch := func(path string, first bool, head, text string) *lines.Batch {
			b := <-pool.Free
			b.Path, b.First, b.Head, b.Data = path, first, []byte(head), []byte(text)
			return b.Hold()
		}
		r, err := New(&growing{[]*lines.Batch{
			batch("a", true, "", a), batch("b", true, b, "20 /b1 200\n"),
			batch("a", false, "", "/a1 200 10\n"), batch("b", false, "", "30 /b2 200\n"),
			batch("a", false, "", b+"40 /a2 200\n/a3 200 50\n"), batch("b", false, "", "60 /b3 200\n"),
		}}, Options{Format: format, Live: true, Admit: admit.Defaults()})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var counts Counts
		for {
			b, err := r.Read(t.Context())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, record := range b.Records {
				got = append(got, fmt.Sprintf("%s %s %d", b.Path, record.URL, record.Min))
			}
			counts.Add(&b.Counts)
			b.Release()
		}
		r.Close()
		if want := strings.Split("b /b1 20,a /a1 10,b /b2 30,a /a2 40,b /b3 60", ","); !slices.Equal(got, want) {
			t.Errorf("format %q: %q, want %q", format, got, want)
		}
		if counts.Lines != 8 || counts.Directive != 2 || counts.Malformed != 1 {
			t.Errorf("format %q: %+v", format, counts)
		}
	}
}

// Files of many names do not make a reader forget the columns of a file.
func TestColumnsAreKept(t *testing.T) {
	r, err := New(&growing{}, Options{Admit: admit.Defaults()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	choose := func(path, text string, first bool) {
		if err := r.choose(&lines.Batch{Path: path, First: first, Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	choose("w3c", "#Fields: cs-uri-stem sc-status\n/a 200\n", true)
	w3c := r.file.parsers[0]
	for i := range 3 * manyPaths {
		choose(fmt.Sprint(i), "/a\t200\t1\n", true)
	}
	if choose("w3c", "/a 200\n", false); r.file.parsers[0] != w3c {
		t.Error("the file has another parser")
	}
	for i := range mostPaths {
		choose(fmt.Sprint(i), "#Fields: cs-uri-stem sc-status\n/a 200\n", true)
	}
	if len(r.files) > mostPaths {
		t.Errorf("%d files are kept", len(r.files))
	}
}
