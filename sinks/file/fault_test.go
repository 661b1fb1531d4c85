package file

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
)

// faulty is the disk with faults.
type faulty struct {
	disk
	fail func(op, name string) error // called before each step; nil: continue

	mu    sync.Mutex
	space int  // bytes that still fit; -1: unlimited
	short bool // an oversized write writes the bytes that fit
	steps []string
}

func newFaulty() *faulty { return &faulty{space: -1, short: true} }

func (f *faulty) step(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.steps = append(f.steps, op+" "+filepath.Base(path))
	if f.fail == nil {
		return nil
	}
	return f.fail(op, filepath.Base(path))
}

func (f *faulty) setSpace(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.space = bytes
}

// take takes bytes of the space, as far as there are any.
func (f *faulty) take(bytes int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.space < 0 {
		return bytes
	}
	n := min(bytes, f.space)
	if n < bytes && !f.short {
		n = 0
	}
	f.space -= n
	return n
}

func (f *faulty) open(path string, flag int) (handle, error) {
	op := "read"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	if err := f.step(op, path); err != nil {
		return nil, err
	}
	h, err := f.disk.open(path, flag)
	if err != nil {
		return nil, err
	}
	return faultyHandle{h, f, path}, nil
}

func (f *faulty) rename(from, to string) error {
	if err := f.step("rename", from); err != nil {
		return err
	}
	return f.disk.rename(from, to)
}

func (f *faulty) syncDir(dir string) error {
	if err := f.step("syncdir", dir); err != nil {
		return err
	}
	return f.disk.syncDir(dir)
}

type faultyHandle struct {
	handle
	f    *faulty
	path string
}

func (h faultyHandle) Write(p []byte) (int, error) {
	if err := h.f.step("write", h.path); err != nil {
		return 0, err
	}
	n := h.f.take(len(p))
	if n > 0 {
		if _, err := h.handle.Write(p[:n]); err != nil {
			return 0, err
		}
	}
	if n < len(p) {
		return n, &os.PathError{Op: "write", Path: h.path, Err: syscall.ENOSPC}
	}
	return n, nil
}

func (h faultyHandle) Sync() error {
	if err := h.f.step("sync", h.path); err != nil {
		return err
	}
	return nil // power cuts are not tested here
}

// once fails the nth occurrence of a step, counted from 1.
func once(op, name string, nth int) func(string, string) error {
	return func(o, n string) error {
		if o != op || n != name {
			return nil
		}
		if nth--; nth != 0 {
			return nil
		}
		return fmt.Errorf("%s %s: %w", op, name, syscall.EIO)
	}
}

// quick retries at once, and records the failures.
func quick(failures *[]error) Retry {
	return Retry{First: time.Nanosecond, Most: time.Nanosecond, Report: func(err error, _ time.Duration) {
		*failures = append(*failures, err)
	}}
}

// likely returns the nth of many different rules.
func likely(n int) rule.Likely {
	return rule.Likely{Site: "www.example.org", Rule: rule.Rule{Edit: rule.Substring{From: fmt.Sprintf("/story?id=%d", n), To: "/story"}}, Support: 3, SupportHigh: 4}
}

func rulesTo(n int) (all []rule.Likely) {
	for i := range n {
		all = append(all, likely(i))
	}
	return all
}

// published returns the list that a daemon publishes of the rules of a site.
func published(rules []rule.Likely) jsonl.List {
	return jsonl.Lists([]rule.List{{Site: "www.example.org", Rules: rules}})
}

// eventsTo returns the events numbered from, up to but not including to.
func eventsTo(from, to int) (all []event.Event) {
	for i := from; i < to; i++ {
		all = append(all, event.Event{Kind: event.Likely, Site: "www.example.org", Rule: likely(i)})
	}
	return all
}

func linesOf(t *testing.T, events []event.Event) string {
	t.Helper()
	var b []byte
	for i := range events {
		var err error
		if b, err = event.Append(b, &events[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(b)
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// must ends a test at an error.
var must = expect.NoError
