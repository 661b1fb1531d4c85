package weblog

import (
	"bytes"

	"dustbuster/operators/read/digest"
)

// cdx is the index of a web archive (iipc.github.io, "CDX file format", N b a m s k r M S V g
// and its shorter variants). The evidence is exact: captures with equal digests had equal
// content. The column of the length is ignored, since it counts a compressed record with its
// headers.
var cdx = Format{
	Name:        "cdx",
	Description: "the index of a web archive: CDX of 7 to 11 columns, N b a m s k first",
	Example:     "org,example)/a?b=1 20060102150405 https://www.example.org/a?b=1 text/html 200 3EM7YXZBXQVTYUZUSJDYWBX6PSZXMLHB - - 2112 33 a.warc.gz",
	Size:        SizeDigest,
	SizeNote:    "Redirects, and revisits without a status in the index, are not pages.",
	scanner:     func() scanner { return cdxScanner{cdxFills} },
	header:      " CDX ", // the names of the columns follow, but only the lines show the columns
}

// cdxFills is what all lines of these indexes hold.
var cdxFills = filling{HasRequest | HasStatus | HasTime | HasDigest, SizeDigest}

// cdxScanner reads the columns common to the beginnings of all these indexes: key, date,
// URL, type, status, digest.
type cdxScanner struct{ filling }

const (
	cdxKey    = 0
	cdxDate   = 1
	cdxURL    = 2
	cdxStatus = 4
	cdxDigest = 5
	cdxLeast  = 7
	cdxMost   = 11
)

func (cdxScanner) scan(p *Parser, h *Hit) bool {
	n, key := 0, []byte(nil)
	for pos := 0; pos <= len(p.line); n++ {
		end := bytes.IndexByte(p.line[pos:], ' ')
		if end < 0 {
			end = len(p.line) - pos
		}
		if want := cdxColumn(h, n, p.line[pos:pos+end]); want != "" {
			return p.fail(want, pos)
		}
		if n == cdxKey {
			key = p.line[:end]
		}
		pos += end + 1
	}
	if n < cdxLeast {
		return p.fail("seven columns", len(p.line))
	}
	h.Method = indexMethod(nil, key, h.Target)
	return true
}

// cdxColumn reads column n, and returns the expectation if the column is malformed.
func cdxColumn(h *Hit, n int, b []byte) (want string) {
	ok := len(b) > 0
	switch n {
	case cdxDate:
		want = "a date of 14 digits"
		h.Time, ok = archiveTime(b)
	case cdxURL:
		want = "a URL"
		h.Target = b
	case cdxStatus:
		want = "a status of three digits, or -"
		status, isNumber := number(b)
		h.Status, ok = int(status), ok && isNumber && (len(b) == 3 || absent(b))
	case cdxDigest:
		want = "a digest, or -"
		h.Digest = digest.OfPayload(b)
	default:
		want = "a column of an index, at most eleven"
		ok = ok && n < cdxMost
	}
	if ok {
		return ""
	}
	return want
}

// archiveDate is the layout of dates in archives, in UTC.
const archiveDate = "20060102150405"

func archiveTime(b []byte) (int64, bool) {
	if len(b) != len(archiveDate) {
		return 0, false
	}
	days, ok := civilDays(four(b, 0), two(b, 4), two(b, 6))
	seconds, ok2 := daySeconds(two(b, 8), two(b, 10), two(b, 12))
	return days*secondsPerDay + seconds, ok && ok2
}

// cdxj is CDX with its columns in a JSON object, as in pywb and Common Crawl, or under
// the shorter names of the first proposal (OpenWayback).
var cdxj = Format{
	Name:        "cdxj",
	Description: "the index of a web archive: CDXJ, a key, a date, and JSON, or all three in JSON (pywb, Common Crawl)",
	Example:     `org,example)/a?b=1 20060102150405 {"url":"https://www.example.org/a?b=1","mime":"text/html","status":"200","digest":"3EM7YXZBXQVTYUZUSJDYWBX6PSZXMLHB","length":"2112","offset":"33","filename":"a.warc.gz"}`,
	SizeNote:    cdx.SizeNote,
	header:      "!", // !meta, !OpenWayback-CDXJ
	scanner: func() scanner {
		return &cdxjScanner{jsonScanner{root: cdxjNames, filling: cdxFills}, jsonScanner{root: indexNames}}
	},
}

var cdxjMeanings = map[string]variable{
	"url uri":    text(fieldTarget, 1),
	"status hsc": text(fieldStatus, 1),
	"digest sha": text(fieldDigest, 1),
	"method":     text(fieldMethod, 1),
}

