package weblog

import "bytes"

const fieldsDirective = "#Fields:"

// column is the meaning of a name in a #Fields line.
type column struct {
	field  field
	rank   uint8
	letter byte // of a fieldPart: D is a whole date, T a time of day
	size   SizeCount
	want   string // for errors
}

// columns are the known names, in lower case. All other columns are skipped.
var columns = map[string]*column{
	"date":                 {field: fieldPart, letter: 'D', want: "a date like 2006-01-02 for date"},
	"date-local":           {field: fieldPart, letter: 'D', want: "a date like 2006-01-02 for date-local"},
	"time":                 {field: fieldPart, letter: 'T', want: "a time like 15:04:05 for time"},
	"time-local":           {field: fieldPart, letter: 'T', want: "a time like 15:04:05 for time-local"},
	"timestamp":            {field: fieldTime, rank: 2}, // CloudFront's real-time logs
	"timestamp(ms)":        {field: fieldTime, rank: 3},
	"c-ip":                 {field: fieldClient, rank: 2},
	"x-forwarded-for":      {field: fieldForwarded, rank: 1},
	"cs(x-forwarded-for)":  {field: fieldForwarded, rank: 1},
	"cs-x-forwarded-for":   {field: fieldForwarded, rank: 1},
	"x_forwarded_for":      {field: fieldForwarded, rank: 1},
	"cs-method":            {field: fieldMethod, rank: 2},
	"cs-uri-stem":          {field: fieldPath, rank: 2},
	"cs-uri":               {field: fieldAddress, rank: 1},
	"cs-uri-query":         {field: fieldQuery, rank: 2},
	"x-host-header":        {field: fieldHost, rank: 3},
	"cs-host":              {field: fieldHost, rank: 2},
	"cs(host)":             {field: fieldHost, rank: 2},
	"sc-status":            {field: fieldStatus, rank: 2, want: "a status of three digits for sc-status"},
	"c-status":             {field: fieldStatus, rank: 1, want: "a status of three digits for c-status"},
	"sc-bytes":             {field: fieldSize, rank: 1, size: SizeTotal, want: "a number or - for sc-bytes"},
	"bytes":                {field: fieldSize, rank: 1, size: SizeTotal, want: "a number or - for bytes"},
	"sc-content-len":       {field: fieldSize, rank: 2, size: SizeLengthOrTotal, want: "a number or - for sc-content-len"},
	"cs(user-agent)":       {field: fieldAgent, rank: 2},
	"cs-user-agent":        {field: fieldAgent, rank: 2},
	"sc(content-encoding)": {field: fieldEncoding, rank: 2},
}

var otherColumn = &column{}

// maxColumns bounds the columns of a log. Real logs have up to 60.
const maxColumns = 256

// direct reads a directive. Only the columns and the date are used.
func (s *w3cScanner) direct(p *Parser) {
	switch {
	case bytes.HasPrefix(p.line, []byte(fieldsDirective)):
		s.name(p.line[len(fieldsDirective):])
		p.format.Fields, p.format.Size = s.has, s.size
	case bytes.HasPrefix(p.line, []byte("#Date:")):
		b := bytes.TrimLeft(p.line[len("#Date:"):], white)
		s.days = 0
		if len(b) >= len("2006-01-02") {
			s.days, _ = civilDays(four(b, 0), two(b, 5), two(b, 8))
		}
	}
}

// name sets the columns. If the names do not make up a record, flaw is set.
func (s *w3cScanner) name(names []byte) {
	*s = w3cScanner{columns: s.columns[:0], days: s.days, edge: s.edge, header: s.header}
	for _, name := range bytes.Fields(names) {
		s.add(s.lookup(name))
		s.encoded = s.encoded || bytes.HasPrefix(name, []byte("x-edge-"))
	}
	switch {
	case len(s.columns) > maxColumns:
		s.flaw = "no more than 256 names in #Fields"
	case s.edge && !s.encoded:
		s.flaw = "a name of CloudFront in #Fields (x-edge-location)"
	case s.has&HasRequest == 0:
		s.flaw = "a name for the path in #Fields (cs-uri-stem)"
	case s.has&HasStatus == 0:
		s.flaw = "a name for the status in #Fields (sc-status)"
	}
	s.told = s.flaw == ""
}

func (s *w3cScanner) add(c *column) {
	if len(s.columns) > maxColumns {
		return
	}
	s.columns = append(s.columns, c)
	if c.field == fieldSkip {
		return
	}
	if slotOf[c.field] == fieldPath || c.field == fieldQuery || c.field == fieldStatus {
		s.needed = len(s.columns)
	}
	s.queries = s.queries || c.field == fieldQuery
	s.has |= hasOf[slotOf[c.field]]
	if c.letter == 'D' {
		s.dated = true
		s.has |= HasTime
	}
	if c.field == fieldSize && (s.size == SizeNone || c.size == SizeLengthOrTotal) {
		s.size = c.size
	}
}

var headerColumn = &column{field: fieldForwarded, rank: 2}

// lookup returns the column of a name. That of the header of client.Proxies counts before
// X-Forwarded-For.
func (s *w3cScanner) lookup(name []byte) *column {
	if s.header != "" {
		switch lower := string(bytes.ToLower(name)); lower {
		case s.header, "cs(" + s.header + ")", "cs-" + s.header:
			return headerColumn
		}
	}
	return lookupColumn(name)
}

// lookupColumn returns the column of a name, ignoring case.
func lookupColumn(name []byte) *column {
	if c := columns[string(bytes.ToLower(name))]; c != nil {
		return c
	}
	return otherColumn
}
