package except

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dustbuster/operators/rule"
)

// A rule without its negatives leaves all of them as they are, and keeps what most positives
// show.
func TestWithout(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var c Trial
		drop := rule.Rule{Edit: rule.Drop{Param: "d"}}
		c.Rule = &drop
		for i := range 10 + rng.IntN(60) {
			f := fmt.Sprintf("/%c/p%d?m=%d&d=1", "abc"[rng.IntN(3)], i, rng.IntN(3))
			c.Pairs = append(c.Pairs, f)
			if rng.IntN(12) == 0 {
				c.Negatives = append(c.Negatives, f)
			} else {
				c.Positives = append(c.Positives, f)
			}
		}
		r, left := c.Without()
		if err := r.Validate(); err != nil || left > 0 {
			t.Fatalf("seed %d: %v, %d left of %q", seed, err, left, c.Negatives)
		}
		for _, f := range c.Negatives {
			if _, changed := r.Apply(nil, []byte(f)); changed {
				t.Errorf("seed %d: %s changes %s", seed, r.Words(), f)
			}
		}
		lost := 0
		for _, f := range c.Positives {
			if r.Excepts([]byte(f)) {
				lost++
			}
		}
		if most := 3 * (len(c.Positives) - 1) / fifth; lost > most && len(c.Negatives) > 0 {
			t.Errorf("seed %d: %s leaves out %d of %d positives", seed, r.Words(), lost, len(c.Positives))
		}
	}
}

// With few positives only single URLs are excepted: no scope is known to be right.
func TestWithoutByFewPositives(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "d"}}
	c := Trial{Rule: &drop, Negatives: []string{"/a?d=1"}, Positives: []string{"/b?d=1", "/c?d=1", "/d?d=1"}, Pairs: []string{"/a?d=1", "/a?d=2"}}
	if r, left := c.Without(); left > 0 || len(r.Except.URLs()) != 1 || len(r.Except.Scopes()) != 0 {
		t.Errorf("%s", r.Words())
	}
}

// A narrower scope keeps the exceptions for its URLs: within the scope the exceptions mean
// the same.
func TestWithin(t *testing.T) {
	parts := []rule.Scope{
		{Path: "/a/b", HasPath: true}, {Path: "/b/c", HasPath: true}, {Path: "/a/*/d", HasPath: true}, {Prefix: "/a/"}, {Prefix: "/b"}, {Prefix: "/a/b"},
		{Where: rule.With("m")}, {Where: rule.Where("m", "1")}, {Path: "/a/b", HasPath: true, Where: rule.With("m")},
	}
	dropped := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		r := rule.Rule{Edit: rule.Drop{Param: "d"}}
		var err error
		for range 1 + rng.IntN(3) {
			if r.Except, err = r.Except.With(parts[rng.IntN(len(parts))]); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range draw(rng, 3) {
			if r.Except, err = r.Except.WithURL(f); err != nil {
				t.Fatal(err)
			}
		}
		narrow := r
		narrow.Scope = parts[rng.IntN(len(parts))]
		narrow.Except = Within(&r, &narrow.Scope)
		dropped += r.Except.Len() - narrow.Except.Len()
		for _, f := range append(draw(rng, 40), "/a/x/d?d=1", "/a/b?d=1&m=1") {
			if !r.HoldsIn(&narrow.Scope, []byte(f)) {
				continue
			}
			if was, is := r.Excepts([]byte(f)), narrow.Excepts([]byte(f)); was != is {
				t.Fatalf("seed %d: %s, %s: %v, was %v", seed, narrow.Words(), f, is, was)
			}
		}
	}
	if dropped < 100 {
		t.Errorf("%d exceptions are left out", dropped)
	}
}
