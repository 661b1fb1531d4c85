package table

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"

	"github.com/dchest/siphash"
)

var testKey = [2]uint64{3, 5}

func testHash(text string) uint64 { return siphash.Hash(testKey[0], testKey[1], []byte(text)) }

func testPlace(url string) oracle.Place { return oracle.PlaceOf(testHash, url) }

// compareTest orders URLs by place.
func compareTest(a, b string) int {
	p, q := testPlace(a), testPlace(b)
	return cmp.Or(cmp.Compare(p.Key, q.Key), cmp.Compare(p.URL, q.URL))
}

// pages returns the content of a table as the oracle's pages.
func pages(t *Table) (list []evidence.Page) {
	for id := range t.urls.All() {
		if t.Has(id) {
			list = append(list, evidence.Page{URL: string(t.urls.Text(id)), Evidence: t.Evidence(nil, id)})
		}
	}
	slices.SortFunc(list, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	return list
}

// settle releases the URLs that have left the window, as the machine of a site does.
func settle(t *Table) {
	for _, id := range t.Changed(math.MaxInt) {
		if !t.Has(id) {
			t.Release(id)
		}
	}
}

func same(a, b []evidence.Page) bool {
	return slices.EqualFunc(a, b, func(a, b evidence.Page) bool {
		return a.URL == b.URL && a.Evidence.Equal(b.Evidence)
	})
}

// The table equals the plain fold of its observations, whatever the order, the repetitions,
// and the moments of reading.
func TestFoldLaw(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := Options{Pane: 10, MaxURLs: 1000, Key: testKey, Window: rng.Int64N(45)}
		if rng.IntN(2) == 0 {
			o.MaxURLs = 1 + rng.IntN(5)
		}
		hits := worlds.Hits(rng, 60, 12)
		want := oracle.Window(oracle.Plains(hits, 10), (o.Window+o.Pane-1)/o.Pane, o.MaxURLs, testPlace)
		for range 3 {
			got, err := fold(rng, o, hits)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			if !same(got, want) {
				t.Fatalf("seed %d, %+v:\ngot  %v\nwant %v", seed, o, got, want)
			}
			rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
			hits = append(hits, hits[rng.IntN(len(hits))])
		}
	}
}

// The surplus of families is shed first. The law is the same with many URLs of few families.
func TestFoldFamilies(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 8))
		o := Options{Pane: 40, MaxURLs: 20 + rng.IntN(200), Key: testKey, Window: 40 * rng.Int64N(3)}
		hits := make([]evidence.Observation, 400)
		for i := range hits {
			url := fmt.Sprintf("/%c?n=%d", 'a'+rng.IntN(3), rng.IntN(200))
			if seed%2 == 0 { // few words, many families
				url = fmt.Sprintf("/word/page%d?n=%d", rng.IntN(40), rng.IntN(8))
			}
			size := rng.Int64N(4)
			hits[i] = evidence.Observation{URL: []byte(url), Time: rng.Int64N(80) - 30, Min: size, Max: size}
		}
		want := oracle.Window(oracle.Plains(hits, 40), (o.Window+o.Pane-1)/o.Pane, o.MaxURLs, testPlace)
		for range 2 {
			tab := New(o, urllist.New())
			for i := range hits {
				tab.Fold(&hits[i])
				if i%50 != 0 {
					continue
				}
				if err := tab.Check(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			settle(tab)
			if got := pages(tab); !same(got, want) {
				t.Fatalf("seed %d, %+v: %d URLs\n%v\nwant %d\n%v", seed, o, len(got), got, len(want), want)
			}
			rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		}
	}
}

// The place of a URL is what the oracle gives.
func TestPlace(t *testing.T) {
	tab := New(Options{Key: testKey}, urllist.New())
	rng := rand.New(rand.NewPCG(1, 9))
	parts := []string{"/", "?", "&", ";", "=", "a", "html", "story", "7", "2024", "x1", "0123456789", "deadbeef01", "%", "%41", "%E0%B8%81", "%2f", "-", "_", "%4"}
	for range 20_000 {
		url := "/"
		for range rng.IntN(12) {
			url += parts[rng.IntN(len(parts))]
		}
		u, family := tab.rank([]byte(url))
		if got, want := (oracle.Place{Family: family, Key: u.key, URL: u.url}), testPlace(url); got != want {
			t.Fatalf("%s: %x, want %x", url, got, want)
		}
	}
}

