package tail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/lines"
	"dustbuster/stream/tail"
)

// put appends text to a file.
func put(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	must(t, err)
	_, err = io.WriteString(file, text)
	must(t, errors.Join(err, file.Close()))
}

// texts reads the given number of lines. With -1 texts reads until no line comes for a
// while, which does not prove that no line will come.
func texts(t *testing.T, r *tail.Reader, lines int) (all []string, oversized int) {
	t.Helper()
	wait := patience
	if lines < 0 {
		wait = 200 * time.Millisecond
	}
	for len(all) < lines || lines < 0 {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		b, err := r.Read(ctx)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			break
		}
		must(t, err)
		for line := range b.Lines() {
			all = append(all, string(line))
		}
		oversized += b.Oversized
		b.Release()
	}
	return all, oversized
}

func open(t *testing.T, o tail.Options, from []tail.Position) (*tail.Reader, *[]tail.Audit) {
	t.Helper()
	var told []tail.Audit
	o.Audit = func(a tail.Audit) { told = append(told, a) } // examined only after Close
	r, err := tail.Open(o, from)
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r, &told
}

// reads reads as many lines as given and compares. Without lines, reads expects that no line
// comes for a while.
func reads(t *testing.T, r *tail.Reader, lines ...string) {
	t.Helper()
	count := len(lines)
	if count == 0 {
		count = -1
	}
	got, _ := texts(t, r, count)
	want(t, got, lines...)
}

// readsSorted is reads for lines of several logs, whose order is open.
func readsSorted(t *testing.T, r *tail.Reader, lines ...string) {
	t.Helper()
	got, _ := texts(t, r, len(lines))
	want(t, slices.Sorted(slices.Values(got)), lines...)
}

func want(t *testing.T, got []string, all ...string) {
	t.Helper()
	if !slices.Equal(got, all) {
		t.Errorf("got %.200q, want %.200q", got, all)
	}
}

func kinds(told []tail.Audit) (all []string) {
	for _, a := range told {
		all = append(all, fmt.Sprintf("%s %d", a.Kind, a.Bytes))
	}
	return all
}

// A line is delivered when its newline arrives, however the line was written, or when
// its generation is finished.
func TestPartialLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	r, _ := open(t, tail.Quick(path), nil)
	for _, piece := range "one\nt" {
		put(t, path, string(piece))
		time.Sleep(7 * time.Millisecond)
	}
	reads(t, r, "one")
	reads(t, r)
	put(t, path, "wo\r\n\nthr")
	reads(t, r, "two\r", "")
	must(t, os.Rename(path, path+".1"))
	reads(t, r) // longer than Grace, but there is no other file yet
	put(t, path+".1", "ee\nfour")
	put(t, path+"~", "five\nsi")
	must(t, os.Rename(path+"~", path)) // takes its lines along; Grace begins now
	reads(t, r, "three", "five")
	reads(t, r, "four")
	put(t, path+".1", "th\nmore\n") // later than Grace allows
	reads(t, r, "more")
}

func TestOversizedLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	o := tail.Quick(path)
	o.MaxLine = 100
	r, told := open(t, o, nil)
	put(t, path, "one\n"+strings.Repeat("x", 100)+"\n"+strings.Repeat("y", 101)+"\ntwo\n")
	got, over := texts(t, r, 3)
	want(t, got, "one", strings.Repeat("x", 100), "two")
	for range 50 {
		put(t, path, strings.Repeat("z", 20_000))
	}
	put(t, path, "\nthree\n")
	got, more := texts(t, r, 1)
	want(t, got, "three")
	if over+more != 2 {
		t.Errorf("%d oversized", over+more)
	}
	r.Close()
	want(t, kinds(*told), "oversized 102", "oversized 1000001")
	if s := r.Stats(); s.Oversized != 2 || s.Skipped != 1_000_103 {
		t.Errorf("%+v", s)
	}
}

