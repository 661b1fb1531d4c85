package tail

import (
	"errors"
	"time"
)

// ErrClosed is what Read returns once the Reader is closed.
var ErrClosed = errors.New("follow logs: reader is closed")

// Options say what is followed and what may be held in memory. Only Paths must
// be set.
type Options struct {
	Paths     []string      // files, patterns (filepath.Match), and directories of logs (files.Expand); what appears later is picked up
	Others    []string      // the same of Readers that come first: a file that one of these leads to is not read
	Elsewhere []string      // further directories in which rotated generations lie, as with logrotate's olddir; a relative one lies beside each log
	MaxLine   int           // bytes of a line without its newline; a longer line is left out and counted; 0: 64 KiB
	BatchSize int           // bytes of a batch; raised until a longest line fits; 0: 256 KiB
	Batches   int           // batches that may be ready or held by the consumer at once; 0: 8
	Poll      time.Duration // between two looks when nothing wakes the reader; 0: 250 ms
	NoNotify  bool          // looks only, no inotify
	Grace     time.Duration // a rotated generation is let go when it has not grown for so long; 0: 10 s, more than a web server takes to reopen its log
	Window    time.Duration // rotated generations last written to before that are not read; 0: all are
	Audit     func(Audit)   // told what is skipped or lost, from the Reader's goroutine; it must not call the Reader; nil: nobody is
}

func (o Options) withDefaults() Options {
	if o.MaxLine <= 0 {
		o.MaxLine = 64 << 10
	}
	if o.BatchSize <= 0 {
		o.BatchSize = 256 << 10
	}
	if o.Batches <= 0 {
		o.Batches = 8
	}
	if o.Poll <= 0 {
		o.Poll = 250 * time.Millisecond
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Audit == nil {
		o.Audit = func(Audit) {}
	}
	// A longest line, one byte more to tell a longer one, and the mark before it.
	o.BatchSize = max(o.BatchSize, o.MaxLine+1+markSize)
	return o
}

// Kind is what an Audit is about.
type Kind string

// The kinds of audit events.
const (
	Truncated  Kind = "truncated"  // the file was emptied under its writer, as copytruncate does; Bytes: seen but neither read before nor found in a copy
	Shrunk     Kind = "shrunk"     // the file was cut, and goes on from there; Bytes: seen there but not read before
	Lost       Kind = "lost"       // a generation not read to its end is no longer found; Bytes: left in it as far as known
	Oversized  Kind = "oversized"  // lines above the bound were left out; Bytes: theirs
	Nulls      Kind = "nulls"      // zero bytes and lines torn by them were left out; Bytes: both
	Torn       Kind = "torn"       // half a line was left out: the other half is gone or was never written; Bytes: its own
	Unreadable Kind = "unreadable" // a file cannot be opened or read; it is tried again, and told again when the error changes
	Damaged    Kind = "damaged"    // a compressed generation ends in an error and is given up there
	Unwatched  Kind = "unwatched"  // inotify is not to be had for a path: it is looked at by the clock
)

// Audit is one thing skipped or lost.
type Audit struct {
	Kind  Kind
	Path  string // the file as last seen
	File  uint64 // the generation, as in lines.Batch; 0: none yet
	Bytes int64  // what it says depends on Kind
	Err   error  // the cause, where there is one
}

// Stats counts since Open.
type Stats struct {
	Bytes       int64 // of lines delivered, with their newlines
	Oversized   int64 // lines above the bound
	Skipped     int64 // bytes of oversized and torn lines, and zero bytes
	NullRuns    int64 // runs of zero bytes
	Rotations   int64 // times a path was found to lead to another generation
	Truncations int64 // times a file was found emptied or cut
	Abandoned   int64 // generations left with bytes that were seen or known, and not read
	AbandonedBy int64 // those bytes
	Damaged     int64 // compressed generations that could not be read to their end
	Errors      int64 // failed attempts to open or read
	Following   int   // generations held open now
}
