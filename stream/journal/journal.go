package journal

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
)

// Names in the directory: see the package comment.
const (
	lockName    = "lock"
	journalName = "journal"
	ackName     = "journal.ack"
	newName     = "journal.new"
)

// defaultSlack is the garbage allowed in a small journal, in bytes. Compacting costs a handful
// of fsyncs, and reading 16 MiB takes a few hundredths of a second.
const defaultSlack = 16 << 20

// Options say where the journal lies and to which configuration it belongs.
type Options struct {
	Dir  string // the state directory
	Pane int64  // seconds of a pane, 0 for an endless pane; a journal of another length is refused
	Key  uint64 // check of the keys for hashing clients and URLs; a journal of another key is refused
	FS   FS     // nil: Disk

	Slack int64 // bytes of garbage allowed even in a small journal; 0: 16 MiB
}

// Journal is an open journal. A Journal is not safe for concurrent use.
type Journal struct {
	o       Options
	lock    io.Closer
	file    File
	ackFile File // nil: none yet
	head    fileHeader
	tip     tip // after the last acknowledged frame
	found   Found
	enc     encoder

	loaded  bool
	overrun bool // a failed write may have left bytes after the tip
	suspect bool // the page cache may differ from the disk: see the package comment
}

// Found describes the journal at the time of Open.
type Found struct {
	Fresh  bool   // there was no journal before
	Frames uint64 // number of complete frames
	Torn   int64  // bytes after the frames, left by a crash and now cut
	Why    string // why these bytes are invalid
}

// Found returns the state of the journal at the time of Open.
func (j *Journal) Found() Found { return j.found }

// Size returns the acknowledged bytes of the journal, now and after the last
// compaction.
func (j *Journal) Size() (now, compacted int64) { return j.tip.at, j.head.compacted }

// Bloated reports whether compacting is worthwhile: the journal is larger than twice its size
// after the last compaction plus Options.Slack. So compactions write no more than in
// proportion to what is appended.
func (j *Journal) Bloated() bool { return j.tip.at > 2*j.head.compacted+j.o.Slack }

// Load yields all entries, oldest first. The caller must iterate once to the end before the
// first Save. The entries of a checkpoint follow one another, and no entry is missing. An
// entry is valid until the next one. An error ends the iteration.
func (j *Journal) Load() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s, d := scan(j.file, j.head.id, j.tip.at), decoder{names: map[string]string{}}
		for s.tip.at < j.tip.at {
			at := s.tip.at
			if err := s.next(); err != nil {
				yield(Entry{}, j.failed("load", j.blame(at, err)))
				return
			}
			for e, err := range d.decode(s.payload()) {
				if err != nil {
					err = j.damaged(at, at, err.Error())
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
		j.loaded = true
	}
}

// Pane returns the length of a pane: see Options.
func (j *Journal) Pane() int64 { return j.o.Pane }

// blame turns an invalid frame, at a place that Open found valid, into damage.
func (j *Journal) blame(at int64, err error) error {
	if bad, ok := errors.AsType[*invalid](err); ok {
		return j.damaged(at, at, bad.why)
	}
	return err
}

// Close releases the directory. All acknowledged checkpoints are durable without Close.
func (j *Journal) Close() error {
	var errs []error
	if j.ackFile != nil {
		errs = append(errs, j.ackFile.Sync(), j.ackFile.Close())
	}
	if j.file != nil {
		errs = append(errs, j.file.Close())
	}
	errs = append(errs, j.lock.Close()) // last, so that no operation of this process is in progress afterwards
	j.file, j.ackFile, j.lock, j.loaded = nil, nil, closed{}, false
	return errors.Join(errs...)
}

// closed is the lock of a closed journal.
type closed struct{}

func (closed) Close() error { return os.ErrClosed }

func (j *Journal) path(name string) string { return filepath.Join(j.o.Dir, name) }
