package journal

// Append adds a checkpoint of one frame, however large. When it returns nil the
// checkpoint is durable. After an error it is not acknowledged, though it may be
// there after a crash; what was appended before is untouched, and a later Append
// may succeed, as when a full disk has room again. Such an error wraps that of
// the operating system.
func (j *Journal) Append(f *Frame) error {
	return j.Checkpoint(func(emit func(*Frame) error) error { return emit(f) })
}

// Checkpoint is Append for what is better not held in one frame: write emits the
// checkpoint in pieces, and they count all together or not at all. A piece may
// be reused once emit has returned. An error of emit must be returned by write;
// an error of write ends the checkpoint. A checkpoint without content does
// nothing.
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
		_ = j.cutBack() // tried again before the next
		return j.failed("append to", err)
	}
	if w.tip == j.tip {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		j.suspect = true // and the frame stays, as a sign for the next process
		return j.failed("append to", err)
	}
	j.tip = w.tip
	j.writeAck()
	return nil
}

// ready mends what an error or a crash has left.
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

// cutBack removes what a failed write has left.
func (j *Journal) cutBack() error {
	if err := j.file.Truncate(j.tip.at); err != nil {
		return err
	}
	j.overrun = false
	return nil
}
