package file

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dustbuster/operators/publish/jsonl"
)

// Rules is a file that holds the rule list, as written by package jsonl. A reader
// always finds one complete list, even after a power cut: a new list is written to
// another file, which is then renamed. Safe for concurrent use.
type Rules struct {
	sink
	path    string
	fs      fileSystem
	renamed bool // renamed, and the folder is not synced yet
}

// NewRules returns the rule list at a path. An existing file must be a regular file. A symbolic
// link is replaced, not followed. Nothing is written before Publish.
func NewRules(path string, retry Retry) (*Rules, error) {
	r := &Rules{sink: sink{retry: retry}, path: path, fs: disk{}}
	return r, r.check()
}

// check refuses files that a rename would destroy, such as /dev/null.
func (r *Rules) check() error {
	is, err := r.fs.stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		_, err = r.fs.stat(filepath.Dir(r.path))
	case err == nil && !is.Mode().IsRegular():
		err = &os.PathError{Op: "replace", Path: r.path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return fmt.Errorf("keep rules in %s: %w", r.path, err)
	}
	return nil
}

// Publish replaces the list, and returns when it is on the disk. If the file holds the same list,
// nothing is written.
func (r *Rules) Publish(ctx context.Context, rules jsonl.List) error {
	return r.deliver(ctx, "publish rules in "+r.path, func() error { return r.publish(rules) })
}

func (r *Rules) publish(rules jsonl.List) error {
	if !r.holds(rules) {
		temp := r.path + ".tmp"
		if err := r.write(temp, rules); err != nil {
			return err
		}
		if err := r.fs.rename(temp, r.path); err != nil {
			return errors.Join(err, r.fs.remove(temp))
		}
		r.renamed = true
	}
	if r.renamed {
		if err := r.fs.syncDir(filepath.Dir(r.path)); err != nil {
			return err
		}
		r.renamed = false
	}
	return nil
}

// write writes the list to a new file. A file left there by a crash is removed. A link
// put there by another user is not followed.
func (r *Rules) write(path string, rules jsonl.List) error {
	if err := r.fs.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := r.fs.open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	err = rules.Write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		return errors.Join(err, r.fs.remove(path)) // on a full disk other files need the space
	}
	return nil
}

// holds reports whether the file holds the list. The list is compared piece by piece
// and not held in memory.
func (r *Rules) holds(rules jsonl.List) bool {
	f, err := r.fs.open(r.path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	same := matcher{bufio.NewReaderSize(f, bufferSize)}
	if rules.Write(same) != nil {
		return false
	}
	_, err = same.file.ReadByte()
	return err == io.EOF
}

// matcher is a writer that accepts only the next bytes of the file.
type matcher struct{ file *bufio.Reader }

var errDiffers = errors.New("differs")

func (m matcher) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		held, err := m.file.Peek(min(len(rest), m.file.Size()))
		if err != nil || !bytes.HasPrefix(rest, held) {
			return 0, errDiffers
		}
		rest = rest[len(held):]
		if _, err := m.file.Discard(len(held)); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
