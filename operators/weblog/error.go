package weblog

import (
	"errors"
	"fmt"
)

// ErrMalformed is what every error of Parse is, by errors.Is.
var ErrMalformed = errors.New("malformed line")

// ErrDirective is the error of a line that is no record but says how the records
// after it are read, as "#Fields: date time ..." of a W3C extended log.
var ErrDirective = errors.New("a directive, not a record")

// SyntaxError says where a line leaves its format. It belongs to the Parser
// that returned it, aliases the line, and is valid until the next Parse, as a
// Hit is; so a flood of garbage costs no allocation. Whoever keeps it longer
// keeps its Error string.
type SyntaxError struct {
	Want   string // what was expected; a constant of the format, fit to count errors by
	Offset int    // bytes from the start of the line
	Found  []byte // the line from there on
}

// maxFound is how many offending bytes a message shows: enough to see what
// they are, and a megabyte of garbage still makes one line.
const maxFound = 40

// Error formats the message; nothing is formatted before it is called.
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

// Unwrap makes errors.Is(err, ErrMalformed) true.
func (e *SyntaxError) Unwrap() error { return ErrMalformed }
