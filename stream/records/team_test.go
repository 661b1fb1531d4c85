package records

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/files"
)

// readByTeam reads a file with a team of workers that can fold so many records each. None: without a
// team.
func readByTeam(t *testing.T, o Options, path string, workers, most int) (all told, further []string) {
	t.Helper()
	o.Admit = admit.Defaults()
	o.Malformed = func(_ string, line []byte, err error) {
		all.malformed = append(all.malformed, fmt.Sprintf("%s: %v", line, err))
	}
	parts := make([]told, workers)
	var folds []Fold
	for i := range parts {
		folds = append(folds, func(site string, o *evidence.Observation) bool {
			b := Batch{Records: []Record{{site, *o}}}
			parts[i].add(&b)
			return len(parts[i].records) < most
		})
	}
	if workers > 0 {
		team, err := NewTeam(o.Admit, folds)
		must(t, err)
		defer team.Close()
		o.Team = team
	}
	r := open(t, o, files.Options{BatchSize: 2000, MaxLine: 1000, Batches: Ahead(workers) + 4}, path)
	all.errors = each(t, r, func(b *Batch) {
		all.add(b)
		for _, format := range b.Further {
			further = append(further, fmt.Sprintf("%s after %d lines", format, all.counts.Lines))
		}
	})
	must(t, r.Close())
	for i := range parts {
		all.records = append(all.records, parts[i].records...)
	}
	slices.Sort(all.records)
	return all, further
}

// A team reads what a Reader reads alone, and detects further formats at the same lines, also if a
// worker can soon fold no more.
func TestTeam(t *testing.T) {
	folded := 0
	layouts := []string{"combined", "vhost", "json", "syslog", "syslogjs", "foreign", "own"}
	for seed := range worlds.Rounds(60, 5000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var text strings.Builder
		n := 0
		for range 1 + r.IntN(12) {
			main, noise := layouts[r.IntN(len(layouts))], []float64{0, .03, .2, .6}[r.IntN(4)]
			other := layouts[r.IntN(len(layouts))]
			for range r.IntN(300) {
				layout := main
				if r.Float64() < noise {
					layout = other
				}
				line := numberedLine(layout, n)
				if r.IntN(200) == 0 {
					line = []string{"\n", "odd\n", strings.Repeat("z", 1200) + "\n"}[r.IntN(3)]
				}
				text.WriteString(line)
				n++
			}
		}
		path := write(t, "log", text.String())
		want, further := readByTeam(t, Options{}, path, 0, 0)
		for _, workers := range []int{1, 3} {
			most := 1 << 30
			if r.IntN(3) == 0 {
				most = 1 + r.IntN(300)
			}
			got, detected := readByTeam(t, Options{}, path, workers, most)
			folded += len(got.records)
			if !slices.Equal(got.records, want.records) || got.counts != want.counts || !slices.Equal(detected, further) ||
				!slices.Equal(got.formats, want.formats) || !slices.Equal(got.malformed, want.malformed) || fmt.Sprint(got.errors) != fmt.Sprint(want.errors) {
				t.Fatalf("seed %d, %d workers: %d records, formats %v, further %v, %d malformed, %v, %+v\nwant %d records, formats %v, further %v, %d malformed, %v, %+v", seed, workers,
					len(got.records), got.formats, detected, len(got.malformed), got.errors, got.counts, len(want.records), want.formats, further, len(want.malformed), want.errors, want.counts)
			}
		}
	}
	if folded < 10_000 {
		t.Errorf("%d records, want more", folded)
	}
}
