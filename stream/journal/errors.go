package journal

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Kinds of a [StateError], for errors.Is.
var (
	ErrLocked  = errors.New("in use by another process")
	ErrForeign = errors.New("not a journal of this program")
	ErrNewer   = errors.New("written by a newer version of this program")
	ErrOlder   = errors.New("written by an older version of this program")
	ErrPane    = errors.New("kept with another length of pane")
	ErrKey     = errors.New("kept under another key")
	ErrDamaged = errors.New("damaged")
	ErrMissing = errors.New("missing")
)

// errOrder is the error of a call before Load.
var errOrder = errors.New("the journal has not been loaded")

// StateError says why a state directory cannot be used, and what to do.
type StateError struct {
	Kind   error  // one of the kinds above
	Path   string // the file, or the directory for ErrLocked
	Offset int64  // bytes from the start of the file, for ErrDamaged
	Detail string // the finding at Offset
	Remedy string // advice for the operator
}

// Error returns all fields in one line.
func (e *StateError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "state %s is %v", e.Path, e.Kind)
	if errors.Is(e.Kind, ErrDamaged) {
		fmt.Fprintf(&b, " at offset %d", e.Offset)
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Unwrap returns the kind.
func (e *StateError) Unwrap() error { return e.Kind }

// dropped says what follows from dropping the whole state.
const dropped = "then the inputs are read from their beginning, as far as they are still there, " +
	"verdicts and operators' decisions are lost, and rules are published again as they pass their tests"

// damaged returns the error for unexpected bytes at an offset. The checkpoints before kept are
// whole; kept may be less than the offset.
func (j *Journal) damaged(offset, kept int64, detail string) error {
	path, ack := j.path(journalName), j.path(ackName)
	remedy := fmt.Sprintf("restore %s and %s from a copy. Without a copy, move both away, which drops the whole state: %s", path, ack, dropped)
	if kept > fileHeaderSize && offset >= j.head.whole {
		remedy = fmt.Sprintf("restore %s from a copy, or keep the state before the damage, without the later verdicts, with: truncate -s %d '%s' && rm -f '%s'", path, offset, path, ack)
	}
	return &StateError{Kind: ErrDamaged, Path: path, Offset: offset, Detail: detail, Remedy: remedy}
}

// failed adds the verb and the journal to an error. An error that already names the
// file is returned unchanged.
func (j *Journal) failed(verb string, err error) error {
	var state *StateError
	var path *os.PathError
	if err == nil || errors.As(err, &state) {
		return err
	}
	if errors.As(err, &path) {
		return fmt.Errorf("%s journal: %w", verb, err)
	}
	return fmt.Errorf("%s journal %s: %w", verb, j.path(journalName), err)
}
