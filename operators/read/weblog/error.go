package weblog

import (
	"errors"
	"fmt"
)

// ErrMalformed matches every syntax error of Parse, by errors.Is.
var ErrMalformed = errors.New("malformed line")

// ErrDirective is the error of a line that is not a record, but defines how the following
// records are read, such as "#Fields: date time ..." of a W3C extended log.
var ErrDirective = errors.New("a directive, not a record")

// SyntaxError is the error of a line that is not in its format. A SyntaxError belongs to
// the Parser that returned it, aliases the line, and is valid until the next Parse, like
// a Hit. So a flood of garbage costs no allocation. To keep the error longer, keep its
// Error string.
type SyntaxError struct {
	Want   string // the expectation; a constant of the format, suitable for counting errors
	Offset int    // bytes from the start of the line
	Found  []byte // the rest of the line from Offset
}

// maxFound is the number of offending bytes in a message: enough to recognize them, so
// that a megabyte of garbage still makes one line.
const maxFound = 40

// Error returns the message. Nothing is formatted before the call.
func (e *SyntaxError) Error() string {
	if len(e.Found) == 0 {
		return fmt.Sprintf("parse line: expected %s at byte %d, found the end of the line", e.Want, e.Offset)
	}
	found, more := e.Found, ""
	if len(found) > maxFound {
		found, more = found[:maxFound], " ..."
	}
	return fmt.Sprintf("parse line: expected %s at byte %d, found %q%s", e.Want, e.Offset, found, more)
}

// Unwrap returns ErrMalformed.
func (e *SyntaxError) Unwrap() error { return ErrMalformed }