// fold passes all hits to a table and checks it after each.
func fold(rng *rand.Rand, o Options, hits []evidence.Observation) ([]evidence.Page, error) {
	t := New(o, urllist.New())
	for i := range hits {
		t.Fold(&hits[i])
		if err := t.Check(); err != nil {
			return nil, err
		}
		if rng.IntN(4) == 0 {
			settle(t)
		}
	}
	settle(t)
	return pages(t), t.Check()
}

// Every URL whose evidence changes is reported, and a settled table reports nothing.
func TestChanged(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		tab := New(Options{Pane: 10, Window: 20, MaxURLs: 4, Key: testKey}, urllist.New())
		seen := map[string]evidence.Spans{}
		for _, h := range worlds.Hits(rng, 60, 12) {
			tab.Fold(&h)
			for _, id := range tab.Changed(math.MaxInt) {
				delete(seen, string(tab.urls.Text(id)))
				if tab.Has(id) {
					seen[string(tab.urls.Text(id))] = tab.Evidence(nil, id)
				} else {
					tab.Release(id)
				}
			}
			for _, p := range pages(tab) {
				if e, ok := seen[p.URL]; !ok || !e.Equal(p.Evidence) {
					t.Fatalf("seed %d: %v is now %v and was last told as %v (%v)", seed, p.URL, p.Evidence, e, ok)
				}
			}
			if n := len(pages(tab)); n != len(seen) {
				t.Fatalf("seed %d: %d URLs in the table, %d told", seed, n, len(seen))
			}
		}
	}
}

// Fold returns the outcome of each observation.
func TestOutcome(t *testing.T) {
	tab := New(Options{Pane: 10, Window: 20, MaxURLs: 1, Key: testKey}, urllist.New())
	small, large := "/a", "/b"
	if compareTest(small, large) > 0 {
		small, large = large, small
	}
	for _, c := range []struct {
		url  string
		time int64
		want Outcome
	}{{large, 100, Kept}, {small, 101, KeptInstead}, {large, 102, Shed}, {small, 85, Late}, {large, 90, Kept}, {small, 109, Kept}} {
		if got := tab.Fold(&evidence.Observation{URL: []byte(c.url), Time: c.time, Min: 1, Max: 1}); got != c.want {
			t.Errorf("%s at %d: outcome %d, want %d", c.url, c.time, got, c.want)
		}
	}
}

// Clients and their families fold like sizes, over the panes of the window.
func TestClients(t *testing.T) {
	tab := New(Options{MaxURLs: 1, Pane: 10, Window: 30}, urllist.New())
	for i, c := range []uint8{11, 7, 3, 9} {
		tab.Fold(&evidence.Observation{URL: []byte("/"), Time: int64(10 * i), Class: c % 2, Clients: 1 << c, Families: 1 << (2 * c)})
	}
	if got := tab.Clients(0); got != 1<<3|1<<7|1<<9 {
		t.Errorf("clients %b", got)
	}
	if got := tab.Families(0); got != 1<<6|1<<14|1<<18 {
		t.Errorf("families %b", got)
	}
}

// A table says that URLs may have been left out once a pane is full or cut, and so does a view.
func TestSampled(t *testing.T) {
	tab := New(Options{MaxURLs: 3, Pane: 10, Window: 20, Key: testKey}, urllist.New())
	sampled := func() string { return fmt.Sprint(tab.Sampled(), tab.View(tab.urls.Clone()).Sampled()) }
	for i, want := range []string{"false false", "false false", "true true"} {
		tab.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i)})
		if got := sampled(); got != want {
			t.Errorf("%d URLs: %s, want %s", i+1, got, want)
		}
	}
	tab.Fold(&evidence.Observation{URL: []byte("/later"), Time: 30})
	if got := sampled(); got != "false false" {
		t.Errorf("after the full pane: %s", got)
	}
	tab.AddCut(Cut{Pane: 3, Key: math.MaxUint64})
	if got := sampled(); got != "true true" {
		t.Errorf("after a cut: %s", got)
	}
}

