package folder

import (
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"os"
)

// Reader reads the lines of a URL list: URL, status 200, size and a digest of the content, with
// tabs between. Pages that cannot be read are left out, and are an error at the end. A Reader
// is not safe for concurrent use.
type Reader struct {
	next   func() (Page, error, bool)
	stop   func()
	unread []byte
	failed int
	first  error
}

// NewReader returns a reader of the pages below a folder.
func NewReader(dir string) *Reader {
	next, stop := iter.Pull2(Pages(dir))
	return &Reader{next: next, stop: stop}
}

// Close ends the reading.
func (r *Reader) Close() error {
	r.stop()
	return nil
}

// Read returns the next bytes of the list.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.unread) == 0 {
		page, err, ok := r.next()
		switch {
		case !ok && r.failed > 0:
			return 0, fmt.Errorf("%d pages cannot be read, the first: %w", r.failed, r.first)
		case !ok:
			return 0, io.EOF
		case err == nil:
			r.unread, err = line(page)
		}
		if err != nil {
			if r.failed++; r.first == nil {
				r.first = err
			}
		}
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

func line(page Page) ([]byte, error) {
	in, err := os.Open(page.File)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, in)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\t200\t%d\t%x\n", page.URL, size, hash.Sum(nil)[:8]), nil
}
