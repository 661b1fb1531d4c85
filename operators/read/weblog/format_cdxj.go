package weblog

import "bytes"

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
	o.keys["timestamp"] = &jsonValue{field: fieldTime, rank: 1}
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
