package miner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// plainEffect counts the URLs that a rule merges, with 100 bytes a hit.
func plainEffect(hits map[string]int64, r rule.Rule) (e Effect) {
	groups := map[string][]string{}
	for u := range hits {
		if form, changed := r.Apply(nil, []byte(u)); changed {
			groups[string(form)] = append(groups[string(form)], u)
		}
	}
	for form, members := range groups {
		var all, most int64
		for _, u := range members {
			all, most = all+hits[u], max(most, hits[u])
		}
		if stayed, listed := hits[form]; listed {
			e.Stayed += stayed
			e.URLs++
			most = 0
		}
		e.URLs += len(members) - 1
		e.Hits += all - most
	}
	e.Bytes = 100 * e.Hits
	return e
}

func TestEffect(t *testing.T) {
	merged := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		m, hits := tallied(rng, 200)
		for _, r := range []rule.Rule{
			{Edit: rule.Substring{From: "a/", To: "b/"}}, {Edit: rule.Substring{From: "b/", To: ""}}, {Edit: rule.Substring{From: "/a/", To: "/", AtStart: true}}, {Edit: rule.Substring{From: "/", To: "/a/", AtStart: true}},
			{Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "x"}}, {Edit: rule.Substring{From: "no", To: "yes"}},
		} {
			got, want := m.Reach().Effect(&r), plainEffect(hits, r)
			if got != want {
				t.Fatalf("seed %d, %+v: %+v, want %+v", seed, r, got, want)
			}
			merged += want.URLs
		}
	}
	if merged < 1000 {
		t.Errorf("only %d URLs merged", merged)
	}
}

// What a rule alone spares some clients is their waste by that rule, and rules together find no duplicate twice.
func TestSavings(t *testing.T) {
	found := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 10))
		m, hits := tallied(rng, 200)
		for u := range hits { // some crawlers asked for some URLs
			for bit := range 4 {
				if rng.IntN(2) == 0 {
					m.Fold(&evidence.Observation{URL: []byte(u), Min: 100, Max: 100, Families: 1 << bit})
				}
			}
		}
		reach := m.Reach()
		mask := uint32([]int{1, 2, 4, 12}[rng.IntN(4)])
		savings, sum := reach.Savings(mask), 0
		for _, r := range []rule.Rule{
			{Edit: rule.Substring{From: "a/", To: "b/"}}, {Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "x"}}, {Edit: rule.Drop{Param: "sid", Other: "x"}}, {Edit: rule.Substring{From: "no", To: "yes"}},
		} {
			forms, err := Forms(reach.Pages(), []rule.Rule{r}, reach.Notes())
			if err != nil {
				t.Fatal(err)
			}
			families := m.Families()
			want := forms.Waste(func(page int) uint32 {
				if families[reach.Pages()[page].Number]&mask != 0 {
					return 1
				}
				return 0
			})[0]
			got := savings.Add(&r)
			if got.URLs != want.Waste() || got.Bytes != want.Bytes || got.New > got.URLs {
				t.Fatalf("seed %d, mask %b, %+v: %+v, want %+v", seed, mask, r, got, want)
			}
			sum, found = sum+got.New, found+got.URLs
		}
		if savings.URLs != sum {
			t.Errorf("seed %d: %d URLs by all rules, want %d", seed, savings.URLs, sum)
		}
	}
	if found < 1000 {
		t.Errorf("only %d duplicates found", found)
	}
}

// A URL that leaves the window takes its tally along, and a new URL begins with none.
func TestEffectOfWindow(t *testing.T) {
	o := options(10, 1000)
	o.Tally = true
	m := New("", o)
	fold := func(time int64, urls ...string) {
		for _, u := range urls {
			m.Fold(&evidence.Observation{URL: []byte(u), Time: time, Min: 100, Max: 100})
		}
	}
	r := rule.Rule{Edit: rule.Substring{From: "?x", To: "", AtEnd: true}}
	fold(0, "/a?x", "/a?x", "/a?x", "/a")
	if e := m.Reach().Effect(&r); e != (Effect{URLs: 1, Hits: 3, Bytes: 300, Stayed: 1}) {
		t.Errorf("at first %+v", e)
	}
	fold(100, "/c")
	m.Rules()
	fold(100, "/b?x", "/b")
	if e := m.Reach().Effect(&r); e != (Effect{URLs: 1, Hits: 1, Bytes: 100, Stayed: 1}) {
		t.Errorf("later %+v", e)
	}
}

