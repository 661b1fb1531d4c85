package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// A segment rule cuts a segment that is a value, such as a session, out of the path. From is what
// stands before the segment, and To what is left of that.
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
	read: func(w *Wire, r *Rule) error {
		r.From, r.To = *w.After, *w.To
		return (&WirePattern{Class: w.Class}).read(&r.Pattern)
	},
	write: func(r *Rule, w *Wire) {
		w.After, w.Class, w.To = text(r.From), r.Pattern.Class.String(), text(r.To)
	},
	validate: (*Rule).validateSegment,
	texts:    func(r *Rule) [mostTexts]fromURL { return [mostTexts]fromURL{{"", r.From}, {"", r.To}} },
	words: func(r *Rule) string {
		return "write " + r.From + "<" + r.Pattern.Class.words() + ">/" + rest + " as " + r.To + rest
	},
	triggers: func(r *Rule, t *Triggers) { t.add(Trigger{Text: r.From}) },
	compare: func(a, b Likely) int {
		return cmp.Or(strings.Compare(a.Rule.From, b.Rule.From), strings.Compare(b.Rule.To, a.Rule.To), a.Rule.Pattern.compare(b.Rule.Pattern))
	},
}

// WireSegment is the members of a segment rule in JSON, beside To.
type WireSegment struct {
	After *string `json:"after,omitempty"`
	Class string  `json:"class,omitempty"` // "digits" or "hex"
}

// cut appends a URL without the segment.
func (r *Rule) cut(dst, url []byte) ([]byte, bool) {
	path := url[:pathEnd(url)]
	head := bytes.IndexByte(path, '/')
	if head < 0 || !hasPrefix(path[head:], r.From) {
		return dst, false
	}
	at := head + len(r.From)
	n := bytes.IndexByte(path[at:], '/')
	if n < 0 || at+n+1 == len(path) || path[at+n+1] == '/' || !r.Pattern.Matches(path[at:at+n]) {
		return dst, false
	}
	dst = append(append(dst, url[:head]...), r.To...)
	return append(dst, url[at+n+1:]...), true
}

func (r *Rule) validateSegment() error {
	switch {
	case *r != Rule{Kind: Segment, From: r.From, To: r.To, Pattern: Pattern{Class: r.Pattern.Class}, Scope: r.Scope, Except: r.Except}:
		return errors.New("a segment rule has other members than after, class, to and scope")
	case !strings.HasPrefix(r.From, "/") || !strings.HasSuffix(r.From, "/") || strings.Contains(r.From, "?"):
		return fmt.Errorf("after is %q, want the beginning of a path from slash to slash", r.From)
	case r.To == "" || r.To[len(r.To)-1] != '/' || !strings.HasPrefix(r.From, r.To):
		return fmt.Errorf("to is %q, want a beginning of %q that ends with a slash", r.To, r.From)
	}
	return r.Pattern.validate(false)
}
