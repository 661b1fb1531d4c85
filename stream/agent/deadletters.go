package agent

import (
	"bytes"
	"sync"

	"dustbuster/stream/kafka"
)

// deadLetters are the unparsed lines to be sent. The parsing goroutine adds letters before the
// batch of their lines is read. So its reader finds them here.
type deadLetters struct {
	mu    sync.Mutex
	list  []kafka.Record
	bytes int
}

// Malformed takes a line that cannot be parsed. Malformed has the signature of
// records.Options.Malformed.
func (a *Agent) Malformed(path string, line []byte, err error) {
	a.o.Malformed(path, line, err)
	if a.o.DeadLetters == "" {
		return
	}
	a.deadLetters.add(kafka.Record{
		Value: cut(a.o.Mask(line)),
		Headers: []kafka.Header{
			{Key: "source", Value: []byte(path)},
			{Key: "error", Value: cut(a.o.Mask([]byte(err.Error())))},
		},
	})
}

// cut copies the beginning of a text. A text refused by brokers would stop the agent.
func cut(text []byte) []byte { return bytes.Clone(text[:min(len(text), maxLetter)]) }

// maxLetter is the most bytes of a line that are sent.
const maxLetter = 64 << 10

func (l *deadLetters) add(r kafka.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, r)
	l.bytes += letterBytes + len(r.Value)
}

// letterBytes is the approximate size of a letter beside its value.
const letterBytes = 256

// drain empties the list, and returns its letters.
func (l *deadLetters) drain() []kafka.Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list, l.bytes = nil, 0
	return list
}

func (l *deadLetters) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}
