package journal

import "iter"

// Save appends a checkpoint, whose entries take effect together or not at all. An entry is
// used up when the iteration goes on, so a caller may reuse its value. A checkpoint without
// entries does nothing. When Save returns nil, the checkpoint is durable. After an error the
// checkpoint is not acknowledged, but may exist after a crash. Earlier checkpoints are
// untouched, and a later Save may succeed, for example when a full disk has room again. The
// error wraps the error of the operating system.
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
