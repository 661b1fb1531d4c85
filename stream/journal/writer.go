package journal

import (
	"fmt"
	"iter"
)

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

// write writes a whole checkpoint. A checkpoint without entries writes nothing.
func (w *writer) write(entries iter.Seq[Entry]) error {
	for e := range entries {
		if err := w.add(&e); err != nil {
			return err
		}
	}
	return w.finish()
}

// add adds an entry, and writes out full frames.
func (w *writer) add(e *Entry) error {
	if size := len(e.Name) + len(e.Value); size > maxEntry {
		return fmt.Errorf("an entry of %d bytes, %.100q: at most %d can be kept", size, e.Name, maxEntry)
	}
	if w.enc.full() {
		const commit = false
		if err := w.flush(commit); err != nil {
			return err
		}
	}
	w.enc.entry(e)
	return nil
}

// finish writes the remaining entries with the commit flag. A checkpoint without entries
// needs no commit.
func (w *writer) finish() error {
	if w.enc.entries == 0 {
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
