package miner

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	_ "dustbuster/internal/fewgc"
	"dustbuster/internal/oracle"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"

	"github.com/dchest/siphash"
)

func options(window int64, maxURLs int) Options {
	phase1 := envelope.Defaults()
	return Options{
		Table:    table.Options{Window: window, Pane: 10, MaxURLs: maxURLs},
		Envelope: phase1,
		Params:   params.Options{MinSupport: phase1.MinSupport, Similarity: phase1.Similarity},
	}
}

// stream returns a random history of a site: pages are seen repeatedly, sometimes with
// another size.
func stream(rng *rand.Rand) (hits []evidence.Observation) {
	pages := oracle.Random(rng, 10+rng.IntN(60))
	for i, p := range pages { // random pages rarely have parameters
		for range 2 * (i % 2) {
			q := p
			q.URL = fmt.Sprintf("%s?sid=%d&a=%d", p.URL, rng.IntN(9), rng.IntN(3))
			pages = append(pages, q)
		}
	}
	for range 30 + rng.IntN(200) {
		p := pages[rng.IntN(len(pages))]
		o := evidence.Observation{URL: []byte(p.URL), Time: rng.Int64N(70)}
		if len(p.Evidence) > 0 && p.Evidence[0].Class != evidence.Digest {
			s := p.Evidence[rng.IntN(len(p.Evidence.Sizes()))]
			o.Class, o.Min, o.Max = s.Class, s.Min, s.Max
			if rng.IntN(4) == 0 {
				o.Min = o.Max
			}
		}
		if rng.IntN(4) == 0 { // sometimes a page changes
			o.Class, o.Min, o.Max = 0, 5000, 5000
		}
		hits = append(hits, o)
	}
	return hits
}

// window returns the pages of a history's window by the plain fold.
func window(o Options, hits []evidence.Observation) []evidence.Page {
	place := func(url string) oracle.Place {
		return oracle.PlaceOf(func(text string) uint64 { return siphash.Hash(0, 0, []byte(text)) }, url)
	}
	return oracle.Window(oracle.Plains(hits, 10), (o.Table.Window+9)/10, o.Table.MaxURLs, place)
}

// batch returns the rules of the paper's algorithms for a history's window.
func batch(o Options, hits []evidence.Observation) []oracle.Rule {
	p := oracle.DefaultOptions()
	return oracle.Refine(oracle.Likely(p, oracle.Supports(p, window(o, hits))))
}

func substrings(rules []rule.Likely) (list []oracle.Rule) {
	for _, r := range rules {
		if r.Rule.Kind() == rule.KindSubstring {
			list = append(list, oracle.Rule{Pair: oracle.Pair(r.Rule.Pair()), Count: oracle.Count{Support: r.Support, High: r.SupportHigh}})
		}
	}
	return list
}

// The oracle law holds for a whole machine: for any order, any repetitions and any moments
// of reading, the rules equal the batch result over the window.
func TestOracleLaw(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := options(10*rng.Int64N(4), 1000)
		if rng.IntN(3) == 0 {
			o.Table.MaxURLs = 5 + rng.IntN(30)
		}
		hits := stream(rng)
		want := batch(o, hits)
		var first []rule.Likely
		for round := range 4 {
			o.Finished = round == 3
			m := New("", o)
			for i := range hits {
				m.Fold(&hits[i])
				if round > 0 && rng.IntN(20) == 0 { // in the first round, URLs only enter
					m.Rules()
					if rng.IntN(4) == 0 {
						check(t, m, seed)
					}
				}
			}
			got := m.Rules()
			check(t, m, seed)
			if !slices.Equal(substrings(got), want) {
				t.Fatalf("seed %d, %+v:\ngot  %v\nwant %v", seed, o.Table, substrings(got), want)
			}
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(got, first) {
				t.Fatalf("seed %d: another order gives other rules:\n%v\n%v", seed, got, first)
			}
			rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
			hits = append(hits, hits[rng.IntN(len(hits))])
		}
	}
}

