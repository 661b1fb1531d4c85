package agent

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dustbuster/stream/kafka"
)

// cutAll returns the batches cut from a partition's records.
func cutAll(t *testing.T, maxLine int, in *kafka.Batch) (all []string, ends []int64, oversized int) {
	t.Helper()
	x := newTexts(TopicsOptions{MaxLine: maxLine})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer cancel()
		x.cut(ctx, &part{path: "lines/3", file: 3}, in)
	}()
	for {
		select {
		case next := <-x.out:
			b := next.batch
			if b.Path != "lines/3" || b.File != 3 || b.First != (len(all) == 0) {
				t.Fatalf("batch %d: %q, file %d, first %v", len(all), b.Path, b.File, b.First)
			}
			all, ends, oversized = append(all, string(b.Data)), append(ends, b.End), oversized+b.Oversized
			b.Release()
		case <-ctx.Done():
			return all, ends, oversized
		}
	}
}

func TestCut(t *testing.T) {
	in := &kafka.Batch{Next: 20, End: 30}
	for i, value := range []string{"one", "two\n", "three\nfour", "", "five\r\n\n", "too long\nsix\ntoo long as well"} {
		in.Records = append(in.Records, kafka.Record{Offset: int64(10 + i), Value: []byte(value)})
	}
	in.Records = append(in.Records, kafka.Record{Offset: 17})
	all, ends, oversized := cutAll(t, 6, in)
	if want := "one\ntwo\nthree\nfour\nfive\r\n\nsix\n"; len(all) != 1 || all[0] != want || ends[0] != 20 || oversized != 2 {
		t.Errorf("%q to %d, %d too long", all, ends, oversized)
	}
	if all, ends, _ := cutAll(t, 6, &kafka.Batch{Next: 9}); len(all) != 1 || all[0] != "" || ends[0] != 9 {
		t.Errorf("of a hole: %q to %d", all, ends)
	}
}

// A record may be a document, of any length: its lines count as lines. Lines that are too long are
// left out, and so is what is too long and no document.
func TestCutDocuments(t *testing.T) {
	long := strings.Repeat("x", 60_000)
	in := &kafka.Batch{Next: 20, End: 30}
	for _, value := range []string{
		"one",
		`{"streams":[{"stream":{"vhost":"www.example.org"},"values":[["1","two"],["2","` + long + `"],["3","` + long + long + `"]]}]}`,
		`{"schema":null,"payload":"three"}` + "\n" + `{"schema":null,"payload":{"four":4}}`,
		`{"streams":[{"values":7,"x":"` + long + long + `"}]}`,
		`{"time":"x"}`,
	} {
		in.Records = append(in.Records, kafka.Record{Offset: 19, Value: []byte(value)})
	}
	all, _, oversized := cutAll(t, 64<<10, in)
	want := "one\n@document www.example.org two\n@document www.example.org " + long + "\n@document - three\n@document - {\"four\":4}\n{\"time\":\"x\"}\n"
	if got := strings.Join(all, ""); got != want || oversized != 2 {
		t.Errorf("%d bytes, want %d; %d too long: %.300q", len(got), len(want), oversized, got)
	}
}

// Many records make several batches, which end where records do.
func TestCutMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	in := &kafka.Batch{Next: 1 << 40}
	var want strings.Builder
	starts := map[int64]int{}
	for offset := int64(0); want.Len() < 3_000_000; offset += 1 + rng.Int64N(3) {
		starts[offset] = want.Len()
		value := bytes.Repeat(fmt.Appendf(nil, "line of %d\n", offset), 1+rng.IntN(5000)*rng.IntN(2))
		in.Records = append(in.Records, kafka.Record{Offset: offset, Value: value})
		want.Write(value)
	}
	all, ends, _ := cutAll(t, 1000, in)
	if strings.Join(all, "") != want.String() || len(all) < 10 {
		t.Fatalf("%d batches of %d bytes, want %d bytes", len(all), len(strings.Join(all, "")), want.Len())
	}
	size := 0
	for i, text := range all {
		size += len(text)
		if start, ok := starts[ends[i]]; i < len(all)-1 && (!ok || start != size) || i == len(all)-1 && ends[i] != in.Next {
			t.Errorf("batch %d of %d ends at offset %d after %d bytes", i, len(all), ends[i], size)
		}
	}
}
