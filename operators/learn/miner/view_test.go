package miner

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
)

// seen is all that a machine tells of its window.
type seen struct {
	likely, rules []rule.Likely
	alone, hidden []bool
	observations  []evidence.Observation
	pages         []evidence.Page
	clients       []uint16
	families      []uint32
	newest        int64
	days          [][]evidence.Day
}

func look(m *Machine) (s seen) {
	s.likely, s.rules = m.Likely(), m.Rules()
	s.alone, s.hidden = m.OneClient(s.likely), m.Hidden(s.likely, secret.Veil{})
	for o := range m.Observations() {
		s.observations = append(s.observations, *o)
		s.observations[len(s.observations)-1].URL = []byte(string(o.URL))
	}
	s.pages, s.clients, s.families = m.Window().Pages(), m.Clients(), m.Families()
	s.newest, _ = m.Newest()
	days := m.Days()
	for i := range s.pages {
		s.days = append(s.days, days.Append(nil, &s.pages[i]))
		s.pages[i].Evidence = append(evidence.Spans(nil), s.pages[i].Evidence...)
	}
	return s
}

// A view stays as it is, in another goroutine, while its machine goes on.
func TestView(t *testing.T) {
	alone := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := options(10*rng.Int64N(4), 1000)
		o.Table.Days = seed%2 == 0
		m, hits := New("s", o), stream(rng)
		var views sync.WaitGroup
		for i := range hits {
			hits[i].Clients, hits[i].Families = 1<<rng.IntN(16), 1<<rng.IntN(32)
			m.Fold(&hits[i])
			if rng.IntN(len(hits)/4) > 0 {
				continue
			}
			v, want := m.View(), look(m)
			views.Go(func() {
				if got := look(v); !reflect.DeepEqual(got, want) {
					t.Errorf("seed %d: the view has\n%+v\nthe machine had\n%+v", seed, got, want)
				}
			})
			for _, is := range want.alone {
				if is {
					alone++
				}
			}
		}
		views.Wait()
	}
	if alone == 0 {
		t.Error("no rule is of one client")
	}
}

// Learners that take in changes in slices hold the same as those that take in all at once.
func TestSettle(t *testing.T) {
	slices := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		o := options(10*rng.Int64N(4), 5+rng.IntN(50))
		m, held := New("", o), map[string]bool{}
		hits := stream(rng)
		for i := range hits {
			if m.Fold(&hits[i]); rng.IntN(3) > 0 {
				continue
			}
			if done := m.Settle(1 + rng.IntN(3)); done != (m.Unsettled() == 0) {
				t.Fatalf("seed %d, hit %d: done %v, %d changes wait", seed, i, done, m.Unsettled())
			} else if !done {
				slices++
			}
			if rng.IntN(20) == 0 {
				follow(t, held, m)
				check(t, m, fmt.Sprint("seed ", seed, ", hit ", i))
			}
		}
		check(t, m, seed)
	}
	if slices < 300 {
		t.Errorf("%d slices", slices)
	}
}

// A search in steps finds what a search at once finds.
func TestClientSearch(t *testing.T) {
	several := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m, hits := New("", options(0, 1000)), stream(rng)
		for i := range hits {
			hits[i].Clients = 1 << rng.IntN(16)
			m.Fold(&hits[i])
		}
		m.settle()
		pairs := rule.OfPairs("", "", m.index.Likely())
		if pairs = pairs[:rng.IntN(len(pairs)+1)]; !m.ManyClients() || !m.HadManyClients() {
			continue
		}
		s := m.SearchClients(pairs)
		for !s.Step(1 + rng.IntN(5)) {
		}
		for i, want := range m.OneClient(pairs) {
			if s.OneClient(i) != want {
				t.Fatalf("seed %d: %+v of one client: %v, want %v", seed, pairs[i].Rule, !want, want)
			}
			if !want {
				several++
			}
		}
	}
	if several == 0 {
		t.Error("no pair is of several clients")
	}
}
