package files

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Head returns the first n lines of a file, fewer where it has fewer, so that
// its format can be told. Lines above Options.MaxLine are left out. The lines
// are copies. With an error, a *FileError or one of Expand's, come the lines
// that could be read before it. Head of "-" takes lines off standard input
// that no later Reader sees: who wants to read on tells the format from the
// first batch instead.
func Head(path string, n int, o Options) ([][]byte, error) {
	o.Batches = 1
	r, err := Open([]string{path}, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var lines [][]byte
	for len(lines) < n {
		b, err := r.Read(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return lines, err
		}
		lines = appendLines(lines, b, n)
		b.Release()
	}
	return lines, nil
}

func appendLines(lines [][]byte, b *Batch, n int) [][]byte {
	for line := range b.Lines() {
		if len(lines) == n {
			break
		}
		lines = append(lines, bytes.Clone(line))
	}
	return lines
}
