package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Copy copies the saved state of a directory to another, existing directory, so that
// the copy can be opened and changed. The source may be in use. The copy is then a
// state that the source had at some moment. A source without a journal yields an empty
// copy.
func Copy(to, from string) error {
	// Reading journal.ack first is safe: a journal read later has at least the
	// acknowledged length, or is a newer journal.
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