// check compares a machine with a new machine that folds the same table at once: the table's
// size, the sizes of the indexes, the envelopes, and the likely rules.
func check(t *testing.T, m *Machine, context any) {
	t.Helper()
	again := New(m.site, *m.o)
	for o := range m.Observations() {
		again.Fold(o)
	}
	type state struct {
		likely    []rule.Likely // first, since this settles the groups of package params
		stats     Stats
		envelopes envelope.Census
		urls      int
		cost      int64
	}
	of := func(m *Machine) state {
		return state{m.Likely(), m.Stats(), m.Envelopes(), m.table.Len(), m.table.Cost()}
	}
	if got, want := of(m), of(again); !reflect.DeepEqual(got, want) {
		t.Fatalf("%v: the machine has\n%+v\nand a new one\n%+v", context, got, want)
	}
}

// A client that follows the events holds the likely rules at any moment.
func TestEvents(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		o := options(20, 40)
		m := New("", o)
		held := map[string]bool{}
		hits := stream(rng)
		for i := range hits {
			m.Fold(&hits[i])
			if rng.IntN(5) > 0 {
				continue
			}
			follow(t, held, m)
			want := map[string]bool{}
			for _, r := range m.Likely() {
				want[name(r)] = r.Rule.Kind() == rule.KindSubstring
			}
			maps.DeleteFunc(want, func(_ string, pair bool) bool { return !pair })
			if !reflect.DeepEqual(held, want) {
				t.Fatalf("seed %d, hit %d: held %v, likely %v", seed, i, held, want)
			}
		}
	}
}

func follow(t *testing.T, held map[string]bool, m *Machine) {
	t.Helper()
	likely, faded := m.PairEvents()
	for _, r := range faded {
		if !held[name(r)] {
			t.Fatalf("faded and never likely: %v", name(r))
		}
		delete(held, name(r))
	}
	for _, r := range likely {
		if held[name(r)] {
			t.Fatalf("likely twice: %v", name(r))
		}
		held[name(r)] = true
	}
}

func name(r rule.Likely) string { return fmt.Sprintf("%+v", r.Rule) }

// If many URLs leave the window, their memory is released before rules are requested.
func TestMemoryFollowsWindow(t *testing.T) {
	m := New("", options(20, 100_000))
	for i := range 40 * goneLeast {
		m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: int64(i / 500), Min: 1, Max: 1})
	}
	if n := m.urls.Cap(); n > 8*goneLeast {
		t.Errorf("%d numbers in use at the end of %d URLs, at most 10,000 of them in one window", n, 40*goneLeast)
	}
	check(t, m, "at the end")
}

// An example is an instance of the rule, has similar pages, and is always the same.
func TestExample(t *testing.T) {
	m := New("", options(0, 1000))
	see := func(url string, size int64) {
		m.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size})
	}
	for _, i := range []int{5, 3, 4, 2} {
		see(fmt.Sprintf("/story?id=%d", i), int64(1000*i))
		see(fmt.Sprintf("/story_%d", i), int64(1000*i))
		see(fmt.Sprintf("/x?a=%d&sid=1", i), int64(1000*i))
		see(fmt.Sprintf("/x?a=%d&sid=2", i), int64(1000*i))
		see(fmt.Sprintf("/p_q_%d", i), int64(1000*i))
		see(fmt.Sprintf("/p_q-%d", i), int64(1000*i))
	}
	see("/story?id=1", 10) // the least URL, not similar
	see("/story_1", 5000)
	see("/x?a=1&sid=1", 10)
	see("/x?a=1&sid=2", 5000)
	for _, c := range []struct {
		rule rule.Rule
		u, v string
	}{
		{rule.Rule{Edit: rule.Substring{From: "?id=", To: "_"}}, "/story?id=2", "/story_2"},
		{rule.Rule{Edit: rule.Substring{From: "x", To: "y"}}, "", ""},
		{rule.Rule{Edit: rule.Substring{From: "_", To: "-"}}, "/p_q_2", "/p_q-2"}, // by the second occurrence, which the rule does not edit
		{rule.Rule{Edit: rule.Drop{Param: "sid"}}, "/x?a=2&sid=2", "/x?a=2&sid=1"},
		{rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{Where: rule.Where("a", "3")}}, "/x?a=3&sid=2", "/x?a=3&sid=1"},
		{rule.Rule{Edit: rule.Drop{Param: "none"}}, "", ""},
	} {
		if u, v, ok := m.Reach().Example(&c.rule); u != c.u || v != c.v || ok != (u != "") {
			t.Errorf("%+v: %q and %q (%v), want %q and %q", c.rule, u, v, ok, c.u, c.v)
		}
	}
}

