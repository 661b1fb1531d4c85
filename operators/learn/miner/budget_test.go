package miner

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/window/evidence"
)

// list is a generated list of URLs.
type list struct {
	name     string
	urls     func(i int) string
	n        int
	ordinary bool // like real URLs: the costs are then an upper bound
	sizes    func(i int) int64
}

func manyLists() []list {
	rng := rand.New(rand.NewPCG(1, 1))
	site := oracle.Site(1, 4000)
	same := func(int) int64 { return 5000 }
	several := func(i int) int64 { return int64(1000 + i*7919%50_000) }
	return []list{
		{"a generated site", func(i int) string { return site[i].URL }, len(site), true, func(i int) int64 { return site[i].Evidence[0].Min }},
		{"numbered pages", func(i int) string { return fmt.Sprintf("/%d", i) }, 4000, true, several},
		{"products", func(i int) string { return fmt.Sprintf("/product.php?id=%d", i) }, 4000, true, several},
		{"random words", func(int) string {
			return fmt.Sprintf("/%x/%x/%x?q=%x&s=%x", rng.IntN(1000), rng.IntN(1000), rng.IntN(100_000), rng.IntN(1<<30), rng.IntN(1<<30))
		}, 4000, true, several},
		{"a calendar", func(i int) string {
			return fmt.Sprintf("/cal?y=%d&m=%d&d=%d&view=%d&sort=%d", 1900+i%100, i/100%12, i/1200%28, i%4, i%3)
		}, 4000, true, several},
		{"templates of eleven", func(i int) string {
			return fmt.Sprintf("/a%d/b%d/c/d/e/%d/f/g/h/%d/%d/", i/11, i/11, i%11, i/11, i/11)
		}, 1000, false, same},
		{"long templates of thirteen", func(i int) string {
			side := strings.Repeat(fmt.Sprintf("/%d", i/13), 25)
			return side + fmt.Sprintf("/%x", i) + side
		}, 200, false, same},
		{"filters", func(i int) string {
			u := fmt.Sprintf("/shop?c=%d", i%100)
			for k := range 10 {
				if rng.IntN(2) == 0 {
					u += fmt.Sprintf("&f%d=%d", k, rng.IntN(5))
				}
			}
			return u
		}, 1000, false, same},
	}
}

// The memory of a machine on the heap is below the charge: for ordinary lists, below the
// cost of the URLs; for any list, below the size reported by the machine. With the copy that a loop refines, the
// machine is below the charge, too. Before the
// indexes have taken URLs in, the charge exceeds the later memory of the indexes.
func TestCostIsABound(t *testing.T) {
	for _, l := range manyLists() {
		urls := make([][]byte, l.n)
		for i := range urls {
			urls[i] = []byte(l.urls(i))
		}
		before := worlds.Heap()
		o := options(0, 10_000_000)
		o.Table.Track = true
		m := New("", o)
		for i, u := range urls {
			m.Fold(&evidence.Observation{URL: u, Min: l.sizes(i), Max: l.sizes(i)})
		}
		unsettled := m.held()
		m.settle()
		m.Likely()
		taken := worlds.Heap() - before
		t.Logf("%-28s %6d URLs: %6d bytes each, cost %6d, reported %6d, charged before %d", l.name, m.urls.Len(),
			taken/int64(l.n), m.table.Cost()/int64(l.n), m.bytes()/int64(l.n), unsettled/int64(l.n))
		if l.ordinary && taken > m.table.Cost() {
			t.Errorf("%s: takes %d bytes, costs %d", l.name, taken, m.table.Cost())
		}
		refined := m.View()
		if taken = worlds.Heap() - before; taken > m.held() || m.held() > unsettled {
			t.Errorf("%s: takes %d bytes with a copy, charged are %d, and %d before", l.name, taken, m.held(), unsettled)
		}
		runtime.KeepAlive(refined)
		runtime.KeepAlive(urls)
	}
}