// A crash and copytruncate without O_APPEND leave runs of zero bytes.
func TestNulls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path, "one\ntor\x00"+strings.Repeat("\x00", 99)+"two\nthree\n")
	put(t, path, strings.Repeat("\x00", 8192-117)+"half\nfour\nwith \x00 one\nfive\n")
	r, told := open(t, tail.Quick(path), nil)
	reads(t, r, "one", "two", "three", "four", "five")
	must(t, os.Truncate(path, 0))
	eventually(t, "the truncation is seen", func() bool { return r.Stats().Truncations == 1 })
	reads(t, r)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte("six\nseven\n"), 3<<20+5)
	must(t, err)
	reads(t, r, "six", "seven")
	r.Close()
	if s := r.Stats(); s.NullRuns != 4 || s.Truncations != 1 {
		t.Errorf("%+v %v", s, kinds(*told))
	}
}

func TestShrunk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	r, told := open(t, tail.Quick(path), nil)
	put(t, path, "one\ntwo\nthree\n")
	reads(t, r, "one", "two", "three")
	must(t, os.Truncate(path, 6))
	eventually(t, "the truncation is seen", func() bool { return r.Stats().Truncations == 1 })
	reads(t, r)
	put(t, path, "rest\nfour\n")
	reads(t, r, "four")
	r.Close()
	want(t, kinds(*told), "shrunk 0", "torn 5")
}

func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	packed := tail.GzipOf(t, bytes.Repeat([]byte("a line\n"), 100))
	put(t, path+".2.gz", string(packed[:len(packed)-3]))
	put(t, path+".1", "one\n")
	put(t, path, "two\n")
	r, told := open(t, tail.Quick(path), nil)
	reads(t, r, append(slices.Repeat([]string{"a line"}, 100), "one", "two")...)
	eventually(t, "the damage is seen", func() bool { return r.Stats().Damaged > 0 })
	reads(t, r)
	r.Close()
	if s := r.Stats(); s.Damaged != 1 || len(*told) != 1 || (*told)[0].Kind != tail.Damaged {
		t.Errorf("%+v %+v", s, *told)
	}
}

// An unreadable file is reported once, and is read as soon as reading works.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	must(t, os.Symlink(path, path)) // root would pass any check of permissions
	r, _ := open(t, tail.Quick(path), nil)
	reads(t, r)
	must(t, os.Remove(path))
	put(t, path, "one\n")
	reads(t, r, "one")
}

// A rotated generation in an unsupported packing is reported with a remedy, and its
// bytes are not read as lines.
func TestPackingThatIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path, "two\n")
	put(t, path+".1.xz", "\xfd7zXZ\x00\x00\x04 and so on\n")
	r, told := open(t, tail.Quick(path), nil)
	reads(t, r, "two")
	must(t, r.Close())
	var packed *lines.PackingError
	if len(*told) != 1 || (*told)[0].Kind != tail.Unreadable || !errors.As((*told)[0].Err, &packed) || packed.Unpack != "xz -dc" {
		t.Errorf("%+v", *told)
	}
}

func TestDirectoryVanishesAndComesBack(t *testing.T) {
	for _, notify := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "log")
		path := filepath.Join(dir, "access.log")
		o := tail.Quick(path)
		o.NoNotify = !notify
		r, _ := open(t, o, nil)
		reads(t, r)
		for i := range 3 {
			must(t, os.Mkdir(dir, 0o700))
			put(t, path, fmt.Sprintf("%d: one\n", i))
			reads(t, r, fmt.Sprintf("%d: one", i))
			put(t, path, "last") // never with its newline
			must(t, os.Rename(dir, dir+"~"))
			put(t, filepath.Join(dir+"~", "access.log"), " one\n")
			reads(t, r, "last one")
			must(t, os.RemoveAll(dir+"~"))
		}
		r.Close()
	}
}

func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.log")
	put(t, a, "a1\n")
	put(t, a+".1", "a0\n")
	put(t, filepath.Join(dir, "c.txt"), "no\n")
	r, _ := open(t, tail.Quick(filepath.Join(dir, "*.log*")), nil)
	reads(t, r, "a0", "a1")
	put(t, b, "b1\n")
	reads(t, r, "b1")
	must(t, os.Rename(b, filepath.Join(dir, "d.log")))
	put(t, filepath.Join(dir, "d.log"), "b2\n")
	reads(t, r, "b2")
	if _, err := tail.Open(tail.Quick("a[.log"), nil); err == nil {
		t.Error("no error for a bad pattern")
	}
}

