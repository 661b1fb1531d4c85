package waste

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// The waste of a day is that of the definition, for random pages, days and rules.
func TestByDay(t *testing.T) {
	wasted := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		pages, all := world(rng)
		byDay, visits := map[int64]map[string]uint32{}, []Visit{}
		for i := range pages {
			pages[i].Number = uint32(2 * i)
			for range rng.IntN(4) {
				date, mask := rng.Int64N(5)-2, all[pages[i].URL]&rng.Uint32()
				if byDay[date] == nil {
					byDay[date] = map[string]uint32{}
				}
				byDay[date][pages[i].URL] |= mask
				visits = append(visits, Visit{date, pages[i].Number, mask})
			}
		}
		visits = append(visits, Visit{7, 1000, 4}) // of no page, as in a sample
		slices.SortStableFunc(visits, func(v, w Visit) int { return cmp.Compare(v.Date, w.Date) })
		caught := someCaught(rng, pages)
		var rules []rule.Rule
		for _, i := range rng.Perm(len(someRules))[:rng.IntN(5)] {
			rules = append(rules, someRules[i])
		}
		c, err := canon.Compile(rules)
		must(t, err)
		days := FormsOf(pages, c, catching(pages, caught)).ByDay(visits)
		if len(days) != len(byDay)+1 || days[len(days)-1] != (Day{Date: 7}) {
			t.Fatalf("seed %d: %+v, want %d days", seed, days, len(byDay)+1)
		}
		for _, d := range days {
			want, parts := Day{Date: d.Date}, []Part(nil)
			for bit, figure := range oracle.Waste(pages, byDay[d.Date], worlds.Edits(rules), caught) {
				if f := Figure(figure); bit == 1 {
					want.Robots = f
				} else if bit == Union {
					want.Crawlers = f
				} else if crawler.Named&(1<<bit) != 0 && f.Waste() > 0 {
					parts = append(parts, Part{bit, f.Waste(), f.Bytes})
				}
			}
			if got := slices.Collect(d.By.All()); !slices.Equal(got, parts) {
				t.Fatalf("seed %d: parts %v, want %v", seed, got, parts)
			}
			want.By = d.By
			if d != want {
				t.Fatalf("seed %d: %+v, want %+v", seed, d, want)
			}
			wasted += d.Crawlers.Waste()
		}
	}
	if wasted < 300 {
		t.Errorf("only %d URLs are wasted", wasted)
	}
}

// randomDay returns a day of a date, on which nobody may have asked for anything.
func randomDay(rng *rand.Rand, date int64) Day {
	d := Day{Date: date}
	figure := func() (f Figure) {
		if rng.IntN(3) > 0 {
			f.Fetched = 1 + rng.IntN(1<<rng.IntN(28))
			f.Pages = 1 + rng.IntN(f.Fetched)
			f.Bytes = rng.Int64N(1 << rng.IntN(62))
		}
		return f
	}
	d.Crawlers, d.Robots = figure(), figure()
	if rng.IntN(2) > 0 {
		d.Valid, d.Likely, d.Sample = rng.IntN(300), rng.IntN(300), rng.IntN(2) > 0
		var w Waste
		for bit := range w[:Union] {
			w[bit] = figure()
		}
		d.By = PartsOf(&w)
	}
	return d
}

// plain is a curve as a map by date.
type plain map[int64]Day

func (p plain) days() (all []Day) {
	for _, d := range p {
		all = append(all, d)
	}
	slices.SortFunc(all, func(d, e Day) int { return cmp.Compare(e.Date, d.Date) })
	return all
}

func (p plain) set(d Day) (changed bool) {
	had, known := p[d.Date]
	p[d.Date] = d
	if all := p.days(); len(all) > MostDays {
		delete(p, all[MostDays].Date)
	}
	_, kept := p[d.Date]
	return kept && (!known || had != d)
}

// mostBytes bounds a packed day: flags, a date, four numbers of rules, twice the numbers of a Figure, of which one is
// of bytes, and a part for each bit.
const mostBytes = 1 + 10 + 4*4 + 2*(4+4+9) + 2 + Union*(1+4+9)

