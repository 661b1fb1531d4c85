package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Copy copies what is saved in a directory to another, which must be there, so that it can
// be opened there and changed. It may be in use: the copy is what it was at some moment.
// A directory without a journal has nothing to be copied.
func Copy(to, from string) error {
	// What has been acknowledged is read first: the journal then has that much, or is a
	// newer one.
	for _, name := range []string{ackName, journalName} {
		if err := copyFile(filepath.Join(to, name), filepath.Join(from, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
