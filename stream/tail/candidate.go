package tail

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// candidate is a file of which it is not yet known whose text it holds.
type candidate struct {
	path   string
	id     identity
	info   os.FileInfo
	file   *os.File
	source source // nil once a generation has it
	packed bool
	head   []byte
}

// openCandidate opens a file and reads its first bytes. A compressed file of
// which none can be had, since it is still being written, has none.
func openCandidate(path string, keep int, stop <-chan struct{}) (*candidate, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	var text source
	var isPacked bool
	if err == nil {
		text, isPacked, err = openSource(file, keep, stop)
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	c := &candidate{path: path, info: info, file: file, source: text, packed: isPacked, head: make([]byte, headSize)}
	c.id, _ = identify(info)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		c.path = real
	}
	n, err := text.ReadAt(c.head, 0)
	c.head = c.head[:n]
	if err != nil && !errors.Is(err, io.EOF) && !isPacked {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *candidate) close() {
	if c.source != nil {
		_ = c.source.Close() // read only
	}
	c.source = nil
}

// likeness is how far a candidate's first bytes say that it holds a
// generation's text.
type likeness uint8

const (
	differs  likeness = iota
	maybe             // all of it is at the generation's beginning: a copy being made, or too little to tell
	alike             // the first bytes are the same
	sameFile          // and it is the same file
)

// compare tells whether c holds the text of g. Only a generation that is not
// open can be found to have the same file. That g's file has changed means that
// more may have been in it than the head that is known.
func (c *candidate) compare(g *generation, changed bool) likeness {
	if g.headLen == 0 {
		return differs
	}
	if len(c.head) < g.headLen {
		if len(c.head) > 0 && bytes.HasPrefix(g.head, c.head) {
			return maybe
		}
		return differs
	}
	if hashHead(c.head[:g.headLen]) != g.hash {
		return differs
	}
	own := c.id == g.id && !c.packed
	if own && c.info.Size() >= g.offset {
		return sameFile
	}
	switch {
	case own || !changed && g.whole() && len(c.head) > g.headLen:
		return differs
	case telling(c.head[:g.headLen]):
		return alike
	case g.headLen == headSize:
		return maybe
	}
	return differs
}

// whole tells whether the head that is known of g is all there is of it, if it
// is shorter than a head may be.
func (g *generation) whole() bool {
	return g.headLen < headSize && (g.finished || g.source != nil && !g.packed)
}

// telling tells whether a head can be another's only by being a copy of it: it
// has a whole line, or is long, and is not the zeros that a writer leaves who
// goes on at his old place in a file emptied under him.
func telling(head []byte) bool {
	return (len(head) == headSize || bytes.IndexByte(head, '\n') >= 0) && len(bytes.Trim(head, "\x00")) > 0
}

// holds tells whether the bytes before the place where g is read are in c, too.
func (c *candidate) holds(g *generation) bool {
	mark := make([]byte, len(g.mark))
	n, _ := c.source.ReadAt(mark, g.scan-int64(len(mark)))
	return n == len(mark) && bytes.Equal(mark, g.mark)
}
