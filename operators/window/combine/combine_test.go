package combine

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// hit is an observation of a site, as read from a line.
type hit struct {
	site string
	evidence.Observation
}

const worldURLs = 6

// world returns hits on few URLs of two sites, some with digests alone, and some already folded
// with others.
func world(rng *rand.Rand) []hit {
	var hits []hit
	for _, o := range worlds.Hits(rng, 150, worldURLs) {
		switch rng.IntN(4) {
		case 3:
			o.Class = evidence.Digest
		case 2:
			o.Max += int64(rng.IntN(3)) * min(1, o.Max)
			o.Clients |= 1 << rng.IntN(8)
		}
		hits = append(hits, hit{fmt.Sprintf("%c.example", 'a'+rng.IntN(2)), o})
	}
	return hits
}

// tables returns the observable content of the sites' tables.
func tables(o table.Options, fold func(give func(site string, o *evidence.Observation))) string {
	sites := map[string]*table.Table{}
	lists := map[string]*urllist.List{}
	fold(func(site string, one *evidence.Observation) {
		if sites[site] == nil {
			lists[site] = urllist.New()
			sites[site] = table.New(o, lists[site])
		}
		sites[site].Fold(one)
	})
	var lines []string
	for site, t := range sites {
		masks := make([]uint16, lists[site].Cap())
		each := func(yield func(int, string) bool) {
			for id := range lists[site].All() {
				if t.Has(id) && !yield(int(id), string(lists[site].Text(id))) {
					return
				}
			}
		}
		for id := range each {
			masks[id] = t.Clients(uint32(id))
		}
		counted := slices.Clone(masks)
		public.Settle(masks, each)
		for id, url := range each {
			line := fmt.Sprint(site, url, t.Evidence(nil, uint32(id)), t.Families(uint32(id)))
			if o.MaxURLs >= worldURLs { // of URLs that were shed, the clients cannot be known
				line += fmt.Sprint(" by ", masks[id])
			}
			if public.IsCounted(url) {
				line += fmt.Sprint(" counted ", counted[id])
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Folding the sent observations gives the same tables as folding all hits, but for clients of settled URLs: in any order
// and with repetitions, with any evictions and ends of batches, and also if the combiner is
// made anew, or forgets, and the input restarts at the last emission.
func TestNothingIsLost(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		pane := rng.Int64N(3) * 10
		o := Options{Pane: pane, Entries: 1 + rng.IntN(40), MaxBytes: 1 + rng.IntN(4000), Key: [2]uint64{rng.Uint64(), seed}}
		to := table.Options{Pane: pane, MaxURLs: 1 + rng.IntN(12), Window: min(pane, 1) * (10 + rng.Int64N(60))}
		hits := world(rng)
		want := tables(to, func(give func(string, *evidence.Observation)) {
			for i := range hits {
				give(hits[i].site, &hits[i].Observation)
			}
		})
		rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		for range rng.IntN(20) {
			hits = append(hits, hits[rng.IntN(len(hits))])
		}
		if got := tables(to, func(give func(string, *evidence.Observation)) { run(t, rng, o, hits, give) }); got != want {
			t.Fatalf("seed %d, %+v, %+v: from what is sent\n%s\nfrom all hits\n%s", seed, o, to, got, want)
		}
	}
}

// run returns the output of a combiner for hits.
func run(t *testing.T, rng *rand.Rand, o Options, hits []hit, give func(string, *evidence.Observation)) {
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0 // number of hits that were sent
	for i := 0; i < len(hits) || sent < len(hits); {
		switch {
		case i == len(hits) || c.Full() || rng.IntN(20) == 0:
			for site, list := range c.Drain() {
				for k := range list {
					one := list[k]
					one.URL = bytes.Clone(one.URL)
					give(site, &one)
				}
			}
			sent = i
		case rng.IntN(40) == 0:
			i = sent
			c.Forget()
		case rng.IntN(40) == 0:
			i = sent
			if c, err = New(o); err != nil {
				t.Fatal(err)
			}
		default:
			c.Add(hits[i].site, &hits[i].Observation)
			i++
		}
	}
}

// A combiner that forgets nothing sends each fact once: sent facts never come again, for
// any division into batches, and many hits of one batch are one observation. It sends all but clients of settled
// URLs: those of a pane with three clients of which three asked for the URLs of its kind.
func TestNothingIsRepeated(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 8))
		o := Options{Pane: 10, Entries: 1000, MaxBytes: math.MaxInt, Key: [2]uint64{seed, 1}}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]evidence.Extent{} // plain reference: by text
		all := map[string]uint16{}            // clients of a site's pane, whose URLs are of one kind
		quiet := map[string]uint16{}          // clients that a settled URL does not tell
		for range 4 {
			dirty := map[string]bool{}
			for _, h := range world(rng) {
				news := false
				for i := range h.Parts() {
					p := h.Part(i)
					pane := evidence.PaneOf(h.Time, 10)
					place := fmt.Sprint(h.site, pane)
					name := fmt.Sprint(h.site, string(h.URL), pane, p.Class)
					joined, ok := known[name]
					if !ok {
						joined = evidence.Nothing
					}
					was := joined
					heard := p.Extent
					heard.Clients &^= quiet[name]
					if ok && was.Covers(heard) {
						continue
					}
					joined.Join(p.Extent)
					widened := joined
					widened.Clients = was.Clients
					isQuiet := ok && widened == was && !dirty[name] && public.Several(all[place]) && p.Clients&^all[place] == 0 && !public.IsCounted(string(h.URL))
					if isQuiet {
						quiet[name] = all[place]
					} else {
						news, known[name], dirty[name] = true, joined, true
						all[place] |= p.Clients
					}
				}
				if got := c.Add(h.site, &h.Observation); got != news {
					t.Fatalf("seed %d: Add of %+v is %v, want %v", seed, h, got, news)
				}
			}
			if c.Waiting() != len(dirty) {
				t.Fatalf("seed %d: %d observations wait, want %d", seed, c.Waiting(), len(dirty))
			}
			last := ""
			for site, list := range c.Drain() {
				if site <= last {
					t.Errorf("seed %d: site %s after %s", seed, site, last)
				}
				last = site
				for i := range list {
					name := fmt.Sprint(site, string(list[i].URL), evidence.PaneOf(list[i].Time, 10), list[i].Class)
					if !dirty[name] || list[i].Parts() != 1 || list[i].Part(0).Extent != known[name] {
						t.Errorf("seed %d: %s sent as %+v (is new: %v), known is %+v", seed, name, list[i], dirty[name], known[name])
					}
					delete(dirty, name)
				}
			}
			if len(dirty) > 0 || c.Waiting() > 0 {
				t.Errorf("seed %d: not sent: %v", seed, dirty)
			}
		}
	}
}

