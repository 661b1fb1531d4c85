package journal

import (
	"errors"
	"runtime"
	"slices"
	"testing"
)

// FuzzLoad loads arbitrary bytes as a file, and as a payload with correct sums.
func FuzzLoad(f *testing.F) {
	m := newMemFS(1)
	j := open(f, Options{Dir: dir, FS: m})
	must(f, errors.Join(j.Save(lines(0, 5)), j.Save(lines(5, 9))))
	f.Add(m.names[dir+"/"+journalName].cache)
	enc := &encoder{}
	enc.reset()
	for e := range lines(0, 20) {
		enc.entry(&e)
	}
	f.Add(enc.payload())
	f.Add([]byte{kindValue, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var old, now runtime.MemStats
		runtime.ReadMemStats(&old)
		loadBytes(b)
		loadBytes(sealed(b))
		runtime.ReadMemStats(&now)
		if grown := now.TotalAlloc - old.TotalAlloc; grown > 64<<20+1000*uint64(len(b)) {
			t.Errorf("%d bytes allocated for %d", grown, len(b))
		}
	})
}

// loadBytes loads the content of a file, as far as possible.
func loadBytes(b []byte) {
	m := newMemFS(1)
	m.put(dir+"/"+journalName, b)
	j, err := Open(Options{Dir: dir, FS: m})
	if err != nil {
		return
	}
	for _, err := range j.Load() {
		_ = err
	}
	j.Close()
}

// sealed returns a journal with one frame of the given payload.
func sealed(payload []byte) []byte {
	h := fileHeader{id: 1, whole: fileHeaderSize}
	b := make([]byte, frameHeaderSize)
	f := frameHeader{size: len(payload), number: 1, acked: fileHeaderSize, chain: 1, commit: true, sum: checksum(payload)}
	f.encode(b, h.id)
	return append(append(h.encode(), b...), payload...)
}

// FuzzRoundTrip makes entries from bytes, and compares those written and read.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some bytes to begin with, from which numbers and texts are taken"), uint16(50))
	f.Add([]byte{}, uint16(0))
	f.Fuzz(func(t *testing.T, b []byte, target uint16) {
		m, want := newMemFS(1), []Entry{}
		j := open(t, Options{Dir: dir, FS: m})
		j.enc.target = int(target) + 1
		for c := (cursor{rest: b}); len(c.rest) > 0; {
			entries := takeEntries(&c)
			must(t, j.Save(slices.Values(entries)))
			want = append(want, entries...)
		}
		j.Close()
		same(t, reload(t, m), want)
	})
}

func takeEntries(c *cursor) (all []Entry) {
	text := func() []byte { return append([]byte{}, c.take(min(uint64(c.uint8()), uint64(len(c.rest))))...) }
	for range c.uint8() % 12 {
		all = append(all, Entry{c.uint8(), string(text()), text()})
	}
	return all
}
