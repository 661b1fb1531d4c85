package records

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
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

// UnreadableError is the error of a file of whose last lines most cannot be read. The lines
// may be in another format than Options.Format, or in a format that detection does not know.
type UnreadableError struct {
	Path  string
	Named bool  // Options.Format names the format
	Err   error // the error of one of the lines
}

// Error names the file and the cause.
func (e *UnreadableError) Error() string {
	return fmt.Sprintf("most of the last lines of %q cannot be read: %v", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// ward holds the health and the facts of all files, for any goroutine.
type ward struct {
	mu    sync.Mutex
	files map[string]health
	facts map[string]*facts
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

// Unreadable lists the files of whose last lines most cannot be read. A file is listed
// if some line of the file was read before, or if no file can be read at all. So a file
// of another kind beside logs, found by a pattern, is not listed. Any goroutine may
// call Unreadable.
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
