package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"

	"github.com/segmentio/kafka-go/compress"
	"github.com/segmentio/kafka-go/protocol"
)

// must ends a test at an error.
var must = expect.NoError

// encoded returns a batch made with kafka-go, at an offset.
func encoded(t testing.TB, base int64, codec protocol.Attributes, records ...protocol.Record) []byte {
	t.Helper()
	set := protocol.RecordSet{Version: 2, Attributes: codec, Records: protocol.NewRecordReader(records...)}
	var b bytes.Buffer
	if _, err := set.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	batch := b.Bytes()[4:]
	binary.BigEndian.PutUint64(batch, uint64(base))
	return batch
}

// signed corrects a batch's length and checksum after a change.
func signed(batch []byte) []byte {
	binary.BigEndian.PutUint32(batch[atLength:], uint32(len(batch)-12))
	binary.BigEndian.PutUint32(batch[atChecksum:], crc32.Checksum(batch[atAttributes:], castagnoli))
	return batch
}

// readBatches handles a response as Reader and Partition do.
func readBatches(records []byte, position int64) (b *Batch, err error) {
	batches, next, err := committedOf(fetched{records: records}, position)
	c := &chunk{batches: batches, from: position, next: next}
	all := &Batch{Next: next}
	for len(c.batches) > 0 {
		b := c.decode()
		all.Records = append(all.Records, b.Records...)
		all.Lost += b.Lost
		if b.Why != nil {
			all.Why = b.Why
		}
	}
	return all, err
}

// The oracle is kafka-go, which wrote the batch.
func TestBatchOfEachCodec(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for codec := range protocol.Attributes(5) {
		for n := 1; n < 3000; n = n*3 + 1 {
			var in []protocol.Record
			var want []Record
			for i := range n {
				w := Record{Offset: 1000 + int64(i), Time: time.UnixMilli(1_700_000_000_000 + int64(r.IntN(1e6)) - 5e5)}
				if r.IntN(4) > 0 {
					w.Key = fmt.Appendf(nil, "key %d", r.IntN(100))
				}
				if r.IntN(4) > 0 {
					w.Value = bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(300))
				}
				for range r.IntN(3) {
					w.Headers = append(w.Headers, Header{"h", []byte{byte(r.Uint32())}})
				}
				want = append(want, w)
				p := protocol.Record{Time: w.Time, Key: protocol.NewBytes(w.Key), Value: protocol.NewBytes(w.Value)}
				for _, h := range w.Headers {
					p.Headers = append(p.Headers, protocol.Header(h))
				}
				in = append(in, p)
			}
			got, err := readBatches(encoded(t, 1000, codec, in...), 1000)
			if err != nil || got.Why != nil || got.Next != 1000+int64(n) {
				t.Fatalf("%v, %d records: %v, %v, next %d", codec.Compression(), n, err, got.Why, got.Next)
			}
			if !reflect.DeepEqual(got.Records, want) { // nil is not empty
				t.Fatalf("%v, %d records: got %.300v", codec.Compression(), n, got.Records)
			}
		}
	}
}

