package sketch

import (
	"bytes"
	"strings"
)

// isHTML goes by the content type, and by the body only if there is none.
//
// The type is what stands before the first semicolon. mime.ParseMediaType says
// no more to that, and gives nothing at all for a header that names its charset
// twice, which browsers and real servers do not mind.
func isHTML(contentType string, body []byte) bool {
	media, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		return looksHTML(body)
	}
	return false
}

const sniffed = 1024 // bytes that looksHTML reads

// looksHTML says whether a body begins with markup, after a byte order mark and
// white space, and soon has the document type or an element that HTML begins with.
func looksHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), sniffed)])
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n\f")
	if !bytes.HasPrefix(head, []byte("<")) {
		return false
	}
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}
