package miner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/learn/equal"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

func never() bool { return false }

// with puts a learner of fixed rules in the place of all learners that look at a window.
func with(t *testing.T, learners ...WindowLearner) *Options {
	t.Helper()
	before := windowLearners
	t.Cleanup(func() { windowLearners = before })
	windowLearners = learners
	o := options(0, 1000)
	for _, l := range learners {
		o.Window = append(o.Window, l.Name)
	}
	return &o
}

func finds(name string, rules ...rule.Likely) WindowLearner {
	return WindowLearner{name, "", false, false, func(*Options, []evidence.Page, func() bool) ([]rule.Likely, bool) {
		return slices.Clone(rules), true
	}}
}

// likelyRule returns a rule of a name, with a support.
func likelyRule(name string, support int) rule.Likely {
	return rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: name}}, Support: support}
}

// weighty returns pages by which the rules of some names have weights that grow with the
// given numbers.
func weighty(by map[string]int) (pages []evidence.Page) {
	add := func(size int, form string, args ...any) {
		pages = append(pages, evidence.Page{URL: fmt.Sprintf(form, args...), Evidence: evidence.Spans{{Min: int64(size), Max: int64(size)}}})
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		for range by[name] {
			size := 1000 << len(pages)
			add(size, "/%d/%s/", len(pages), name)
			add(size, "/%d//", len(pages)-1)
		}
	}
	return pages
}

// unweigh takes the weights from rules.
func unweigh(rules []rule.Likely) {
	for i := range rules {
		rules[i].SetWeight(&rule.Likely{})
	}
}

func names(rules []rule.Likely) (s string) {
	for _, r := range rules {
		s += r.Rule.Sides().From + fmt.Sprint(r.Support) + " "
	}
	return s
}

// Rules listed by an earlier learner are left out, the heaviest of the others are kept, and
// each learner's order stays. A rule that the first learner loses may be listed by the second.
func TestLearn(t *testing.T) {
	o := with(t,
		finds("one", likelyRule("a", 1), likelyRule("b", 2), likelyRule("c", 3), likelyRule("d", 4), likelyRule("e", 5)),
		finds("two", likelyRule("b", 6), likelyRule("x", 7), likelyRule("c", 8), likelyRule("y", 9), likelyRule("z", 10)))
	pages := weighty(map[string]int{"b": 5, "c": 2, "d": 2, "e": 3})
	listed := []rule.Likely{likelyRule("a", 9), {Rule: rule.Rule{Edit: rule.Drop{Param: "x"}}}, {Rule: rule.Rule{Edit: rule.Substring{From: "b", AtEnd: true}}}}
	for _, c := range []struct {
		most int
		want string
	}{{0, "b2 c3 d4 e5 x7 y9 z10 "}, {2, "b2 e5 x7 c8 "}, {3, "b2 c3 e5 x7 y9 z10 "}, {100, "b2 c3 d4 e5 x7 y9 z10 "}} {
		o.MaxLearned = c.most
		got, ok := o.Learn("s", pages, table.Days{}, listed, never)
		if names(got) != c.want || !ok {
			t.Errorf("at most %d: %s(%v), want %s", c.most, names(got), ok, c.want)
		}
		for _, r := range got {
			if r.Site != "s" || !r.Weighed || !listed[0].Weighed {
				t.Errorf("rule %+v has no site or no weight", r)
			}
		}
	}
	o.Window = []string{"two"}
	if got, _ := o.Learn("", nil, table.Days{}, nil, never); names(got) != "b6 x7 c8 y9 z10 " {
		t.Errorf("the second learner alone: %s", names(got))
	}
	if o.Window = nil; !reflect.DeepEqual(Learners(), []string{"envelope", "params", "one", "two"}) {
		t.Errorf("learners %q", Learners())
	}
	if got, ok := o.Learn("", nil, table.Days{}, nil, never); len(got) > 0 || !ok {
		t.Errorf("no learner: %s", names(got))
	}
}

// A learner that stops ends all.
func TestLearnStop(t *testing.T) {
	stops := WindowLearner{"stops", "", false, false, func(_ *Options, _ []evidence.Page, stop func() bool) ([]rule.Likely, bool) { return nil, !stop() }}
	o := with(t, finds("one", likelyRule("a", 1)), stops, finds("two", likelyRule("b", 2)))
	if got, ok := o.Learn("", nil, table.Days{}, nil, func() bool { return true }); ok || got != nil {
		t.Errorf("stopped: %s(%v)", names(got), ok)
	}
	if got, ok := o.Learn("", nil, table.Days{}, nil, never); !ok || names(got) != "a1 b2 " {
		t.Errorf("not stopped: %s(%v)", names(got), ok)
	}
}

