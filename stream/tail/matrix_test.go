package tail_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"dustbuster/stream/tail"
)

// way is one way of rotating a log. The way runs concurrently with the writer.
type way struct {
	name   string
	rotate func(*world, *consumer)
	begin  func(*world)                // replaces opening the log
	lossy  bool                        // copytruncate: lines that are nowhere on disk may be lost
	ready  bool                        // rotate only after the newest generation has been seen; afterwards no file has its text
	paused bool                        // the writer waits during the rotation
	setup  func(*world, *tail.Options) // before the reader starts
}

var ways = []way{
	{name: "rename and create", rotate: func(w *world, _ *consumer) { w.rotate() }},
	{name: "delayed reopen", rotate: func(w *world, _ *consumer) {
		w.rename()
		file, err := os.OpenFile(w.path, os.O_CREATE, 0o600)
		w.check(err)
		file.Close()
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		w.reopen()
	}},
	{name: "rename without create", rotate: func(w *world, _ *consumer) {
		w.rename()
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		w.reopen()
	}},
	{name: "twice between two looks", rotate: func(w *world, _ *consumer) {
		w.rotate()
		w.write(10)
		w.rotate()
	}},
	{name: "rename and compress", rotate: func(w *world, _ *consumer) {
		w.rotate()
		time.Sleep(5 * time.Millisecond)
		w.compress(w.name(1))
	}},
	{name: "copytruncate", lossy: true, rotate: func(w *world, _ *consumer) { w.copytruncate() }},
	{name: "copytruncate and compress", lossy: true, rotate: func(w *world, _ *consumer) {
		w.copytruncate()
		w.compress(w.name(1))
	}},
	{name: "truncate and regrow", paused: true, rotate: func(w *world, c *consumer) {
		c.await(int(w.written.Load()))
		size, err := w.file.Seek(0, io.SeekEnd)
		w.check(err)
		var more bytes.Buffer
		for more.Len() <= int(size) {
			more.WriteString(numbered(int(w.written.Add(1) - 1)))
		}
		w.check(os.Truncate(w.path, 0))
		_, err = w.file.Write(more.Bytes())
		w.check(err)
	}},
	{name: "symlink switch", ready: true, begin: switchLink, rotate: func(w *world, _ *consumer) { switchLink(w) }},
	{name: "dated symlink", begin: datedLink, rotate: func(w *world, _ *consumer) { datedLink(w) }},
	{name: "delete and recreate", ready: true, rotate: func(w *world, _ *consumer) {
		w.check(os.Remove(w.path))
		w.reopen()
	}},
	{name: "rotation during catch-up", setup: func(w *world, _ *tail.Options) { w.write(*lineCount) },
		rotate: func(w *world, _ *consumer) { w.rotate() }},
	{name: "hard link kept", rotate: func(w *world, _ *consumer) {
		w.shift()
		w.check(os.Link(w.path, w.name(1)))
		time.Sleep(5 * time.Millisecond)
		w.check(os.Remove(w.path))
		w.reopen()
	}},
	{name: "into another folder", setup: func(w *world, o *tail.Options) {
		o.Elsewhere = []string{filepath.Join(w.dir, "old")}
		w.check(os.Mkdir(o.Elsewhere[0], 0o700))
	}, rotate: func(w *world, _ *consumer) {
		for range 2 {
			w.check(os.Rename(w.path, filepath.Join(w.dir, "old", "access.log-"+strconv.FormatInt(time.Now().UnixNano(), 10))))
			w.reopen()
			w.write(5)
		}
	}},
}

func (w *world) copytruncate() {
	w.shift()
	data, err := os.ReadFile(w.path)
	w.check(err)
	w.check(os.WriteFile(w.name(1), data, 0o600))
	time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
	w.check(os.Truncate(w.path, 0))
}

// switchLink makes a new file in another folder and points the link at the file.
func switchLink(w *world) {
	dir, err := os.MkdirTemp(w.dir, "")
	w.check(err)
	w.linkTo(filepath.Join(dir, "current"))
}

func datedLink(w *world) {
	n := 1
	for exists(filepath.Join(w.dir, "access-2024010"+strconv.Itoa(n)+".log")) && n < 9 {
		n++
	}
	w.linkTo(filepath.Join(w.dir, "access-2024010"+strconv.Itoa(n)+".log"))
}

func (w *world) linkTo(target string) {
	file, err := os.OpenFile(target, os.O_CREATE, 0o600)
	w.check(err)
	file.Close()
	w.check(os.Symlink(target, w.path+"~"))
	w.check(os.Rename(w.path+"~", w.path))
	w.reopen()
}

func TestMatrix(t *testing.T) {
	for _, way := range ways {
		for _, notify := range []bool{true, false} {
			name := way.name + map[bool]string{true: "/inotify", false: "/polling"}[notify]
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				runWay(t, way, tail.Options{Poll: 20 * time.Millisecond, NoNotify: !notify, Grace: time.Second, BatchSize: 64 << 10, MaxLine: 1000})
			})
		}
	}
}

// rotations is the number of rotations in a cell of the matrix.
const rotations = 8

func runWay(t *testing.T, way way, o tail.Options) {
	w, c := newWorld(t), newConsumer(t)
	if way.begin != nil {
		way.begin(w)
	} else {
		w.reopen()
	}
	if way.setup != nil {
		way.setup(w, &o)
	}
	o.Paths = []string{w.path}
	c.start(o, nil)
	turn := make(chan struct{}, rotations)
	rotated := make(chan struct{})
	go func() {
		defer close(rotated)
		for range turn {
			if way.ready {
				c.awaitFile(w.path)
			}
			way.rotate(w, c)
			if way.paused {
				rotated <- struct{}{}
			}
		}
	}()
	for range rotations {
		w.write(*lineCount / rotations)
		turn <- struct{}{}
		if way.paused {
			<-rotated
		}
	}
	close(turn)
	<-rotated
	w.write(100)
	all := int(w.written.Load())
	if !way.lossy {
		c.await(all)
		time.Sleep(50 * time.Millisecond) // no more lines may come
		c.expect(all, nil)
	} else {
		onDisk := w.onDisk()
		c.awaitAll(onDisk)
		time.Sleep(50 * time.Millisecond) // no line may come twice
		missed := c.expect(all, func(n int) bool { return !onDisk[n] })
		if missed > 0 {
			t.Logf("%d of %d lines were written while copytruncate ran, and were lost by its nature", missed, all)
		}
	}
	c.stop()
}

// onDisk returns the numbers of the lines in the log and in its copies.
func (w *world) onDisk() map[int]bool {
	all := make(map[int]bool)
	names, err := filepath.Glob(w.path + "*")
	w.check(err)
	for _, name := range names {
		data, err := tail.Text(name)
		w.check(err)
		for line := range bytes.Lines(data) {
			whole, ended := bytes.CutSuffix(line, []byte("\n")) // a copy may end just before the newline
			if n := parseNumbered(whole); n >= 0 && ended {
				all[n] = true
			}
		}
	}
	return all
}
