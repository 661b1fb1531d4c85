package kafka

import (
	"encoding/binary"
	"errors"
	"math"
)

// fetched is one partition's part of a response to a fetch.
type fetched struct {
	topic     string
	partition int32
	code      int16
	high      int64 // high watermark
	stable    int64 // last stable offset
	aborted   []aborted
	records   []byte
}

// aborted is the offset from which on a producer's transactional records were never
// committed, up to its next control record.
type aborted struct{ producer, first int64 }

var errMalformed = errors.New("malformed")

// fetchVersion is the version of the fetch request: the version of Kafka 2.3 and of all
// releases since.
const fetchVersion = 11

// decodeFetch decodes a response without copying, in bounded memory. The error may be the
// broker's.
func decodeFetch(data []byte) (parts []fetched, err error) {
	c := cursor{data: data}
	c.int32() // correlation id
	c.int32() // throttled for so many milliseconds
	code := c.int16()
	c.int32() // session
	for range c.count(6) {
		topic := string(c.take(int(c.int16())))
		for range c.count(38) {
			p := fetched{topic: topic, partition: c.int32(), code: c.int16(), high: c.int64(), stable: c.int64()}
			c.int64() // start of the log
			for range c.count(16) {
				p.aborted = append(p.aborted, aborted{c.int64(), c.int64()})
			}
			c.int32() // the preferred read replica
			if n := c.int32(); n > 0 {
				p.records = c.take(int(n))
			}
			parts = append(parts, p)
		}
	}
	if c.bad {
		return nil, errMalformed
	}
	return parts, answer(code)
}

// cursor reads big-endian numbers and zigzag varints. Past the end the cursor is bad and
// returns zeros.
type cursor struct {
	data []byte
	bad  bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data) {
		c.bad, c.data = true, nil
		return nil
	}
	b := c.data[:n:n]
	c.data = c.data[n:]
	return b
}

func (c *cursor) int16() int16 { return int16(c.number(2)) }
func (c *cursor) int32() int32 { return int32(c.number(4)) }
func (c *cursor) int64() int64 { return int64(c.number(8)) }

func (c *cursor) number(size int) (n uint64) {
	for _, b := range c.take(size) {
		n = n<<8 | uint64(b)
	}
	return n
}

// count reads the length of an array. least is the least size of an element in bytes.
func (c *cursor) count(least int) int { return c.fits(int(c.int32()), least) }

// fits returns the length of an array. A length greater than the remaining bytes allow is
// malformed, and costs no memory.
func (c *cursor) fits(n, least int) int {
	if n > len(c.data)/least {
		c.bad, c.data = true, nil
	}
	if c.bad {
		return 0
	}
	return max(n, 0)
}

func (c *cursor) varint() int64 {
	n, size := binary.Varint(c.data)
	if size <= 0 {
		c.bad, c.data = true, nil
		return 0
	}
	c.data = c.data[size:]
	return n
}

// bytes reads a length and so many bytes; nil where the length is negative.
func (c *cursor) bytes() []byte {
	n := c.varint()
	if n < 0 {
		return nil
	}
	return c.take(int(min(n, math.MaxInt32))) // which is more than there is
}