var cdxjNames, indexNames = usual(cdxjMeanings), withDate(usual(cdxjMeanings))

func withDate(o *jsonObject) *jsonObject {
	o.keys["timestamp"] = &jsonValue{variable: text(fieldTime, 1)}
	return o
}

// cdxjScanner reads the key, the date and the object after them.
type cdxjScanner struct {
	jsonScanner
	whole jsonScanner // for an object that also holds the key and the date
}

// wholeIndex is how an object with key and date begins. The servers of indexes return such
// objects on demand (output=json).
var wholeIndex = []byte(`{"urlkey"`)

func (s *cdxjScanner) scan(p *Parser, h *Hit) bool {
	if bytes.HasPrefix(p.line, wholeIndex) {
		ok := s.whole.scan(p, h)
		h.Method = indexMethod(p.record.raw.method, p.line, nil)
		return ok && (h.Time != 0 || p.fail("a date of 14 digits as timestamp", 0))
	}
	key := bytes.IndexByte(p.line, ' ')
	if key < 1 {
		return p.fail("a key and a space after it", 0)
	}
	date := p.line[key+1:]
	end := bytes.IndexByte(date, ' ')
	time, ok := int64(0), false
	if end > 0 {
		if time, ok = archiveTime(date[:end]); !ok && end >= len("2006-01-02T15:04:05") {
			time, ok = p.clock.readClock(date[:end], isoHour)
		}
	}
	if !ok {
		return p.fail("a date of 14 digits", key+1)
	}
	object := bytes.IndexByte(date, '{')
	if object < end+1 || bytes.Count(date[end:object], space) > 2 { // a kind of record may precede the object
		return p.fail("a JSON object", key+1+end)
	}
	object += key + 1
	head := p.line[:key]
	p.line, p.skipped = p.line[object:], p.skipped+object
	if !s.jsonScanner.scan(p, h) {
		return false
	}
	h.Time, h.Method = time, indexMethod(p.record.raw.method, head, h.Target)
	return true
}

var space = []byte(" ")

var keyMethod = []byte("__wb_method=")

// indexMethod returns the method that an index names, or else the one in the key or in the URL,
// where archives of browsers put it: ?__wb_method=post&a=1. Most indexes name none, and hold
// pages that were got.
func indexMethod(named, key, url []byte) []byte {
	if named == nil {
		_, rest, ok := bytes.Cut(key, keyMethod)
		if !ok {
			_, rest, _ = bytes.Cut(url, keyMethod)
		}
		end := bytes.IndexAny(rest, "& \"")
		if end < 0 {
			end = len(rest)
		}
		named = rest[:end]
	}
	if len(named) == 0 || bytes.EqualFold(named, methodGet) {
		return methodGet
	}
	return named
}

// urllist is a list of URLs that no server wrote, such as a crawl's or a test's.
var urllist = Format{
	Name:        "urllist",
	Description: "a list: URL, status, size and perhaps a sketch of the content, with tabs between",
	Example:     "/a?b=1\t200\t5120\t9ae16a3b2f90404f",
	SizeNote:    "A sketch of 16 hexadecimal digits is used unchanged. Any other sketch is hashed to 64 bits.",
	scanner:     func() scanner { return listScanner{filling{HasRequest | HasStatus | HasSize | HasDigest, SizeGiven}} },
}

// listScanner reads URL lists. The lists have no escaping and no methods: all requests
// were GETs.
type listScanner struct{ filling }

func (listScanner) scan(p *Parser, h *Hit) bool {
	url, rest, ok := bytes.Cut(p.line, tab)
	if !ok || !isURL(url) {
		return p.fail("a URL that begins with / or http:// and a tab after it", 0)
	}
	status, rest, ok := bytes.Cut(rest, tab)
	if !ok || digits(status) != len(status) || len(status) != 3 {
		return p.fail("a status of three digits and a tab after it", len(url)+1)
	}
	size, rest, _ := bytes.Cut(rest, tab)
	if h.Size, ok = number(size); !ok {
		return p.fail("a size, or -", len(url)+1+len(status)+1)
	}
	sketch, _, further := bytes.Cut(rest, tab)
	n, _ := number(status)
	h.Method, h.Target, h.Status, h.Digest = methodGet, url, int(n), digest.Of(sketch)
	p.further = further
	return true
}

var tab = []byte("\t")

func isURL(b []byte) bool {
	return len(b) > 0 && (b[0] == '/' ||
		bytes.HasPrefix(b, []byte("http://")) || bytes.HasPrefix(b, []byte("https://")))
}
