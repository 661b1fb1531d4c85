package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// reload opens the journal of a file system again and returns all its frames.
func reload(t testing.TB, m *memFS) *frame {
	t.Helper()
	j, err := Open(Options{Dir: dir, FS: m})
	must(t, err)
	all := &frame{}
	err = load(j, func(f *frame) {
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
	})
	must(t, errors.Join(err, j.Close()))
	return all
}

// same compares frames, and prints only the first difference, because frames are large.
func same(t testing.TB, got, want *frame) {
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
	f := &frame{Positions: []byte{}}
	for i := range 5 {
		f.Observations = append(f.Observations, Observations{Value: []byte{}}, Observations{Site: "a", Value: []byte("\x00\xff")},
			Observations{Site: "a", Value: bytes.Repeat([]byte("long"), 1000*i)})
	}
	f.Acts = []Act{{Value: []byte{}}, {Key: "key", Version: Version{0, 1, math.MaxUint64}, Value: []byte("value")}}
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	must(t, errors.Join(j.Save(f.entries), j.Save((&frame{}).entries), j.Save((&frame{Acts: f.Acts}).entries), j.Close()))
	f.Acts = append(f.Acts, f.Acts...)
	same(t, reload(t, m), f)
}

// A checkpoint of any size is written in pieces. A record above the reader's bounds is
// refused and leaves no trace.
func TestLargeAndTooLarge(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	f := &frame{Positions: make([]byte, maxEntry), Acts: []Act{{Value: make([]byte, maxEntry-len(Version{})*8)}}}
	for i := range 8 {
		f.Observations = append(f.Observations, Observations{Value: bytes.Repeat([]byte{byte(i)}, maxEntry)})
	}
	for i := range 100_000 {
		f.Observations = append(f.Observations, Observations{Value: fmt.Append(nil, i)})
	}
	must(t, j.Save(f.entries))
	size, _ := j.Size()
	for _, bad := range []frame{
		{Positions: make([]byte, maxEntry+1)}, {Acts: []Act{{Key: "k", Value: make([]byte, maxEntry-len(Version{})*8)}}},
		{Observations: append(f.Observations[:10:10], Observations{Site: strings.Repeat("s", maxEntry), Value: []byte("u")})},
	} {
		if err := j.Save(bad.entries); err == nil || !strings.Contains(err.Error(), "at most 4194304 can be kept") {
			t.Error(err)
		}
		if now, _ := j.Size(); now != size || len(m.names[dir+"/"+journalName].cache) != int(size) {
			t.Error("left its traces")
		}
	}
	must(t, j.Close())
	same(t, reload(t, m), f)
}

func TestBloated(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	for n := 0; !j.Bloated(); n++ {
		if now, first := j.Size(); n > 10 || first != fileHeaderSize || now > 17<<20 {
			t.Fatal(now, first)
		}
		must(t, j.Save((&frame{Acts: []Act{{Value: make([]byte, 2<<20)}}}).entries))
	}
	must(t, j.Compact(lines(0, 100).entries))
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