// The fold law holds however far panes are apart, though entries keep the low bits of a pane's number.
func TestFarPanes(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 12))
		o := Options{Pane: 1, Window: []int64{1, 3, 1 << 31, 1 << 32, 1 << 40}[rng.IntN(5)], MaxURLs: 1000, Key: testKey}
		hits := worlds.Hits(rng, 40, 4)
		for i := range hits {
			hits[i].Time = (rng.Int64N(7)-3)<<[]int{0, 31, 32, 33, 60}[rng.IntN(5)] + rng.Int64N(3)
		}
		tab := New(o, urllist.New())
		for i := range hits {
			tab.Fold(&hits[i])
		}
		if want := oracle.Window(oracle.Plains(hits, 1), min(o.Window, mostPanes), o.MaxURLs, testPlace); !same(pages(tab), want) {
			t.Fatalf("seed %d, %+v:\n got %v\nwant %v", seed, o, pages(tab), want)
		}
		if err := tab.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again := New(o, urllist.New())
		for one := range tab.Observations() {
			again.Fold(one)
		}
		settle(tab)
		settle(again)
		if content(tab) != content(again) {
			t.Fatalf("seed %d:\n%s\n%s", seed, content(tab), content(again))
		}
	}
}

// A known URL costs no allocation.
func TestFoldAllocations(t *testing.T) {
	tab := New(Options{Window: 100, Pane: 10, MaxURLs: 10}, urllist.New())
	o := evidence.Observation{URL: []byte("/story?id=12"), Time: 5, Min: 10, Max: 10}
	tab.Fold(&o)
	if n := testing.AllocsPerRun(100, func() { tab.Fold(&o) }); n != 0 {
		t.Errorf("%v allocations a hit, want none", n)
	}
}

func BenchmarkFoldKnown(b *testing.B) {
	tab := New(Options{MaxURLs: 1e7}, urllist.New())
	var hits []evidence.Observation
	for i := range 10_000 {
		hits = append(hits, evidence.Observation{URL: fmt.Appendf(nil, "/archive/2015/%d/some-title.html?comment=%d", i%37, i), Min: 10, Max: 10})
		tab.Fold(&hits[i])
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		tab.Fold(&hits[i%len(hits)])
		i++
	}
}

// The observations of a table make an equal table, whether they are read at once or in
// checkpoints, of which some fail.
func TestObservations(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		o := Options{Pane: 10, Window: 10 * rng.Int64N(5), MaxURLs: 3 + rng.IntN(12), Key: testKey, Track: true}
		tab, whole, pieces := New(o, urllist.New()), New(o, urllist.New()), New(o, urllist.New())
		for _, h := range worlds.Hits(rng, 60, 12) {
			tab.Fold(&h)
			if rng.IntN(5) == 0 {
				settle(tab)
			}
			if rng.IntN(5) == 0 {
				refold(pieces, tab.Unsaved())
				tab.MarkSaved()
			}
			if rng.IntN(5) == 0 { // the checkpoint fails halfway
				refold(New(o, urllist.New()), some(tab.Unsaved(), rng.IntN(6)))
			}
			if err := tab.Check(); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
		}
		refold(pieces, tab.Unsaved())
		tab.MarkSaved()
		refold(whole, tab.Observations())
		for _, other := range []*Table{whole, pieces} {
			if !same(pages(other), pages(tab)) || clients(other) != clients(tab) {
				t.Fatalf("seed %d, %+v:\ngot  %v %s\nwant %v %s", seed, o, pages(other), clients(other), pages(tab), clients(tab))
			}
		}
		for o := range tab.Unsaved() {
			t.Fatalf("seed %d: unsaved after all was saved: %+v", seed, o)
		}
	}
}

func refold(into *Table, all iter.Seq[*evidence.Observation]) {
	for o := range all {
		into.Fold(o)
	}
}

// some stops after n.
func some(all iter.Seq[*evidence.Observation], n int) iter.Seq[*evidence.Observation] {
	return func(yield func(*evidence.Observation) bool) {
		for o := range all {
			if n--; !yield(o) || n < 0 {
				return
			}
		}
	}
}

