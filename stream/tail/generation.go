package tail

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"time"
)

// markSize is the number of bytes before the read offset with which each read begins. A
// file that was emptied and has grown beyond the offset differs there, even if its head
// is the same.
const markSize = 64

// identity identifies a file while it exists or is held open.
type identity struct{ device, inode uint64 }

// generation is one text, from its first byte to its last, wherever the text lies now.
// The log's path led to the text at some time.
type generation struct {
	number uint64
	owner  string // the path followed
	path   string // where the file was last seen
	id     identity

	head    []byte // first bytes, if read in this process
	hash    uint64 // of head, or of the position's head
	headLen int
	heads   *heads // finds the generation, if listed, under key
	key     headKey
	listed  bool

	source   source // nil: not open
	file     *os.File
	packed   bool
	ended    bool // the head was all the text when the file was opened
	cutShort bool // the file was truncated: a last line without newline is torn
	emptied  bool // the truncation was detected and is not reported yet

	offset int64  // end of the last line processed
	handed int64  // Batch.End of the last batch handed out
	scan   int64  // end of the text processed; between offset and scan lies only text left out
	mark   []byte // the bytes before scan
	cut    cutter
	torn   torn
	goal   int64   // Batch.End of the batch with the last text that was present at the start; 0: not handed out yet
	shared *shared // what other goroutines see; nil until the generation is noted
	sizes  backlog

	size     int64 // on disk, at the last poll
	modified time.Time
	idle     bool      // the last read reached the end
	fresh    bool      // no batch of this generation was handed out in this process
	finished bool      // all known text was read
	leads    int       // the logs whose path leads here
	left     time.Time // when the last path to the generation went away; zero: a path leads here
	grown    time.Time // when growth was last seen
	seen     time.Time // when the file, or a copy, was last seen on disk
	missed   time.Time // the first poll after seen without the file; zero: none
	gone     time.Time // since when the generation is forgotten, since its file is no longer on disk; zero: it is known
}

// isLive reports whether the path of a log leads to the generation.
func (g *generation) isLive() bool { return g.leads > 0 }

func (g *generation) position() Position {
	return Position{
		Path: g.owner, File: g.path, Device: g.id.device, Inode: g.id.inode,
		Head: g.hash, HeadLen: g.headLen, Size: g.size, Finished: g.finished, Cut: g.cutShort,
	}
}

func (g *generation) setHead(head []byte) {
	g.head = append(g.head[:0], head...)
	g.hash, g.headLen = hashHead(head), len(head)
	g.heads.put(g)
}

// errRewritten is the error for a file whose content already read has changed.
var errRewritten = errors.New("content changed")

// fill reads text from scan on into buf and returns the part of buf that holds new
// text. At the present end of the text the error is io.EOF. Any other error comes with
// the bytes read before the error.
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
	// The head must belong to the text just read. So the head is taken from this read,
	// and compared with the file after the read: a head read later might belong to a
	// text written since.
	if g.scan == int64(known) && !g.packed && !g.learn(buf[:min(n, headSize)]) {
		return nil, errRewritten
	}
	if same, err := g.sameHead(); err != nil || !same {
		return nil, cmp.Or(err, errRewritten)
	}
	return buf[known:n], err
}

// sameHead compares the file's first bytes with the known head, and extends a short
// head.
func (g *generation) sameHead() (bool, error) {
	if g.packed {
		return true, nil
	}
	var now [headSize]byte
	n, err := g.file.ReadAt(now[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return n >= len(g.head) && g.learn(now[:n]), nil
}

// learn reports whether head agrees with the known head, which it may extend.
func (g *generation) learn(head []byte) bool {
	if len(head) > len(g.head) && bytes.HasPrefix(head, g.head) {
		g.setHead(head)
	}
	return bytes.HasPrefix(g.head, head)
}

// intact reports whether the file still has the known head and mark. If the file cannot
// be read, intact reports true, and the next read reports the error.
func (g *generation) intact() bool {
	var now [markSize]byte
	n, err := g.file.ReadAt(now[:len(g.mark)], g.scan-int64(len(g.mark)))
	if err != nil && !errors.Is(err, io.EOF) {
		g.idle = false
		return true
	}
	if n < len(g.mark) || !bytes.Equal(now[:n], g.mark) {
		return false
	}
	same, err := g.sameHead()
	g.idle = g.idle && err == nil
	return same || err != nil
}

// advance moves scan over the first used bytes of data, the slice that fill returned
// from buf.
func (g *generation) advance(buf []byte, used int) {
	if used == 0 {
		return
	}
	to := len(g.mark) + used
	g.mark = append(g.mark[:0], buf[max(0, to-markSize):to]...)
	g.scan += int64(used)
}

// place sets the read offset and reads the mark before the offset. If no line ends
// there, the rest of the line is left out.
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

// maxDirectives bounds the bytes read again from the start of a file, to find the lines
// that begin with '#'.
const maxDirectives = 16 << 10

// directives returns the lines that begin with '#' at the start of the file, as far as
// an earlier process handed them out. Such lines name the columns of a log. The result
// is nil for a compressed file, and does not include columns named later in the file.
func (g *generation) directives() []byte {
	if g.packed {
		return nil
	}
	head := make([]byte, min(g.handed, maxDirectives))
	n, _ := g.source.ReadAt(head, 0) // the read of the rest returns the error again
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

// bind gives the candidate's file to the generation.
func (g *generation) bind(c *candidate) {
	g.close()
	g.source, g.file, g.packed, g.ended, g.path, g.id = c.source, c.file, c.packed, c.ended, c.path, c.id
	g.size, g.modified, g.idle, g.finished = c.info.Size(), c.info.ModTime(), false, false
	c.source = nil
}

func (g *generation) close() {
	if g.source != nil {
		_ = g.source.Close() // read only
	}
	g.source, g.file = nil, nil
}

// look stats the open file, and notes whether there may be more to read and whether the
// file has lost its last name.
func (g *generation) look(now time.Time) error {
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
	if info.Size() != g.size || !info.ModTime().Equal(g.modified) {
		g.idle = false
	}
	g.size, g.modified = info.Size(), info.ModTime()
	return nil
}
