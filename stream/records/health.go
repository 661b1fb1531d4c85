package records

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/read/input"
)

// health counts how many of a file's last lines could be read.
type health struct {
	seen, missed int   // numbers of last lines
	was          bool  // some line of the file was read once
	bad          error // nil, or the last reason why most of the last lines cannot be read
}

// LastLines bounds the number of last lines. Older lines lose half of their weight at
// each step, so at least half of lastLines count. Fewer lines than enough prove
// nothing.
const (
	lastLines = 128
	enough    = 8
)

// add counts lines, and reports whether the file became readable or unreadable. A file
// is readable again only once fewer than a quarter of the lines are missed, so that the
// state does not flap.
func (h *health) add(read, missed int, why error) (changed bool) {
	h.was = h.was || read > 0
	h.seen, h.missed = h.seen+read+missed, h.missed+missed
	for h.seen > lastLines {
		h.seen, h.missed = h.seen/2, h.missed/2
	}
	switch {
	case h.bad == nil && h.seen >= enough && 2*h.missed > h.seen:
		h.bad = errors.New(why.Error()) // copied, because the parser's error is valid only until the next line
		return true
	case h.bad != nil && 4*h.missed < h.seen:
		h.bad = nil
		return true
	}
	return false
}

// ward holds the health of the present files and the facts of all paths, for any goroutine.
type ward struct {
	mu    sync.Mutex
	files map[string]health
	facts map[string]*facts
}

func (w *ward) drop(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.files, path)
}

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
	if f := w.facts[path]; f != nil {
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
	f := &facts{}
	w.facts[path] = f
	return f
}

func (f *facts) last() time.Time {
	if f.at.After(f.read) {
		return f.at
	}
	return f.read
}

// note adds a batch, with the error of its last line that could not be read. The file is nil
// if all of its lines were blank.
func (w *ward) note(b *Batch, from *file, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.of(b.Path)
	if from != nil {
		w.files[b.Path] = from.health
		f.format = cmp.Or(from.name, f.format)
	}
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

func (w *ward) fail(path string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.of(path)
	f.wrong, f.at = err.Error(), time.Now()
}

// Format returns the format of the last lines read of a path; "" if it is not known. Any goroutine
// may call Format.
func (r *Reader) Format(path string) string {
	r.ward.mu.Lock()
	defer r.ward.mu.Unlock()
	return cmp.Or(r.ward.facts[path], &facts{}).format
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
	f := cmp.Or(r.ward.facts[path], &facts{})
	f.counts.Describe(s)
	s.Format = f.format
	if !f.read.IsZero() {
		s.ReadAt = f.read.Unix()
	}
	s.Fail(f.wrong, f.at.Unix())
	return f.bytes
}

// Unreadable lists the files of whose last lines most cannot be read. A file is listed if some
// of its lines were read before, or if no file can be read at all. So a file of another kind
// beside logs, found by a pattern, is not listed. Any goroutine may call Unreadable.
func (r *Reader) Unreadable() (all []*UnreadableError) {
	r.ward.mu.Lock()
	defer r.ward.mu.Unlock()
	well := false
	for _, h := range r.ward.files {
		well = well || h.was && h.bad == nil
	}
	for path, h := range r.ward.files {
		if h.bad != nil && (h.was || !well) {
			all = append(all, &UnreadableError{path, r.named, h.bad})
		}
	}
	slices.SortFunc(all, func(a, b *UnreadableError) int { return cmp.Compare(a.Path, b.Path) })
	return all
}
