package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// reload opens the journal of a file system again and returns all its frames.
func reload(t testing.TB, m *memFS) *Frame {
	t.Helper()
	j, err := Open(Options{Dir: dir, FS: m})
	if err != nil {
		t.Fatal(err)
	}
	all := &Frame{}
	err = j.Load(func(f *Frame) error {
		for _, o := range f.Observations {
			o.Value = bytes.Clone(o.Value)
			all.Observations = append(all.Observations, o)
		}
		for _, a := range f.Acts {
			a.Value = bytes.Clone(a.Value)
			all.Acts = append(all.Acts, a)
		}
		if f.Positions != nil {
			all.Positions = bytes.Clone(f.Positions)
		}
		return nil
	})
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// same compares frames, and prints only the first difference, because frames are large.
func same(t testing.TB, got, want *Frame) {
	t.Helper()
	if !bytes.Equal(got.Positions, want.Positions) || len(got.Observations) != len(want.Observations) || len(got.Acts) != len(want.Acts) {
		t.Fatalf("got %d bytes of positions, %d observations, %d acts; want %d, %d, %d", len(got.Positions), len(got.Observations), len(got.Acts),
			len(want.Positions), len(want.Observations), len(want.Acts))
	}
	for i, o := range want.Observations {
		if !reflect.DeepEqual(got.Observations[i], o) {
			t.Fatalf("observation %d: got %.300v, want %.300v", i, got.Observations[i], o)
		}
	}
	if !reflect.DeepEqual(got.Acts, want.Acts) {
		t.Fatalf("acts: got %.300v, want %.300v", got.Acts, want.Acts)
	}
}

func TestRoundTripOfExtremes(t *testing.T) {
	f := &Frame{Positions: []byte{}}
	for i := range 5 {
		f.Observations = append(f.Observations, Observations{Value: []byte{}}, Observations{Site: "a", Value: []byte("\x00\xff")},
			Observations{Site: "a", Value: bytes.Repeat([]byte("long"), 1000*i)})
	}
	f.Acts = []Act{{Value: []byte{}}, {Key: "key", Version: Version{0, 1, math.MaxUint64}, Value: []byte("value")}}
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	if err := errors.Join(j.Append(f), j.Append(&Frame{}), j.Append(&Frame{Acts: f.Acts}), j.Close()); err != nil {
		t.Fatal(err)
	}
	f.Acts = append(f.Acts, f.Acts...)
	same(t, reload(t, m), f)
}

// A checkpoint of any size is written in pieces. A record above the reader's bounds is
// refused and leaves no trace.
func TestLargeAndTooLarge(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	f := &Frame{Positions: make([]byte, maxRecord), Acts: []Act{{Value: make([]byte, maxRecord)}}}
	for i := range 8 {
		f.Observations = append(f.Observations, Observations{Value: bytes.Repeat([]byte{byte(i)}, maxRecord)})
	}
	for i := range 100_000 {
		f.Observations = append(f.Observations, Observations{Value: fmt.Append(nil, i)})
	}
	if err := j.Append(f); err != nil {
		t.Fatal(err)
	}
	size, _ := j.Size()
	for _, bad := range []Frame{
		{Positions: make([]byte, maxRecord+1)}, {Acts: []Act{{Key: "k", Value: make([]byte, maxRecord)}}},
		{Observations: append(f.Observations[:10:10], Observations{Site: strings.Repeat("s", maxRecord), Value: []byte("u")})},
	} {
		if err := j.Append(&bad); err == nil || !strings.Contains(err.Error(), "at most 4194304 can be kept") {
			t.Error(err)
		}
		if now, _ := j.Size(); now != size || len(m.names[dir+"/"+journalName].cache) != int(size) {
			t.Error("left its traces")
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, reload(t, m), f)
}

// Acts are a fold: neither order nor repetition changes the result.
func TestActs(t *testing.T) {
	var acts []Act
	for i := range 40 {
		acts = append(acts, Act{Key: fmt.Sprint(i % 3), Version: Version{uint64(i / 9), uint64(i % 2), uint64(i % 4)}, Value: fmt.Append(nil, i%5)})
	}
	fold := func() Acts {
		m := Acts{}
		for _, a := range acts {
			m.Fold(a)
		}
		return m
	}
	want := fold()
	for range 100 {
		rand.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
		acts = append(acts, acts[0])
		if got := fold(); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if want["0"].Version != (Version{4, 1, 3}) {
		t.Error(want)
	}
}

func TestBloated(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	for n := 0; !j.Bloated(); n++ {
		if now, first := j.Size(); n > 10 || first != fileHeaderSize || now > 17<<20 {
			t.Fatal(now, first)
		}
		if err := j.Append(&Frame{Acts: []Act{{Value: make([]byte, 2<<20)}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Compact(func(emit func(*Frame) error) error { return emit(lines(0, 100)) }); err != nil {
		t.Fatal(err)
	}
	now, compacted := j.Size()
	if j.Bloated() || now != compacted || now > 16<<10 {
		t.Error(now, compacted)
	}
	j.Close()
	j = open(t, Options{Dir: dir, FS: m})
	if _, again := j.Size(); again != compacted {
		t.Error("not remembered:", again)
	}
}