// The clock decides only one thing about the output: Grace decides when a last line
// without newline counts as a line.
func TestGraceInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "access.log")
		put(t, path, "one\nlast")
		o := tail.Quick(path)
		o.Poll, o.Grace = time.Minute, time.Hour
		r, _ := open(t, o, nil)
		begun := time.Now()
		read := func(text string, least, most time.Duration) {
			t.Helper()
			b, err := r.Read(t.Context())
			must(t, err)
			defer b.Release()
			if took := time.Since(begun); string(b.Data) != text || took < least || took > most {
				t.Errorf("%q after %v", b.Data, took)
			}
		}
		read("one\n", 0, time.Second)
		must(t, os.Rename(path, path+".1"))
		put(t, path, "new\n")
		read("new\n", 0, 2*time.Minute)
		read("last", time.Hour, time.Hour+4*time.Minute)
		r.Close()
	})
}

// A renaming can hide a file from one poll, and the poll may come late. Lines already
// read are not read again.
func TestOneLookMissesAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "access.log")
		put(t, path, "one\n")
		o := tail.Quick(path)
		o.Poll, o.Grace = time.Hour, time.Minute
		r, _ := open(t, o, nil)
		reads(t, r, "one")
		time.Sleep(o.Poll / 2) // between two polls
		move := func(from, to string) {
			t.Helper()
			synctest.Wait()
			must(t, os.Rename(from, to))
		}
		move(path, path+".1")
		put(t, path, "two\n")
		time.Sleep(3 * o.Poll)
		reads(t, r, "two")
		if s := r.Stats(); s.Following != 1 { // the old generation is finished and closed
			t.Fatalf("%+v", s)
		}
		move(path+".1", path+"~")
		time.Sleep(o.Poll)
		move(path+"~", path+".1")
		time.Sleep(3 * o.Poll)
		reads(t, r)
		r.Close()
	})
}

func TestCaughtUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	put(t, path+".1.gz", string(tail.GzipOf(t, []byte("one\n"))))
	put(t, path, "two\nopen")
	r, _ := open(t, tail.Quick(path), nil)
	reads(t, r, "one", "two")
	select {
	case <-r.CaughtUp():
		t.Error("caught up before Read was called again")
	default:
	}
	eventually(t, "all that was there is read", func() bool {
		reads(t, r)
		select {
		case <-r.CaughtUp():
			return true
		default:
			return false
		}
	})
}

func TestNothingIsLeftRunning(t *testing.T) {
	dir := t.TempDir()
	once := func(i int) {
		path := filepath.Join(dir, fmt.Sprint(i%3), "access.log")
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		put(t, path, "one\n")
		o := tail.Quick(path, filepath.Join(dir, "*", "*.log"))
		o.NoNotify = i%4 == 0
		r, err := tail.Open(o, nil)
		must(t, err)
		texts(t, r, 1)
		r.Close()
		if _, err := r.Read(t.Context()); !errors.Is(err, tail.ErrClosed) {
			t.Error(err)
		}
	}
	once(1)
	before, files := runtime.NumGoroutine(), descriptors(t)
	for i := range 100 {
		once(i)
	}
	eventually(t, fmt.Sprintf("%d goroutines as before", before), func() bool { return runtime.NumGoroutine() <= before })
	eventually(t, fmt.Sprintf("%d descriptors as before", files), func() bool { return descriptors(t) <= files })
}

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("SKIPPED: no /proc to count descriptors in")
	}
	return len(names)
}

// A consumer that holds all batches stops the reading, but not the polling.
func TestSlowConsumer(t *testing.T) {
	w := newWorld(t)
	w.reopen()
	w.write(1000)
	o := tail.Quick(w.path)
	o.Batches, o.BatchSize = 1, 2000
	r, _ := open(t, o, nil)
	b, err := r.Read(t.Context())
	must(t, err)
	for range 5 { // each file is gone forever before the consumer continues
		w.check(os.Remove(w.path))
		w.reopen()
		w.write(10)
		(&consumer{t: t, reader: r}).awaitFile(w.path)
	}
	lines := 0
	for range b.Lines() {
		lines++
	}
	b.Release()
	got, _ := texts(t, r, 1050-lines)
	if lines+len(got) != 1050 {
		t.Errorf("%d lines", lines+len(got))
	}
	r.Close()
	r.Close()
}