// Of the pairs of a rule, people see the one that most visitors asked for, and not what scanners alone asked for.
func TestExampleIsWhatVisitorsAskFor(t *testing.T) {
	o := options(0, 1000)
	o.Tally = true
	m := New("", o)
	see := func(url string, size int64, client, hits int) {
		for range hits {
			m.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: 1 << client})
		}
	}
	for i := range 40 {
		see(fmt.Sprintf("/story?id=%d", i), int64(1000*i), i%8, 10+i%3)
		see(fmt.Sprintf("/story_%d", i), int64(1000*i), i%8, 10)
		see(fmt.Sprintf("/try%d.php?x%d=1", i, i), 70, 15, 1)
	}
	see("/story?id=77", 77_000, 15, 100)
	see("/story_77", 77_000, 15, 100)
	r := rule.Rule{Edit: rule.Substring{From: "?id=", To: "_"}}
	if u, v, _ := m.Reach().Example(&r); u != "/story?id=11" || v != "/story_11" {
		t.Errorf("%q and %q", u, v)
	}
}

// counting returns the sites that count.
func counting(s *Sites) (names []string) {
	for m := range s.All() {
		names = append(names, m.Site())
	}
	return names
}

// If there are too many sites, the sites with the most URLs count, in any order of the
// hits. Ties are broken by the keyed hash. Hits of the other sites are counted.
func TestSites(t *testing.T) {
	urls := []struct {
		site string
		want int
	}{{"real", 6}, {"other", 4}, {"one", 1}, {"two", 1}, {"three", 1}, {"four", 1}, {"five", 1}, {"six", 1}}
	var hits []string
	for _, c := range urls {
		for range c.want {
			hits = append(hits, c.site)
		}
	}
	slices.Sort(hits)
	rng := rand.New(rand.NewPCG(1, 1))
	var first []string
	for range 50 {
		s := NewSites(3, options(0, 10))
		rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		for i, site := range hits {
			s.Fold(site, &evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Min: 1, Max: 1})
		}
		got := counting(s)
		if first == nil {
			first = got
		}
		if len(got) != 3 || !slices.Contains(got, "real") || !slices.Contains(got, "other") || !slices.Equal(got, first) {
			t.Fatalf("%v count, want real, other and the same third as before, %v", got, first)
		}
		if n := s.Beyond(); n != 5 {
			t.Fatalf("%d hits beyond the sites that count, want 5", n)
		}
	}
}

// A flood of invented hosts displaces no real site, whether the real site comes before or
// during the flood. The flood does not fill the memory.
func TestInventedHosts(t *testing.T) {
	const most = 5
	s := NewSites(most, options(0, 100))
	fold := func(site string, n int) {
		s.Fold(site, &evidence.Observation{URL: fmt.Appendf(nil, "/%d", n), Min: 1, Max: 1})
	}
	for n := range 20 {
		fold("early", n)
	}
	invented := 0
	for n := range 200 {
		for range 20 {
			fold(fmt.Sprintf("invented%d", invented), 0)
			invented++
		}
		if n >= 100 {
			fold("late", n)
		}
	}
	got := counting(s)
	if len(got) != most || !slices.Contains(got, "early") || !slices.Contains(got, "late") {
		t.Errorf("%v count, want early and late among them", got)
	}
	if len(s.machines) > most+spare {
		t.Errorf("%d machines are held", len(s.machines))
	}
	if n, gone := s.Beyond(), len(s.Pruned()); n != invented-(most-2) || gone != invented+2-len(s.machines) {
		t.Errorf("%d hits of %d invented hosts are beyond, %d machines went, %d are held", n, invented, gone, len(s.machines))
	}
}

