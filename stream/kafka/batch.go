package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"
	"unsafe"
)

// Record is one record of a partition.
type Record struct {
	Offset  int64     // its place; not regarded when produced
	Time    time.Time // in milliseconds, set by the producer or the broker; zero when produced: now
	Key     []byte    // nil: none
	Value   []byte    // nil: a tombstone. Empty and not nil: empty
	Headers []Header
}

// Header is a named value beside a record's own.
type Header struct {
	Key   string
	Value []byte
}

// Batch is a run of a partition's records, in order. The caller owns the batch. Keys,
// values and headers share the memory of the batch.
type Batch struct {
	Records []Record // may be none: the log has holes
	Next    int64    // the position to continue at; a group commits Next
	End     int64    // the current end of the readable log. Compare End with Next, never with offsets of records: the last offset may be a hole
	Lost    int64    // missing or unreadable offsets passed over. Count and report them
	Why     error    // the cause of Lost; nil if none
}

// Header is the value of a name; nil if there is none.
func (r *Record) Header(name string) []byte {
	for i := range r.Headers {
		if r.Headers[i].Key == name {
			return r.Headers[i].Value
		}
	}
	return nil
}

// A record batch of format 2, as the broker returns it (KIP-98):
//
//	 0 base offset      int64   23 last offset delta  int32   51 producer epoch int16
//	 8 length           int32   27 first timestamp    int64   53 base sequence  int32
//	12 leader epoch     int32   35 greatest timestamp int64   57 records        int32
//	16 format           int8    43 producer           int64   61 the records, compressed
//	17 checksum of the rest
//	21 attributes       int16
const (
	atLength, atEpoch, atFormat, atChecksum, atAttributes, atDelta = 8, 12, 16, 17, 21, 23
	atFirstTime, atGreatestTime, atProducer, atCount               = 27, 35, 43, 57
	headerSize                                                     = 61
	oldHeaderSize                                                  = 17 // up to the format, which stands there in all formats
)

const (
	codecBits     = 7
	appendTime    = 1 << 3
	transactional = 1 << 4
	control       = 1 << 5
)

