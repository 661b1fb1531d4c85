package miner

import (
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
			{From: "a/", To: "b/"}, {From: "b/", To: ""}, {From: "/a/", To: "/", AtStart: true}, {From: "/", To: "/a/", AtStart: true},
			{Kind: rule.Drop, Param: "sid"}, {Kind: rule.Drop, Param: "x"}, {From: "no", To: "yes"},
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
	r := rule.Rule{From: "?x", To: "", AtEnd: true}
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
