package rule

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
)

// Segment cuts a segment that is a value, such as a session, out of the path.
type Segment struct {
	After string // what stands before the segment, from slash to slash
	To    string // what is left of After
	Class Class
}

var segmentKind = kind{
	name:  "segment",
	about: "The path begins with after, a segment of the class, a slash, and then goes on with another byte than a slash. The text up to that slash becomes to.",
	members: []member{
		{name: "after", of: func(w *Wire) any { return &w.After }, need: needed, about: "The beginning of the path, from slash to slash."},
		{name: "class", of: func(w *Wire) any { return &w.Class }, need: needed, words: classNames[1:],
			about: "digits: at least 4. hex: at least 8 of 0-9a-f, or of 0-9A-F, at least one of them a digit."},
		{name: "to", of: func(w *Wire) any { return &w.To }, need: needed, about: "after, or a beginning of it that ends with a slash."},
	},
	lacks: "a segment rule needs after, class and to",
	read: func(w *Wire) (Edit, error) {
		class, err := (&WirePattern{Class: w.Class}).read()
		return Segment{*w.After, *w.To, class.Class}, err
	},
	compare: func(a, b Likely) int {
		d, e := a.Rule.Segment(), b.Rule.Segment()
		return cmp.Or(strings.Compare(d.After, e.After), strings.Compare(e.To, d.To), cmp.Compare(d.Class, e.Class))
	},
}

// WireSegment is the members of a segment rule in JSON, beside To.
type WireSegment struct {
	After *string `json:"after,omitempty"`
	Class string  `json:"class,omitempty"` // "digits" or "hex"
}

func (Segment) kind() Kind                  { return KindSegment }
func (e Segment) texts() [mostTexts]fromURL { return [mostTexts]fromURL{{"", e.After}, {"", e.To}} }
func (e Segment) triggers(t *Triggers)      { t.add(Trigger{Text: e.After}) }
func (e Segment) words() string {
	return "write " + e.After + "<" + e.Class.words() + ">/" + rest + " as " + e.To + rest
}

func (e Segment) write(w *Wire) {
	w.After, w.Class, w.To = text(e.After), e.Class.String(), text(e.To)
}

// apply appends a URL without the segment.
func (e *Segment) apply(dst, url []byte) ([]byte, bool) {
	path := url[:pathEnd(url)]
	head := bytes.IndexByte(path, '/')
	if head < 0 || !hasPrefix(path[head:], e.After) {
		return dst, false
	}
	at := head + len(e.After)
	n := bytes.IndexByte(path[at:], '/')
	if n < 0 || at+n+1 == len(path) || path[at+n+1] == '/' || !e.Class.matches(path[at:at+n]) {
		return dst, false
	}
	dst = append(append(dst, url[:head]...), e.To...)
	return append(dst, url[at+n+1:]...), true
}

func (e Segment) validate() error {
	switch {
	case !strings.HasPrefix(e.After, "/") || !strings.HasSuffix(e.After, "/") || strings.Contains(e.After, "?"):
		return fmt.Errorf("after is %q, want the beginning of a path from slash to slash", e.After)
	case e.To == "" || e.To[len(e.To)-1] != '/' || !strings.HasPrefix(e.After, e.To):
		return fmt.Errorf("to is %q, want a beginning of %q that ends with a slash", e.To, e.After)
	}
	return (&Pattern{Class: e.Class}).validate(false)
}
