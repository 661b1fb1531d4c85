package kafka

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/snappy"
)

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