// Whatever the number and kind of URLs, the machines stay within the budget, a site below
// the level loses nothing, and the remaining URLs obey the oracle law.
func TestBudget(t *testing.T) {
	for _, l := range manyLists() {
		const budget = 1 << 20
		o := options(0, 10_000_000)
		o.Table.Key = [2]uint64{1, 2}
		s := NewSites(10, o)
		s.SetBudget(budget)
		small := func(i int) {
			s.Fold("small", &evidence.Observation{URL: fmt.Appendf(nil, "/story?id=%d", i%100), Min: int64(1000 + 100*(i%100))})
			s.Fold("small", &evidence.Observation{URL: fmt.Appendf(nil, "/story_%d", i%100), Min: int64(1000 + 100*(i%100))})
		}
		for i := range l.n {
			site := fmt.Sprintf("flood%d", i%2)
			s.Fold(site, &evidence.Observation{URL: []byte(l.urls(i)), Min: l.sizes(i), Max: l.sizes(i)})
			small(i)
			if s.Used() > budget {
				t.Fatalf("%s: %d bytes are used of %d", l.name, s.Used(), budget)
			}
		}
		for m := range s.All() {
			check(t, m, l.name)
			if small := m.Site() == "small"; small && (m.table.Len() != 200 || m.CutURLs() > 0) {
				t.Errorf("%s: %d URLs are left of the small site's 200, %d were cut", l.name, m.table.Len(), m.CutURLs())
			}
		}
		if len(s.TakeCut()) == 0 && l.ordinary {
			t.Errorf("%s: nothing was cut", l.name)
		}
	}
}

// If memory is short, the list of a finished log is that of the same log without the URLs left out: all
// learners, weights, days, hits and effects. The notes say how many URLs and hits are left out.
func TestSampleIsTheListOfItsURLs(t *testing.T) {
	o := options(0, 10_000_000)
	o.Table.Key, o.Table.Days, o.Tally = [2]uint64{1, 2}, true, true
	o.Window = []string{"equal", "drops", "kinds"}
	site := oracle.Site(3, 5000)
	var hits []evidence.Observation
	for i, p := range site {
		for day := range 1 + i%3 { // a third of the pages with several sizes meet day by day
			size := p.Evidence[0].Min + int64(i%5/4*day*40)
			hits = append(hits, evidence.Observation{URL: []byte(p.URL), Time: int64(day+i%2) * evidence.SecondsOfDay, Min: size, Max: size})
		}
	}
	rand.New(rand.NewPCG(1, 5)).Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
	all := NewSites(10, o)
	all.SetBudget(2 << 20)
	again := NewSites(10, o)
	for i := range hits {
		all.Fold("", &hits[i])
	}
	sample := all.machine("")
	for i := range hits {
		if _, kept := sample.urls.Lookup(hits[i].URL); kept {
			again.Fold("", &hits[i])
		}
	}
	got, reach := sample.Mine()
	want, _ := again.machine("").Mine()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%d rules, and %d of the same URLs:\n%+v\n%+v", len(got), len(want), got[:min(3, len(got))], want[:min(3, len(want))])
	}
	met, hit := 0, int64(0)
	for _, r := range got {
		met += r.Meetings
		hit += r.Hits
	}
	if len(got) < 20 || met == 0 || hit == 0 || sample.CutURLs() == 0 {
		t.Fatalf("%d rules, %d meetings, %d hits, %d URLs cut", len(got), met, hit, sample.CutURLs())
	}
	kept := again.machine("").kept
	note := reach.Notes().Notes[0]
	if note.Kind != notes.Sample || note.URLs != sample.table.Len() || note.Hits != int64(kept) || note.OfHits != int64(len(hits)) || note.Of < len(site)*9/10 || note.Of > len(site)*11/10 {
		t.Errorf("%+v, want %d of about %d URLs, and %d of %d hits", note, sample.table.Len(), len(site), kept, len(hits))
	}
	for _, n := range again.machine("").Notes().Notes {
		if n.Kind == notes.Sample {
			t.Errorf("a whole log has the note %v", n)
		}
	}
}

