package weblog

import (
	"errors"
	"fmt"
	"strings"
)

func compile(s, header string) (scanner, error) {
	if s == "" {
		return nil, errors.New("it is empty")
	}
	if s[0] == '{' {
		return compileJSON(s, header)
	}
	pieces, err := splitter(s, header)(s)
	if err != nil {
		return nil, err
	}
	l, err := compileLine(pieces)
	if err != nil {
		return nil, err
	}
	return l, complete(l.has)
}

// splitter returns the function that splits a format string. A string with a $name is
// nginx's. Any other string is Apache's. Neither server uses the other's variables as
// literal text.
//
// The variable of a header that client.Proxies names counts before X-Forwarded-For.
func splitter(s, header string) func(string) ([]variable, error) {
	split := splitApache
	for i := range s {
		if _, n := nginxName(s[i:]); n > 0 {
			split = splitNginx
			break
		}
	}
	if header == "" {
		return split
	}
	return func(s string) ([]variable, error) {
		pieces, err := split(s)
		for i := range pieces {
			if name := pieces[i].name; strings.EqualFold(name, "$http_"+strings.ReplaceAll(header, "-", "_")) || strings.EqualFold(name, "%{"+header+"}i") {
				pieces[i].field, pieces[i].rank, pieces[i].shape = fieldForwarded, 2, shapeList
			}
		}
		return pieces, err
	}
}

// complete returns an error if a format has no request or no status. Without either, no
// line counts.
func complete(has Fields) error {
	switch {
	case has&HasRequest == 0:
		return errors.New("the format has no request (log $request or %r, or method and URI)")
	case has&HasStatus == 0:
		return errors.New("the format has no status (log $status or %>s)")
	}
	return nil
}

// compileLine builds the scanner of a line, or of a string in a JSON object. The string
// may have no request.
func compileLine(pieces []variable) (*lineScanner, error) {
	pieces = join(pieces)
	choose(pieces)
	l := &lineScanner{escaping: backslashed}
	if len(pieces) > 0 && pieces[0].literal != "" {
		l.lead, pieces = pieces[0].literal, pieces[1:]
	}
	for i := 0; i < len(pieces); i++ {
		v := pieces[i]
		o := newOp(v)
		if i+1 < len(pieces) && pieces[i+1].literal != "" {
			i++
			o.sep = pieces[i].literal
		} else if i+1 < len(pieces) && !o.abut(pieces[i+1]) {
			return nil, adjacent(pieces[i], pieces[i+1])
		}
		l.ops = append(l.ops, o)
		l.note(&v)
	}
	l.link()
	return l, nil
}

func newOp(v variable) op {
	return op{shape: v.shape, field: v.field, rank: v.rank, letter: v.letter, width: v.width, want: v.name}
}

// abut reports whether a field may be followed by another without text between: the field
// has a fixed length, or the next field begins with the '/' of a path.
func (o *op) abut(next variable) bool {
	if o.shape == shapeFixed || o.shape == shapeStatus {
		return true
	}
	if next.role == rolePath {
		o.sep, o.keep = "/", true
	}
	return o.keep
}

func adjacent(a, b variable) error {
	return fmt.Errorf("%s and %s stand side by side at byte %d, so a line does not show where the first ends: put a space or a quote between them",
		a.name, b.name, b.at)
}

// note adds the field of a variable to the scanner's description.
func (l *lineScanner) note(v *variable) {
	l.has |= hasOf[slotOf[v.field]]
	switch v.field {
	case fieldSize:
		l.size = v.size
	case fieldPart:
		l.parts = true
		if v.letter == 'd' || v.letter == 'e' {
			l.has |= HasTime
		}
	}
}
