package evidence

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainDay is the definition of the fold of spans of one day.
func plainDay(spans []Span) Day {
	var all []int64
	for _, s := range spans {
		all = append(all, s.Min, s.Max)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	least, most := all[0], all[len(all)-1]
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(hashSize(a), hashSize(b)) })
	kept := slices.Clone(all[:min(4, len(all))])
	slices.Sort(kept)
	return NewDay(0, 0, len(all) > 4, least, most, kept)
}

// Join is a fold: any order, grouping and repetition of spans makes the same day.
func TestDayJoin(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var spans []Span
		var days []Day
		for range 1 + rng.IntN(9) {
			least := 1 + rng.Int64N(12)
			spans = append(spans, Span{Min: least, Max: least + rng.Int64N(2)*rng.Int64N(5)})
			days = append(days, DayOf(0, spans[len(spans)-1]))
		}
		for range 20 {
			i, j := rng.IntN(len(days)), rng.IntN(len(days))
			days[i].Join(&days[j])
		}
		rng.Shuffle(len(days), func(i, j int) { days[i], days[j] = days[j], days[i] })
		all := days[0]
		for i := range days {
			all.Join(&days[i])
		}
		want := plainDay(spans)
		if all != want {
			t.Fatalf("seed %d: %+v, want %+v of %v", seed, all, want, spans)
		}
		for size := range int64(20) {
			with := all
			one := DayOf(0, Span{Min: size, Max: size})
			with.Join(&one)
			if all.Covers(size) && with != all || with == all && !all.Covers(size) {
				t.Fatalf("seed %d: %+v covers %d: %v", seed, all, size, all.Covers(size))
			}
		}
	}
}
