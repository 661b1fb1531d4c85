package records

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// health says of a file's last lines how many could be read.
type health struct {
	seen, missed int   // of the last lines
	was          bool  // some line of the file was read once
	bad          error // most of the last lines cannot be read; the last reason
}

// The last lines are at most so many, and at least half of them, since older ones
// count half at each step. Fewer than enough say nothing.
const (
	lastLines = 128
	enough    = 8
)

// add counts lines, of which some could not be read, and tells whether the file has
// gone bad or well. It is well again at a quarter, so that it does not go to and fro.
func (h *health) add(read, missed int, why error) (changed bool) {
	h.was = h.was || read > 0
	h.seen, h.missed = h.seen+read+missed, h.missed+missed
	for h.seen > lastLines {
		h.seen, h.missed = h.seen/2, h.missed/2
	}
	switch {
	case h.bad == nil && h.seen >= enough && 2*h.missed > h.seen:
		h.bad = errors.New(why.Error()) // what the parser says is valid until its next line only
		return true
	case h.bad != nil && 4*h.missed < h.seen:
		h.bad = nil
		return true
	}
	return false
}

// UnreadableError says that most of the last lines of a file cannot be read.
type UnreadableError struct {
	Path  string
	Named bool  // their format was named
	Err   error // what is wrong with one of them
}

// Error names the file and says what to do.
func (e *UnreadableError) Error() string {
	do := "name their format with --format"
	if e.Named {
		do = "they are not in the format that --format names"
	}
	return fmt.Sprintf("most of the last lines of %q cannot be read: %v\n%s", e.Path, e.Err, do)
}

// Unwrap gives the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// ward is the health of all files, for any goroutine to see.
type ward struct {
	mu    sync.Mutex
	files map[string]health
}

func (w *ward) set(path string, h health) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[path] = h
}

func (w *ward) drop(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.files, path)
}

// Unreadable lists the files most of whose last lines cannot be read: those of which
// lines could be read before and, where nothing can be read of any file, all. A file of
// another kind beside logs, as a pattern may find it, is none. Any goroutine may ask.
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
