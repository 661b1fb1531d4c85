package journal

// Append adds a checkpoint of one frame, however large. When Append returns nil, the
// checkpoint is durable. After an error the checkpoint is not acknowledged, but may
// exist after a crash. Earlier checkpoints are untouched, and a later Append may
// succeed, for example when a full disk has room again. The error wraps the error of
// the operating system.
func (j *Journal) Append(f *Frame) error {
	return j.Checkpoint(func(emit func(*Frame) error) error { return emit(f) })
}

// Checkpoint is like Append for a checkpoint too large for one frame in memory.
// Function write emits the checkpoint in pieces, which take effect together or not at
// all. A piece may be reused once emit has returned. Function write must return an
// error of emit. An error of write discards the checkpoint. A checkpoint without
// content does nothing.
func (j *Journal) Checkpoint(write func(emit func(*Frame) error) error) error {
	if err := j.ready(); err != nil {
		return j.failed("append to", err)
	}
	w := newWriter(j.file, j.head.id, j.tip, &j.enc)
	err := write(w.add)
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		j.overrun = true
		_ = j.cutBack() // tried again before the next Append
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
