package journal

import (
	"crypto/rand"
	"iter"
	"os"
)

// Compact replaces the journal by a new journal with only the given entries, which are the
// whole state. After an error the old journal stays in use. After a crash at any step, the
// journal is either the old or the new.
func (j *Journal) Compact(all iter.Seq[Entry]) error {
	if !j.loaded {
		return j.failed("compact", errOrder)
	}
	return j.failed("compact", j.anew(all))
}

// create makes the first journal of a directory.
func (j *Journal) create() error {
	return j.anew(func(func(Entry) bool) {})
}

func (j *Journal) anew(all iter.Seq[Entry]) error {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	head := fileHeader{pane: j.o.Pane, key: j.o.Key, id: little.Uint64(random[:])}
	return j.replace(head, func(file File) (tip, error) {
		w := newWriter(file, head.id, start(head.id), &j.enc)
		err := w.write(all)
		return w.tip, err
	})
}

// renew copies the acknowledged frames into a new file, byte by byte. The new file
// keeps the id, which is part of the checksums, and gets a higher number of copies.
// Until journal.ack holds that number, the name of the new file may not be durable.
func (j *Journal) renew() error {
	head := j.head
	head.copies++
	return j.replace(head, func(file File) (tip, error) {
		s := scan(j.file, j.head.id, j.tip.at)
		for s.tip.at < j.tip.at {
			at := s.tip.at
			if err := s.next(); err != nil {
				return s.tip, j.blame(at, err)
			}
			if _, err := file.WriteAt(s.frame, at); err != nil {
				return s.tip, err
			}
		}
		return s.tip, nil
	})
}

// replace makes a new file, calls fill to write the bytes after the header, and renames
// the file to the journal's name.
func (j *Journal) replace(head fileHeader, fill func(File) (tip, error)) error {
	file, err := j.o.FS.OpenFile(j.path(newName), os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	t, err := fill(file)
	if err == nil {
		head.whole = t.at
		if head.compacted == 0 {
			head.compacted = t.at
		}
		_, err = file.WriteAt(head.encode(), 0)
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		if err = j.o.FS.Rename(j.path(newName), j.path(journalName)); err != nil {
			j.suspect = true // either file may have the name now; the next Save makes a third file
		}
	}
	if err != nil {
		_ = file.Close()
		_ = j.o.FS.Remove(j.path(newName)) // frees the space at once; otherwise Open does
		return err
	}
	return j.adopt(file, head, t)
}

// adopt switches to a file that was just renamed to the journal's name.
func (j *Journal) adopt(file File, head fileHeader, t tip) error {
	if j.file != nil {
		_ = j.file.Close() // the file holds no unsaved bytes
	}
	j.file, j.head, j.tip, j.overrun = file, head, t, false
	j.suspect = true // until the name is durable
	if err := j.o.FS.SyncDir(j.o.Dir); err != nil {
		return err
	}
	j.suspect = false
	j.writeAck()
	return nil
}