// raw is a record batch that is not decoded yet.
type raw struct {
	base, last int64
	data       []byte // nil: the batch is unreadable, or has no records for the reader
	err        error  // why the batch is unreadable
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errFormat is the error for logs older than Kafka 0.11.
var errFormat = errors.New("a record format older than Kafka 0.11")

// nextBatch cuts the first batch off records. ok is false if records holds no batch or only
// a part of a batch. The error is for bytes that cannot be cut.
func nextBatch(records []byte) (r raw, rest []byte, ok bool, err error) {
	if len(records) < oldHeaderSize {
		return raw{}, nil, false, nil
	}
	base := int64(binary.BigEndian.Uint64(records))
	length := int64(int32(binary.BigEndian.Uint32(records[atLength:])))
	if base < 0 || length < oldHeaderSize-12 {
		return raw{}, nil, false, errMalformed
	}
	if 12+length > int64(len(records)) {
		return raw{}, nil, false, nil
	}
	data, rest := records[:12+length], records[12+length:]
	r = raw{base: base, last: base, data: data}
	switch {
	case data[atFormat] < 2:
		r.data, r.err = nil, errFormat // the base offset is then the last of the wrapped ones
	case data[atFormat] > 2:
		return raw{}, nil, false, fmt.Errorf("record format %d is not known", data[atFormat])
	case len(data) < headerSize:
		r.data, r.err = nil, errMalformed
	default:
		delta := int32(binary.BigEndian.Uint32(data[atDelta:]))
		if delta < 0 || base+int64(delta) < base {
			return raw{}, nil, false, errMalformed
		}
		r.last += int64(delta)
		if sum := binary.BigEndian.Uint32(data[atChecksum:]); sum != crc32.Checksum(data[atAttributes:], castagnoli) {
			r.data, r.err = nil, errors.New("its checksum is wrong")
		}
	}
	return r, rest, true, nil
}

func (r raw) attributes() uint16 { return binary.BigEndian.Uint16(r.data[atAttributes:]) }
func (r raw) producer() int64    { return int64(binary.BigEndian.Uint64(r.data[atProducer:])) }

// aborts reports whether a control batch ends an aborted transaction.
func (r raw) aborts() bool {
	one := cursor{data: r.data[headerSize:]}
	record := cursor{data: one.bytes()}
	record.take(1)                           // attributes
	record.varint()                          // time
	record.varint()                          // offset
	key := record.take(int(record.varint())) // version and type, two bytes each
	return len(key) == 4 && binary.BigEndian.Uint16(key[2:]) == 0
}

// committedOf returns the batches of a partition's part of a response that have records
// from a position on, as read_committed defines them: no control records, no records of
// aborted transactions, no records before the position. The second result is the position
// to continue at: the position itself if there was no whole batch.
func committedOf(f fetched, position int64) (batches []raw, next int64, err error) {
	next = position
	active, waiting := map[int64]bool{}, f.aborted
	for records := f.records; ; {
		r, rest, ok, err := nextBatch(records)
		if err != nil || !ok {
			return batches, next, err
		}
		records = rest
		if r.last < position {
			continue
		}
		next = max(next, r.last+1)
		if r.err != nil {
			batches = append(batches, r)
			continue
		}
		if r.attributes()&(transactional|control) != 0 {
			waiting = begin(active, waiting, r.base) // for control batches too: theirs may be the first seen of a producer
		}
		if r.attributes()&control != 0 {
			if r.aborts() {
				delete(active, r.producer())
			}
			continue
		}
		if r.attributes()&transactional != 0 && active[r.producer()] {
			continue
		}
		if binary.BigEndian.Uint32(r.data[atCount:]) == 0 {
			continue // emptied by the cleaner
		}
		batches = append(batches, r)
	}
}

// begin marks the producers of aborted transactions that have begun by an offset as active.
// It returns the other transactions.
func begin(active map[int64]bool, waiting []aborted, offset int64) []aborted {
	left := waiting[:0:0]
	for _, a := range waiting {
		if a.first <= offset {
			active[a.producer] = true
		} else {
			left = append(left, a)
		}
	}
	return left
}

const (
	recordSize = int(unsafe.Sizeof(Record{}))
	headerCost = int(unsafe.Sizeof(Header{}))
	leastSize  = 7 // bytes of a record without key, value and headers
)

// appendRecords decodes a batch's records from an offset on. The cost is the memory taken,
// with the slices of records and headers, and is bounded by limit.
func (r raw) appendRecords(records []Record, from int64, limit int) (all []Record, cost int, err error) {
	left := limit
	attributes := r.attributes()
	data, err := decompress(attributes&codecBits, r.data[headerSize:], left)
	if err != nil {
		return records, 0, err
	}
	n := int64(int32(binary.BigEndian.Uint32(r.data[atCount:])))
	if n < 0 || n > int64(len(data)/leastSize) {
		return records, 0, fmt.Errorf("%d records in %d bytes: %w", n, len(data), errMalformed)
	}
	left -= len(data) + int(n)*recordSize
	if left < 0 {
		return records, 0, errBomb
	}
	records = slices.Grow(records, int(n))
	first := int64(binary.BigEndian.Uint64(r.data[atFirstTime:]))
	greatest := int64(binary.BigEndian.Uint64(r.data[atGreatestTime:]))
	had := len(records)
	c := cursor{data: data}
	for range n {
		one := cursor{data: c.bytes()}
		one.take(1) // attributes
		stamp := first + one.varint()
		if attributes&appendTime != 0 {
			stamp = greatest
		}
		record := Record{Offset: r.base + one.varint(), Time: time.UnixMilli(stamp), Key: one.bytes(), Value: one.bytes()}
		record.Headers = one.headers(&left)
		switch {
		case left < 0:
			return records[:had], 0, errBomb
		case c.bad || one.bad || record.Offset < r.base || record.Offset > r.last:
			return records[:had], 0, errMalformed
		}
		if record.Offset >= from {
			records = append(records, record)
		}
	}
	return records, limit - left, nil
}

// headers decodes a record's headers and subtracts their memory from left. A negative left
// means too much memory.
func (c *cursor) headers(left *int) []Header {
	n := c.varint()
	if n < 0 || n > int64(len(c.data)/2) {
		c.bad = true
		return nil
	}
	*left -= int(n) * headerCost
	if n == 0 || *left < 0 {
		return nil
	}
	headers := make([]Header, n)
	for i := range headers {
		headers[i] = Header{string(c.bytes()), c.bytes()}
	}
	return headers
}
