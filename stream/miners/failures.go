package miners

import (
	"errors"
	"strings"
	"sync"

	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
)

// failures counts what failed, besides what the present loops count. A counter must not go down, so what a
// loop has counted stays when the loop ends.
type failures struct {
	mu   sync.Mutex
	all  loop.Errors
	last string // "": none but those of loops
}

// count counts a report of a failure, unless a loop has counted it.
func (f *failures) count(r *Report) {
	if r.Kind != Failed || r.counted {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all[reasonOf(r)]++
	f.last = r.Doing + ": " + r.Err.Error()
}

// reasonOf returns what a failure counts as.
func reasonOf(r *Report) loop.Failure {
	switch {
	case errors.Is(r.Err, kafka.ErrTooLarge):
		return loop.RefuseFailed
	case strings.HasPrefix(r.Doing, "cover") || strings.HasPrefix(r.Doing, "commit"):
		return loop.SaveFailed
	}
	return loop.ReadFailed
}

// keep keeps the counts of a loop that ends.
func (f *failures) keep(s *loop.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for what, n := range s.Status.Errors {
		f.all[what] += n
	}
}

// addTo adds the counts to the merged state of the loops.
func (f *failures) addTo(s *loop.State) *loop.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	for what, n := range f.all {
		s.Status.Errors[what] += n
	}
	if f.last != "" {
		s.Status.LastError = f.last
	}
	return s
}
