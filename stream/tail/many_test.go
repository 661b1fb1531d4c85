package tail_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/stream/tail"
)

// crowd is many logs in one directory, and their reader.
type crowd struct {
	dir   string
	count int
}

func newCrowd(t *testing.T, count int) *crowd {
	c := &crowd{t.TempDir(), count}
	for i := range count {
		put(t, c.path(i), strings.Repeat(fmt.Sprintf("log %d\n", i), 10))
	}
	return c
}

func (c *crowd) path(i int) string {
	return filepath.Join(c.dir, fmt.Sprintf("host%05d.access.log", i))
}

// readLines reads lines until there are count.
func readLines(t *testing.T, r *tail.Reader, count int) {
	t.Helper()
	for count > 0 {
		b, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range b.Lines() {
			count--
		}
		b.Release()
	}
	if count < 0 {
		t.Fatalf("%d lines too many", -count)
	}
}

// used returns the processor time that a function takes in this process.
func used(t *testing.T, of func()) time.Duration {
	t.Helper()
	user, system := expect.CPUTime(t)
	of()
	userAfter, systemAfter := expect.CPUTime(t)
	return userAfter + systemAfter - user - system
}

// farBeyond is ten times what the race detector makes of it, and far less than work that grows with the square of the
// logs: what it takes is logged, and not asserted.
const farBeyond = 2 * time.Minute

// Ten thousand logs in one directory are read, followed and rotated. The work grows with the logs
// that are there, not with their square, and an idle reader takes no part of a core.
func TestManyLogs(t *testing.T) {
	c := newCrowd(t, 10_000)
	o := tail.Options{Paths: []string{c.dir}}
	r, _ := open(t, o, nil)
	ready := used(t, func() { readLines(t, r, 10*c.count) })
	t.Logf("%d logs read after %v of processor time", c.count, ready)
	if ready > farBeyond {
		t.Errorf("%v of processor time until %d logs are read", ready, c.count)
	}
	time.Sleep(time.Second) // the reader learns what a look costs
	const rest = 5 * time.Second
	idle := used(t, func() { time.Sleep(rest) })
	t.Logf("idle: %.2f%% of a core", 100*idle.Seconds()/rest.Seconds())
	if idle > rest/2 {
		t.Errorf("%v of processor time in %v without a line", idle, rest)
	}
	for _, i := range []int{0, 17, c.count - 1} {
		put(t, c.path(i), "more\n")
		must(t, os.Rename(c.path(i), c.path(i)+".1"))
		put(t, c.path(i), "new\n")
	}
	readLines(t, r, 6)
	if n := len(r.Inputs()); n != c.count {
		t.Errorf("%d inputs, want %d", n, c.count)
	}
}

// A hundred hosts keep a year of weekly rotations. Nothing is read of them twice, and an idle
// reader takes no part of a core.
func TestManyRotations(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for host := range 100 {
		path := filepath.Join(dir, fmt.Sprintf("host%d", host), "access.log")
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		put(t, path, fmt.Sprintf("host %d now\n", host))
		for n := 1; n <= 52; n++ {
			put(t, fmt.Sprintf("%s.%d", path, n), fmt.Sprintf("host %d, week %d\n", host, n))
		}
		paths = append(paths, path)
	}
	r, _ := open(t, tail.Options{Paths: paths, Grace: 100 * time.Millisecond}, nil)
	ready := used(t, func() { readLines(t, r, 100*53) })
	t.Logf("read after %v of processor time", ready)
	if ready > farBeyond {
		t.Errorf("%v of processor time until all are read", ready)
	}
	time.Sleep(time.Second)
	const rest = 5 * time.Second
	idle := used(t, func() { time.Sleep(rest) })
	t.Logf("idle: %.2f%% of a core", 100*idle.Seconds()/rest.Seconds())
	if idle > rest/2 {
		t.Errorf("%v of processor time in %v without a line", idle, rest)
	}
	put(t, paths[99], "more\n")
	readLines(t, r, 1)
}
