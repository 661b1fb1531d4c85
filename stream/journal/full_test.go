package journal

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The disk, a small file system of its own, fills up while checkpoints are written.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=512k"); err != nil {
		t.Skip("SKIPPED: no tmpfs to fill:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(root, 0) })
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
