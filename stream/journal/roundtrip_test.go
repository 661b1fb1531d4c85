package journal

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reload opens the journal of a file system again and returns all its entries.
func reload(t testing.TB, m *memFS) (all []Entry) {
	t.Helper()
	j, err := Open(Options{Dir: dir, FS: m})
	must(t, err)
	err = load(j, func(e *Entry) { all = append(all, Entry{e.Kind, e.Name, bytes.Clone(e.Value)}) })
	must(t, errors.Join(err, j.Close()))
	return all
}

// same compares entries, and prints only the first difference, because entries are large.
func same(t testing.TB, got, want []Entry) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d entries, want %d", len(got), len(want))
	}
	for i, e := range want {
		if g := got[i]; g.Kind != e.Kind || g.Name != e.Name || !bytes.Equal(g.Value, e.Value) {
			t.Fatalf("entry %d: got %.300v, want %.300v", i, g, e)
		}
	}
}

func TestRoundTripOfExtremes(t *testing.T) {
	all := []Entry{{Value: []byte{}}, {Kind: 255, Name: "key", Value: []byte("value")}}
	for i := range 5 {
		all = append(all, Entry{Kind: 1, Value: []byte{}}, Entry{1, "a", []byte("\x00\xff")}, Entry{1, "a", bytes.Repeat([]byte("long"), 1000*i)})
	}
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	must(t, errors.Join(j.Save(slices.Values(all)), j.Save(slices.Values([]Entry{})), j.Save(slices.Values(all[:2])), j.Close()))
	same(t, reload(t, m), append(all, all[:2]...))
}

// A checkpoint of any size is written in pieces. A record above the reader's bounds is
// refused and leaves no trace.
func TestLargeAndTooLarge(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	var all []Entry
	for i := range 10 {
		all = append(all, Entry{Value: bytes.Repeat([]byte{byte(i)}, maxEntry)})
	}
	for i := range 100_000 {
		all = append(all, Entry{Value: fmt.Append(nil, i)})
	}
	must(t, j.Save(slices.Values(all)))
	size, _ := j.Size()
	for _, bad := range []Entry{{Value: make([]byte, maxEntry+1)}, {Name: "k", Value: make([]byte, maxEntry)}, {Name: strings.Repeat("s", maxEntry), Value: []byte("u")}} {
		if err := j.Save(slices.Values(append(all[:10:10], bad))); err == nil || !strings.Contains(err.Error(), "at most 4194304 can be kept") {
			t.Error(err)
		}
		if now, _ := j.Size(); now != size || len(m.names[dir+"/"+journalName].cache) != int(size) {
			t.Error("left its traces")
		}
	}
	must(t, j.Close())
	same(t, reload(t, m), all)
}

func TestBloated(t *testing.T) {
	m := newMemFS(1)
	j := open(t, Options{Dir: dir, FS: m})
	for n := 0; !j.Bloated(); n++ {
		if now, first := j.Size(); n > 10 || first != fileHeaderSize || now > 17<<20 {
			t.Fatal(now, first)
		}
		must(t, j.Save(slices.Values([]Entry{{Value: make([]byte, 2<<20)}})))
	}
	must(t, j.Compact(lines(0, 100)))
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
