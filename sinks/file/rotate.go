package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// rotate begins a new file. All that can fail for want of space or permission
// comes before the old file is touched; and when it fails later, the old file is
// still written to, under whatever name it has, and the next rotation goes on
// from there.
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
	err = e.out.file.Close() // it was synced
	e.out = output{file: f, regular: true}
	return errors.Join(err, e.fs.syncDir(filepath.Dir(e.path)))
}

// makeWay renames the file, and before it those rotated earlier, as far as there
// is no gap: a gap is where an earlier rotation failed. The oldest is renamed
// over. Kept or not, a file that is not there is in nobody's way.
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
