package journal

import (
	"errors"
	"iter"
	"os"
)

// Save appends a checkpoint, whose entries take effect together or not at all. An entry is
// used up when the iteration goes on, so a caller may reuse its value. A checkpoint without
// entries does nothing. When Save returns nil, the checkpoint is durable. After an error it is
// not acknowledged, but may exist after a crash. Earlier checkpoints are untouched, and a
// later Save may succeed, for example when a full disk has room again. The error wraps that
// of the operating system.
func (j *Journal) Save(entries iter.Seq[Entry]) error {
	if err := j.ready(); err != nil {
		return j.failed("append to", err)
	}
	w := newWriter(j.file, j.head.id, j.tip, &j.enc)
	if err := w.write(entries); err != nil {
		j.overrun = true
		_ = j.cutBack() // tried again before the next Save
		return j.failed("append to", err)
	}
	if w.tip == j.tip {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		j.suspect = true // the frame stays, as a sign for the next process
		return j.failed("append to", err)
	}
	j.tip = w.tip
	j.writeAck()
	return nil
}

// ready repairs the file after an error or a crash.
func (j *Journal) ready() error {
	switch {
	case !j.loaded:
		return errOrder
	case j.suspect:
		return j.renew()
	case j.overrun:
		return j.cutBack()
	}
	return nil
}

// cutBack removes the bytes that a failed write left behind.
func (j *Journal) cutBack() error {
	if err := j.file.Truncate(j.tip.at); err != nil {
		return err
	}
	j.overrun = false
	return nil
}

// ack is the content of journal.ack: the id of a journal, its acknowledged length, and
// the number of the copy whose name is durable.
type ack struct {
	id     uint64
	length int64
	copies uint32
}

func (a ack) encode() []byte {
	b := append(make([]byte, 0, ackSize), ackMagic...)
	b = little.AppendUint64(b, a.id)
	b = little.AppendUint64(b, uint64(a.length))
	b = little.AppendUint32(b, a.copies)
	return little.AppendUint32(b, checksum(b))
}

// ack returns the content of journal.ack for the present state of the journal.
func (j *Journal) ack() ack { return ack{id: j.head.id, length: j.tip.at, copies: j.head.copies} }

// readAck opens journal.ack and reports whether the file exists. An unreadable file
// counts as a length of 0 and is not an error, because journal.ack only adds to the
// evidence.
func (j *Journal) readAck() (a ack, found bool, err error) {
	j.ackFile, err = j.o.FS.OpenFile(j.path(ackName), os.O_RDWR)
	if errors.Is(err, os.ErrNotExist) {
		j.ackFile = nil
		return ack{}, false, nil
	}
	if err != nil {
		return ack{}, false, err
	}
	b := make([]byte, ackSize)
	if err := readFull(j.ackFile, b, 0); err != nil || string(b[:8]) != ackMagic || little.Uint32(b[28:]) != checksum(b[:28]) {
		return ack{}, true, nil
	}
	return ack{id: little.Uint64(b[8:]), length: int64(little.Uint64(b[16:])), copies: little.Uint32(b[24:])}, true, nil
}

// writeAck writes to journal.ack that everything up to the tip is acknowledged. The
// caller must call writeAck only after these bytes are durable. An error only loses
// evidence: the next start copies the journal before writing.
func (j *Journal) writeAck() {
	if j.ackFile == nil {
		f, err := j.o.FS.OpenFile(j.path(ackName), os.O_RDWR|os.O_CREATE)
		if err != nil {
			return
		}
		j.ackFile = f
	}
	_, _ = j.ackFile.WriteAt(j.ack().encode(), 0)
}
