package tail_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/tail"
)

// over encodes and decodes positions, as a checkpoint does.
func over(t *testing.T, from []tail.Position) (to []tail.Position) {
	t.Helper()
	data, err := json.Marshal(from)
	must(t, err)
	must(t, json.Unmarshal(data, &to))
	return to
}

// downs are the things that can happen to a log while no reader runs.
var downs = []struct {
	name string
	of   func(*world)
}{
	{"nothing", func(*world) {}},
	{"lines", func(w *world) { w.write(50) }},
	{"rename", func(w *world) { w.write(20); w.rotate(); w.write(20) }},
	{"rename without create", func(w *world) { w.write(20); w.rename(); w.write(20) }},
	{"rename, nothing since", func(w *world) { w.rotate() }},
	{"twice", func(w *world) {
		w.rotate()
		w.write(30)
		w.rotate()
		w.write(5)
	}},
	{"compressed", func(w *world) { w.write(20); w.rotate(); w.compress(w.name(1)); w.write(10) }},
	{"compressed, to zstd", func(w *world) {
		w.write(20)
		w.rotate()
		data, err := os.ReadFile(w.name(1))
		w.check(err)
		w.check(os.WriteFile(w.name(1)+".zst", zstdOf(w.t, data), 0o600))
		w.check(os.Remove(w.name(1)))
	}},
	{"thrice and compressed", func(w *world) {
		for range 3 {
			w.write(40)
			w.rotate()
			w.compress(w.name(1))
		}
	}},
	{"the older compressed", func(w *world) {
		if exists(w.name(1)) {
			w.compress(w.name(1))
		}
		w.write(10)
		w.rotate()
	}},
	{"copytruncate", func(w *world) { w.write(20); w.copytruncate(); w.write(30) }},
	{"copytruncate and compress", func(w *world) {
		w.write(20)
		w.copytruncate()
		w.compress(w.name(1))
		w.write(10)
	}},
	{"moved away and back", func(w *world) {
		w.check(os.Rename(w.path, w.path+".tmp"))
		w.write(5)
		w.check(os.Rename(w.path+".tmp", w.path))
	}},
	{"copied in place", func(w *world) { // as editors and some shippers do
		data, err := os.ReadFile(w.path)
		w.check(err)
		w.check(os.WriteFile(w.path+"~", data, 0o600))
		w.check(os.Rename(w.path+"~", w.path))
		w.reopen()
		w.write(10)
	}},
}

// A reader stops at a random moment, with a random part of the lines processed, and
// resumes after a random change of the log. Every line is delivered once.
func TestResume(t *testing.T) {
	for _, down := range downs {
		t.Run(down.name, func(t *testing.T) {
			t.Parallel()
			seeds := uint64(1)
			if *long {
				seeds = 10
			}
			for seed := range seeds {
				resumeOnce(t, down.of, rand.New(rand.NewPCG(seed, 7)))
			}
		})
	}
}

func resumeOnce(t *testing.T, down func(*world), random *rand.Rand) {
	w, c := newWorld(t), newConsumer(t)
	w.reopen()
	w.write(100 + random.IntN(200))
	var from []tail.Position
	var trace []string
	defer func() {
		for _, line := range trace {
			if t.Failed() {
				t.Log(line)
			}
		}
	}()
	for range 4 {
		c.start(tail.Quick(w.path), over(t, from))
		if random.IntN(3) > 0 { // rotated while the reader runs
			w.write(random.IntN(300))
			w.rotate()
		}
		w.write(random.IntN(300))
		trace = append(trace, fmt.Sprint("running: ", w.list()))
		c.await(random.IntN(int(w.written.Load())))
		if random.IntN(2) > 0 {
			time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond) // long enough for some generations to finish
		}
		from = c.stop()
		trace = append(trace, fmt.Sprint("stopped: ", w.list(), brief(from)))
		down(w)
		trace = append(trace, fmt.Sprint("went on: ", w.list()))
	}
	c.start(tail.Quick(w.path), over(t, from))
	c.await(int(w.written.Load()))
	c.stop()
	c.expect(int(w.written.Load()), nil)
}

// After a crash, exactly the lines missing from the checkpoint are delivered again.
func TestResumeFromAnEarlierCheckpoint(t *testing.T) {
	w, c := newWorld(t), newConsumer(t)
	w.reopen()
	w.write(1000)
	c.start(tail.Quick(w.path), nil)
	c.await(1000)
	c.stop()
	var early []tail.Position
	r, err := tail.Open(tail.Quick(w.path), nil)
	must(t, err)
	b, err := r.Read(t.Context())
	must(t, err)
	first := 0
	for range b.Lines() {
		first++
	}
	early = r.Positions(map[uint64]int64{b.File: b.End})
	b.Release()
	if b, err = r.Read(t.Context()); err != nil { // read and not processed
		t.Fatal(err)
	}
	b.Release()
	r.Close()
	again := newConsumer(t)
	again.start(tail.Quick(w.path), over(t, early))
	again.await(1000 - first)
	again.stop()
	again.expect(1000, func(n int) bool { return n < first })
}

