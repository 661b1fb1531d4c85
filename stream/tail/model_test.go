package tail_test

import (
	"os"
	"testing"
	"time"

	"dustbuster/stream/tail"
)

// FuzzModel runs a sequence of file operations on a log, while a reader follows the
// log, stops and resumes, and expects every line once. The model is the world, which
// knows the lines written. All operations are lossless: truncation comes with a copy
// and after all lines were read.
func FuzzModel(f *testing.F) {
	f.Add([]byte("0101012"))
	f.Add([]byte("000314151617"))
	f.Add([]byte("0a0b0c0d0e0f"))
	f.Add([]byte("05280528182838"))
	f.Add([]byte{0, 1, 8, 0, 3, 0, 8, 2, 0, 9, 6, 0, 8, 4, 0, 8})
	f.Fuzz(func(t *testing.T, steps []byte) {
		if len(steps) > 60 {
			return
		}
		m := newModel(t)
		for _, step := range steps {
			m.steps[int(step)%len(m.steps)]()
		}
		m.end()
	})
}

type model struct {
	w     *world
	c     *consumer
	from  []tail.Position
	half  string // rest of a line still to be written
	up    bool
	steps []func()
}

func newModel(t *testing.T) *model {
	m := &model{w: newWorld(t), c: newConsumer(t)}
	m.w.reopen()
	m.toggle()
	m.steps = []func(){
		func() { m.complete(); m.w.write(7) },
		func() { m.complete(); m.w.write(100) },
		func() { m.complete(); m.w.rotate() },
		func() { m.complete(); m.w.rename() }, // the writer continues in the renamed file
		m.w.reopen0(m),
		m.partial,
		func() { // compress a rotated file, unless it is being written
			m.complete()
			m.w.reopen()
			if exists(m.w.name(1)) {
				m.w.compress(m.w.name(1))
			}
		},
		m.copytruncate,
		m.toggle,
		func() { time.Sleep(10 * time.Millisecond) },
		func() { // wait for the lines written so far
			if m.up {
				m.c.await(m.whole())
			}
		},
		m.swap,
	}
	return m
}

func (w *world) reopen0(m *model) func() {
	return func() { m.complete(); w.reopen() }
}

func (m *model) whole() int {
	n := int(m.w.written.Load())
	if m.half != "" {
		n--
	}
	return n
}

// partial writes the first or the second half of a line.
func (m *model) partial() {
	if m.half != "" {
		m.complete()
		return
	}
	line := numbered(int(m.w.written.Add(1) - 1))
	cut := len(line) / 2
	_, err := m.w.file.WriteString(line[:cut])
	m.w.check(err)
	m.half = line[cut:]
}

func (m *model) complete() {
	if m.half != "" {
		_, err := m.w.file.WriteString(m.half)
		m.w.check(err)
		m.half = ""
	}
}

func (m *model) copytruncate() {
	m.complete()
	m.w.reopen()
	m.w.copytruncate()
}

// swap replaces the log with a copy while no reader runs.
func (m *model) swap() {
	m.complete()
	if m.up {
		return
	}
	m.w.reopen()
	data, err := os.ReadFile(m.w.path)
	m.w.check(err)
	m.w.check(os.WriteFile(m.w.path+"~", data, 0o600))
	m.w.check(os.Rename(m.w.path+"~", m.w.path))
	m.w.reopen()
}

func (m *model) toggle() {
	if m.up {
		m.from = m.c.stop()
	} else {
		m.c.start(tail.Quick(m.w.path), m.from)
	}
	m.up = !m.up
}

func (m *model) end() {
	m.complete()
	if !m.up {
		m.toggle()
	}
	all := int(m.w.written.Load())
	m.c.await(all)
	m.toggle()
	m.c.expect(all, nil)
}
