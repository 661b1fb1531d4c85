package labels

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// errColumns reports a text that is no table of URLs.
var errColumns = errors.New("it has no columns of URLs and canonical URLs: name them URL and canonical, or Address and Canonical Link Element 1")

// errSpreadsheet reports a document of a spreadsheet.
var errSpreadsheet = errors.New("it is a spreadsheet or an archive: save its table as CSV")

// urlNames and canonicalNames are the names of the columns, as plain makes them, those that come first count.
var (
	urlNames       = []string{"address", "url", "page", "pageurl", "inspectedurl", "inspectionurl", "duplicateurl", "uri", "adresse"}
	canonicalNames = []string{"googleselectedcanonical", "googlechosencanonical", "googlecanonical",
		"userdeclaredcanonical", "userselectedcanonical", "usercanonical",
		"canonicallinkelement1", "canonicallinkelement", "canonical1", "httpcanonical1", "httpcanonical",
		"canonical", "canonicalurl", "canonicallink", "canonicaltag", "relcanonical", "canonicals",
		"élémentdelienenversioncanonique1", "urlcanonique", "canonique", "canonicallinkelement1url"}
)

// statusNames are names of the column of an answer's status.
var statusNames = []string{"statuscode", "httpstatus", "httpstatuscode"}

// plain returns a name in small letters, with nothing but letters and digits.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' && c < 0x80 {
			return -1
		}
		return c
	}, strings.ToLower(name))
}

// columns are the places of the columns; -1: there is none.
type columns struct {
	url, status int
	canonical   []int // those that come first count
}

// columnsOf finds the columns in a row of names.
func columnsOf(names []string) (c columns, ok bool) {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = plain(name)
	}
	find := func(wanted []string) (at []int) {
		for _, name := range wanted {
			for i := range all {
				if all[i] == name {
					at = append(at, i)
				}
			}
		}
		return at
	}
	c = columns{-1, -1, find(canonicalNames)}
	if at := find(urlNames); len(at) > 0 {
		c.url = at[0]
	}
	if at := find(statusNames); len(at) > 0 {
		c.status = at[0]
	}
	return c, c.url >= 0 && len(c.canonical) > 0
}

// separators are the bytes between fields, that of CSV first.
var separators = []rune{',', ';', '\t'}

// mostBefore is the number of rows that may stand before that of the names.
const mostBefore = 10

// shape is how a text is read: its separator and columns.
type shape struct {
	comma rune
	columns
	from int // rows before the first of URLs
}

// shapeOf finds the shape of a text: that with names, else that whose first two fields are URLs.
func shapeOf(text []byte) (s shape, ok bool) {
	for _, comma := range separators {
		first := firstRows(text, comma)
		for i, row := range first {
			if c, ok := columnsOf(row); ok {
				return shape{comma, c, i + 1}, true
			}
		}
	}
	for _, comma := range separators {
		for i, row := range firstRows(text, comma) {
			if len(row) >= 2 && isURL(row[0]) && isURL(row[1]) {
				return shape{comma, columns{0, -1, []int{1}}, i}, true
			}
		}
	}
	return s, false
}

// mostHead is the number of bytes in which the first rows are looked for.
const mostHead = 1 << 16

func firstRows(text []byte, comma rune) (rows [][]string) {
	in := reader(text[:min(mostHead, len(text))], comma)
	for range mostBefore {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		rows = append(rows, slices.Clone(row)) // of a row that cannot be read some fields, or none
	}
	return rows
}

func reader(text []byte, comma rune) *csv.Reader {
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = comma, -1, true
	return in
}

// isURL reports whether a field is a URL, or a path.
func isURL(field string) bool {
	_, why := addressOf(strings.TrimSpace(field))
	return why == ""
}

// Read adds the rows of a text. What it leaves out is in Skips. It returns an error if the text is no table of URLs, or
// too large. O(bytes).
func (f *File) Read(text []byte) error {
	f.Named, f.Skips, f.Skipped = 0, nil, 0
	if len(text) > MostBytes {
		return ErrTooLarge
	}
	text, err := decoded(text)
	if err != nil {
		return err
	}
	s, ok := shapeOf(text)
	switch {
	case !ok && bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return errSpreadsheet
	case !ok:
		return errColumns
	}
	return f.read(text, &s)
}

// table reads the rows of a text of a known shape.
type table struct {
	*csv.Reader
	comma  rune
	text   []byte // that the Reader reads
	before int    // lines before the text
	again  int    // bytes that may still be read twice
}

// next returns the next row with its line. A quote that never ends takes the lines behind it into its field, so after
// such a row the text is read again from the second of them.
func (t *table) next() (row []string, line int, err error) {
	start := int(t.InputOffset())
	row, err = t.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		line = t.before + wrong.StartLine
		if wrong.Line == wrong.StartLine {
			break
		}
		if t.again -= int(t.InputOffset()) - start; t.again < 0 {
			return nil, line, fmt.Errorf("line %d: too many quotes have no end", line)
		}
		t.text, t.before = behind(t.text, start), line
		t.Reader = reader(t.text, t.comma)
	case err == nil:
		line, _ = t.FieldPos(0)
		line += t.before
	}
	return row, line, err
}

// read adds the rows of a text.
func (f *File) read(text []byte, s *shape) error {
	t := table{reader(text, s.comma), s.comma, text, 0, mostAgain * len(text)}
	for n := 0; ; n++ {
		row, line, err := t.next()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			f.skip(line, "the row cannot be read: %v", wrong.Err)
		case err != nil:
			return err
		case n >= s.from:
			if err := f.readRow(line, row, s); err != nil {
				return err
			}
		}
	}
}

// behind returns the lines behind the first that is not empty, from an offset.
func behind(text []byte, from int) []byte {
	text = bytes.TrimLeft(text[from:], "\r\n")
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}

// readRow adds a row.
func (f *File) readRow(line int, row []string, s *shape) error {
	field := func(at int) string {
		if at < 0 || at >= len(row) {
			return ""
		}
		return strings.TrimSpace(row[at])
	}
	if status := field(s.status); status != "" && !strings.HasPrefix(status, "2") {
		f.Silent++ // a page that is no more, or a redirect, has nothing to say
		return nil
	}
	from, why := addressOf(field(s.url))
	if why != "" {
		f.skip(line, "%s", why)
		return nil
	}
	for _, at := range s.canonical {
		named := field(at)
		if isNone(named) {
			continue
		}
		if plain(named) == "inspectedurl" { // as Search Console writes it
			return f.add(line, Row{from, from})
		}
		to, why := from.resolve(named)
		if why != "" {
			f.skip(line, "%s", why)
			return nil
		}
		return f.add(line, Row{from, to})
	}
	f.Silent++
	return nil
}

// isNone reports whether a field says that there is no canonical URL.
func isNone(field string) bool {
	switch plain(field) {
	case "", "na", "none", "null", "nan", "keine", "aucune": // "-", too
		return !strings.HasPrefix(field, "/")
	}
	return false
}
