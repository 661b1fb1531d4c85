package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// errTaken is the error for a file that another process has locked.
var errTaken = errors.New("locked by another process")

// Lock takes the lock of a directory. The kernel releases it when the process ends, however
// it ends. The file stays: if it were removed, two processes could lock two files of one name.
func (diskFS) Lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = tryLock(f)
	if err == nil {
		err = sign(f)
	}
	if errors.Is(err, errTaken) {
		err = locked(f, filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sign writes the process number into the lock, for processes that find it taken. A full disk
// is ignored: nothing depends on the number.
func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	return err
}

// locked returns the error for a lock held by another process.
func locked(f *os.File, dir string) error {
	e := &StateError{Kind: ErrLocked, Path: dir, Remedy: "stop that process, or give this one a state directory of its own"}
	b := make([]byte, 20)
	n, _ := f.ReadAt(b, 0) // io.EOF, because a number is shorter
	if pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n]))); err == nil {
		e.Detail = fmt.Sprintf("process %d", pid)
	}
	return e
}
