package book_test

import (
	"bytes"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
)

func TestInflate(t *testing.T) {
	text := bytes.Repeat([]byte("pairs "), 1000)
	packed := book.Deflate(text)
	for _, c := range []struct {
		name string
		most int64
		want bool
	}{
		{"enough", 6000, true},
		{"one byte less", 5999, false},
	} {
		if got, err := book.Inflate(packed, c.most); (err == nil) != c.want || c.want && !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
	}
	if _, err := book.Inflate(packed[:len(packed)-1], 6000); err == nil {
		t.Error("a cut text is read")
	}
	if _, err := book.Inflate([]byte("{"), 6000); err == nil {
		t.Error("JSON is read")
	}
}
