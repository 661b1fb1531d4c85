package integration

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"dustbuster/operators/window/combine"
	"dustbuster/operators/window/evidence"

	"github.com/klauspost/compress/zstd"
)

// BenchmarkVolume is what the hits of a log come to in dust.observations, by the
// length of a pane and by how long the combiner gathers: in seconds as the log
// counts them, which is how an agent that follows it would, or in hits, as when
// it catches up. Per layout of values the bytes of batches, with Kafka's 61 of
// head, raw and as compressed by zstd.
func BenchmarkVolume(b *testing.B) {
	lines := benchLines(b)
	var hits []evidence.Observation
	eachObservation(b, lines, func(o *evidence.Observation) {
		one := *o
		one.URL = bytes.Clone(o.URL)
		hits = append(hits, one)
	})
	for _, pane := range []int64{0, 7200} {
		for _, gather := range []struct{ hits, seconds int64 }{{1, 0}, {10_000, 0}, {0, 1}, {0, 60}} {
			name := fmt.Sprintf("pane=%d/hits=%d", pane, gather.hits)
			if gather.seconds > 0 {
				name = fmt.Sprintf("pane=%d/seconds=%d", pane, gather.seconds)
			}
			b.Run(name, func(b *testing.B) {
				v := volume{head: evidence.Head{Pane: pane, Check: 7}}
				for b.Loop() {
					v = volume{head: v.head}
					v.gather(b, hits, gather.hits, gather.seconds)
				}
				v.report(b, len(hits))
			})
		}
	}
}

// volume adds up what batches take, by layout.
type volume struct {
	head                 evidence.Head
	observations         int
	batches              int
	alone, plain, shared size
}

type size struct{ raw, packed int }

var packer, _ = zstd.NewWriter(nil)

func (s *size) add(batch []byte) {
	const batchHead = 61 // bytes, before the records of a Kafka batch
	s.raw += batchHead + len(batch)
	s.packed += batchHead + len(packer.EncodeAll(batch, nil))
}

func (v *volume) gather(b *testing.B, hits []evidence.Observation, every, seconds int64) {
	c, err := combine.New(combine.Options{Pane: v.head.Pane, Entries: 1 << 20, MaxBytes: 8 << 20, Key: [2]uint64{1, 2}})
	must(b, err)
	drain := func() {
		for site, list := range c.Drain() {
			v.batch(site, list)
		}
	}
	since := int64(0)
	for i := range hits {
		if seconds > 0 && hits[i].Time >= since+seconds {
			drain()
			since = hits[i].Time
		}
		c.Add("", &hits[i])
		if every > 0 && int64(i+1)%every == 0 || c.Full() {
			drain()
		}
	}
	drain()
}

// batch makes one batch of what a site has, in each layout.
func (v *volume) batch(_ string, list []evidence.Observation) {
	v.observations += len(list)
	v.batches++
	var alone, plain, shared []byte
	for i := range list {
		one, _ := evidence.Append(nil, v.head, list[i:i+1])
		alone = asRecord(alone, one)
		unshared := list[i]
		if i > 0 { // as if the pane were not said again
			unshared.Time -= list[i-1].Time
		}
		one, _ = evidence.Append(nil, v.head, []evidence.Observation{unshared})
		if head := 5 + len(binary.AppendUvarint(nil, uint64(v.head.Pane))); i > 0 {
			one = one[head:]
		}
		plain = append(plain, one...)
	}
	for rest := list; len(rest) > 0; {
		value, n := evidence.Append(nil, v.head, rest)
		shared, rest = asRecord(shared, value), rest[n:]
	}
	v.alone.add(alone)
	v.plain.add(asRecord(nil, plain))
	v.shared.add(shared)
}

// asRecord is about what Kafka's format makes of a value: lengths, attributes,
// differences of time and offset, an empty key.
func asRecord(b, value []byte) []byte {
	b = binary.AppendVarint(b, int64(len(value)+8))
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendVarint(b, int64(len(value)))
	return append(append(b, value...), 0)
}

func (v *volume) report(b *testing.B, hits int) {
	b.ReportMetric(float64(hits), "hits")
	b.ReportMetric(float64(v.observations), "observations")
	b.ReportMetric(float64(v.batches), "batches")
	for _, layout := range []struct {
		name string
		size
	}{{"alone", v.alone}, {"plain", v.plain}, {"shared", v.shared}} {
		b.ReportMetric(float64(layout.raw), layout.name+"-raw-B")
		b.ReportMetric(float64(layout.packed), layout.name+"-zstd-B")
	}
}
