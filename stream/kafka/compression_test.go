package kafka

import (
	"bytes"
	"io"
	"testing"

	"github.com/segmentio/kafka-go/compress"
)

// The codec of kafka-go is replaced. A writer that is closed twice gives back one encoder.
func TestZstdWriter(t *testing.T) {
	codec, ok := compress.Zstd.Codec().(zstdCodec)
	if !ok {
		t.Fatalf("the codec is a %T", compress.Zstd.Codec())
	}
	for _, text := range []string{"one", "two", string(bytes.Repeat([]byte("long "), 1<<20))} {
		var outs [2]bytes.Buffer
		var writers [2]io.WriteCloser
		for i := range writers {
			writers[i] = codec.NewWriter(&outs[i])
		}
		for i, w := range writers {
			if _, err := w.Write([]byte{'0' + byte(i)}); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Errorf("closed again: %v", err)
			}
		}
		for i := range outs {
			got, err := io.ReadAll(codec.NewReader(&outs[i]))
			if want := string('0'+rune(i)) + text; err != nil || string(got) != want {
				t.Errorf("%d bytes become %d: %v", len(want), len(got), err)
			}
		}
	}
}
