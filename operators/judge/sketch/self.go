package sketch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"strings"
)

// PageAt returns the Page of the document at a target, a path and query. A feed names its own address in an
// attribute, as Atom's <link rel="self">, so under two URLs its bytes differ. The Text of a document of XML is
// that of the bytes without such attributes' values.
func PageAt(target, contentType string, body []byte) *Page {
	var words list
	p := pageOf(contentType, body, words.read)
	if !p.HTML && (isXML(contentType) || isJSON(contentType) || strings.HasPrefix(mediaOf(contentType), "text/")) {
		words.read(body)
	}
	p.List = words.text
	if isXML(contentType) && !p.HTML {
		digest := sha256.Sum256(withoutAddress(target, body))
		p.Text = binary.LittleEndian.Uint64(digest[:])
	}
	return p
}

// isXML reports whether a content type is that of XML.
func isXML(contentType string) bool {
	media := mediaOf(contentType)
	return media == "application/xml" || media == "text/xml" || strings.HasSuffix(media, "+xml")
}

// withoutAddress returns a document without the values of attributes that are its own address, with a host or
// without.
func withoutAddress(target string, body []byte) []byte {
	escaped := strings.ReplaceAll(target, "&", "&amp;")
	if !bytes.Contains(body, []byte(target)) && !bytes.Contains(body, []byte(escaped)) {
		return body
	}
	address := `((https?:)?//[^"'/<>\s]*)?(` + regexp.QuoteMeta(target) + `|` + regexp.QuoteMeta(escaped) + `)`
	return regexp.MustCompile(`="`+address+`"|='`+address+`'`).ReplaceAllLiteral(body, []byte(`=""`))
}
