package kafka

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/segmentio/kafka-go/compress"
)

// maxBatch bounds the memory of one decoded record batch. Brokers accept a megabyte,
// compressed, unless configured otherwise.
const maxBatch = 64 << 20

var errBomb = fmt.Errorf("it takes more than %d MB in memory", maxBatch>>20)

// zstdDecoder keeps to the bound by itself; a frame's own word on its size and
// window is not trusted.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBatch), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
})

// zstdWindow is what an encoder remembers. Few batches are larger: brokers accept a megabyte,
// compressed. The codec of kafka-go takes 16 MB for each encoder.
const zstdWindow = 1 << 20

var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
})

// decompress returns at most limit bytes, or an error.
func decompress(codec uint16, data []byte, limit int) ([]byte, error) {
	switch compress.Compression(codec) {
	case compress.None:
		return data, nil
	case compress.Zstd:
		return unzstd(data, limit)
	case compress.Snappy:
		return unsnap(data, limit)
	}
	c := compress.Compression(codec).Codec()
	if c == nil {
		return nil, fmt.Errorf("compression %d is not known", codec)
	}
	r := c.NewReader(bytes.NewReader(data))
	defer r.Close()
	var out bytes.Buffer
	if _, err := io.Copy(&out, io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, err
	}
	if out.Len() > limit {
		return nil, errBomb
	}
	return out.Bytes(), nil
}

// scratch holds buffers that have grown to the size of batches, up to a size worth keeping.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

const scratchSize = 4 << 20

func unzstd(data []byte, limit int) ([]byte, error) {
	s := scratch.Get().(*[]byte)
	defer scratch.Put(s)
	out, err := zstdDecoder().DecodeAll(data, (*s)[:0])
	if cap(out) <= scratchSize {
		*s = out
	}
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded), len(out) > limit:
		return nil, errBomb
	case err != nil:
		return nil, err
	}
	return bytes.Clone(out), nil
}

// xerial begins the frames written by Java's snappy: this magic, two versions, and then
// blocks, each after its size. Other clients write one bare block.
var xerial = []byte("\x82SNAPPY\x00")

// unsnap decompresses snappy. Announced sizes are checked before memory is allocated.
func unsnap(data []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(data, xerial) {
		return unsnapBlock(nil, data, limit)
	}
	if len(data) < 16 {
		return nil, errMalformed
	}
	var out []byte
	for data = data[16:]; len(data) > 0; {
		if len(data) < 4 {
			return nil, errMalformed
		}
		size := int64(binary.BigEndian.Uint32(data))
		if size > int64(len(data)-4) {
			return nil, errMalformed
		}
		var err error
		if out, err = unsnapBlock(out, data[4:4+size], limit); err != nil {
			return nil, err
		}
		data = data[4+size:]
	}
	return out, nil
}

func unsnapBlock(out, block []byte, limit int) ([]byte, error) {
	n, err := snappy.DecodedLen(block)
	if err != nil {
		return nil, err
	}
	if len(out)+n > limit || n > 64*len(block)+64 { // snappy expands 3 bytes to at most 64
		return nil, fmt.Errorf("snappy says %d bytes in %d: %w", n, len(block), errBomb)
	}
	piece, err := snappy.Decode(nil, block)
	if err != nil {
		return nil, err
	}
	if out == nil {
		return piece, nil
	}
	return append(out, piece...), nil
}