// The learned rules of a machine are those of the oracle's window, whatever the order of
// the hits and of the tasks, and stand behind the online rules without repeating one. A machine that
// finds pairs among all URLs at once has the same rules.
func TestAllRules(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := options(10*rng.Int64N(4), 1000)
		o.NoRefine = rng.IntN(2) == 0
		o.Window = []string{equal.Name}
		hits := stream(rng)
		var want []rule.Likely
		for round := range 3 {
			o.Finished = round == 2
			m := New("s", o)
			for i := range hits {
				m.Fold(&hits[i])
			}
			var online, all []rule.Likely
			if round == 0 {
				online, all = m.Rules(), m.AllRules()
			} else { // the learners get the URLs beside the look
				all, online = m.AllRules(), m.Rules()
			}
			weighed := slices.Clone(all)
			unweigh(all)
			if !slices.Equal(all[:len(online)], online) {
				t.Fatalf("seed %d: the online rules are not in front", seed)
			}
			learned := unlistedPlain(equalRules(o, hits), online)
			if !slices.Equal(all[len(online):], learned) {
				t.Fatalf("seed %d: learned %v\nwant %v", seed, all[len(online):], learned)
			}
			if round > 0 && !slices.Equal(weighed, want) {
				t.Fatalf("seed %d: another order of the hits gives other rules", seed)
			}
			want = weighed
			o.Together = func(tasks ...func()) {
				for _, n := range rng.Perm(len(tasks)) {
					tasks[n]()
				}
			}
			rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		}
	}
}

// The effects of rules are those that their Reach returns. Without effects, all else of the rules is the same.
func TestNoEffects(t *testing.T) {
	o := options(0, 1000)
	o.Window, o.Tally = []string{equal.Name}, true
	merged := 0
	for seed := range uint64(10) {
		var all [2][]rule.Likely
		var reach *Reach
		for i := range all {
			o.NoEffects = i == 1
			m := New("s", o)
			for _, h := range stream(rand.New(rand.NewPCG(seed, 7))) {
				m.Fold(&h)
			}
			all[i], reach = m.Mine()
		}
		for i := range all[0] {
			r := &all[0][i]
			if e := reach.Effect(&r.Rule); r.URLs != e.URLs || r.Hits != e.Hits || r.Bytes != e.Bytes || !r.Tallied {
				t.Fatalf("seed %d: %+v has the effect %+v", seed, r, e)
			}
			merged += r.URLs
			r.URLs, r.Tallied, r.Hits, r.Bytes = 0, false, 0, 0
		}
		if !slices.Equal(all[0], all[1]) {
			t.Fatalf("seed %d: %v\nwant %v", seed, all[1], all[0])
		}
	}
	if merged == 0 {
		t.Error("no rule merges a URL")
	}
}

// equalRules returns the rules of learner equal by the plain algorithm.
func equalRules(o Options, hits []evidence.Observation) (rules []rule.Likely) {
	p := oracle.DefaultOptions()
	list := oracle.Likely(p, oracle.EqualSupports(p, window(o, hits)))
	if o.NoRefine {
		slices.SortFunc(list, oracle.CompareRefined)
	} else {
		list = oracle.Refine(list)
	}
	for _, r := range list {
		c := dust.Candidate{Pair: dust.Pair(r.Pair), Support: r.Support, SupportHigh: r.High}
		rules = append(rules, rule.OfPairs("s", "equal", []dust.Candidate{c})...)
	}
	return rules
}

func unlistedPlain(rules, listed []rule.Likely) (left []rule.Likely) {
	for _, r := range rules {
		if !slices.ContainsFunc(listed, func(l rule.Likely) bool { return l.Rule == r.Rule }) {
			left = append(left, r)
		}
	}
	return left
}

// A machine without online learners has only learned rules.
func TestWindowAlone(t *testing.T) {
	o := options(0, 1000)
	o.NoEnvelope, o.NoParams, o.Window = true, true, []string{equal.Name}
	m := New("", o)
	for i, size := range []int64{100, 200, 300} {
		for _, form := range []string{"story_", "s"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, "/%s/%d", form, i), Min: size, Max: size})
		}
	}
	if likely, faded := m.PairEvents(); len(m.Rules())+len(m.Likely())+len(likely)+len(faded) > 0 {
		t.Error("there are online rules")
	}
	m.ForgetPairEvents()
	all := m.AllRules()
	if len(all) == 0 || all[0].Learner != "equal" || m.Stats().Envelope.Pairs != 0 {
		t.Errorf("rules %+v, statistics %+v", all, m.Stats())
	}
}
