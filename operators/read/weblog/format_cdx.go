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
