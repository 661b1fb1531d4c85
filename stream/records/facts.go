package records

import (
	"cmp"
	"errors"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/stream/files"
)

// facts are what was read of one path.
type facts struct {
	format string
	counts Counts
	bytes  int64
	read   time.Time // when the last lines came
	wrong  string    // the last error
	at     time.Time // when it came
}

// of returns the facts of a path. The facts of at most mostPaths paths are kept; those that
// go are of the paths that were not read for the longest time.
func (w *ward) of(path string) *facts {
	f := w.facts[path]
	if f != nil {
		return f
	}
	if len(w.facts) >= mostPaths {
		oldest := ""
		for path, f := range w.facts {
			if oldest == "" || f.last().Before(w.facts[oldest].last()) {
				oldest = path
			}
		}
		delete(w.facts, oldest)
	}
	f = &facts{}
	w.facts[path] = f
	return f
}

func (f *facts) last() time.Time {
	if f.at.After(f.read) {
		return f.at
	}
	return f.read
}

// note adds a batch, in a format, with the error of the batch's last line that could not be
// read.
func (w *ward) note(b *Batch, format string, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.of(b.Path)
	f.format = cmp.Or(format, f.format)
	f.counts.Add(&b.Counts)
	f.bytes += b.Bytes
	f.read = time.Now()
	switch {
	case why == nil:
		return
	case why != errUnknown || f.wrong == "": // else the error of detection says more
		f.wrong = why.Error() // copied, because a parser's error is valid only until the next line
	}
	f.at = f.read
}

// fail notes an error about a path.
func (w *ward) fail(path string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.of(path)
	f.wrong, f.at = err.Error(), time.Now()
}

// failFile notes the error of a source about one file.
func (w *ward) failFile(err error) {
	if one := new(files.FileError); errors.As(err, &one) {
		w.fail(one.Path, one.Err)
	}
}

// Format returns the format of the last lines read of a path; "" if it is not known. Any goroutine
// may call Format.
func (r *Reader) Format(path string) string {
	r.ward.mu.Lock()
	defer r.ward.mu.Unlock()
	if f := r.ward.facts[path]; f != nil {
		return f.format
	}
	return ""
}

// Recall sets the format of a path of which nothing has been read yet: what Format of an earlier
// Reader returned. The lines are read in the format that they have.
func (r *Reader) Recall(path, format string) {
	if format == "" || r.named { // a named format is told with the first lines
		return
	}
	r.ward.mu.Lock()
	defer r.ward.mu.Unlock()
	r.ward.of(path).format = format
}

// Describe adds to the state of an input what was read of its path: the format, lines and
// bytes of any generation, and the last error. Any goroutine may call Describe.
func (r *Reader) Describe(s *input.State, path string) (bytes int64) {
	r.ward.mu.Lock()
	defer r.ward.mu.Unlock()
	f := r.ward.facts[path]
	if f == nil {
		f = &facts{}
	}
	f.counts.Describe(s)
	s.Format = f.format
	if !f.read.IsZero() {
		s.ReadAt = f.read.Unix()
	}
	s.Fail(f.wrong, f.at.Unix())
	return f.bytes
}

// Describe adds the counts of its lines to the state of an input.
func (c *Counts) Describe(s *input.State) {
	final := c.Final()
	s.Count(c.JSON(), final.JSON())
}
