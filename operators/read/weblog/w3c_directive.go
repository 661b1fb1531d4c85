package weblog

import (
	"bytes"
	"strings"
)

const fieldsDirective = "#Fields:"

// columns are the known names, in lower case. All other columns are skipped.
var columns = named(map[string]variable{
	"date date-local":              {field: fieldPart, letter: wholeDate},
	"time time-local":              {field: fieldPart, letter: wholeTime},
	"timestamp":                    text(fieldTime, 2), // CloudFront's real-time logs
	"timestamp(ms)":                text(fieldTime, 3),
	"c-ip":                         text(fieldClient, 2),
	"cs-method":                    text(fieldMethod, 2),
	"cs-uri-stem":                  text(fieldPath, 2),
	"cs-uri":                       text(fieldAddress, 1),
	"cs-uri-query":                 text(fieldQuery, 2),
	"x-host-header":                text(fieldHost, 3),
	"cs-host cs(host)":             text(fieldHost, 2),
	"sc-status":                    statusCode,
	"c-status":                     {field: fieldStatus, rank: 1, shape: shapeStatus},
	"sc-bytes bytes":               sizeTotal,
	"sc-content-len":               {field: fieldSize, rank: 2, shape: shapeNumber, size: SizeLengthOrTotal},
	"cs(user-agent) cs-user-agent": text(fieldAgent, 2),
	"sc(content-encoding)":         text(fieldEncoding, 2),
	"x-forwarded-for cs(x-forwarded-for) cs-x-forwarded-for x_forwarded_for": text(fieldForwarded, 1),
})

// named returns the columns of names. Names separated by blanks share one meaning.
func named(meanings map[string]variable) map[string]*op {
	all := map[string]*op{}
	for names, v := range meanings {
		for _, v.name = range strings.Fields(names) {
			o := &op{variable: v}
			o.want = o.expectation()
			all[v.name] = o
		}
	}
	return all
}

var otherColumn = &op{}

// maxColumns bounds the columns of a log. Real logs have up to 60.
const maxColumns = 256

// direct reads a directive. Only the columns and the date are used.
func (s *w3cScanner) direct(p *Parser) {
	switch {
	case bytes.HasPrefix(p.line, []byte(fieldsDirective)):
		encoded := s.encoded
		if s.name(p.line[len(fieldsDirective):]); s.encoded != encoded {
			clear(p.agents.places) // these were decoded in another way
		}
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
	*s = w3cScanner{columns: s.columns[:0], days: s.days, edge: s.edge, header: s.header, wanted: s.wanted[:0], places: s.places[:0], slow: s.slow}
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

func (s *w3cScanner) add(c *op) {
	if len(s.columns) > maxColumns {
		return
	}
	s.columns = append(s.columns, c)
	if c.field == fieldSkip {
		return
	}
	s.wanted = append(s.wanted, wanted{c, len(s.columns) - 1})
	if slotOf[c.field] == fieldPath || c.field == fieldQuery || c.field == fieldStatus {
		s.needed = len(s.columns)
	}
	s.queries = s.queries || c.field == fieldQuery
	s.has |= hasOf[slotOf[c.field]]
	if c.letter == wholeDate {
		s.dated = true
		s.has |= HasTime
	}
	if c.field == fieldSize && (s.size == SizeNone || c.size == SizeLengthOrTotal) {
		s.size = c.size
	}
}

var headerColumn = &op{variable: text(fieldForwarded, 2)}

// lookup returns the column of a name, ignoring case. That of the header of client.Proxies counts before
// X-Forwarded-For.
func (s *w3cScanner) lookup(name []byte) *op {
	lower := string(bytes.ToLower(name))
	if s.header != "" && (lower == s.header || lower == "cs("+s.header+")" || lower == "cs-"+s.header) {
		return headerColumn
	}
	return columnOf(lower)
}

func columnOf(lower string) *op {
	if c := columns[lower]; c != nil {
		return c
	}
	return otherColumn
}
