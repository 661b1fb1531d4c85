package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/stream/lines"
)

// Batches of two growing files that name their columns alternate. Each file is read by
// its own columns. The same holds if the format was named, and if the directives stand
// before the position at which reading resumes.
func TestColumnsByFile(t *testing.T) {
	const a, b = "#Fields: cs-uri-stem sc-status sc-bytes\n", "#Fields: sc-bytes cs-uri-stem sc-status\r\n"
	for _, format := range []string{"", "w3c"} {
		headed := func(b *lines.Batch, head string) *lines.Batch { b.Head = []byte(head); return b }
		r := grow(t, Options{Format: format, Live: true},
			part("a", 0, true, 0, a), headed(part("b", 0, true, 0, "20 /b1 200\n"), b),
			part("a", 0, false, 0, "/a1 200 10\n"), part("b", 0, false, 0, "30 /b2 200\n"),
			part("a", 0, false, 0, b+"40 /a2 200\n/a3 200 50\n"), part("b", 0, false, 0, "60 /b3 200\n"))
		var got []string
		var counts Counts
		errs := each(t, r, func(b *Batch) {
			for _, record := range b.Records {
				got = append(got, fmt.Sprintf("%s %s %d", b.Path, record.URL, record.Min))
			}
			counts.Add(&b.Counts)
		})
		if want := strings.Split("b /b1 20,a /a1 10,b /b2 30,a /a2 40,b /b3 60", ","); !slices.Equal(got, want) || len(errs) > 0 {
			t.Errorf("format %q: %q, want %q; %v", format, got, want, errs)
		}
		if counts.Lines != 8 || counts.Directive != 2 || counts.Malformed != 1 {
			t.Errorf("format %q: %+v", format, counts)
		}
	}
}

// Files of many names do not make a reader forget the columns of a file.
func TestColumnsAreKept(t *testing.T) {
	r := grow(t, Options{})
	choose := func(path, text string, first bool) {
		must(t, r.choose(&lines.Batch{Path: path, First: first, Data: []byte(text)}))
	}
	choose("w3c", "#Fields: cs-uri-stem sc-status\n/a 200\n", true)
	w3c := r.file.parsers[0]
	for i := range 3 * manyPaths {
		choose(fmt.Sprint(i), "/a\t200\t1\n", true)
	}
	if choose("w3c", "/a 200\n", false); r.file.parsers[0] != w3c {
		t.Error("the file has another parser")
	}
	r = grow(t, Options{Format: "w3c"}) // named, since detection takes a millisecond
	for i := range mostPaths + 1 {
		choose(fmt.Sprint(i), "#Fields: cs-uri-stem sc-status\n/a 200\n", true)
	}
	if len(r.files) > mostPaths {
		t.Errorf("%d files are kept", len(r.files))
	}
}

// Lines with more values than the #Fields line has names, as of a query with blanks, are malformed from the first
// line on, and are not read by the columns of IIS.
func TestOtherColumnsAreMalformed(t *testing.T) {
	text := "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status sc-substatus sc-win32-status time-taken\n"
	for i := range 60 {
		text += fmt.Sprintf("2026-11-28 01:00:%02d 192.0.2.1 GET /shop/item%d.aspx id=%d 443 - 203.0.113.3 UA 200 0 0 31\n", i, i, i)
	}
	for i := range 30 {
		text += fmt.Sprintf("2026-11-28 01:01:%02d 192.0.2.1 GET /x%d.asmx a=0;b=1; c=2; 443 user 203.0.113.9 UA 200 0 0 31\n", i, i)
	}
	var counts Counts
	errs := each(t, grow(t, Options{}, part("a", 0, true, 0, text)), func(b *Batch) { counts.Add(&b.Counts) })
	if len(errs) > 0 || counts.Lines != 91 || counts.Directive != 1 || counts.Malformed != 30 {
		t.Errorf("%+v; %v", counts, errs)
	}
}
