package event

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

// follower is a reader as the package comment describes readers: a list of rules for each
// site.
type follower map[string]map[rule.Rule]bool

func (f follower) take(e *Event) {
	list := f[e.Site]
	if list == nil || e.Kind == Snapshot {
		list = map[rule.Rule]bool{}
		f[e.Site] = list
	}
	for _, r := range e.Rules {
		list[r.Rule] = true
	}
	switch e.Kind {
	case Likely:
		list[e.Rule.Rule] = true
	case Faded:
		delete(list, e.Rule.Rule)
	}
}

// some returns some of ten rules of a site, in the order of lists. The supports differ from
// call to call.
func some(rng *rand.Rand, site string) (all []rule.Likely) {
	for i := range 10 {
		if rng.IntN(2) == 0 {
			all = append(all, rule.Likely{Site: site, Rule: rule.Rule{Edit: rule.Drop{Param: fmt.Sprint("p", i)}}, Support: 1 + rng.IntN(9)})
		}
	}
	slices.SortFunc(all, rule.Compare)
	return all
}

func texts(rules []rule.Likely) map[rule.Rule]bool {
	all := map[rule.Rule]bool{}
	for _, r := range rules {
		all[r.Rule] = true
	}
	return all
}

// difference returns the events after which readers hold exactly the likely rules, but for those that
// are left out.
func difference(r *Readers, site string, likely []rule.Likely, leftOut map[rule.Rule]bool) []Event {
	faded := r.Faded(site, SetOf(likely), leftOut)
	likely = slices.DeleteFunc(slices.Clone(likely), func(l rule.Likely) bool { return leftOut[l.Rule] })
	return r.Changes(site, 7, likely, faded)
}

// Over random histories of refinements, of sinks that take only a part of the events, of
// snapshots and of forgotten sites, the difference brings a plain follower to exactly the
// likely rules, names no rule twice, and is empty when applied again.
func TestDifference(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var r Readers
		plain := follower{}
		take := func(events []Event) {
			for i := range events {
				r.Take(&events[i])
				plain.take(&events[i])
			}
		}
		for range 40 {
			site := fmt.Sprint("s", rng.IntN(3))
			likely := some(rng, site)
			switch rng.IntN(8) {
			case 0:
				take([]Event{{Kind: Snapshot, Site: site, Rules: likely}})
			case 1:
				r.Forget(site)
				delete(plain, site)
			case 2:
				r.ForgetAll()
				clear(plain)
			case 3: // the sink fails
				events := difference(&r, site, likely, nil)
				take(events[:rng.IntN(len(events)+1)])
			case 4: // a batch of lines: only changes are known
				events := r.Changes(site, 7, likely[:len(likely)/2], likely[len(likely)/2:])
				for _, e := range events {
					if plain[site][e.Rule.Rule] != (e.Kind == Faded) {
						t.Fatalf("seed %d: %s of %v to a reader with %v", seed, e.Kind, e.Rule.Rule, plain[site])
					}
				}
				take(events)
			case 5: // rules that are left out stay as they are
				out := texts(some(rng, site))
				held := maps.Clone(plain[site])
				take(difference(&r, site, likely, out))
				is := texts(likely)
				for r := range maps.Keys(out) {
					if is[r] = held[r]; !held[r] {
						delete(is, r)
					}
				}
				if !maps.Equal(plain[site], is) {
					t.Fatalf("seed %d: readers hold %v, want %v", seed, plain[site], is)
				}
			default:
				events := difference(&r, site, likely, nil)
				check(t, events, site)
				take(events)
				if !maps.Equal(plain[site], texts(likely)) {
					t.Fatalf("seed %d: readers hold %v, want %v", seed, plain[site], texts(likely))
				}
				if again := difference(&r, site, likely, nil); len(again) > 0 {
					t.Fatalf("seed %d: again %v", seed, again)
				}
			}
		}
	}
}

// check reports events out of order, and rules named twice.
func check(t *testing.T, events []Event, site string) {
	t.Helper()
	named := map[rule.Rule]bool{}
	for i, e := range events {
		if named[e.Rule.Rule] || e.Site != site || e.Pane != 7 {
			t.Fatalf("event %+v of %v", e, events)
		}
		named[e.Rule.Rule] = true
		if i == 0 {
			continue
		}
		switch before := events[i-1]; {
		case before.Kind == Likely && e.Kind == Faded, before.Kind == e.Kind && rule.Compare(before.Rule, e.Rule) >= 0:
			t.Fatalf("%v comes before %v", before, e)
		}
	}
}
