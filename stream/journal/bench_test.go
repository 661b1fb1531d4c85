package journal

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
)

// urls returns made-up observations, one for each of n URLs of 30 to 90 bytes, in
// random order or sorted.
func urls(n int, sorted bool) iter.Seq[Entry] {
	rnd := rand.New(rand.NewPCG(1, 1))
	all := make([]evidence.Observation, n)
	for i := range all {
		all[i] = evidence.Observation{
			Time: 245_000 * 7200, Min: 1000 + rnd.Int64N(1e6), Clients: uint16(rnd.Uint32()),
			URL: fmt.Appendf(nil, "/gitweb/?p=project-%d.git&a=%s&h=%08x%08x", rnd.IntN(n/50+1), []string{"commit", "blob_plain", "history", "shortlog"}[rnd.IntN(4)], rnd.Uint32(), rnd.Uint32()),
		}
		all[i].Max = all[i].Min
	}
	if sorted {
		slices.SortFunc(all, func(a, b evidence.Observation) int { return slices.Compare(a.URL, b.URL) })
	}
	var entries []Entry
	for len(all) > 0 {
		value, n := evidence.Append(nil, evidence.Head{Pane: 7200}, all)
		entries, all = append(entries, Entry{Kind: kindValue, Name: "www.example.org", Value: value}), all[n:]
	}
	return slices.Values(entries)
}

// BenchmarkAppend measures a checkpoint of 10,000 observations, including fsync.
func BenchmarkAppend(b *testing.B) {
	entries := urls(10_000, false)
	j := open(b, Options{Dir: b.TempDir(), Pane: 7200})
	for b.Loop() {
		must(b, j.Save(entries))
		b.StopTimer()
		if now, _ := j.Size(); now > 64<<20 {
			must(b, j.Compact(slices.Values([]Entry{})))
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/observation")
}

// BenchmarkCompact writes 1 million URLs, and BenchmarkLoad reads them.
func BenchmarkCompact(b *testing.B) {
	entries := urls(1_000_000, false)
	j := open(b, Options{Dir: b.TempDir(), Pane: 7200})
	for b.Loop() {
		must(b, j.Compact(entries))
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct {
		name   string
		sorted bool
	}{{"unsorted", false}, {"sorted", true}} {
		b.Run(c.name, func(b *testing.B) {
			state, entries := b.TempDir(), urls(1_000_000, c.sorted)
			j := open(b, Options{Dir: state, Pane: 7200})
			must(b, j.Save(entries))
			j.Close()
			entries = nil
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				j, err := Open(Options{Dir: state, Pane: 7200})
				must(b, err)
				d := evidence.NewDecoder(nil)
				for e, err := range j.Load() {
					must(b, err)
					v, err := d.Decode(e.Value)
					must(b, err)
					n += len(v.List)
				}
				if n != 1_000_000 {
					b.Fatal(n)
				}
				j.Close()
			}
			info, err := os.Stat(filepath.Join(state, journalName))
			must(b, err)
			b.ReportMetric(float64(info.Size())/1e6, "B/observation")
		})
	}
}
