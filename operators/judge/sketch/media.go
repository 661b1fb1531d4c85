package sketch

import (
	"bytes"
	"strings"
)

// mediaOf returns the media type of a header, in lower case.
//
// The type is the text before the first semicolon. mime.ParseMediaType returns the same,
// but returns nothing at all for a header with two charsets, which browsers and real
// servers accept.
func mediaOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// isHTML reports whether a document is HTML, by the content type, or by the body if there
// is no type.
func isHTML(contentType string, body []byte) bool {
	switch mediaOf(contentType) {
	case "text/html", "application/xhtml+xml":
		return true
	case "":
		return looksHTML(body)
	}
	return false
}

// isImage reports whether a content type is that of an image.
func isImage(contentType string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(contentType)), "image/")
}

const sniffed = 1024 // bytes that looksHTML reads

// looksHTML reports whether a body begins with markup, after a byte order mark and white
// space, and soon has a document type or one of the first elements of HTML.
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