// A batch that no producer writes, and a batch made to fill the reader's memory, are passed
// over and counted. The batches around them are read.
func TestBatchUnreadable(t *testing.T) {
	good := func(base int64) []byte {
		return encoded(t, base, protocol.Zstd, protocol.Record{Value: protocol.NewBytes([]byte("x"))})
	}
	for _, c := range []struct {
		name  string
		spoil func(batch []byte) []byte
		want  string
	}{
		{"checksum", func(b []byte) []byte { b[len(b)-1]++; return b }, "checksum"},
		{"old format", func(b []byte) []byte { b[atFormat] = 1; return b }, "older"},
		{"no records for count", func(b []byte) []byte { binary.BigEndian.PutUint32(b[atCount:], 1e9); return signed(b) }, "malformed"},
		{"negative count", func(b []byte) []byte { binary.BigEndian.PutUint32(b[atCount:], 1<<31); return signed(b) }, "malformed"},
		{"unknown codec", func(b []byte) []byte { b[atAttributes+1] = 7; return signed(b) }, "compression 7"},
		{"no zstd", func(b []byte) []byte { b[headerSize]++; return signed(b) }, "magic"},
		{"header alone", func(b []byte) []byte { return signed(b[:headerSize-4]) }, "malformed"},
		{"bomb of zstd", func(b []byte) []byte { return bomb(t, b, compress.Zstd) }, "64 MB"},
		{"bomb of gzip", func(b []byte) []byte { return bomb(t, b, compress.Gzip) }, "64 MB"},
		{"bomb of lz4", func(b []byte) []byte { return bomb(t, b, compress.Lz4) }, "64 MB"},
		{"bomb of snappy", func(b []byte) []byte { return bomb(t, b, compress.Snappy) }, "64 MB"},
		{"snappy that lies", func(b []byte) []byte {
			return packed(b, compress.Snappy, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0})
		}, "64 MB"},
		{"snappy frame that lies", func(b []byte) []byte {
			return packed(b, compress.Snappy, append(append(xerial[:8:8], make([]byte, 8)...), 0x7f, 0, 0, 0, 1))
		}, "malformed"},
		{"bomb of records", func(b []byte) []byte { return flood(t, b) }, "64 MB"},
		{"bomb of headers", func(b []byte) []byte { return headerFlood(t, b) }, "64 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			records := append(good(10), c.spoil(good(11))...)
			records = append(records, good(12)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b, err := readBatches(records, 10)
			runtime.ReadMemStats(&after)
			if err != nil || len(b.Records) != 2 || b.Lost != 1 || b.Next != 13 || b.Why == nil || !strings.Contains(b.Why.Error(), c.want) {
				t.Errorf("got %d records, lost %d, next %d, why %v, %v; want %q", len(b.Records), b.Lost, b.Next, b.Why, err, c.want)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 12*maxBatch { // all memory ever taken, as buffers grew; under the race detector buffers grow faster
				t.Errorf("it took %d MB", taken>>20)
			}
		})
	}
}

// packed puts compressed bytes into a batch.
func packed(b []byte, codec compress.Compression, data []byte) []byte {
	b[atAttributes+1] = byte(codec)
	return signed(append(b[:headerSize:headerSize], data...))
}

// pack compresses bytes into a batch.
func pack(t testing.TB, b []byte, codec compress.Compression, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := codec.Codec().NewWriter(&out)
	_, err := w.Write(data)
	must(t, errors.Join(err, w.Close()))
	return packed(b, codec, out.Bytes())
}

// bomb is 96 MB of zeros.
func bomb(t testing.TB, b []byte, codec compress.Compression) []byte {
	return pack(t, b, codec, make([]byte, 96<<20))
}

// flood is a million records of seven bytes, each of which takes a hundred.
func flood(t testing.TB, b []byte) []byte {
	const n = 1e6
	one := []byte{6 << 1, 0, 0, 0, 1, 1, 0} // without key, value, headers
	binary.BigEndian.PutUint32(b[atCount:], n)
	return pack(t, b, compress.Zstd, bytes.Repeat(one, n))
}

// headerFlood is a record of two million headers of two bytes.
func headerFlood(t testing.TB, b []byte) []byte {
	const n = 2e6
	one := append([]byte{0, 0, 0, 1, 1}, binary.AppendVarint(nil, n)...)
	one = append(one, make([]byte, 2*int(n))...)
	binary.BigEndian.PutUint32(b[atCount:], 1)
	return pack(t, b, compress.Zstd, append(binary.AppendVarint(nil, int64(len(one))), one...))
}

func TestLogAppendTime(t *testing.T) {
	b := encoded(t, 0, 0, protocol.Record{Time: time.UnixMilli(1000), Value: protocol.NewBytes([]byte("x"))})
	b[atAttributes+1] |= appendTime
	binary.BigEndian.PutUint64(b[atGreatestTime:], 5000)
	got, err := readBatches(signed(b), 0)
	if err != nil || len(got.Records) != 1 || got.Records[0].Time.UnixMilli() != 5000 {
		t.Errorf("got %v, %v", got, err)
	}
}

