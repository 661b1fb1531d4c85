package records

import (
	"errors"
	"fmt"

	"dustbuster/stream/files"
)

// FormatError is the error of a file in no known format. If the file holds lines of text,
// the caller may name the format of the lines in Options.Format.
type FormatError struct {
	Path  string
	Lines bool   // the file holds lines of text
	Best  string // the format that fits the most lines; empty if no format fits a line
	Err   error  // the error of the first line that does not fit Best; without lines, the content of the file
}

// Error names the file and the nearest format.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("detect format of %q: the first lines are in no known format", e.Path)
	switch {
	case !e.Lines:
		text += fmt.Sprintf(": %v", e.Err)
	case e.Best != "":
		text += fmt.Sprintf(" (nearest is %s: %v)", e.Best, e.Err)
	}
	return text
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// AboutOneFile reports whether an error of Read is about one file. Reading continues
// after such an error.
func AboutOneFile(err error) bool {
	var file *files.FileError
	var format *FormatError
	return errors.As(err, &file) || errors.As(err, &format)
}

// UnreadableError is the error of a file of whose last lines most cannot be read. The lines
// may be in another format than Options.Format, or in a format that detection does not know.
type UnreadableError struct {
	Path  string
	Named bool  // Options.Format names the format
	Err   error // the error of one of the lines
}

// Error names the file and the cause.
func (e *UnreadableError) Error() string {
	return fmt.Sprintf("most of the last lines of %q cannot be read: %v", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// errUnknown is the error of each line if no format fits.
var errUnknown = errors.New("in no known format")
