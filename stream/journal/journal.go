package journal

import (
	"errors"
	"io"
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

// defaultSlack is how much garbage a small journal may gather. Compacting costs a
// handful of fsyncs, and this much is read back in a few hundredths of a second.
const defaultSlack = 16 << 20

// Options say where the journal is and what it is about.
type Options struct {
	Dir  string // the state directory
	Pane int64  // seconds of a pane, 0 for the endless one; what is kept with another length is refused
	Key  uint64 // a check of the keys under which clients and URLs are hashed; another is refused
	FS   FS     // nil: Disk

	Slack int64 // bytes of garbage that even a small journal may gather; 0: 16 MiB
}

// Journal is an open journal. It belongs to one goroutine.
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
	overrun bool // a failed write may have left bytes behind the tip
	suspect bool // the page cache may hold what the disk does not: see the package comment
}

// Found is what Open found.
type Found struct {
	Fresh  bool   // nothing: the journal is new
	Frames uint64 // whole ones
	Torn   int64  // bytes behind them that a crash left, and that are cut
	Why    string // what is wrong with those
}

// Found returns what Open found.
func (j *Journal) Found() Found { return j.found }

// Size returns the bytes of the journal that are acknowledged, and how many they
// were after the last compaction.
func (j *Journal) Size() (now, compacted int64) { return j.tip.at, j.head.compacted }

// Bloated tells whether compacting is worth its while: the journal has more than
// twice the size it had after the last compaction, and Options.Slack. So what is
// written for compaction stays proportional to what is appended.
func (j *Journal) Bloated() bool { return j.tip.at > 2*j.head.compacted+j.o.Slack }

// Load gives all frames to fold, oldest first, and must be called once before
// the first Append. The frames of a checkpoint follow one another and all of
// them are there. A frame is valid during the call. Load returns fold's error.
func (j *Journal) Load(fold func(*Frame) error) error {
	s := scan(j.file, j.head.id, j.tip.at)
	for d := (decoder{}); s.tip.at < j.tip.at; {
		at := s.tip.at
		if err := s.next(); err != nil {
			return j.failed("load", j.blame(at, err))
		}
		f, err := d.decode(s.payload())
		if err != nil {
			return j.damaged(at, err.Error())
		}
		if err := fold(f); err != nil {
			return err
		}
	}
	j.loaded = true
	return nil
}

// blame turns bytes that are no frame, where one has been before, into damage.
func (j *Journal) blame(at int64, err error) error {
	if bad, ok := errors.AsType[*invalid](err); ok {
		return j.damaged(at, bad.why)
	}
	return err
}

// Close frees the directory. All that was acknowledged is durable without it.
func (j *Journal) Close() error {
	var errs []error
	if j.ackFile != nil {
		errs = append(errs, j.ackFile.Sync(), j.ackFile.Close())
	}
	if j.file != nil {
		errs = append(errs, j.file.Close())
	}
	errs = append(errs, j.lock.Close()) // last: then nothing of ours is under way
	j.file, j.ackFile, j.lock, j.loaded = nil, nil, closed{}, false
	return errors.Join(errs...)
}

// closed is the lock of a closed journal.
type closed struct{}

func (closed) Close() error { return os.ErrClosed }

func (j *Journal) path(name string) string { return filepath.Join(j.o.Dir, name) }
