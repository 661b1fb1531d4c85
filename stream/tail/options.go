package tail

import (
	"cmp"
	"errors"
	"time"
)

// ErrClosed is the error of Read after Close.
var ErrClosed = errors.New("follow logs: reader is closed")

// Options select the logs and bound the memory. Only Paths is required.
type Options struct {
	Paths     []string      // files, patterns (filepath.Match), and directories of logs (files.Expand); files that appear later are found
	Others    []string      // the paths of Readers with precedence: a file of these paths is not read
	Elsewhere []string      // further directories with rotated generations, as with logrotate's olddir; a relative directory lies beside each log
	MaxLine   int           // bytes of a line without its newline; longer lines are left out and counted; 0: 64 KiB
	BatchSize int           // bytes of a batch; raised until the longest line fits; 0: 256 KiB
	Batches   int           // batches that may be ready or held by the consumer at once; 0: 8
	Poll      time.Duration // least time between two polls by the clock, which are rarer the more they cost; 0: 250 ms
	NoNotify  bool          // poll only, without inotify
	Grace     time.Duration // a rotated generation is closed after it has not grown for this long; 0: 10 s, more than a web server takes to reopen its log
	Window    time.Duration // rotated generations last written longer ago are not read; 0: all are read
	News      func(News)    // called for each step, as Audit is; may be nil
	Audit     func(Audit)   // called for everything skipped or lost, from the Reader's goroutine; must not call the Reader; may be nil
}

func (o Options) withDefaults() Options {
	o.MaxLine = cmp.Or(o.MaxLine, 64<<10)
	o.Batches = cmp.Or(o.Batches, 8)
	o.Poll = cmp.Or(o.Poll, 250*time.Millisecond)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	// A batch holds the longest line, one more byte to detect a longer line, and the mark.
	o.BatchSize = max(cmp.Or(o.BatchSize, 256<<10), o.MaxLine+1+markSize)
	if o.News == nil {
		o.News = func(News) {}
	}
	if o.Audit == nil {
		o.Audit = func(Audit) {}
	}
	return o
}

// Step is a step in the reading of a log.
type Step string

// The steps.
const (
	Begun    Step = "begun"    // a file is read from its beginning
	Resumed  Step = "resumed"  // a file is read on from the saved position, or a copy of it is
	Rotated  Step = "rotated"  // the path leads elsewhere now, and the generation lies at File
	Finished Step = "finished" // a generation was read to its end, and does not grow any more
	Passed   Step = "passed"   // a rotated file is not read, because it is older than Options.Window
)

// News reports a step.
type News struct {
	Step   Step
	Path   string // the path followed
	File   string // where the generation lies
	Offset int64  // read up to here, decompressed
	Size   int64  // of the file
}

// Kind is the subject of an Audit.
type Kind string

// The kinds of audit events.
const (
	Truncated  Kind = "truncated"  // the file was emptied under its writer, as copytruncate does; Bytes: seen, but neither read nor found in a copy
	Shrunk     Kind = "shrunk"     // the file was cut, and reading continues at its end; Bytes: seen beyond the end, but not read
	Lost       Kind = "lost"       // an incompletely read generation cannot be found; Bytes: unread, as far as known
	Oversized  Kind = "oversized"  // lines above the bound were left out; Bytes: of these lines
	Nulls      Kind = "nulls"      // zero bytes and lines torn by them were left out; Bytes: both
	Torn       Kind = "torn"       // half a line was left out, because the other half is gone or was never written; Bytes: of the half
	Unreadable Kind = "unreadable" // a file cannot be opened or read; the reader retries, and reports again when the error changes
	Damaged    Kind = "damaged"    // a compressed generation is damaged, and its rest is given up
	Unwatched  Kind = "unwatched"  // inotify is not available for a path, which is polled by the clock
)

// Audit reports one thing skipped or lost.
type Audit struct {
	Kind  Kind
	Path  string // the file, as last seen
	File  uint64 // the generation, as in lines.Batch; 0: none yet
	Bytes int64  // the meaning depends on Kind
	Err   error  // the cause, or nil
}

// Stats counts events since Open.
type Stats struct {
	Bytes       int64 `json:"bytes"`           // of lines delivered, with their newlines
	Oversized   int64 `json:"oversized_lines"` // lines above the bound
	Skipped     int64 `json:"skipped_bytes"`   // bytes of oversized and torn lines, and zero bytes
	NullRuns    int64 `json:"null_runs"`       // runs of zero bytes
	Rotations   int64 `json:"rotations"`       // times a path led to another generation
	Truncations int64 `json:"truncations"`     // times a file was found emptied or cut
	Abandoned   int64 `json:"abandoned_files"` // generations left with bytes seen or known but not read
	AbandonedBy int64 `json:"abandoned_bytes"` // number of those bytes
	Damaged     int64 `json:"damaged_files"`   // compressed generations that could not be read to their end
	Errors      int64 `json:"errors"`          // failed attempts to open or read
	Following   int   `json:"following_files"` // generations held open now
}
