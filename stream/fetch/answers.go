package fetch

import (
	"math"
	"sync"

	"dustbuster/stream/recent"
)

// answers are the answers used last, within a bound of their bytes. Any goroutine may use them.
type answers struct {
	mu   sync.Mutex
	used *recent.Map[string, *answer] // by URL
}

func newAnswers(most int64) *answers {
	return &answers{used: recent.New(math.MaxInt, most, func(url string, got *answer) int64 { return got.bytes(url) })}
}

// Get returns the answer at a URL.
func (a *answers) Get(url string) (*answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used.Get(url)
}

// Add keeps an answer in place of the one before.
func (a *answers) Add(url string, got *answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used.Add(url, got)
}

// Remove drops the answer at a URL.
func (a *answers) Remove(url string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used.Remove(url)
}

// Sized is a digest that knows how much memory it takes.
type Sized interface {
	Bytes() int64
}

// answerBytes is the memory of an answer, beside its texts and its digest.
const answerBytes = 600

// bytes returns the memory of an answer at a URL, about.
func (a *answer) bytes(url string) int64 {
	n := answerBytes + int64(2*len(url)+len(a.location)+len(a.etag)+len(a.modified)+len(a.ContentType)+len(a.Canonical))
	switch c := a.Content.(type) {
	case Sized:
		n += c.Bytes()
	case []byte:
		n += int64(len(c))
	}
	return n
}
