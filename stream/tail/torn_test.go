package tail_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"dustbuster/stream/tail"
)

// wide encodes text in UTF-16.
func wide(text string, littleEndian, marked bool) string {
	if marked {
		text = "\uFEFF" + text
	}
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		low, high := byte(unit), byte(unit>>8)
		if littleEndian {
			low, high = high, low
		}
		b.WriteByte(high)
		b.WriteByte(low)
	}
	return b.String()
}

// A log whose lines are left out for their zero bytes has not caught up and is not readable. A
// log with a few such lines, as after a crash, is.
func TestLinesLeftOut(t *testing.T) {
	line := "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 23\n"
	many := strings.Repeat(line, 20)
	for _, c := range []struct{ name, text, wrong string }{
		{"little endian", wide(many, true, true), "UTF-16"},
		{"big endian", wide(many, false, true), "UTF-16"},
		{"little endian, no mark", wide(many, true, false), "UTF-16"},
		{"big endian, no mark", wide(many, false, false), "UTF-16"},
		{"one line", wide(line, true, true), "UTF-16"},
		{"a zero byte in each line", strings.Repeat("a\x00"+line, 20), "zero bytes"},
		{"text, then UTF-16", many + wide(strings.Repeat(line, 200), true, false), "zero bytes"},
		{"plain", many, ""},
		{"a crash", many + strings.Repeat("\x00", 5000) + many, ""},
		{"a writer without O_APPEND", strings.Repeat("\x00", 1<<20) + many, ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "access.log")
			put(t, path, c.text)
			r, _ := open(t, tail.Quick(path), nil)
			go func() {
				for {
					b, err := r.Read(t.Context())
					if err != nil {
						return
					}
					r.Positions(map[uint64]int64{b.File: b.End})
					b.Release()
				}
			}()
			<-r.CaughtUp()
			err := r.Unreadable()[path]
			if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("unreadable: %v, want %q", err, c.wrong)
			}
			if s := r.Inputs()[0]; s.CaughtUp != (c.wrong == "") || !strings.Contains(s.LastError, c.wrong) {
				t.Errorf("%+v", s)
			}
			must(t, os.Rename(path, path+".1"))
			put(t, path, many)
			eventually(t, "the next file is readable", func() bool { return len(r.Unreadable()) == 0 && r.Inputs()[0].CaughtUp })
		})
	}
}

// A path, pattern or directory without a log is missing until a log was seen there, and not when
// the log is away for a while.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "logs"), 0o700))
	paths := []string{filepath.Join(dir, "a.log"), filepath.Join(dir, "hosts", "*.log"), filepath.Join(dir, "logs")}
	r, _ := open(t, tail.Quick(paths...), nil)
	go func() {
		for {
			b, err := r.Read(t.Context())
			if err != nil {
				return
			}
			r.Positions(map[uint64]int64{b.File: b.End})
			b.Release()
		}
	}()
	missing := func(what string, want ...string) {
		t.Helper()
		eventually(t, what, func() bool { return slices.Equal(r.Missing(), want) })
	}
	missing("all are missing", paths...)
	put(t, paths[0], "one\n")
	missing("two are missing", paths[1:]...)
	must(t, os.Mkdir(filepath.Join(dir, "hosts"), 0o700))
	put(t, filepath.Join(dir, "hosts", "b.log"), "one\n")
	missing("one is missing", paths[2])
	put(t, filepath.Join(dir, "logs", "access.log"), "one\n")
	missing("none is missing")
	must(t, os.Remove(paths[0]))
	must(t, os.Remove(filepath.Join(dir, "hosts", "b.log")))
	eventually(t, "the log of the pattern is away", func() bool { return r.Stats().Rotations == 1 })
	missing("none is missing, though two are away")
}
