package tail

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// candidate is an open file whose generation is not determined yet.
type candidate struct {
	path   string
	id     identity
	info   os.FileInfo
	file   *os.File
	source source // nil once a generation has taken it
	packed bool
	head   []byte
	ended  bool // the head is all the text
	hashes map[int]uint64
}

// openCandidate opens a file and reads its first bytes. The head is empty for a
// compressed file whose first bytes cannot be decompressed yet, because the file is
// still being written.
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
	n, err := text.ReadAt(c.head, 0)
	c.head = c.head[:n]
	c.ended = errors.Is(err, io.EOF)
	if err != nil && !c.ended && !isPacked {
		c.close()
		return nil, err
	}
	return c, nil
}

// hash returns the hash of the first n bytes.
func (c *candidate) hash(n int) uint64 {
	hash, ok := c.hashes[n]
	if !ok {
		if c.hashes == nil {
			c.hashes = make(map[int]uint64)
		}
		hash = hashHead(c.head[:n])
		c.hashes[n] = hash
	}
	return hash
}

func (c *candidate) close() {
	if c.source != nil {
		_ = c.source.Close() // read only
	}
	c.source = nil
}

// likeness says how well the first bytes of a candidate match the text of a generation.
type likeness uint8

const (
	differs  likeness = iota
	maybe             // the candidate is a prefix of the generation's head (a copy being made, or made early), or the head is too weak to decide
	alike             // the first bytes are equal
	sameFile          // the first bytes are equal, and the file is the same
)

// compare returns how well c matches the text of g. The result sameFile is possible
// only for a generation that is not open.
func (c *candidate) compare(g *generation) likeness {
	if g.headLen == 0 {
		return differs
	}
	if len(c.head) < g.headLen {
		if len(c.head) > 0 && bytes.HasPrefix(g.head, c.head) {
			return maybe
		}
		return differs
	}
	if c.hash(g.headLen) != g.hash {
		return differs
	}
	own := c.id == g.id && !c.packed
	if own && c.info.Size() >= g.offset {
		return sameFile
	}
	switch {
	case own || g.whole() && len(c.head) > g.headLen:
		return differs
	case distinctive(c.head[:g.headLen]):
		return alike
	case g.headLen == headSize:
		return maybe
	}
	return differs
}

// whole reports whether a head shorter than headSize is the whole known text of g.
func (g *generation) whole() bool {
	return g.headLen < headSize && (g.finished || g.source != nil && (!g.packed || g.ended))
}

// distinctive reports whether two texts with this head must be copies of one text. The head
// must have headSize bytes or contain a whole line. A head of zero bytes alone does not
// count: a writer without O_APPEND leaves zero bytes when its file is truncated.
func distinctive(head []byte) bool {
	return (len(head) == headSize || bytes.IndexByte(head, '\n') >= 0) && len(bytes.Trim(head, "\x00")) > 0
}

// holds reports whether c contains the mark of g, the bytes before g's read offset.
func (c *candidate) holds(g *generation) bool {
	mark := make([]byte, len(g.mark))
	n, _ := c.source.ReadAt(mark, g.scan-int64(len(mark)))
	return n == len(mark) && bytes.Equal(mark, g.mark)
}
