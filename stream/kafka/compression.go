package kafka

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

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
