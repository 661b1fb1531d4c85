package days

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/window/evidence"
)

// plain is the definition: all sizes of each URL, class and day.
type plain map[uint32]map[uint8]map[int64][]int64

func (p plain) fold(id uint32, day int64, s evidence.Span) {
	if p[id] == nil {
		p[id] = map[uint8]map[int64][]int64{}
	}
	if p[id][s.Class] == nil {
		p[id][s.Class] = map[int64][]int64{}
	}
	p[id][s.Class][day] = append(p[id][s.Class][day], s.Min, s.Max)
}

// only returns the only size of a URL.
func (p plain) only(id uint32) (s evidence.Span) {
	if len(p[id]) != 1 {
		return s
	}
	for class, days := range p[id] {
		s = evidence.Span{Class: class, Min: 1 << 62}
		for _, sizes := range days {
			s.Min, s.Max = min(s.Min, slices.Min(sizes)), max(s.Max, slices.Max(sizes))
		}
	}
	if s.Min != s.Max {
		return evidence.Span{}
	}
	return s
}

// days returns the newest days of a URL. The smallest hashes are those that survive any number of
// joins, so the definition joins all pairs of sizes.
func (p plain) days(id uint32) (all []evidence.Day) {
	for class, days := range p[id] {
		for number, sizes := range days {
			d := evidence.DayOf(number, evidence.Span{Class: class, Min: sizes[0], Max: sizes[0]})
			for _, size := range sizes {
				one := evidence.DayOf(number, evidence.Span{Class: class, Min: size, Max: size})
				d.Join(&one)
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(all, evidence.Day.Compare)
	counts := map[uint8]int{}
	return slices.DeleteFunc(all, func(d evidence.Day) bool {
		counts[d.Class]++
		return counts[d.Class] > Most
	})
}

// The store holds what the definition says, whatever the order, with several classes, distant and
// negative days, many sizes a day, and released URLs, of few URLs and of so many that sizes are remembered.
func TestStore(t *testing.T) {
	packed := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s, want := &Store{}, plain{}
		spread := []int64{3, 12, 40, 5000, 1 << 40}[rng.IntN(5)]
		kinds, classes := 1+rng.IntN(9), 1+rng.IntN(2)
		first := rng.IntN(2) * recentsFrom
		for range 400 {
			id := uint32(first + rng.IntN(6))
			if rng.IntN(60) == 0 {
				s.Release(id)
				delete(want, id)
			}
			size := 1 + int64(rng.IntN(kinds))*rng.Int64N(1+1<<(4*rng.IntN(15)))
			span := evidence.Span{Class: uint8(rng.IntN(classes)), Min: size, Max: size}
			if rng.IntN(4) > 0 && want.only(id).Max > 0 {
				span = want.only(id)
			}
			day := rng.Int64N(spread) - spread/2
			s.Fold(id, day, span, want.only(id))
			want.fold(id, day, span)
		}
		c := s.Clone()
		for id := range uint32(first + 7) {
			got := c.Append(nil, id, want.only(id))
			if fmt.Sprint(got) != fmt.Sprint(want.days(id)) {
				t.Fatalf("seed %d, URL %d:\n got %v\nwant %v", seed, id, got, want.days(id))
			}
			if int(id) < len(s.slots) && s.slots[id]&onlyBit != 0 {
				packed++
			}
		}
	}
	if packed < 100 {
		t.Errorf("%d URLs of one size without a record, want more", packed)
	}
}

// A store joined with another has the days of both.
func TestJoin(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		stores, parts, want := [2]*Store{{}, {}}, [2]plain{{}, {}}, plain{}
		first := rng.IntN(2) * recentsFrom
		id := func() uint32 { return uint32(first + rng.IntN(3)*opens) } // which have one place
		for range 300 {
			part, id, day, size := rng.IntN(2), id(), rng.Int64N(12), 1+rng.Int64N(9)
			span := evidence.Span{Class: uint8(rng.IntN(2)), Min: size, Max: size}
			stores[part].Fold(id, day, span, parts[part].only(id))
			parts[part].fold(id, day, span)
			want.fold(id, day, span)
		}
		for id := range want {
			stores[0].Join(id, parts[0].only(id), stores[1], id, parts[1].only(id))
		}
		stores[0].Settle()
		for id := range want {
			if got := stores[0].Append(nil, id, want.only(id)); fmt.Sprint(got) != fmt.Sprint(want.days(id)) {
				t.Fatalf("seed %d, URL %d:\n got %v\nwant %v", seed, id, got, want.days(id))
			}
		}
	}
}

// A known day and size cost no allocation, and a freed record is reused.
func TestFoldAllocations(t *testing.T) {
	s := &Store{}
	size := func(n int64) evidence.Span { return evidence.Span{Min: n, Max: n} }
	for i := range int64(40) {
		s.Fold(0, i, size(i+1), evidence.Span{})
		s.Fold(1, i/8, size(7), size(7))
	}
	i := int64(0)
	if n := testing.AllocsPerRun(100, func() {
		i++
		s.Fold(0, 39, size(40), evidence.Span{})
		s.Fold(0, 39, size(i), evidence.Span{})
		s.Fold(1, 4, size(7), size(7))
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if s.Bytes() > 1<<15 {
		t.Errorf("%d bytes for two URLs", s.Bytes())
	}
}

// Days that are far apart are not taken for each other.
func TestDistantDays(t *testing.T) {
	s, size, number := &Store{}, evidence.Span{Min: 7, Max: 7}, uint32(recentsFrom)
	for _, day := range []int64{0, 1 << 16, -1 << 16, 1 << 32, 1 << 62, -1 << 62} {
		s.Fold(number, day, size, size)
		s.Fold(number, day, size, size)
	}
	if got := s.Clone().Append(nil, number, size); len(got) != 6 {
		t.Errorf("%d days, want 6: %v", len(got), got)
	}
}

// Blocks that records leave behind when they grow are taken by others, and none by two.
func TestArena(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var a arena
	places, records := make([]uint32, 300), make([][]byte, 300)
	for range 30_000 {
		i := rng.IntN(len(places))
		if rng.IntN(8) == 0 && places[i] != 0 {
			a.release(places[i])
			places[i], records[i] = 0, nil
			continue
		}
		records[i] = bytes.Repeat([]byte{byte(i%255 + 1)}, 4+rng.IntN(56))
		places[i] = a.put(places[i], records[i])
	}
	for i, place := range places {
		if place == 0 {
			continue
		}
		if got := a.at(place); !bytes.HasPrefix(got, records[i]) || len(bytes.Trim(got[len(records[i]):], "\x00")) > 0 {
			t.Fatalf("record %d: %v, want %v", i, got, records[i])
		}
	}
	if a.size > 10*units*unit {
		t.Errorf("%d bytes for %d records", a.size, len(places))
	}
}

func BenchmarkFold(b *testing.B) {
	for _, c := range []struct {
		name  string
		sizes int64
	}{{"one size", 1}, {"four sizes", 4}, {"many sizes", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			s, i := &Store{}, int64(0)
			only := evidence.Span{Min: 5000, Max: 5000}
			for b.Loop() {
				i++
				span := evidence.Span{Min: 5000 + i%c.sizes, Max: 5000 + i%c.sizes}
				s.Fold(uint32(i&1023), 20_000+i>>24, span, only)
			}
		})
	}
}
