package kafka

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// anyRecords returns records with and without keys, values, headers and times.
func anyRecords(rng *rand.Rand) []Record {
	text := func() []byte {
		if rng.IntN(4) == 0 {
			return nil
		}
		return bytes.Repeat([]byte{byte(rng.IntN(256))}, rng.IntN(300)*rng.IntN(2))
	}
	records := make([]Record, 1+rng.IntN(20))
	for i := range records {
		r := &records[i]
		r.Key, r.Value = text(), text()
		if rng.IntN(3) > 0 {
			r.Time = time.UnixMilli(1_700_000_000_000 + rng.Int64N(1e9))
		}
		for range rng.IntN(3) {
			r.Headers = append(r.Headers, Header{Key: string(text()), Value: text()})
		}
	}
	return records
}

// A batch that Produce writes holds its records, as kafka-go reads it and as Reader does.
func TestEncode(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_123)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 51))
		want := anyRecords(rng)
		sized, err := encode(want, now)
		must(t, err)
		for i := range want {
			want[i].Offset = int64(i)
			if want[i].Time.IsZero() {
				want[i].Time = now
			}
		}
		got, err := readBatches(sized[sizeBytes:], 0)
		must(t, err)
		if !same(got.Records, want) {
			t.Fatalf("seed %d: Reader reads\n%v, want\n%v", seed, got.Records, want)
		}
		if theirs := readByKafkaGo(t, sized); !same(theirs, want) {
			t.Fatalf("seed %d: kafka-go reads\n%v, want\n%v", seed, theirs, want)
		}
	}
}

func readByKafkaGo(t *testing.T, sized []byte) (all []Record) {
	t.Helper()
	var set protocol.RecordSet
	_, err := set.ReadFrom(bytes.NewReader(sized))
	must(t, err)
	bytesOf := func(b protocol.Bytes) []byte {
		text, err := protocol.ReadAll(b)
		must(t, err)
		return text
	}
	for {
		r, err := set.Records.ReadRecord()
		if err == io.EOF {
			return all
		}
		must(t, err)
		one := Record{Offset: r.Offset, Time: r.Time, Key: bytesOf(r.Key), Value: bytesOf(r.Value)}
		for _, h := range r.Headers {
			one.Headers = append(one.Headers, Header(h))
		}
		all = append(all, one)
	}
}

// same reports whether records are equal. An empty header is none.
func same(got, want []Record) bool {
	plain := func(records []Record) (all []Record) {
		for _, r := range records {
			var headers []Header
			for _, h := range r.Headers {
				headers = append(headers, Header{h.Key, append([]byte{}, h.Value...)})
			}
			r.Headers, r.Time = headers, r.Time.UTC()
			all = append(all, r)
		}
		return all
	}
	return reflect.DeepEqual(plain(got), plain(want))
}
