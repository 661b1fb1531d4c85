package lines

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

// plainSplit is the oracle: it splits all of data at once.
func plainSplit(data []byte, maxLine int, torn bool) (lines [][]byte, oversized int) {
	all := bytes.Split(data, []byte("\n"))
	last := len(all) - 1
	for i, line := range all {
		switch {
		case len(line) > maxLine:
			oversized++
		case i < last || len(line) > 0 && !torn:
			lines = append(lines, line)
		}
	}
	return lines, oversized
}

// stutter returns its bytes in pieces. The steps give the lengths of the pieces, in
// turn.
type stutter struct {
	data  []byte
	steps []byte
	turn  int
	err   error
}

func (s *stutter) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, s.err
	}
	step := len(p)
	if len(s.steps) > 0 {
		step = int(s.steps[s.turn%len(s.steps)] % 32)
		s.turn++
		if s.turn%50 == 0 {
			step = 1
		}
	}
	n := copy(p[:min(step, len(p))], s.data)
	s.data = s.data[n:]
	return n, nil
}

var errTorn = errors.New("torn")

func FuzzSplit(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), uint16(4), uint16(2), []byte{}, false)
	f.Add([]byte("long long line\nx\n"), uint16(0), uint16(3), []byte{1}, false)
	f.Add([]byte("\n\n\n\r\n\x00\n"), uint16(1), uint16(0), []byte{2, 0, 5}, true)
	f.Add(bytes.Repeat([]byte("0123456789"), 30), uint16(7), uint16(9), []byte{3}, false)
	f.Add(append(bytes.Repeat([]byte("x"), 100), "\nyy\nzzzz\n"...), uint16(20), uint16(3), []byte{}, true)
	f.Fuzz(func(t *testing.T, data []byte, batch, maxLine uint16, steps []byte, torn bool) {
		bound := int(maxLine % 300)
		buf := make([]byte, bound+1+int(batch%300))
		end := io.EOF
		if torn {
			end = errTorn
		}
		s := Splitter{Source: &stutter{data: data, steps: steps, err: end}, MaxLine: bound}
		var got [][]byte
		var err error
		for err == nil {
			var whole []byte
			whole, err = s.Next(buf)
			if len(whole) == 0 && err == nil {
				t.Fatal("empty batch without an error")
			}
			for line := range (&Batch{Data: whole}).Lines() {
				got = append(got, bytes.Clone(line))
			}
			if cap(s.open) > 2*(bound+16) {
				t.Fatalf("%d bytes held of lines of at most %d", cap(s.open), bound)
			}
		}
		if err != end {
			t.Fatalf("ended with %v, want %v", err, end)
		}
		want, oversized := plainSplit(data, bound, torn)
		if !slices.EqualFunc(got, want, bytes.Equal) || s.Oversized != oversized {
			t.Errorf("got %q and %d oversized, want %q and %d", got, s.Oversized, want, oversized)
		}
	})
}

// All texts of up to eight characters are tried with all bounds and buffer sizes.
func TestSplitSmallWorld(t *testing.T) {
	const letters = "a\n"
	for size := 0; size <= 8; size++ {
		for world := range 1 << size {
			data := make([]byte, size)
			for i := range data {
				data[i] = letters[world>>i&1]
			}
			for bound := range 4 {
				for room := 1; room <= 3; room++ {
					splitAgrees(t, data, bound, bound+room)
				}
			}
		}
	}
}

func splitAgrees(t *testing.T, data []byte, bound, room int) {
	t.Helper()
	s := Splitter{Source: iotest.DataErrReader(bytes.NewReader(data)), MaxLine: bound}
	buf := make([]byte, room)
	var got [][]byte
	want, oversized := plainSplit(data, bound, false)
	for s.err == nil {
		whole, _ := s.Next(buf)
		for line := range (&Batch{Data: whole}).Lines() {
			got = append(got, bytes.Clone(line))
		}
		if end := s.End(); end > 0 || !s.skipping {
			if rest, _ := plainSplit(data[end:], bound, false); !slices.EqualFunc(rest, want[len(got):], bytes.Equal) {
				t.Fatalf("%q, lines of at most %d in %d: after %q the lines from %d on are %q", data, bound, room, got, end, rest)
			}
		}
	}
	if !slices.EqualFunc(got, want, bytes.Equal) || s.Oversized != oversized {
		t.Fatalf("%q, lines of at most %d in %d: got %q and %d oversized, want %q and %d", data, bound, room, got, s.Oversized, want, oversized)
	}
}

func TestFillGivesUpOnAnIdleSource(t *testing.T) {
	s := Splitter{Source: &stutter{data: []byte("x")}, MaxLine: 10}
	if _, err := s.Next(make([]byte, 20)); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}