// The newest pane is identified by its first second, or the nearest possible second.
func TestNewest(t *testing.T) {
	for _, c := range []struct{ time, want int64 }{{25, 20}, {0, 0}, {-1, -10}, {math.MinInt64, math.MinInt64}} {
		m := New("", options(20, 10))
		if _, ok := m.Newest(); ok {
			t.Error("a newest pane before the first observation")
		}
		m.Fold(&evidence.Observation{URL: []byte("/"), Time: c.time})
		if got, ok := m.Newest(); !ok || got != c.want {
			t.Errorf("time %d: newest %d (%v), want %d", c.time, got, ok, c.want)
		}
	}
}

// fixed is a learner with fixed rules.
type fixed struct {
	Learner
	rules []rule.Likely
}

func (f fixed) Rules() []rule.Likely { return f.rules }
func (fixed) Leave(...uint32)        {}

// A merged list is ordered by support, parameters before substrings.
func TestMerge(t *testing.T) {
	pairs := []dust.Candidate{{Support: 9}, {Support: 5}, {Support: 3}}
	learnt := fixed{rules: rule.OfPairs("s", "", pairs)}
	for _, support := range []int{9, 4, 3} {
		learnt.rules = append(learnt.rules, rule.Likely{Rule: rule.Rule{Edit: rule.Drop{}}, Support: support})
	}
	m := New("s", options(0, 10))
	m.learn = []Learner{learnt}
	var got []string
	for _, r := range m.Rules() {
		got = append(got, fmt.Sprint(r.Rule.Kind(), r.Support))
	}
	if want := []string{"drop 9", "substring 9", "substring 5", "drop 4", "drop 3", "substring 3"}; !slices.Equal(got, want) {
		t.Errorf("merged %v, want %v", got, want)
	}
}

// A rule produced by a single client is distinguished from a rule produced by several
// clients once the window shows eight clients.
func TestOneClient(t *testing.T) {
	m := New("", options(0, 1000))
	see := func(url string, client uint8) {
		m.Fold(&evidence.Observation{URL: []byte(url), Min: 100, Max: 100, Clients: 1 << (client % 16)})
	}
	for i := range 4 {
		see(fmt.Sprintf("/a/%d", i), 1)
		see(fmt.Sprintf("/b/%d", i), 2)
		see(fmt.Sprintf("/c/x%d?mine=1", i), 3)
		see(fmt.Sprintf("/c/x%d", i), 3)
	}
	want := func(rule string, alone bool) {
		t.Helper()
		rules := m.Likely()
		for i, is := range m.OneClient(rules) {
			if r := &rules[i].Rule; r.Sides().To+r.Params().Param == rule && is != alone {
				t.Errorf("%s: one client %v, want %v", rule, is, alone)
			}
		}
	}
	want("mine", false) // only three clients: no evidence
	for c := range uint8(enoughClients) {
		see("/", 10+c)
		see(fmt.Sprintf("/else%d", c), 10+c)
	}
	want("mine", true)
	want("a", true)
	see("/a/1", 2)
	want("a", true) // all of /b still belongs to client 2
	see("/b/3", 1)
	want("a", false)
	want("", true) // ?mine=1 left out, as a substring
	see("/c/x1", 9)
	want("mine", true) // the URLs requested by others lack the parameter
	see("/c/x1?mine=1", 9)
	want("mine", false)
}
