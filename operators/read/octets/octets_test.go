package octets_test

import (
	"bytes"
	"strconv"
	"testing"

	"dustbuster/operators/read/octets"
)

// plainNth is Nth as a plain loop.
func plainNth(b []byte, c byte, n int) int {
	for i := range b {
		if b[i] == c {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

// plainStringEnd is StringEnd as a plain loop.
func plainStringEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// Bytes are found where plain loops find them, whatever stands around them.
func FuzzFind(f *testing.F) {
	f.Add([]byte("192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] \"GET / HTTP/1.1\" 200 1"), byte(' '))
	f.Add([]byte("\x00\x01\x80\x81\xff \x1f! \x20\xa0"), byte(0x80))
	f.Add([]byte("01/0/0/0/0"), byte('/'))
	f.Add([]byte(`{"a":"b\"c"}`), byte('"'))
	f.Add([]byte(`{\"a\":\"b\\\"c\",\"d\\\\\":1}\\","e"`), byte('"'))
	f.Fuzz(func(t *testing.T, b []byte, c byte) {
		if got, want := octets.Index(b, c), bytes.IndexByte(b, c); got != want {
			t.Errorf("Index(%q, %q) = %d, want %d", b, c, got, want)
		}
		if got, want := octets.StringEnd(b), plainStringEnd(b); got != want {
			t.Errorf("StringEnd(%q) = %d, want %d", b, got, want)
		}
		for n := 1; n <= bytes.Count(b, []byte{c})+1; n++ {
			if got, want := octets.Nth(b, c, n), plainNth(b, c, n); got != want {
				t.Errorf("Nth(%q, %q, %d) = %d, want %d", b, c, n, got, want)
			}
			places := octets.Places(nil, b, c, n)
			for i, got := range places {
				if want := plainNth(b, c, i+1); int(got) != want {
					t.Errorf("place %d of %q in %q is %d, want %d", i, c, b, got, want)
				}
			}
			if want := min(n, bytes.Count(b, []byte{c})); len(places) != want {
				t.Errorf("%d places of %q in %q, want %d", len(places), c, b, want)
			}
		}
	})
}

// Of eight bytes the first outside a range is found, whatever stands there and behind.
func TestOutside(t *testing.T) {
	for at := range 8 {
		for c := range 256 {
			b := []byte("./012389")
			want := 8
			if b[at] = byte(c); c < '.' || c > '9' {
				want = at
			}
			for range 2 {
				if got := octets.Outside(octets.Load(b), '.', '9'); got != want {
					t.Fatalf("%q: %d, want %d", b, got, want)
				}
				if want < 8 {
					copy(b[at+1:], "\xff\x00: ,-\x80")
				}
			}
		}
	}
}

// Up to eight digits are read at once.
func TestDigits(t *testing.T) {
	for n, text := int64(0), "7654321"; n <= 99_999_999; n += 1 + n/3 {
		digits := strconv.AppendInt(nil, n, 10)
		x := octets.Load(append(digits, text...)) << (64 - 8*len(digits))
		if got := octets.Digits(x); got != n {
			t.Fatalf("%s: %d", digits, got)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	line := []byte("192.0.2.7 - - [02/Jan/2006:15:04:05 -0700]")
	b.Run("words", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			octets.Index(line, " -["[i%3])
		}
	})
	b.Run("bytes", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			bytes.IndexByte(line, " -["[i%3])
		}
	})
}