// On a first start the rotated generations are read first, the oldest first.
// Generations from before the window are not read, neither then nor later.
func TestFirstStart(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.reopen()
		w.write(10)
		if i < 3 {
			w.rename()
			w.compress(w.name(1))
		}
	}
	old := time.Now().Add(-48 * time.Hour)
	w.check(os.Chtimes(w.name(3)+".gz", old, old))
	o := tail.Quick(w.path)
	o.Window = 24 * time.Hour
	c := newConsumer(t)
	c.start(o, nil)
	c.await(30)
	from := c.stop()
	c.expect(40, func(n int) bool { return n < 10 })
	if len(from) != 4 {
		t.Errorf("%d positions: %+v", len(from), from)
	}
	w.rotate()
	o.Window = 0
	c.start(o, over(t, from))
	w.write(10)
	c.await(40)
	c.stop()
	c.expect(50, func(n int) bool { return n < 10 })
}

// The list of positions is no longer than the list of files.
func TestPositionsAreBounded(t *testing.T) {
	w, c := newWorld(t), newConsumer(t)
	w.reopen()
	o := tail.Quick(w.path)
	o.Grace = 10 * time.Millisecond
	c.start(o, nil)
	for range 20 {
		w.write(10)
		c.await(int(w.written.Load()))
		w.check(os.Rename(w.path, w.name(1)))
		w.reopen()
		c.awaitFile(w.path)
	}
	eventually(t, "at most two positions are left", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.reader.Positions(c.end)) <= 2
	})
	c.stop()
	c.expect(200, nil)
}

// Positions of paths no longer followed are passed on unchanged.
func TestForeignPositions(t *testing.T) {
	w, c := newWorld(t), newConsumer(t)
	w.reopen()
	w.write(10)
	foreign := tail.Position{Path: "/nowhere/else.log", File: "/nowhere/else.log", Inode: 1, HeadLen: 3, Offset: 7}
	c.start(tail.Quick(w.path), []tail.Position{foreign})
	c.await(10)
	if from := c.stop(); len(from) != 2 || from[1] != foreign {
		t.Errorf("%+v", from)
	}
}

// A vanished generation that was not read to its end is reported.
func TestLostWhileDown(t *testing.T) {
	w, c := newWorld(t), newConsumer(t)
	w.reopen()
	w.write(100)
	c.start(tail.Quick(w.path), nil)
	c.await(100)
	from := c.stop()
	from[0].Offset = int64(len(numbered(0)) * 90)
	w.check(os.Remove(w.path))
	keep, err := os.Create(filepath.Join(w.dir, "takes the inode"))
	w.check(err)
	defer keep.Close()
	w.reopen()
	w.write(5)
	c.start(tail.Quick(w.path), from)
	c.await(105)
	eventually(t, "the loss is told", func() bool { events, _ := c.audited(tail.Lost); return events == 1 })
	if _, size := c.audited(tail.Lost); size != from[0].Size-from[0].Offset {
		t.Errorf("%d bytes lost, want %d", size, from[0].Size-from[0].Offset)
	}
	c.stop()
	if !slices.ContainsFunc(c.audits, func(a tail.Audit) bool { return errors.Is(a.Err, tail.ErrGone) }) {
		t.Errorf("the report does not say that the file is gone: %v", c.audits)
	}
	c.expect(105, nil)
	if s := c.reader.Stats(); s.Abandoned != 1 {
		t.Errorf("%+v", s)
	}
}

// A generation moved to another directory while no reader ran is found there, whether
// the directory is absolute or relative to the log.
func TestMovedWhileDown(t *testing.T) {
	for _, dir := range []string{"old", "../*/old", ""} {
		w, c := newWorld(t), newConsumer(t)
		old := filepath.Join(w.dir, "old")
		w.check(os.Mkdir(old, 0o700))
		o := tail.Quick(w.path)
		switch dir {
		case "":
			o.Elsewhere = []string{old}
		default:
			o.Elsewhere = []string{strings.Replace(dir, "*", filepath.Base(w.dir), 1)}
		}
		w.reopen()
		w.write(100)
		c.start(o, nil)
		c.await(100)
		from := c.stop()
		w.write(50)
		w.check(os.Rename(w.path, filepath.Join(old, "access.log-20240102")))
		w.reopen()
		w.write(5)
		c.start(o, from)
		c.await(155)
		c.stop()
		c.expect(155, nil)
	}
}

func brief(all []tail.Position) (text string) {
	for _, p := range all {
		text += fmt.Sprintf("\n\t%s %d head %d/%x at %d of %d, %v", filepath.Base(p.File), p.Inode, p.HeadLen, uint16(p.Head), p.Offset, p.Size, p.Finished)
	}
	return text
}

func (w *world) list() (text string) {
	names, _ := os.ReadDir(w.dir)
	for _, name := range names {
		if info, err := name.Info(); err == nil {
			_, inode, _ := tail.Identify(filepath.Join(w.dir, name.Name()))
			text += fmt.Sprintf("%s %d (%d bytes) ", name.Name(), inode, info.Size())
		}
	}
	return text
}
