package journal

import "fmt"

// writer writes the frames of one checkpoint.
type writer struct {
	file  File
	id    uint64
	acked int64 // acknowledged bytes of the file
	tip   tip   // after the last frame written
	enc   *encoder
}

func newWriter(file File, id uint64, t tip, enc *encoder) *writer {
	enc.reset()
	return &writer{file: file, id: id, acked: t.at, tip: t, enc: enc}
}

// add adds the records of a frame, and writes out full frames.
func (w *writer) add(f *Frame) error {
	for i := range f.Observations {
		o := &f.Observations[i]
		if err := w.makeRoom("observations with their site", len(o.Site)+len(o.Value)); err != nil {
			return err
		}
		w.enc.observations(o)
	}
	for i := range f.Acts {
		a := &f.Acts[i]
		if err := w.makeRoom("an act", len(a.Key)+len(a.Value)); err != nil {
			return err
		}
		w.enc.act(a)
	}
	if f.Positions == nil {
		return nil
	}
	if err := w.makeRoom("positions", len(f.Positions)); err != nil {
		return err
	}
	w.enc.positions(f.Positions)
	return nil
}

// makeRoom ends a full frame before a record with texts of the given size.
func (w *writer) makeRoom(what string, size int) error {
	if size > maxRecord {
		return fmt.Errorf("%s of %d bytes: at most %d can be kept", what, size, maxRecord)
	}
	if !w.enc.full() {
		return nil
	}
	const commit = false
	return w.flush(commit)
}

// finish writes the remaining records with the commit flag. A checkpoint without
// records needs no commit.
func (w *writer) finish() error {
	if w.enc.records == 0 {
		return nil
	}
	const commit = true
	return w.flush(commit)
}

func (w *writer) flush(commit bool) error {
	h := frameHeader{
		size: len(w.enc.payload()), number: w.tip.number + 1, acked: w.acked, chain: w.tip.seal,
		commit: commit, sum: checksum(w.enc.payload()),
	}
	h.encode(w.enc.buf, w.id)
	if _, err := w.file.WriteAt(w.enc.buf, w.tip.at); err != nil {
		return err
	}
	w.tip = tip{at: w.tip.at + int64(len(w.enc.buf)), number: h.number, seal: h.seal}
	w.enc.reset()
	return nil
}
