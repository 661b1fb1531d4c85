package tail_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/tail"
)

// A directory stands for its logs, including logs that appear later. Rotated files are
// read as rotated generations.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put(t, in("access.log.1"), "one\n")
	put(t, in("access.log"), "two\n")
	put(t, in("shop.access.log"), "shop\n")
	put(t, in("error.log"), "no\n")
	put(t, in("readme.txt"), "no\n")
	put(t, in(".hidden.log"), "no\n")
	r, told := open(t, tail.Quick(dir), nil)
	readsSorted(t, r, "one", "shop", "two")
	put(t, in("late-access.log"), "late\n")
	put(t, in("access.log"), "three\n")
	readsSorted(t, r, "late", "three")
	must(t, os.Rename(in("access.log"), in("access.log.0")))
	put(t, in("access.log"), "four\n")
	reads(t, r, "four")
	reads(t, r)
	positions := r.Positions(map[uint64]int64{})
	if !slices.ContainsFunc(positions, func(p tail.Position) bool { return p.Path == in("shop.access.log") }) || !tail.Follows([]string{dir + "/"}, in("shop.access.log")) {
		t.Errorf("positions %+v", positions)
	}
	_ = r.Close()
	want(t, kinds(*told))
}

// A file reached by several paths is read once.
func TestOneFileUnderSeveralPaths(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put(t, in("access.log"), "one\n")
	must(t, os.Symlink(in("access.log"), in("soft.log")))
	must(t, os.Link(in("access.log"), in("hard.log")))
	paths := []string{in("access.log"), in("soft.log"), in("hard.log"), in("*.log"), dir, in("../" + filepath.Base(dir) + "/access.log")}
	r, _ := open(t, tail.Quick(paths...), nil)
	reads(t, r, "one")
	put(t, in("access.log"), "two\n")
	reads(t, r, "two")
	must(t, os.Rename(in("access.log"), in("access.log.1")))
	put(t, in("access.log"), "three\n")
	reads(t, r, "three")
	reads(t, r)
}

// A Reader leaves alone the files of a Reader with precedence, whatever the path, and
// drops the positions of these files.
func TestOthers(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"access.log", "access.log.1", "shop.log", "own.log"} {
		put(t, in(name), name+"\n")
	}
	must(t, os.Symlink(in("access.log"), in("soft.log")))
	must(t, os.Link(in("shop.log"), in("hard.log")))
	o := tail.Quick(in("*.log"))
	o.Others = []string{in("access.log"), in("shop*"), in("none.log")}
	r, _ := open(t, o, []tail.Position{{Path: in("shop.log"), File: in("shop.log"), HeadLen: 3}, {Path: "/elsewhere", HeadLen: 3}})
	reads(t, r, "own.log")
	reads(t, r)
	for _, p := range r.Positions(nil) {
		if p.Path != in("own.log") && p.Path != "/elsewhere" {
			t.Errorf("the position of %s is kept", p.Path)
		}
	}
}

// A path that turns out not to be a file is reported.
func TestNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	r, told := open(t, tail.Quick(path), nil)
	reads(t, r)
	expect.FIFO(t, path)
	eventually(t, "an error", func() bool { return r.Stats().Errors > 0 })
	_ = r.Close()
	want(t, kinds(*told), "unreadable 0")
}

// Plesk appends a log to another file and empties the log. The other file is read up to
// its end at the start. Later additions are not read, because the log delivered their
// lines.
func TestPlesk(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	put(t, in("access_ssl_log.processed.1"), "one\n")
	put(t, in("access_ssl_log.processed"), "two\n")
	put(t, in("access_ssl_log"), "three\n")
	put(t, in("access_ssl_log.webstat"), "three\n")
	put(t, in("access_log"), "plain\n")
	r, _ := open(t, tail.Quick(dir), nil)
	readsSorted(t, r, "one", "plain", "three", "two")
	gather := func(log, text string) {
		t.Helper()
		time.Sleep(300 * time.Millisecond) // longer than Grace: Plesk does this once a day
		put(t, in(log+".processed"), text)
		must(t, os.Truncate(in(log), 0))
	}
	gather("access_ssl_log", "three\n")
	gather("access_log", "plain\n") // the first time, the file is a copy
	put(t, in("access_ssl_log"), "four\n")
	put(t, in("access_log"), "more\n")
	readsSorted(t, r, "four", "more")
	gather("access_log", "more\n")
	put(t, in("access_log"), "last\n")
	reads(t, r, "last")
	reads(t, r)
}
