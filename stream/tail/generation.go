package tail

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// markSize is how many bytes before the place of reading are read again each
// time, to see that they are still the same: a file that was emptied and has
// grown beyond that place shows it there, even when it begins as before.
const markSize = 64

// identity is a file's, as long as it exists or is held open.
type identity struct{ device, inode uint64 }

func identify(info os.FileInfo) (id identity, links uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{uint64(s.Dev), s.Ino}, uint64(s.Nlink)
	}
	return identity{}, 1
}

// generation is one text that a log's path led to at some time, from its first
// byte to its last, wherever it lies now.
type generation struct {
	number uint64
	owner  string // the path followed
	path   string // of the file, as last seen
	id     identity

	head    []byte // the first bytes, when they were read in this process
	hash    uint64 // of them, or of the position's
	headLen int

	source   source // nil: not open
	file     *os.File
	packed   bool
	cutShort bool // its file was truncated: a last line without newline is torn
	emptied  bool // that was found out, and not told yet

	offset int64  // end of the last line dealt with
	handed int64  // Batch.End of the last batch handed out
	scan   int64  // up to here the text is dealt with; beyond offset only within what is left out
	mark   []byte // the bytes before scan
	cut    cutter

	size     int64 // on disk, when last looked at
	modified time.Time
	idle     bool      // the last read met the end
	fresh    bool      // no batch of it was handed out in this process
	finished bool      // nothing is left in it, as far as is known
	left     time.Time // since when nobody's path leads to it; zero: one does
	grown    time.Time // when it last was seen to have grown
	seen     time.Time // when its file, or a copy of it, was last seen on disk
	missed   time.Time // the first look since then that did not see it; zero: there was none
}

func (g *generation) position() Position {
	return Position{
		Path: g.owner, File: g.path, Device: g.id.device, Inode: g.id.inode,
		Head: g.hash, HeadLen: g.headLen, Size: g.size, Finished: g.finished, Cut: g.cutShort,
	}
}

func (g *generation) setHead(head []byte) {
	g.head = append(g.head[:0], head...)
	g.hash, g.headLen = hashHead(head), len(head)
}

// errRewritten says that a file no longer holds what was read from it.
var errRewritten = errors.New("content changed")

// fill reads text from scan on into buf, of which it returns that part. At the
// end of what there is, the error is io.EOF. With any other comes what could be
// read before it.
func (g *generation) fill(buf []byte) ([]byte, error) {
	known := len(g.mark)
	n, err := g.source.ReadAt(buf, g.scan-int64(known))
	damaged := err != nil && !errors.Is(err, io.EOF)
	if damaged && n <= known {
		return nil, err
	}
	if n < known || !bytes.Equal(buf[:known], g.mark) {
		return nil, errRewritten
	}
	// The head is that of the text, and is looked at again after it: so they are of
	// one piece. Learned afterwards, it might be of what was written since.
	if g.scan == int64(known) && !g.packed && !g.learn(buf[:min(n, headSize)]) || !g.sameHead() {
		return nil, errRewritten
	}
	return buf[known:n], err
}

// sameHead compares the first bytes with those known, and learns more of them.
func (g *generation) sameHead() bool {
	if g.packed {
		return true
	}
	var now [headSize]byte
	n, err := g.file.ReadAt(now[:], 0)
	return (err == nil || errors.Is(err, io.EOF)) && n >= len(g.head) && g.learn(now[:n])
}

// learn takes in what a file begins with, if it is what is known already, or more.
func (g *generation) learn(head []byte) bool {
	if len(head) > len(g.head) && bytes.HasPrefix(head, g.head) {
		g.setHead(head)
	}
	return bytes.HasPrefix(g.head, head)
}

// intact tells whether a file still holds what was read from it, as far as the
// first bytes and those last read say.
func (g *generation) intact() bool {
	var now [markSize]byte
	n, err := g.file.ReadAt(now[:len(g.mark)], g.scan-int64(len(g.mark)))
	if err != nil && !errors.Is(err, io.EOF) {
		return true // reading will find out
	}
	return n == len(g.mark) && bytes.Equal(now[:n], g.mark) && g.sameHead()
}

// advance moves scan over the first used bytes of data, which fill returned in
// buf.
func (g *generation) advance(buf []byte, used int) {
	if used == 0 {
		return
	}
	to := len(g.mark) + used
	g.mark = append(g.mark[:0], buf[max(0, to-markSize):to]...)
	g.scan += int64(used)
}

// place makes reading start at an offset, and reads the mark before it. Where
// no line ends there, the rest of the line is left out.
func (g *generation) place(at int64) error {
	g.offset, g.scan, g.mark = at, at, g.mark[:0]
	g.cut.state = atLine
	if at == 0 {
		return nil
	}
	mark := make([]byte, min(at, markSize))
	n, err := g.source.ReadAt(mark, at-int64(len(mark)))
	if n < len(mark) {
		return err
	}
	g.mark = mark
	if mark[n-1] != '\n' {
		g.cut.state = inTorn
	}
	return nil
}

// maxDirectives bounds what is read again of a file that begins with '#'.
const maxDirectives = 16 << 10

// directives gives the lines at the start of the file that begin with '#', of
// those handed out before this process: a log that names its columns does so
// there. Of a compressed file, and of columns that changed later on, it knows
// nothing.
func (g *generation) directives() []byte {
	if g.packed {
		return nil
	}
	head := make([]byte, min(g.handed, maxDirectives))
	n, _ := g.source.ReadAt(head, 0) // an error comes again when the rest is read
	end := 0
	for line := range bytes.Lines(head[:n]) {
		text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF")))
		if line[len(line)-1] != '\n' || len(text) > 0 && text[0] != '#' {
			break
		}
		end += len(line)
	}
	return head[:end]
}

// bind gives the generation the file of a candidate to read from.
func (g *generation) bind(c *candidate) {
	g.close()
	g.source, g.file, g.packed, g.path, g.id = c.source, c.file, c.packed, c.path, c.id
	g.size, g.modified, g.idle, g.finished = c.info.Size(), c.info.ModTime(), false, false
	c.source = nil
}

func (g *generation) close() {
	if g.source != nil {
		_ = g.source.Close() // read only
	}
	g.source, g.file = nil, nil
}

// look sees whether there may be something to read, and whether the file has
// still a name.
func (g *generation) look(now time.Time, always bool) error {
	info, err := g.file.Stat()
	if err != nil {
		return err
	}
	if _, links := identify(info); links == 0 && g.left.IsZero() {
		g.left = now
	}
	if info.Size() != g.size {
		g.grown = now
	}
	if always && !g.packed || info.Size() != g.size || !info.ModTime().Equal(g.modified) {
		g.idle = false
	}
	g.size, g.modified = info.Size(), info.ModTime()
	return nil
}
