package files

import (
	"bytes"
	"context"
	"errors"
	"io"

	"dustbuster/operators/read/wrap"
)

// Head returns up to n lines from the beginning of a file, for detecting the format, with documents
// replaced by their lines. Lines above Options.MaxLine are left out. The lines are copies. The error is a *FileError, one of
// Expand or that of ctx; the lines read before come with it. Head of "-" consumes lines of
// standard input, which no later Reader sees. To read on, detect the format from the first
// batch instead.
func Head(ctx context.Context, path string, n int, o Options) ([][]byte, error) {
	o.Batches = 1
	r, err := Open([]string{path}, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var head [][]byte
	var unfolder wrap.Unfolder
	for len(head) < n {
		b, err := r.Read(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return head, err
		}
		b.Unfold(&unfolder)
		for line := range b.Lines() {
			if head = append(head, bytes.Clone(line)); len(head) == n {
				break
			}
		}
		b.Release()
	}
	return head, nil
}