// Observations already folded by others have the same effect as the hits.
func TestJoined(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		o := Options{Pane: 10, Window: 15, MaxURLs: 1000, Key: testKey} // the window is two panes
		single, joined := New(o, urllist.New()), New(o, urllist.New())
		type place struct {
			url   string
			pane  int64
			class uint8
		}
		folded := map[place]*evidence.Observation{}
		for _, h := range worlds.Hits(rng, 60, 12) {
			single.Fold(&h)
			at := place{string(h.URL), oracle.Plain(&h, 10).Pane, h.Class}
			if folded[at] == nil {
				folded[at] = &h
				continue
			}
			join(folded[at], &h)
		}
		for _, one := range folded {
			joined.Fold(one)
		}
		if !same(pages(single), pages(joined)) || clients(single) != clients(joined) {
			t.Fatalf("seed %d:\n%v %s\n%v %s", seed, pages(single), clients(single), pages(joined), clients(joined))
		}
	}
}

// join returns the fold of two observations of one place, in plain numbers.
func join(a, b *evidence.Observation) {
	if b.Max > 0 && (a.Max == 0 || b.Min < a.Min) {
		a.Min = b.Min
	}
	a.Max = max(a.Max, b.Max)
	if b.DigestMax > 0 && (a.DigestMax == 0 || b.DigestMin < a.DigestMin) {
		a.DigestMin = b.DigestMin
	}
	a.DigestMax = max(a.DigestMax, b.DigestMax)
	a.Clients |= b.Clients
	a.Families |= b.Families
}

// An observation without sizes makes the URL known. URLs that have left are counted until
// Changed is called.
func TestNothingAndGone(t *testing.T) {
	tab := New(Options{Pane: 10, Window: 10, MaxURLs: 2, Key: testKey}, urllist.New())
	for i := range 5 {
		tab.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: 5, Class: evidence.Digest})
	}
	if n := len(pages(tab)); n != 2 || tab.Gone()+n != tab.urls.Len() {
		t.Errorf("%d URLs in the table, %d gone, %d in the list", n, tab.Gone(), tab.urls.Len())
	}
	url := pages(tab)[0].URL
	tab.Fold(&evidence.Observation{URL: []byte("/later"), Time: 15, Min: 1, Max: 1})
	gone := tab.Gone()
	tab.Fold(&evidence.Observation{URL: []byte(url), Time: 16, Min: 1, Max: 1})
	if tab.Gone() != gone-1 {
		t.Errorf("%d gone after one of %d came back", tab.Gone(), gone)
	}
	tab.Changed(math.MaxInt)
	if tab.Gone() != 0 {
		t.Errorf("%d gone after a look", tab.Gone())
	}
	if tab.Fold(&evidence.Observation{URL: []byte(url), Time: 16, Min: 1, Max: 1}); len(tab.Changed(math.MaxInt)) != 0 {
		t.Error("a hit that widens nothing is told as a change")
	}
}

func clients(t *Table) string {
	all := map[string]string{}
	for id := range t.urls.All() {
		if t.Has(id) {
			all[string(t.urls.Text(id))] = fmt.Sprint(t.Clients(id), t.Families(id))
		}
	}
	return fmt.Sprint(all)
}

// The separators are those of all URLs ever folded, in any order and however often, even if
// panes have left the window, if URLs were shed, cut or late, or if the table was copied.
func TestSeparators(t *testing.T) {
	outcomes := map[Outcome]bool{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		table := New(Options{Pane: 10, Window: 30, MaxURLs: 1 + rng.IntN(3), Key: testKey}, urllist.New())
		var want urlnorm.Separators
		for range 1 + rng.IntN(6) {
			url := []byte("/" + []string{"a", "b?x", "c?x=1&y", "d?x=1&y", "e?x;y", "f?x;y"}[rng.IntN(6)])
			want |= urlnorm.SeparatorsIn(url)
			outcomes[table.Fold(&evidence.Observation{URL: url, Time: rng.Int64N(100), Max: 1})] = true
			if rng.IntN(2) == 0 {
				settle(table)
			}
			if rng.IntN(4) == 0 {
				table.AddCut(table.CutTo(rng.Int64N(1000)))
				table = table.Copy(urllist.New(), func(uint32, uint32) {})
			}
		}
		if got := table.Separators(); got != want {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
	if len(outcomes) != int(Outcomes) {
		t.Errorf("only %v", outcomes)
	}
}
