package expect

import (
	"bytes"
	"sync"
)

// Output is what a program writes. It may be read while it is written, by any goroutine.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends what a program writes.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns what was written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
