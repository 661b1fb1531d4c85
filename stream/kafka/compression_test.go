package kafka

import (
	"bytes"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/compress"
)

// Whoever imports this package keeps the codecs of kafka-go, which the whole process shares.
func TestImportChangesNoCodec(t *testing.T) {
	if c := compress.Codecs[compress.Zstd]; c != compress.Codec(&compress.ZstdCodec) {
		t.Errorf("the codec is a %T, want kafka-go's", c)
	}
}

// The records of a batch are compressed by our encoder, and kafka-go's codec reads them.
func TestEncodeCompresses(t *testing.T) {
	value := bytes.Repeat([]byte("long "), 1<<16)
	batch, err := encode([]Record{{Key: []byte("k"), Value: value}, {Value: []byte("two")}}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if len(batch) > 2000 {
		t.Errorf("a batch of %d bytes is not compressed", len(batch))
	}
	r := compress.ZstdCodec.NewReader(bytes.NewReader(batch[sizeBytes+headerSize:]))
	defer r.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil || !bytes.Contains(out.Bytes(), value) {
		t.Errorf("kafka-go reads %d bytes: %v", out.Len(), err)
	}
}
