package sketch

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// maxToken is how much of a document the tokenizer holds at once, in bytes. Only
// scripts, and images within attributes, are ever as long. A tag of this length
// costs the most memory: about 100 bytes for each attribute of 4.
const maxToken = 1 << 18

// literal are the elements whose content is text up to their end tag, whatever
// it looks like, and whether it is seen. A title is; what stands in for scripts
// and frames where there are none is not.
var literal = map[string]bool{
	"title": true, "textarea": true, "xmp": true, "plaintext": true,
	"script": false, "style": false, "noscript": false, "iframe": false, "noembed": false, "noframes": false,
}

// template is the element whose content is markup that is not shown.
const template = "template"

// visibleText hands over the pieces of text that a reader may see, in order,
// entities decoded. Between two pieces there was markup. A piece is valid only
// during the call.
//
// A text of more than limit bytes is cut, wherever that is; a word or an entity
// may be lost, and once in 25,000 cuts of a script its end tag. A tag or comment of
// more ends at the next '>'. The limit is at least 16.
func visibleText(body []byte, limit int, piece func([]byte)) {
	r := reader{limit: limit, piece: piece}
	r.readAll(body)
}

// reader goes through a document token by token.
type reader struct {
	limit     int
	piece     func([]byte)
	tag       func(name []byte, z *html.Tokenizer) // told the tags outside templates that may have attributes; nil: nobody is
	within    string                               // the literal element that we are in, or ""
	templates int                                  // how many templates we are in
}

func (r *reader) readAll(body []byte) {
	for len(body) > 0 {
		body = body[r.read(body):]
	}
}

// read returns how far it came: to the end, or past a token that is too long.
func (r *reader) read(body []byte) (n int) {
	again := r.again()
	n = -len(again)
	z := html.NewTokenizer(io.MultiReader(strings.NewReader(again), bytes.NewReader(body)))
	z.SetMaxBuf(r.limit)
	cutText := false // the token before was text
	for {
		kind := z.Next()
		n += len(z.Raw())
		if kind == html.ErrorToken {
			break
		}
		cutText = kind == html.TextToken
		r.token(z, kind)
	}
	switch {
	case z.Err() != html.ErrBufferExceeded:
		return len(body)
	case cutText && len(z.Raw()) == 0:
		return n // and the text goes on
	}
	r.within = ""
	return n + skipTag(body[n:])
}

// again is the tag that a new tokenizer must have read to be where we are.
func (r *reader) again() string {
	if r.within == "" {
		return ""
	}
	return "<" + r.within + ">"
}

// skipTag is the way to the end of a tag or comment, roughly.
func skipTag(rest []byte) int {
	if i := bytes.IndexByte(rest, '>'); i >= 0 {
		return i + 1
	}
	return len(rest)
}

func (r *reader) token(z *html.Tokenizer, kind html.TokenType) {
	switch kind {
	case html.TextToken:
		if r.templates == 0 && (r.within == "" || literal[r.within]) {
			r.piece(z.Text())
		}
	case html.StartTagToken:
		name, more := z.TagName()
		r.attributes(name, more, z)
		r.open(name)
	case html.EndTagToken:
		name, _ := z.TagName()
		r.close(name)
	case html.SelfClosingTagToken: // holds nothing, as XHTML and SVG have it
		name, more := z.TagName()
		r.attributes(name, more, z)
		z.NextIsNotRawText()
	}
}

// attributes hands over a tag that is part of the document.
func (r *reader) attributes(name []byte, more bool, z *html.Tokenizer) {
	if more && r.tag != nil && r.templates == 0 {
		r.tag(name, z)
	}
}

func (r *reader) open(name []byte) {
	if _, ok := literal[string(name)]; ok {
		r.within = string(name)
	}
	if string(name) == template {
		r.templates++
	}
}

func (r *reader) close(name []byte) {
	r.within = ""
	if string(name) == template && r.templates > 0 {
		r.templates--
	}
}
