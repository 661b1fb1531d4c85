// Package logshapes holds tests of the fetch loop on logs of every shape that
// Kafka's cleaner and transactions leave, served by an in-process broker and
// read by another client too. It is a module of its own, so that neither is in
// the product's go.mod:
//
//	cd integration/logshapes && go test ./...
package logshapes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// log is one partition's log as a broker would hold it, and the plain truth of
// what a reader of committed records must see of it.
type log struct {
	first, stable, end int64 // log start, last stable offset, high watermark
	batches            []batch
	aborted            []transaction
	visible            []seen
}

// batch is a record batch as it lies in the log.
type batch struct {
	base, last int64
	bytes      []byte
}

// transaction is one that was aborted, by the offsets of its first record and
// of its marker.
type transaction struct{ producer, first, marker int64 }

// seen is a record that is to be seen.
type seen struct {
	offset     int64
	key, value string // "nil" where it is nil
}

var codecs = []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}

var compressors = func() (all []kgo.Compressor) {
	for _, c := range codecs {
		one, err := kgo.DefaultCompressor(c)
		if err != nil {
			panic(err)
		}
		all = append(all, one)
	}
	return all
}()

// record is one that is put into a batch; delta is its distance from the base.
type record struct {
	delta      int
	key, value []byte
}

// encode makes a record batch. The last offset delta is the batch's as it was
// written, whatever the cleaner has taken out since.
func encode(base int64, lastDelta int, producer int64, attributes int16, codec int, records []record) []byte {
	var data []byte
	for _, r := range records {
		rec := kmsg.Record{OffsetDelta: int32(r.delta), Key: r.key, Value: r.value}
		rec.Length = int32(len(rec.AppendTo(nil)) - 1) // less the length itself, of one byte: a zero
		data = rec.AppendTo(data)
	}
	if one := compressors[codec]; one != nil && len(records) > 0 {
		packed, _ := one.Compress(new(bytes.Buffer), data)
		data = packed
		attributes |= int16(codec)
	}
	b := kmsg.RecordBatch{
		FirstOffset: base, Magic: 2, Attributes: attributes, LastOffsetDelta: int32(lastDelta),
		ProducerID: producer, ProducerEpoch: int16(min(producer, 0)), FirstSequence: int32(min(producer, 0)),
		NumRecords: int32(len(records)), Records: data,
	}
	b.Length = int32(len(b.AppendTo(nil)) - 12)
	raw := b.AppendTo(nil)
	binary.BigEndian.PutUint32(raw[17:], crc32.Checksum(raw[21:], crc32.MakeTable(crc32.Castagnoli)))
	return raw
}

const (
	transactional = 1 << 4
	control       = 1 << 5
)

// open is a transaction under way.
type open struct {
	first int64
	data  []int // its batches that are left, by number
	seen  []seen
}

// random makes a log: written by plain and transactional producers, then
// compacted somewhere between not at all and nearly to nothing.
func random(r *rand.Rand) *log {
	l := &log{}
	keep := []float64{1, 0.9, 0.5, 0.1, 0}[r.IntN(5)] // of the records, outside the active segment
	offset := int64(r.IntN(3)) * int64(r.IntN(1000))
	l.first = offset
	under := map[int64]*open{}
	steps := 1 + r.IntN(60)
	active := steps - r.IntN(4) // from here on nothing is compacted
	for step := range steps {
		kept := keep
		if step >= active {
			kept = 1
		}
		producer := int64(-1)
		if r.IntN(2) == 0 {
			producer = int64(r.IntN(4))
		}
		if tx := under[producer]; tx != nil && r.IntN(3) == 0 {
			l.mark(r, offset, producer, tx, kept)
			delete(under, producer)
			offset++
			continue
		}
		n := 1 + r.IntN(20)
		transaction := producer >= 0 && (under[producer] != nil || r.IntN(2) == 0)
		var records []record
		var truth []seen
		for i := range n {
			if r.Float64() >= kept {
				continue
			}
			rec := record{delta: i, key: fmt.Appendf(nil, "k%d", r.IntN(10)), value: fmt.Appendf(nil, "%d-%s", offset, bytes.Repeat([]byte("v"), r.IntN(200)))}
			switch r.IntN(10) {
			case 0:
				rec.value = nil
			case 1:
				rec.value = []byte{}
			case 2:
				rec.key = nil
			}
			records = append(records, rec)
			truth = append(truth, seen{offset + int64(i), text(rec.key), text(rec.value)})
		}
		attributes := int16(0)
		if transaction {
			attributes = transactional
			if under[producer] == nil {
				under[producer] = &open{first: offset}
			}
		}
		if len(records) > 0 || r.IntN(2) == 0 { // a batch that is emptied is kept where it is a producer's last, or a round's
			l.batches = append(l.batches, batch{offset, offset + int64(n) - 1, encode(offset, n-1, producer, attributes, r.IntN(len(codecs)), records)})
			if tx := under[producer]; transaction && len(records) > 0 {
				tx.data = append(tx.data, len(l.batches)-1)
			}
		}
		if transaction {
			under[producer].seen = append(under[producer].seen, truth...)
		} else {
			l.visible = append(l.visible, truth...)
		}
		offset += int64(n)
	}
	l.end, l.stable = offset, offset
	for _, tx := range under { // not ended: nothing behind its start is stable
		l.stable = min(l.stable, tx.first)
	}
	l.settle()
	return l
}

// mark ends a transaction.
func (l *log) mark(r *rand.Rand, offset, producer int64, tx *open, kept float64) {
	commits := r.IntN(2) == 0
	key := []byte{0, 0, 0, 0}
	if commits {
		key[3] = 1
		l.visible = append(l.visible, tx.seen...)
	} else if len(tx.data) > 0 { // the index of aborted transactions forgets those that were cleaned away
		l.aborted = append(l.aborted, transaction{producer, tx.first, offset})
	}
	marker := []record{{key: key, value: []byte{0, 0, 0, 0, 0, 0}}}
	if len(tx.data) == 0 && kept < 1 { // the marker may go with the last of its records, or be left as an empty batch
		switch r.IntN(3) {
		case 0:
			return
		case 1:
			marker = nil
		}
	}
	l.batches = append(l.batches, batch{offset, offset, encode(offset, 0, producer, transactional|control, 0, marker)})
}

// settle puts the truth in order, and takes out what is not stable.
func (l *log) settle() {
	var stable []seen
	for offset := l.first; offset < l.stable; offset++ {
		for _, s := range l.visible {
			if s.offset == offset {
				stable = append(stable, s)
			}
		}
	}
	l.visible = stable
}

func text(b []byte) string {
	if b == nil {
		return "nil"
	}
	return string(b)
}

// fetch answers as a broker does: whole batches from the one that holds the
// offset on, one at least, none with unstable records, and which transactions
// that reach into them were aborted.
func (l *log) fetch(offset int64, most int, torn bool) (records []byte, aborted []transaction) {
	upper := offset
	for _, b := range l.batches {
		if b.last < offset {
			continue
		}
		if b.base >= l.stable {
			break
		}
		if len(records) > 0 && len(records)+len(b.bytes) > most {
			if torn { // as old brokers do
				records = append(records, b.bytes[:len(b.bytes)/2]...)
			}
			break
		}
		records = append(records, b.bytes...)
		upper = b.last
	}
	for _, t := range l.aborted {
		if t.marker >= offset && t.first <= upper {
			aborted = append(aborted, t)
		}
	}
	return records, aborted
}
