package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"dustbuster/internal/expect"
)

// TestFsyncError expects a new file after a failed fsync, because the next fsync would
// succeed without writing the pages that the first fsync gave up.
func TestFsyncError(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	must(t, j.Save(lines(0, 5)))
	m.fault = func(_ int, name string) fault {
		if name == "sync journal" {
			return fail
		}
		return none
	}
	if err := j.Save(lines(5, 9)); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	m.fault, m.note = nil, true
	must(t, j.Save(lines(5, 12)))
	want := []string{
		"create journal.new", "write journal.new", "write journal.new", "sync journal.new", "rename journal.new", "syncdir state",
		"write journal.ack", "write journal", "sync journal", "write journal.ack",
	}
	if !slices.Equal(m.seen, want) {
		t.Errorf("steps %q", m.seen)
	}
	m.seen = nil
	if err := errors.Join(j.Save(lines(12, 13)), j.Close()); err != nil || slices.Contains(m.seen, "create journal.new") {
		t.Error("copied again", err)
	}
	s := newState()
	for _, e := range reload(t, m) {
		s.fold(&e)
	}
	if s.sum() != sums(13) {
		t.Error("wrong contents")
	}
}

// The disk kept the first sectors of a checkpoint and the last sectors of an earlier
// attempt. The two must not combine to a valid checkpoint.
func TestLeftoverFrames(t *testing.T) {
	m := newMemFS(1)
	attempt := func(verdict string) (size int64, file []byte) {
		j, err := Open(Options{Dir: dir, FS: m})
		must(t, err)
		defer j.Close()
		must(t, load(j, func(*Entry) {}))
		j.enc.target = 1
		size, _ = j.Size()
		must(t, j.Save(slices.Values([]Entry{{kindValue, "a", []byte(verdict)}, {kindValue, "b", []byte(verdict)}})))
		return size, slices.Clone(m.names[dir+"/"+journalName].cache)
	}
	_, old := attempt("before")
	_, first := attempt("first")
	m.put(dir+"/"+journalName, old)
	delete(m.names, dir+"/"+ackName)
	size, second := attempt("other")
	if len(first) != len(second) {
		t.Fatal(len(first), len(second))
	}
	// A copy differs from the old file only in its header. The frames are the same.
	middle := (size + int64(len(first))) / 2
	m.put(dir+"/"+journalName, slices.Concat(second[:middle], first[middle:]))
	delete(m.names, dir+"/"+ackName)
	same(t, reload(t, m), []Entry{{kindValue, "a", []byte("before")}, {kindValue, "b", []byte("before")}})
}

// The disk, a small file system of its own, fills up while checkpoints are written.
func TestFullDisk(t *testing.T) {
	root := expect.Tmpfs(t, "512k")
	ballast := filepath.Join(root, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 300<<10), 0o600))
	state := filepath.Join(root, "state")
	j := open(t, Options{Dir: state})
	saved, refused, at := 0, 0, 0
	for refused < 5 {
		at += 100
		switch err := j.Save(lines(saved, at)); {
		case err == nil:
			saved = at
		case errors.Is(err, syscall.ENOSPC):
			refused++
			if err := j.Compact(lines(0, at)); !errors.Is(err, syscall.ENOSPC) {
				t.Fatal("compacting on a full disk:", err)
			}
		default:
			t.Fatal(err)
		}
	}
	if saved == 0 {
		t.Fatal("nothing fits")
	}
	check := func(want int) {
		t.Helper()
		j, err := Open(Options{Dir: state})
		must(t, err)
		s := newState()
		must(t, load(j, s.fold))
		if s.position != want || s.sum() != sums(want) || j.Found().Torn != 0 {
			t.Errorf("position %d, want %d; found %+v", s.position, want, j.Found())
		}
		j.Close()
	}
	j.Close()
	check(saved)
	j = open(t, Options{Dir: state})
	if err := j.Save(lines(saved, at)); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, os.Remove(ballast))
	if err := j.Save(lines(saved, at)); err != nil {
		t.Fatal("there is room again:", err)
	}
	j.Close()
	check(at)
	t.Logf("full after %d lines, %d times refused", saved, refused)
}
