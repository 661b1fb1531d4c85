package lines

import "testing"

// BenchmarkSplit measures the cutting alone, without disk and decompression.
func BenchmarkSplit(b *testing.B) {
	const line = "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET /images/kibana-search.png HTTP/1.1\" 200 203023 \"-\" \"Mozilla/5.0\"\n"
	buf := make([]byte, 256<<10)
	s := Splitter{Source: &repeat{line: line}, MaxLine: 64 << 10}
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		data, err := s.Next(buf)
		if err != nil {
			b.Fatal(err)
		}
		for range (&Batch{Data: data}).Lines() {
		}
	}
}

// repeat yields one line over and over, without end.
type repeat struct {
	line string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		m := copy(p[n:], r.line[r.at:])
		r.at = (r.at + m) % len(r.line)
		n += m
	}
	return len(p), nil
}
