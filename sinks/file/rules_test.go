package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
)

func listOf(t *testing.T, rules []rule.Likely) string {
	t.Helper()
	var b bytes.Buffer
	must(t, jsonl.Write(&b, rules))
	return b.String()
}

func newRules(t *testing.T, files fileSystem, failures *[]error) *Rules {
	t.Helper()
	r, err := NewRules(filepath.Join(t.TempDir(), "rules.jsonl"), quick(failures))
	must(t, err)
	r.fs = files
	return r
}

// The file holds every published list unchanged, and a new file is written only for a
// different list.
func TestPublish(t *testing.T) {
	files := newFaulty()
	r := newRules(t, files, new([]error))
	many := rulesTo(3000) // more than a buffer
	for i, c := range []struct {
		rules   []rule.Likely
		written bool
	}{
		{nil, true}, {nil, false}, {rulesTo(2), true}, {rulesTo(2), false}, {rulesTo(1), true}, {rulesTo(3), true},
		{many, true}, {many, false}, {many[:2999], true}, {many, true}, {many[1:], true}, {nil, true},
	} {
		files.steps = nil
		err := r.Publish(t.Context(), published(c.rules))
		written := slices.Contains(files.steps, "rename rules.jsonl.tmp")
		if got := contents(t, r.path); err != nil || written != c.written || got != listOf(t, c.rules) {
			t.Errorf("%d: %v, written %v, want %v; %d bytes", i, err, written, c.written, len(got))
		}
		if written && !slices.Equal(files.steps[len(files.steps)-3:], []string{"sync rules.jsonl.tmp", "rename rules.jsonl.tmp", "syncdir " + filepath.Base(filepath.Dir(r.path))}) {
			t.Errorf("%d: steps %q", i, files.steps)
		}
	}
	if got := names(t, filepath.Dir(r.path)); !slices.Equal(got, []string{"rules.jsonl"}) {
		t.Errorf("left %q", got)
	}
}

// Whichever step fails, however often, the file holds the old list or the new list, and
// the new list in the end.
func TestPublishFaults(t *testing.T) {
	for _, c := range []struct{ op, name string }{
		{"create", "rules.jsonl.tmp"}, {"write", "rules.jsonl.tmp"}, {"sync", "rules.jsonl.tmp"},
		{"rename", "rules.jsonl.tmp"}, {"syncdir", ""},
	} {
		files, failures := newFaulty(), []error{}
		r := newRules(t, files, &failures)
		must(t, r.Publish(t.Context(), published(rulesTo(5))))
		was, will := listOf(t, rulesTo(5)), listOf(t, rulesTo(9))
		left := 3
		files.fail = func(op, name string) error {
			if got := contents(t, r.path); got != was && got != will {
				t.Errorf("%s fails: before %s %s the file holds %q", c.op, op, name, got)
			}
			if op != c.op || c.name != "" && name != c.name || left == 0 {
				return nil
			}
			left--
			return syscall.EIO
		}
		if err := r.Publish(t.Context(), published(rulesTo(9))); err != nil || len(failures) != 3 || left > 0 {
			t.Errorf("%s fails: %v, reported %v", c.op, err, failures)
		}
		if got := contents(t, r.path); got != will {
			t.Errorf("%s fails: the file holds %q", c.op, got)
		}
		if got := names(t, filepath.Dir(r.path)); len(got) != 1 {
			t.Errorf("%s fails: left %q", c.op, got)
		}
	}
}

// On a full disk the old list stays, and the space of the new list is freed.
func TestPublishDiskFull(t *testing.T) {
	for _, short := range []bool{false, true} {
		files, failures := newFaulty(), []error{}
		r := newRules(t, files, &failures)
		must(t, r.Publish(t.Context(), published(rulesTo(1))))
		files.space, files.short = 100, short
		ctx, cancel := context.WithCancel(t.Context())
		r.retry.Report = func(err error, _ time.Duration) {
			if failures = append(failures, err); len(failures) == 3 {
				cancel()
			}
		}
		err := r.Publish(ctx, published(rulesTo(2)))
		if !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, context.Canceled) || len(failures) < 3 {
			t.Errorf("%v, reported %d", err, len(failures))
		}
		if got := contents(t, r.path); got != listOf(t, rulesTo(1)) {
			t.Errorf("the file holds %q", got)
		}
		if got := names(t, filepath.Dir(r.path)); len(got) != 1 {
			t.Errorf("left %q", got)
		}
		files.setSpace(-1)
		if err := r.Publish(t.Context(), published(rulesTo(2))); err != nil || contents(t, r.path) != listOf(t, rulesTo(2)) {
			t.Errorf("with space again: %v", err)
		}
	}
}

// A file beside the list, left by a crash or put there by another user, does not
// matter.
func TestPublishOverLeftovers(t *testing.T) {
	r := newRules(t, disk{}, new([]error))
	victim := expect.File(t, "victim", "mine")
	for _, c := range []struct {
		name  string
		leave func(path string) error
	}{
		{"half a list", func(path string) error { return os.WriteFile(path, []byte(`{"site":`), 0o600) }},
		{"a link", func(path string) error { return os.Symlink(victim, path) }},
	} {
		must(t, c.leave(r.path+".tmp"))
		rules := rulesTo(len(c.name))
		if err := r.Publish(t.Context(), published(rules)); err != nil || contents(t, r.path) != listOf(t, rules) || contents(t, victim) != "mine" {
			t.Errorf("%s: %v, victim %q", c.name, err, contents(t, victim))
		}
	}
}

func TestNewRulesRefuses(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	must(t, os.WriteFile(plain, nil, 0o600))
	for _, c := range []struct{ path, want string }{
		{os.DevNull, "not a regular file"},
		{dir, "not a regular file"},
		{filepath.Join(dir, "none", "rules"), "no such file or directory"},
		{filepath.Join(plain, "rules"), "not a directory"},
		{plain, ""},
		{filepath.Join(dir, "new"), ""},
	} {
		_, err := NewRules(c.path, Retry{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
}

// A reader always finds one complete list, also if several goroutines publish.
func TestPublishConcurrently(t *testing.T) {
	r := newRules(t, disk{}, new([]error))
	valid := map[string]bool{}
	for i := range 4 {
		valid[listOf(t, rulesTo(1+100*i))] = true
	}
	must(t, r.Publish(t.Context(), published(rulesTo(1))))
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 20 {
				if err := r.Publish(context.Background(), published(rulesTo(1+100*i))); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 50 {
				if b, err := os.ReadFile(r.path); err != nil || !valid[string(b)] {
					t.Errorf("read %d bytes, %v", len(b), err)
				}
			}
		})
	}
	all.Wait()
	must(t, r.Close())
	if err := r.Publish(t.Context(), nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("published after Close: %v", err)
	}
}

func ExampleRules() {
	dir, err := os.MkdirTemp("", "rules")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	rules, err := NewRules(filepath.Join(dir, "rules.jsonl"), Retry{})
	if err != nil {
		return
	}
	if err := rules.Publish(context.Background(), published(rulesTo(1))); err != nil {
		return
	}
	list, _ := os.ReadFile(filepath.Join(dir, "rules.jsonl"))
	fmt.Print(string(list))
	// Output: {"schema":2,"site":"www.example.org","kind":"substring","alpha":"/story?id=0","beta":"/story","at_start":false,"at_end":false,"scope":{},"support":3,"support_high":4}
}
