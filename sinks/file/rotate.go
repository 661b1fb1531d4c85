package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// rotate begins a new file. All steps that may fail for lack of space or permission
// come before the old file is touched. If a later step fails, writing continues in the
// old file, whatever its name then, and the next rotation continues from there.
func (e *Events) rotate() error {
	temp := e.path + ".tmp"
	if err := e.fs.remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := e.fs.open(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return err
	}
	err = e.makeWay()
	if err == nil {
		err = e.fs.rename(temp, e.path)
	}
	if err != nil {
		return errors.Join(err, f.Close(), e.fs.remove(temp))
	}
	err = e.out.file.Close() // the file was synced
	e.out = output{file: f, regular: true}
	return errors.Join(err, e.fs.syncDir(filepath.Dir(e.path)))
}

// makeWay renames the file, and before that the rotated files up to the first gap. A
// gap is the place of a failed rotation. The oldest file is overwritten. A missing file
// needs no renaming.
func (e *Events) makeWay() error {
	if e.keep <= 0 || !e.there(e.path) {
		return nil
	}
	last := 1
	for last < e.keep && e.there(e.rotated(last)) {
		last++
	}
	for ; last > 1; last-- {
		if err := e.fs.rename(e.rotated(last-1), e.rotated(last)); err != nil {
			return err
		}
	}
	return e.fs.rename(e.path, e.rotated(1))
}

func (e *Events) rotated(n int) string { return fmt.Sprintf("%s.%d", e.path, n) }

func (e *Events) there(path string) bool {
	_, err := e.fs.stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
