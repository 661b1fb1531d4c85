package weblog

import (
	"bytes"

	"dustbuster/operators/read/digest"
)

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