// The cuts of another owner leave the same table, before or after the hits.
func TestRestoreCuts(t *testing.T) {
	o := options(100, 1000)
	o.Table.Key = [2]uint64{1, 2}
	fold := func(s *Sites) {
		for i := range 2000 {
			s.Fold("a", &evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: int64(i % 50), Min: 1, Max: 1})
		}
	}
	urls := func(s *Sites) (all []string) {
		for o := range s.machine("a").Observations() {
			all = append(all, fmt.Sprintf("%s %d", o.URL, o.Time))
		}
		slices.Sort(all)
		return all
	}
	s := NewSites(10, o)
	s.SetBudget(1 << 20)
	fold(s)
	cuts := slices.Clone(s.machine("a").Cuts())
	if len(cuts) == 0 {
		t.Fatal("nothing was cut")
	}
	before, after := NewSites(10, o), NewSites(10, o)
	before.Restore("a", cuts)
	fold(before)
	fold(after)
	after.Restore("a", cuts)
	if want := urls(before); !slices.Equal(urls(after), want) {
		t.Errorf("%d and %d observations", len(urls(after)), len(want))
	}
	// The first owner has seen the panes' last hits under the same cuts.
	if want := urls(before); !slices.Equal(urls(s), want) {
		t.Errorf("%d observations, and %d for another owner", len(urls(s)), len(want))
	}
}

// Memory left over from a busy pane is released before anything is cut.
func TestGivesBackBeforeItCuts(t *testing.T) {
	o := options(20, 100_000)
	s := NewSites(10, o)
	fold := func(site string, n int, time int64) {
		for i := range n {
			s.Fold(site, &evidence.Observation{URL: fmt.Appendf(nil, "/%d/%d", time, i), Time: time, Min: 1, Max: 1})
		}
	}
	fold("a", 4000, 0)
	fold("a", 1, 100) // the busy pane leaves the window
	held := s.machine("a").held()
	s.SetBudget(2 * held)
	fold("b", 2500, 0)
	if cut := s.TakeCut(); len(cut) > 0 {
		t.Errorf("%d sites were cut, with %d bytes of %d used", len(cut), s.Used(), 2*held)
	}
}

// The batch of pairs of a finished log stays within the budget. A window whose pairs exceed it is cut, and its list
// is that of the URLs that are left. A window of ordinary URLs is not cut.
func TestBatchFitsBudget(t *testing.T) {
	for _, l := range manyLists() {
		const budget = 4 << 20
		o := options(0, 10_000_000)
		o.Finished, o.Table.Key = true, [2]uint64{1, 2}
		s, whole := NewSites(10, o), New("s", o)
		s.SetBudget(budget)
		for i := range l.n {
			s.Fold("s", &evidence.Observation{URL: []byte(l.urls(i)), Min: l.sizes(i), Max: l.sizes(i)})
		}
		m := s.Of("s")
		folded := m.table.Len()
		rules, _ := m.Mine()
		for one := range m.Observations() {
			whole.Fold(one)
		}
		want, _ := whole.Mine()
		left := m.table.Len()
		batch := &wholePairs{o: o.Envelope, urls: whole.urls, ids: slices.Collect(whole.urls.All())}
		if _, fits := batch.likely(budget); !fits || !slices.Equal(rules, want) || l.ordinary && left < folded || left == 0 {
			t.Errorf("%s: %d URLs of %d are left; they fit: %v; %d rules, want %d", l.name, left, folded, fits, len(rules), len(want))
		}
		if (folded > left) != (m.LeftOut() > 0) || l.name == "templates of eleven" && left == folded {
			t.Errorf("%s: %d URLs of %d are left, and %d left out", l.name, left, folded, m.LeftOut())
		}
	}
}
