package cli

import (
	"io/fs"
	"regexp"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Retried returns the error, for the log, of something that is tried again. The log has one
// line a minute for each cause of such errors: see repeats.
func Retried(err error) zap.Field { return zap.Error(retriedError{Advised(err)}) }

type retriedError struct{ error }

func (e retriedError) Unwrap() error { return e.error }

// repeats is a core that limits the lines with the error of Retried. The first line of a
// cause is written at once. The lines of the next minute are counted, and at the minute's end
// the last of them is written, with the count (times) and its own time (last). All other lines
// are written.
type repeats struct {
	zapcore.Core
	causes *causes
}

func newRepeats(core zapcore.Core) zapcore.Core {
	return repeats{core, &causes{held: map[string]*held{}}}
}

func (r repeats) With(fields []zap.Field) zapcore.Core {
	return repeats{r.Core.With(fields), r.causes}
}

// Check adds the core to an entry that is to be logged.
func (r repeats) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if r.Enabled(e.Level) {
		return to.AddCore(e, r)
	}
	return to
}

// Write writes or counts a line.
func (r repeats) Write(e zapcore.Entry, fields []zap.Field) error {
	i := slices.IndexFunc(fields, func(f zap.Field) bool { _, ok := f.Interface.(retriedError); return ok })
	if i >= 0 && r.causes.hold(fields[i].Interface.(error), line{r.Core, e, fields}) {
		return nil
	}
	return r.Core.Write(e, fields)
}

// Sync writes the counted lines.
func (r repeats) Sync() error {
	r.causes.tellAll()
	return r.Core.Sync()
}

type line struct {
	core   zapcore.Core
	entry  zapcore.Entry
	fields []zap.Field
}

// causes are the causes that have had a line within the last minute. Any goroutine may use
// them.
type causes struct {
	mu   sync.Mutex
	held map[string]*held
}

// held is the last line of a cause that was not written.
type held struct {
	line
	times int // lines not written
}

const (
	repeatEvery = time.Minute
	mostCauses  = 100 // at a time; all further causes count as one
)

// hold reports whether a line is to be counted instead of written.
func (c *causes) hold(err error, l line) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := l.entry.Message + "\n" + various.ReplaceAllString(root(err).Error(), "")
	if c.held[key] == nil && len(c.held) >= mostCauses {
		key = ""
	}
	if h := c.held[key]; h != nil {
		h.line, h.times = l, h.times+1
		return true
	}
	c.begin(key)
	return false
}

func (c *causes) begin(key string) {
	c.held[key] = &held{}
	time.AfterFunc(repeatEvery, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.held[key].tell() {
			c.begin(key)
		} else {
			delete(c.held, key)
		}
	})
}

func (c *causes) tellAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.held {
		h.tell()
	}
}

// tell writes the held line, and reports whether there was one.
func (h *held) tell() bool {
	if h.times == 0 {
		return false
	}
	fields := append(slices.Clone(h.fields), zap.Int("times", h.times), zap.Time("last", h.entry.Time))
	h.entry.Time = time.Now()
	_ = h.core.Write(h.entry, fields) // as zap does with lines that cannot be written
	h.times = 0
	return true
}

// various is the part of an error's text that differs from one time to the next: numbers, as
// in offsets and addresses.
var various = regexp.MustCompile(`[0-9]+`)

// root returns the innermost error, the cause. Errors of two files are two causes.
func root(err error) error {
	for {
		var inner []error
		switch e := any(err).(type) { // the error itself, not an error within
		case *fs.PathError:
			return e
		case interface{ Unwrap() error }:
			inner = []error{e.Unwrap()}
		case interface{ Unwrap() []error }:
			inner = e.Unwrap()
		}
		if len(inner) == 0 || inner[len(inner)-1] == nil {
			return err
		}
		err = inner[len(inner)-1]
	}
}
