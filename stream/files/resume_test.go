package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"dustbuster/stream/lines"
)

// A reader that resumes at the end of any batch returns the first batch, by which the format is
// detected, then of the lines before the offset those that begin with '#', and all lines after it.
func TestResume(t *testing.T) {
	var text bytes.Buffer
	for i := range 300 {
		switch {
		case i%40 == 7:
			fmt.Fprintf(&text, "#Fields: %d\n", i)
		case i%90 == 50:
			fmt.Fprintf(&text, "%0200d\n", i) // too long
		default:
			fmt.Fprintf(&text, "line %d\n", i)
		}
	}
	o := Options{BatchSize: 128, MaxLine: 100}
	for _, c := range []struct {
		name string
		data []byte
	}{{"plain", text.Bytes()}, {"gzip", gzipOf(t, text.Bytes())}, {"zstd", zstdOf(t, text.Bytes())}} {
		path := write(t, "a.log", c.data)
		whole := batchesOf(t, open(t, o, path))
		resumed := 0
		for i, at := range whole {
			if at.end == 0 { // within a line that is too long
				continue
			}
			resumed++
			r := open(t, o, path, write(t, "b.log", []byte("last\n")))
			r.Resume([]int64{at.end, 0})
			got := batchesOf(t, r)
			want := linesOf(whole[:1])
			for _, b := range whole[1 : i+1] {
				for _, line := range b.lines {
					if b.end == 0 {
						want = append(want, line)
					} else if strings.HasPrefix(line, "#") {
						want = append(want, "head "+line)
					}
				}
			}
			want = append(append(want, linesOf(whole[i+1:])...), "last")
			if lines := linesOf(got); !slices.Equal(lines, want) {
				t.Fatalf("%s, resumed at %d: %q, want %q", c.name, at.end, lines, want)
			}
			if read, of := r.Progress(); read != of {
				t.Errorf("%s, resumed at %d: %d bytes of %d are read", c.name, at.end, read, of)
			}
		}
		if resumed < 20 {
			t.Errorf("%s: resumed %d times", c.name, resumed)
		}
	}
}

// A file that is whole is not opened.
func TestResumeWhole(t *testing.T) {
	r := open(t, Options{}, write(t, "a.log", []byte("\x1f\x8b\x08 is damaged")), write(t, "b.log", []byte("b\n")))
	r.Resume([]int64{Whole, 0})
	lines, _, errs := drain(t, r)
	expectLines(t, lines, "b")
	if read, of := r.Progress(); len(errs) > 0 || read != of {
		t.Errorf("%v; %d bytes of %d are read", errs, read, of)
	}
}

type batch struct {
	end   int64
	lines []string // those of the head have a mark
}

func linesOf(batches []batch) (all []string) {
	for _, b := range batches {
		all = append(all, b.lines...)
	}
	return all
}

func batchesOf(t *testing.T, r *Reader) (all []batch) {
	t.Helper()
	for {
		b, err := r.Read(t.Context())
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		one := batch{end: b.End}
		for line := range (&lines.Batch{Data: b.Head}).Lines() {
			one.lines = append(one.lines, "head "+string(line))
		}
		for line := range b.Lines() {
			one.lines = append(one.lines, string(line))
		}
		all = append(all, one)
		b.Release()
	}
}
