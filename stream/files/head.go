package files

import (
	"bytes"
	"context"
	"errors"
	"io"

	"dustbuster/stream/lines"
)

// Head returns the first n lines of a file, fewer where it has fewer, so that
// its format can be told. Lines above Options.MaxLine are left out. The lines
// are copies. With an error, a *FileError or one of Expand's, come the lines
// that could be read before it; when ctx ends, its error. Head of "-" takes lines off
// standard input that no later Reader sees: who wants to read on tells the format
// from the first batch instead.
func Head(ctx context.Context, path string, n int, o Options) ([][]byte, error) {
	o.Batches = 1
	r, err := Open([]string{path}, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var head [][]byte
	for len(head) < n {
		b, err := r.Read(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return head, err
		}
		head = appendLines(head, b, n)
		b.Release()
	}
	return head, nil
}

func appendLines(head [][]byte, b *lines.Batch, n int) [][]byte {
	for line := range b.Lines() {
		if len(head) == n {
			break
		}
		head = append(head, bytes.Clone(line))
	}
	return head
}
