package miner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// families are the forms of a made-up page.
var families = [][]string{
	{"/a/%d", "/a/%d/"}, {"/a/%d.html", "/a/%d.htm"}, {"//a/%d", "/a/%d"}, {"/de/%d", "/en/%d", "/fr/%d"},
	{"/p?id=%d", "/p?id=%d&s=x", "/p?s=x&id=%d"}, {"/q?a=%d", "/q?b=%d"},
	{"/n?id=%d&v=1", "/n?id=%d&v=2", "/n?id=%d&v=3", "/n?id=%d&v=4", "/n?id=%d&v=5"},
}

// changing returns the hits of a made-up site over two days or more. The pages of a family change
// with each second, each day, or never, and their forms change together or apart.
func changing(rng *rand.Rand) (hits []evidence.Observation) {
	for _, forms := range families {
		if rng.IntN(2) == 0 {
			continue
		}
		apart, every := rng.IntN(3) == 0, []int64{1, evidence.SecondsOfDay, 1 << 40}[rng.IntN(3)]
		sizes, days := []uint64{1, 3, 50, 9000}[rng.IntN(4)], []int64{2, 16, 16}[rng.IntN(3)]
		for id := range 3 + rng.IntN(9) {
			class := uint8(rng.IntN(2) * rng.IntN(2))
			for _, form := range forms {
				for range rng.IntN(16) {
					o := evidence.Observation{URL: fmt.Appendf(nil, form, id), Time: rng.Int64N(days * evidence.SecondsOfDay), Class: class, Clients: 1}
					content := fmt.Sprint(id, " ", o.Time/every)
					if apart {
						content += form
					}
					hits = append(hits, answer(rng, o, siphash.Hash(1, 2, []byte(content))%sizes))
				}
			}
		}
	}
	return hits
}

// answer sets the size of a hit, or its digest.
func answer(rng *rand.Rand, o evidence.Observation, content uint64) evidence.Observation {
	o.Min = 1000 + 100*int64(content)
	if o.Max = o.Min; rng.IntN(40) == 0 {
		o.Min, o.Max = 0, 0
	}
	if rng.IntN(300) == 0 {
		o.DigestMin, o.DigestMax = 1, 1
	}
	return o
}

// kept returns the sizes that a day keeps, which a hash selects.
func kept(sizes []int64) []int64 {
	d := evidence.DayOf(0, evidence.Span{Min: sizes[0], Max: sizes[0]})
	for _, size := range sizes {
		one := evidence.DayOf(0, evidence.Span{Min: size, Max: size})
		d.Join(&one)
	}
	return slices.Clone(d.Sizes())
}

// history returns the hits in the window of a machine.
func history(m *Machine, hits []evidence.Observation) *oracle.History {
	h := &oracle.History{Similarity: m.o.Envelope.Similarity, Keep: kept, Panes: m.o.Table.Window > 0}
	h.Hash = func(url string) uint64 { return siphash.Hash(weightKey[0], weightKey[1], []byte(url)) }
	length, newest := int64(evidence.SecondsOfDay), int64(math.MinInt64)
	if h.Panes {
		length = m.o.Table.Pane
	}
	h.Seen = oracle.Plains(hits, length)
	for _, o := range h.Seen {
		newest = max(newest, o.Pane)
	}
	if h.Panes {
		h.Seen = slices.DeleteFunc(h.Seen, func(o oracle.Observation) bool { return newest-o.Pane >= m.o.Table.Window/length })
	}
	return h
}

