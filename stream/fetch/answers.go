package fetch

import (
	"math"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// answers are the answers used last, within a bound of their bytes, and one at least. Any goroutine may use them.
type answers struct {
	most int64

	mu    sync.Mutex
	used  *lru.LRU[string, *answer] // by URL
	bytes int64
}

func newAnswers(most int64) (*answers, error) {
	a := &answers{most: most}
	var err error
	a.used, err = lru.NewLRU(math.MaxInt, func(url string, got *answer) { a.bytes -= got.bytes(url) })
	return a, err
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
	a.used.Remove(url)
	a.used.Add(url, got)
	for a.bytes += got.bytes(url); a.bytes > a.most && a.used.Len() > 1; {
		a.used.RemoveOldest()
	}
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