// Reader accepts batches up to a size. Produce writes no batch above that size.
func TestFits(t *testing.T) {
	small := make([]Record, maxBatch/(recordSize+2*binary.MaxVarintLen64)+1)
	if err := fits(small); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	small = small[1:]
	must(t, fits(small))
	batch, err := encode(small, time.Now())
	must(t, err)
	if got, err := readBatches(batch[4:], 0); err != nil || got.Why != nil || len(got.Records) != len(small) {
		t.Errorf("%d records, %v, %v", len(got.Records), got.Why, err)
	}
}

// The hashes are those of Kafka's own test.
func TestPartitionOf(t *testing.T) {
	const n = 1 << 16
	for _, c := range []struct {
		key  string
		hash int32
	}{
		{"21", -973932308}, {"foobar", -790332482}, {"a-little-bit-long-string", -985981536},
		{"a-little-bit-longer-string", -1486304829}, {"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971}, {"abc", 479470107},
	} {
		if got, want := PartitionOf([]byte(c.key), n), int(c.hash&0x7fffffff)%n; got != want {
			t.Errorf("%q: got %d, want %d", c.key, got, want)
		}
	}
	if PartitionOf(nil, n) != PartitionOf([]byte{}, n) {
		t.Error("records of no site are spread")
	}
}

// response wraps records as a broker's answer to a fetch.
func response(records []byte) []byte {
	b := slices.Concat([]byte{0, 0, 0, correlation}, make([]byte, 10), // throttling, code, session
		[]byte{0, 0, 0, 1, 0, 1, 't'}, []byte{0, 0, 0, 1}, make([]byte, 4+2+8+8+8), // one topic, one partition
		[]byte{0, 0, 0, 1}, make([]byte, 16), make([]byte, 4)) // an aborted transaction, no other replica
	b = binary.BigEndian.AppendUint32(b, uint32(len(records)))
	return append(b, records...)
}

// For any response of a broker there is no panic, no step backwards, and no more memory
// than allowed. The fuzzer corrects checksums, so checksums reject nothing.
func FuzzFetch(f *testing.F) {
	record := protocol.Record{Key: protocol.NewBytes([]byte("k")), Value: protocol.NewBytes([]byte("value")), Headers: []protocol.Header{{Key: "h", Value: []byte("v")}}}
	for codec := range protocol.Attributes(5) {
		b := encoded(f, 3, codec, record, record, record)
		f.Add(response(append(b, b...)), int64(4), true)
	}
	marker := encoded(f, 9, protocol.Transactional|protocol.Control, protocol.Record{Key: protocol.NewBytes([]byte{0, 0, 0, 0}), Value: protocol.NewBytes(make([]byte, 6))})
	f.Add(response(marker), int64(0), true)
	f.Add(response(nil), int64(0), false)
	f.Add([]byte{0, 0, 0, 1}, int64(0), false)
	f.Fuzz(func(t *testing.T, data []byte, position int64, sign bool) {
		if position < 0 {
			return
		}
		parts, err := decodeFetch(data)
		if err != nil {
			return
		}
		for _, p := range parts {
			if len(p.records) > len(data) {
				t.Fatal("more records than bytes")
			}
			if sign {
				for rest := p.records; len(rest) >= headerSize; {
					n := int64(int32(binary.BigEndian.Uint32(rest[atLength:]))) + 12
					if n < headerSize || n > int64(len(rest)) {
						break
					}
					signed(rest[:n])
					rest = rest[n:]
				}
			}
			batches, next, err := committedOf(p, position)
			if next < position || err != nil && !errors.Is(err, errMalformed) && !strings.Contains(err.Error(), "not known") {
				t.Fatalf("from %d to %d, %v", position, next, err)
			}
			c := &chunk{batches: batches, from: position, next: next}
			for at := position; len(c.batches) > 0; {
				b := c.decode()
				if b.Next < at || b.Next > next || b.Lost < 0 {
					t.Fatalf("from %d to %d of %d, lost %d", at, b.Next, next, b.Lost)
				}
				for _, r := range b.Records {
					if r.Offset < at || r.Offset >= b.Next {
						t.Fatalf("offset %d between %d and %d", r.Offset, at, b.Next)
					}
				}
				at = b.Next
			}
		}
	})
}
