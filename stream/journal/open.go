package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
)

// Open opens the journal of a directory, which it locks, creating both if needed. It reads the
// whole file and checks its sums, so that Load does not stop halfway. A torn tail left by a
// crash is cut: see Found. Any other irregularity is a [StateError].
func Open(o Options) (*Journal, error) {
	if o.Dir == "" || o.Pane < 0 {
		return nil, fmt.Errorf("open journal: directory %q, pane of %d seconds", o.Dir, o.Pane)
	}
	if o.FS == nil {
		o.FS = Disk()
	}
	if o.Slack <= 0 {
		o.Slack = defaultSlack
	}
	j := &Journal{o: o}
	if err := o.FS.MkdirAll(o.Dir); err != nil {
		return nil, j.failed("open", err)
	}
	var err error
	if j.lock, err = o.FS.Lock(j.path(lockName)); err != nil {
		return nil, j.failed("open", err)
	}
	if err := j.open(); err != nil {
		_ = j.Close() // the first error says more
		return nil, j.failed("open", err)
	}
	return j, nil
}

func (j *Journal) open() error {
	if err := j.o.FS.Remove(j.path(newName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	a, witnessed, err := j.readAck()
	if err != nil {
		return err
	}
	file, err := j.o.FS.OpenFile(j.path(journalName), os.O_RDWR)
	switch {
	case errors.Is(err, os.ErrNotExist) && witnessed:
		return j.missing()
	case errors.Is(err, os.ErrNotExist):
		j.found.Fresh = true
		return j.create()
	case err != nil:
		return err
	}
	j.file = file
	return j.survey(a)
}

// missing returns the error for a journal that is gone although there was one.
func (j *Journal) missing() error {
	return &StateError{
		Kind: ErrMissing, Path: j.path(journalName), Detail: j.path(ackName) + " says that there was one",
		Remedy: "restore both from a copy, or drop the whole state by removing the latter: " + dropped,
	}
}

// survey reads the file from its beginning to the last valid frame, and distinguishes a
// torn tail from damage.
func (j *Journal) survey(a ack) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if err := j.readHead(size); err != nil {
		return err
	}
	s := scan(j.file, j.head.id, size)
	whole, why := s.tip, ""
	for err == nil {
		if err = s.next(); err == nil && s.head.commit {
			whole = s.tip
		}
	}
	if bad, ok := errors.AsType[*invalid](err); ok {
		why = bad.why
	} else if err != io.EOF {
		return err
	} else if s.tip != whole {
		why = fmt.Sprintf("the checkpoint of frame %d is not complete", whole.number+1)
	}
	acked, err := s.claimed()
	if err != nil {
		return err
	}
	if acked = max(acked, j.head.whole); a.id == j.head.id {
		acked = max(acked, a.length)
	}
	if whole.at < acked {
		return j.damaged(s.tip.at, whole.at, fmt.Sprintf("%s, but %d bytes had been saved", cmp.Or(why, "the file ends"), acked))
	}
	j.tip, j.found = whole, Found{Frames: whole.number, Torn: size - whole.at, Why: why}
	j.suspect = size != whole.at || a != j.ack()
	return nil
}

// readHead reads the file's header and compares it with the options.
func (j *Journal) readHead(size int64) error {
	b := make([]byte, min(size, fileHeaderSize))
	if err := readFull(j.file, b, 0); err != nil {
		return err
	}
	head, detail, kind := readFileHeader(b)
	if errors.Is(kind, ErrDamaged) {
		return j.damaged(0, 0, detail)
	}
	const other = "choose another state directory"
	const anew = other + " to read the inputs from their beginning"
	e := &StateError{Kind: kind, Path: j.path(journalName), Detail: detail}
	switch {
	case errors.Is(kind, ErrForeign):
		e.Remedy = other
	case errors.Is(kind, ErrNewer):
		e.Remedy = "run the newer version, or " + other
	case errors.Is(kind, ErrOlder):
		e.Remedy = anew
	case head.pane != j.o.Pane:
		e.Kind, e.Detail = ErrPane, fmt.Sprintf("%d seconds, not %d", head.pane, j.o.Pane)
		e.Remedy = "set the old length, or " + anew
	case head.key != j.o.Key:
		e.Kind, e.Remedy = ErrKey, "set the old key, or "+anew
	default:
		j.head = head
		return nil
	}
	return e
}