// tallied returns a machine with random hits on pages of one size, and their numbers by URL.
func tallied(rng *rand.Rand, n int) (m *Machine, hits map[string]int64) {
	o := options(0, 1000)
	o.Tally = true
	m, hits = New("", o), map[string]int64{}
	for range n {
		u := fmt.Sprintf("/%s%d", []string{"", "a/", "b/"}[rng.IntN(3)], rng.IntN(9))
		for _, p := range []string{"?sid=1", "&sid=2", "&x=1"}[:rng.IntN(4)] {
			u += p
		}
		hits[u]++
		m.Fold(&evidence.Observation{URL: []byte(u), Min: 100, Max: 100})
	}
	return m, hits
}

// plainDust joins URLs of one form step by step until nothing changes.
func plainDust(hits map[string]int64, same [][2]string) (d Dust) {
	group := map[string]string{}
	for u := range hits {
		group[u] = u
	}
	for _, pair := range same {
		from, to := group[pair[0]], group[pair[1]]
		for u, g := range group {
			if g == from {
				group[u] = to
			}
		}
	}
	most := map[string]int64{}
	for u, n := range hits {
		d.AllURLs++
		d.AllHits += n
		most[group[u]] = max(most[group[u]], n)
	}
	d.URLs, d.Hits = d.AllURLs-int64(len(most)), d.AllHits
	for _, n := range most {
		d.Hits -= n
	}
	d.Bytes, d.AllBytes = 100*d.Hits, 100*d.AllHits
	return d
}

func TestDust(t *testing.T) {
	met := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		m, hits := tallied(rng, 120)
		reach := m.Reach()
		joined, formed := reach.Join(), reach.Join()
		var same, forms [][2]string
		for _, r := range []rule.Rule{{Edit: rule.Substring{From: "a/", To: "b/"}}, {Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Set{Param: "x", Value: "7"}}, {Edit: rule.Substring{From: "no", To: "yes"}}} {
			for u, v := range reach.Meetings(&r) {
				if !reach.Alike(u, v) {
					t.Fatalf("pages of one size are not alike")
				}
				joined.Same(u, v)
			}
			heads := map[string]string{}
			for u := range hits {
				form, changed := r.Apply(nil, []byte(u))
				if _, listed := hits[string(form)]; changed && listed {
					same = append(same, [2]string{u, string(form)})
				} else if head, seen := heads[string(form)]; changed && seen {
					same = append(same, [2]string{u, head})
				} else if changed {
					heads[string(form)] = u
				}
			}
		}
		drop := rule.Rule{Edit: rule.Drop{Param: "sid"}}
		heads := map[string]string{}
		for n, p := range reach.Pages() {
			form, changed := drop.Apply(nil, []byte(p.URL))
			if !changed {
				continue
			}
			formed.Form(n, form)
			if _, listed := hits[string(form)]; listed {
				forms = append(forms, [2]string{p.URL, string(form)})
			} else if heads[string(form)] != "" {
				forms = append(forms, [2]string{p.URL, heads[string(form)]})
			} else {
				heads[string(form)] = p.URL
			}
		}
		if got, want := joined.Dust(), plainDust(hits, same); got != want {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
		if got, want := formed.Dust(), plainDust(hits, forms); got != want {
			t.Fatalf("seed %d, by forms: %+v, want %+v", seed, got, want)
		}
		if got := reach.Join().Dust(); got.URLs != 0 || got.Hits != 0 || got.AllHits != 120 {
			t.Fatalf("seed %d: nothing is joined, and %+v", seed, got)
		}
		met += len(same)
	}
	if met < 1000 {
		t.Errorf("only %d meetings", met)
	}
}

func TestDustAdd(t *testing.T) {
	d := Dust{1, 2, 3, 4, 5, 6}
	d.Add(Dust{10, 20, 30, 40, 50, 60})
	if d != (Dust{11, 22, 33, 44, 55, 66}) {
		t.Errorf("%+v", d)
	}
}
