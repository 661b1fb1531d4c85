package sketch

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// maxToken is the number of bytes of a document that the tokenizer holds at once. Only scripts, and images within
// attributes, are ever as long. A tag of this length takes the most memory: some 25 times as much.
const maxToken = 1 << 18

// literal lists the elements whose content is plain text up to the end tag. The value reports whether the text is
// visible. A title is visible. The replacements of scripts and frames are not.
var literal = map[string]bool{
	"title": true, "textarea": true, "xmp": true, "plaintext": true,
	"script": false, "style": false, "noscript": false, "iframe": false, "noembed": false, "noframes": false,
}

// template is the element whose content is markup that is not shown, unless it is that of a shadow root.
const template = "template"

// visibleText calls piece for each piece of visible text, in order, with entities decoded. Markup separates two
// pieces. A piece is valid only during the call.
//
// A text of more than limit bytes is cut at any place. A cut may lose a word or an entity, and once in 25,000 cuts of
// a script its end tag. A longer tag or comment ends at the next '>'. The limit is at least 16.
func visibleText(body []byte, limit int, piece func([]byte)) {
	r := reader{limit: limit, piece: piece}
	r.readAll(body)
}

// reader reads a document token by token.
type reader struct {
	limit     int
	piece     func([]byte)
	tag       func(name []byte, z *html.Tokenizer) // called for tags outside templates that may have attributes; may be nil
	script    func(text []byte)                    // called for the text of scripts; may be nil
	within    string                               // the open literal element, or ""
	templates int                                  // the number of open templates
	set       []string                             // the open elements that set their text apart
	rest      []byte                               // what follows the tag
	ends      int                                  // the end tags so far
}

// setApart lists the elements whose text says another thing than the same text outside. Bold text and stressed text
// are not among them: menus mark the present view so.
var setApart = map[string]bool{"s": true, "strike": true, "del": true, "ins": true, "sup": true, "sub": true, "mark": true, "u": true, "q": true, "msup": true, "msub": true, "msqrt": true, "mroot": true}

// mostSetApart bounds the open elements that set their text apart.
const mostSetApart = 8

func (r *reader) readAll(body []byte) {
	for len(body) > 0 {
		body = body[r.read(body):]
	}
}

// read returns how far the tokenizer came: to the end, or past a token that is too long.
func (r *reader) read(body []byte) (n int) {
	again := r.again()
	n = -len(again)
	z := html.NewTokenizer(io.MultiReader(strings.NewReader(again), bytes.NewReader(body)))
	z.SetMaxBuf(r.limit)
	cutText := false // the previous token was text
	for {
		kind := z.Next()
		n += len(z.Raw())
		if kind == html.ErrorToken {
			break
		}
		cutText, r.rest = kind == html.TextToken, body[max(n, 0):]
		r.token(z, kind)
	}
	switch {
	case z.Err() != html.ErrBufferExceeded:
		return len(body)
	case cutText && len(z.Raw()) == 0:
		return n // the text continues
	}
	r.within = ""
	return n + skipTag(body[n:])
}

// again returns the tag that puts a new tokenizer into the state of the reader.
func (r *reader) again() string {
	if r.within == "" {
		return ""
	}
	return "<" + r.within + ">"
}

// skipTag returns the approximate distance to the end of a tag or comment.
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
		} else if r.within == "script" && r.script != nil && r.templates == 0 {
			r.script(z.Raw())
		}
	case html.StartTagToken:
		name, more := z.TagName()
		r.attributes(name, more, z)
		r.open(name, z)
	case html.EndTagToken:
		name, _ := z.TagName()
		r.close(name)
	case html.SelfClosingTagToken: // has no content, as in XHTML and SVG
		name, more := z.TagName()
		r.attributes(name, more, z)
		z.NextIsNotRawText()
	}
}

// attributes passes a tag outside templates to r.tag.
func (r *reader) attributes(name []byte, more bool, z *html.Tokenizer) {
	if more && r.tag != nil && r.templates == 0 {
		r.tag(name, z)
	}
}

func (r *reader) open(name []byte, z *html.Tokenizer) {
	if _, ok := literal[string(name)]; ok {
		r.within = string(name)
	}
	if string(name) == template && (r.templates > 0 || !bytes.Contains(z.Raw(), []byte("shadowrootmode"))) {
		r.templates++
	}
	if setApart[string(name)] && len(r.set) < mostSetApart {
		r.set = append(r.set, string(name))
	}
}

func (r *reader) close(name []byte) {
	r.within = ""
	r.ends++
	if n := len(r.set); n > 0 && r.set[n-1] == string(name) {
		r.set = r.set[:n-1]
	}
	if string(name) == template && r.templates > 0 {
		r.templates--
	}
}