// A curve keeps the newest days, whatever their order: a clock that goes back, or one that is wrong, does
// not take away more than the place of a day. A look does not take away what was published.
func TestCurve(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var c Curve
		want := plain{}
		date, span := rng.Int64N(40_000)-20_000, 1+rng.Int64N(1000)
		for range 30 {
			var changed, expected []Day
			before := c
			var kept []Day // what has changed and is still there
			switch rng.IntN(5) {
			case 0:
				came, left := rng.IntN(3), rng.IntN(3)
				d := want[date]
				d.Date, d.Came, d.Left = date, d.Came+came, d.Left+left
				c, changed = c.Marked(date, came, left)
				if want.set(d) {
					expected = append(expected, d)
				}
			case 1: // a wrong clock
				d := randomDay(rng, []int64{math.MaxInt64 / 86400, math.MinInt64 / 86400, 0}[rng.IntN(3)])
				c, changed = c.With(d)
				if want.set(d) {
					expected = append(expected, d)
				}
			default:
				var days []Day
				for n := range rng.Int64N(60) {
					days = append(days, randomDay(rng, date-n*rng.Int64N(3)))
				}
				slices.SortFunc(days, func(d, e Day) int { return cmp.Compare(d.Date, e.Date) })
				days = slices.CompactFunc(days, func(d, e Day) bool { return d.Date == e.Date })
				c, changed = c.Measured(days)
				for _, d := range days {
					old, known := want[d.Date]
					d.Came, d.Left = old.Came, old.Left
					if (known || d.Crawlers.Fetched+d.Robots.Fetched > 0) && want.set(d) {
						expected = append(expected, d)
					}
				}
			}
			for _, d := range expected {
				if want[d.Date] == d {
					kept = append(kept, d)
				}
			}
			for _, d := range kept {
				if !slices.Contains(changed, d) {
					t.Fatalf("seed %d: %+v has changed, and is not in %+v", seed, d, changed)
				}
			}
			if got := slices.Collect(c.All()); !slices.Equal(got, want.days()) {
				t.Fatalf("seed %d:\n got %+v\nwant %+v", seed, got, want.days())
			}
			if len(changed) == 0 && c != before {
				t.Fatalf("seed %d: the curve changes without a changed day", seed)
			}
			if n := len(c.packed); n > MostDays*mostBytes {
				t.Fatalf("seed %d: %d days take %d bytes", seed, len(slices.Collect(c.All())), n)
			}
			read, err := Decode(Encode(slices.Collect(c.All())))
			if must(t, err); !slices.Equal(read, slices.Collect(c.All())) {
				t.Fatalf("seed %d: read %+v", seed, read)
			}
			date += rng.Int64N(span) - span/4
		}
		const dates = 35
		for _, latest := range []int64{math.MaxInt64, date, date - span} {
			var sums []Day
			for _, d := range want.days() {
				if d.Date > latest || len(sums) > 0 && d.Date <= sums[0].Date-dates {
					continue
				}
				sum := d
				sum.Add(d)
				sum.By = Parts{}
				sums = append(sums, sum)
			}
			if got := Sum(slices.Values([]Curve{c, c, {}}), latest, dates); !slices.Equal(got, sums) {
				t.Fatalf("seed %d: sums of two\n got %+v\nwant %+v", seed, got, sums)
			}
		}
	}
}

// What Decode does not refuse is a curve, whose days are in their order.
func FuzzDecode(f *testing.F) {
	f.Add(Encode([]Day{{Date: 5, Crawlers: Figure{3, 2, 100}, Valid: 1}, {Date: 3, Robots: Figure{1, 1, 0}, Came: 1}}))
	f.Add([]byte{version, 255})
	f.Add([]byte{version, hasParts, 2, 6, 5, 1, 7, 6, 1, 7})
	f.Fuzz(func(t *testing.T, b []byte) {
		days, err := Decode(b)
		if err != nil {
			return
		}
		for i, d := range days {
			if i > 0 && d.Date >= days[i-1].Date || d.Crawlers.Waste() < 0 || d.Robots.Waste() < 0 || d.Crawlers.Bytes < 0 {
				t.Fatalf("%x: %+v", b, days)
			}
		}
		again, err := Decode(Encode(days))
		if must(t, err); !slices.Equal(again, days) {
			t.Fatalf("%x: %+v, then %+v", b, days, again)
		}
	})
}

// Days of another version, and what is no days, are refused.
func TestDecodeRefuses(t *testing.T) {
	const noDay = "read waste by day: not a packed day"
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "read waste by day: no version"},
		{[]byte{3, 0, 0}, "read waste by day: a newer version of this program wrote version 3, this program knows 2: run the newer version"},
		{[]byte{0, 0, 0}, "read waste by day: version 0"},
		{[]byte{version, hasParts, 2, 0}, noDay},                    // no part
		{[]byte{version, hasParts, 2, 9, 5, 1, 0}, noDay},           // less than its length
		{[]byte{version, hasParts, 2, 3, 5, 0, 7}, noDay},           // a part without duplicates
		{[]byte{version, hasParts, 2, 3, 0, 1, 7}, noDay},           // of people
		{[]byte{version, hasParts, 2, 6, 5, 1, 7, 5, 1, 7}, noDay},  // a crawler twice
		{[]byte{version, hasParts, 2, 3, 5, 128, 128, 1, 7}, noDay}, // a number beyond the length
		{[]byte{version, 0}, noDay},
		{[]byte{version, 0, 2, 0, 0}, noDay},              // a date twice
		{[]byte{version, hasRobots, 2, 1, 2, 0}, noDay},   // more waste than URLs
		{[]byte{version, hasCrawlers, 2, 0, 0, 0}, noDay}, // nobody asked
		{[]byte{version, hasParts << 1, 2}, noDay},        // an unknown flag
		{[]byte{version, hasRules, 2, 255, 255, 255, 255, 255, 1, 0}, noDay},
	} {
		if _, err := Decode(c.b); err == nil || err.Error() != c.want {
			t.Errorf("%x: %v, want %s", c.b, err, c.want)
		}
	}
}

// Days that an older version wrote are read.
func TestDecodeOlder(t *testing.T) {
	days := []Day{{Date: 5, Crawlers: Figure{3, 2, 100}, Valid: 1}, {Date: 3, Robots: Figure{1, 1, 0}, Came: 1}}
	b := Encode(days) // without parts, only the version differs
	b[0] = 1
	if got, err := Decode(b); err != nil || !slices.Equal(got, days) {
		t.Errorf("%+v, %v", got, err)
	}
}

func BenchmarkCurve(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var c Curve
	for n := range int64(MostDays) {
		c, _ = c.With(Day{Date: 20_000 + n, Crawlers: Figure{200 + rng.IntN(800), 100 + rng.IntN(100), rng.Int64N(1 << 22)}, Robots: Figure{20, 18, 4000}, Valid: 4})
	}
	for b.Loop() {
		c.Measured([]Day{{Date: 20_000 + MostDays - 1, Crawlers: Figure{900, 800, 1 << 20}}})
	}
	b.ReportMetric(float64(len(c.packed))/MostDays, "B/day")
}