// Text cannot be shifted between the end of the site and the beginning of the URL, nor
// between panes or classes.
func TestIdentity(t *testing.T) {
	c, _ := New(Options{Pane: 10, Entries: 10, MaxBytes: 1})
	seen := map[identity]string{}
	for _, site := range []string{"", "a", "a.b", "a/"} {
		for _, url := range []string{"", "/", "b", ".b", "a/"} {
			for _, pane := range []int64{0, 1, -1, math.MinInt64} {
				for _, class := range []uint8{0, 1, 255} {
					name := fmt.Sprintf("%q %q %d %d", site, url, pane, class)
					id := c.identify(site, []byte(url), pane, class)
					if other, ok := seen[id]; ok {
						t.Errorf("%s and %s are one", name, other)
					}
					seen[id] = name
				}
			}
		}
	}
}

// Times at both ends of the range stay in their pane.
func TestEndsOfTime(t *testing.T) {
	for _, time := range []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64} {
		for _, pane := range []int64{0, 1, 7200, math.MaxInt64} {
			c, _ := New(Options{Pane: pane, Entries: 1, MaxBytes: 1})
			c.Add("", &evidence.Observation{Time: time, URL: []byte("/")})
			for _, list := range c.Drain() {
				if got := evidence.PaneOf(list[0].Time, pane); got != evidence.PaneOf(time, pane) {
					t.Errorf("%d comes out as %d: pane %d, want %d", time, list[0].Time, got, evidence.PaneOf(time, pane))
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	for _, o := range []Options{{}, {Entries: 1}, {MaxBytes: 1}, {Entries: 1, MaxBytes: 1, Pane: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	c, _ := New(Options{Entries: 3, MaxBytes: 1000})
	n := 0
	for ; !c.Full(); n++ {
		c.Add("", &evidence.Observation{URL: fmt.Appendf(nil, "/%d", n)})
	}
	if c.Entries() > 3 || n > 1000/waitingBytes+1 {
		t.Errorf("%d entries after %d observations", c.Entries(), n)
	}
}

// A hit without news costs no allocation.
func TestAllocations(t *testing.T) {
	c, _ := New(Options{Pane: 7200, Entries: 10, MaxBytes: 1e6})
	o := evidence.Observation{URL: []byte("/story?id=12"), Time: 5, Min: 10, Max: 10}
	c.Add("www.example.org", &o)
	if n := testing.AllocsPerRun(100, func() { c.Add("www.example.org", &o) }); n != 0 {
		t.Errorf("%v allocations a hit, want none", n)
	}
}

func benchmark(b *testing.B, urls int, o Options) {
	var hits []evidence.Observation
	for i := range urls {
		hits = append(hits, evidence.Observation{URL: fmt.Appendf(nil, "/archive/2015/%d/some-title.html?comment=%d", i%37, i), Min: 10, Max: 10})
	}
	rand.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
	c, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	for i := range hits {
		c.Add("www.example.org", &hits[i])
	}
	drain(c)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if c.Add("www.example.org", &hits[i%len(hits)]); c.Full() {
			drain(c)
		}
	}
}

func BenchmarkRepeat(b *testing.B) {
	benchmark(b, 10_000, Options{Pane: 7200, Entries: 1e6, MaxBytes: 1 << 30})
}

func BenchmarkRepeatAmongMillion(b *testing.B) {
	benchmark(b, 1_000_000, Options{Pane: 7200, Entries: 1e6, MaxBytes: 1 << 30})
}

// BenchmarkNew adds observations that are all new and evict others.
func BenchmarkNew(b *testing.B) {
	benchmark(b, 1_000_000, Options{Pane: 7200, Entries: 1e5, MaxBytes: 1 << 20})
}

// BenchmarkMemory measures the memory of a remembered entry at worst, just after the map
// has grown, and at best.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{500_000, 900_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				before := worlds.Heap()
				c, err := New(Options{Pane: 7200, Entries: n, MaxBytes: 1 << 20})
				if err != nil {
					b.Fatal(err)
				}
				url := make([]byte, 0, 20)
				for i := range 2 * n { // evicted entries leave memory behind as well
					url = fmt.Appendf(url[:0], "/%d", i)
					if c.Add("www.example.org", &evidence.Observation{URL: url}); c.Full() {
						drain(c)
					}
				}
				b.ReportMetric(float64(worlds.Heap()-before)/float64(c.Entries()), "B/entry")
			}
		})
	}
}

// drain drains a combiner and drops the observations.
func drain(c *Combiner) {
	for range c.Drain() {
	}
}