// agree compares what people see of a site with the definition, and counts what it says.
func agree(t *testing.T, name string, o Options, hits []evidence.Observation, n *told) {
	t.Helper()
	m := New("", o)
	for i := range hits {
		m.Fold(&hits[i])
	}
	h, rules, reach := history(m, hits), m.AllRules(), m.Reach()
	pages := reach.Pages()
	var all []oracle.Judged
	list := make([]oracle.Weighed, len(rules))
	for i := range rules {
		r, w := &rules[i], &list[i]
		*w = oracle.Weighed{Substring: r.Rule.Kind() == rule.KindSubstring, Form: r.Rule.Kind() == rule.KindSyntax || r.Rule.Kind() == rule.KindOrder, Alpha: r.Rule.Sides().From, Beta: r.Rule.Sides().To, Weight: r.Weight, Alike: r.Alike}
		for _, p := range reach.Pairs(&r.Rule) {
			w.Pairs = append(w.Pairs, [2]string{pages[p[0]].URL, pages[p[1]].URL})
		}
		w.Chance = r.Expected / float64(max(r.Pairs, 1))
		j := h.Judge(w)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6*(1+b) }
		if len(w.Pairs) != r.Pairs || r.Meetings != j.Meetings || !near(r.Met, j.Met) || !near(r.Own, j.Own) || r.OneContent != j.OneContent {
			t.Fatalf("%s: rule %+v\nwant %+v", name, *r, j)
		}
		j.Own = r.Own // rounding decides between equals
		all = append(all, j)
	}
	order, hidden := oracle.Choose(list, all)
	chosen, got := shown.Choose(rules, false)
	if fmt.Sprint(got.Light, got.Contradicted, got.OneContent) != fmt.Sprint(hidden.Light, hidden.Contradicted, hidden.OneContent) || len(chosen) != len(order) {
		t.Fatalf("%s: hidden %+v, want %+v", name, got, hidden)
	}
	for i, at := range order {
		if chosen[i].Rule != rules[at].Rule {
			t.Fatalf("%s: rank %d: %+v, want %+v", name, i, chosen[i], rules[at])
		}
	}
	rows := oracle.Rows(list, order)
	folded := shown.Fold(chosen, reach.Pairs)
	if len(folded) != len(rows) {
		t.Fatalf("%s: %d rows, want %d", name, len(folded), len(rows))
	}
	for i, r := range rows {
		if f := &folded[i]; f.Rule.Rule != rules[r.Rule].Rule || f.Texts != r.Texts || len(f.Joined) != r.Joined {
			t.Fatalf("%s: row %d: %+v, want %+v", name, i, *f, r)
		}
	}
	n.add(rules, all, rows)
}

// told counts what the definition says of the rules of some sites.
type told struct{ rules, meetings, parts, contradicted, oneContent, shared, texts, joined int }

func (n *told) add(rules []rule.Likely, all []oracle.Judged, rows []oracle.Row) {
	for i, j := range all {
		n.rules++
		n.meetings += j.Meetings
		if j.Met != math.Floor(j.Met) {
			n.parts++
		}
		if j.Contradicted {
			n.contradicted++
		}
		if j.OneContent {
			n.oneContent++
		}
		if j.Own < weight.Shown && weight.Shown <= rules[i].Weight {
			n.shared++
		}
	}
	for _, r := range rows {
		n.texts += r.Texts
		n.joined += r.Joined
	}
}

// What people see equals the definition, which begins with the hits. The pairs of a rule and its
// weight are given.
func TestShown(t *testing.T) {
	var n told
	for seed := range worlds.Rounds(150, 3000) {
		rng := rand.New(rand.NewPCG(seed, 31))
		hits := changing(rng)
		o := options(0, 1<<20)
		o.Table.Days, o.Window = true, Learners()
		if rng.IntN(3) == 0 {
			o.Table.Window, o.Table.Pane = 12*40000, 40000
		}
		o.Envelope.Similarity.Tolerance = []float64{0, 0.01, 0.1}[rng.IntN(3)]
		agree(t, fmt.Sprint("seed ", seed), o, hits, &n)
	}
	t.Logf("%+v", n)
	for _, some := range []int{n.contradicted, n.oneContent, n.shared, n.parts, n.texts, n.joined} {
		if some < 50 {
			t.Errorf("some part is too rare: %+v", n)
		}
	}
}

// What people see of real logs equals the definition.
func TestShownReal(t *testing.T) {
	names := []string{"logs/semicomplete.log.gz", "logs/nspw.log.gz"}
	if *worlds.Long {
		names = append(names, "logs/bplogs.log.gz", "logs/nasa95.log.gz", "logs/erddap.log.gz", "sites/docs/access.log.gz", "sites/gitweb/access.log.gz")
	}
	for _, name := range names {
		o := options(0, 1<<20)
		o.Table.Days, o.Window, o.MaxLearned = true, Learners(), 1000
		var n told
		agree(t, name, o, worlds.LogHits(t, worlds.Data(t, name)), &n)
		t.Logf("%s: %+v", name, n)
	}
}
