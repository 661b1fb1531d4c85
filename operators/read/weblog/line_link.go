package weblog

import (
	"fmt"
	"strings"
)

// needed reports whether a line without the field is no record.
func (o *op) needed() bool {
	return o.field != fieldSkip && o.field != fieldUser && o.field != fieldAgent
}

// link sets the successor of each op and the shapes that depend on it.
func (l *lineScanner) link() {
	for i := len(l.ops) - 1; i > 0; i-- {
		if l.ops[i].needed() {
			l.ops[i].last = true
			break
		}
	}
	for i := range l.ops {
		o := &l.ops[i]
		if o.field == fieldUser && !strings.HasPrefix(o.sep, " ") {
			o.field = fieldSkip // in quotes, or without a blank after the field: no other field can stand here
		}
		if (o.shape == shapeText || o.shape == shapeList) && strings.HasPrefix(o.sep, `"`) {
			o.shape = shapeQuoted
		}
		if i+1 < len(l.ops) {
			o.next = &l.ops[i+1]
		}
		o.check = o.shape == shapeList || o.next != nil && o.next.picky()
		o.want = o.expectation()
	}
	l.plan()
}

// expectation returns the expectation at the beginning of the field, for an error.
func (o *op) expectation() string {
	want := "a value of "
	switch {
	case o.letter == wholeDate:
		want = "a date like 2006-01-02 for "
	case o.letter == wholeTime:
		want = "a time like 15:04:05 for "
	case o.shape == shapeStatus || o.shape == shapeCode:
		want = "a status of three digits for "
	case o.shape == shapeNumber:
		want = "a number or - for "
	case o.shape == shapeTime || o.shape == shapeDecimal:
		want = "a time for "
	case o.shape == shapeFixed:
		want = "a piece of a time for "
	}
	want += printable(o.name)
	if o.field == fieldWholeRequest {
		want = wantWhole
	}
	if o.sep != "" && !o.keep {
		want += fmt.Sprintf(", and %q after it", o.sep)
	}
	return want
}

// printable replaces control characters, for error messages.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return '?'
		}
		return r
	}, name)
}
