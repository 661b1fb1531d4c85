package config_test

import (
	"slices"
	"testing"

	"dustbuster/config"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/papers/compare"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// The new learner runs by default, its rules are listed, and it is compared with the others.
func TestWalk(t *testing.T) {
	c := config.Defaults()
	if !slices.Contains(c.Rule.Learners, "newest") {
		t.Errorf("learners by default: %q", c.Rule.Learners)
	}
	o := c.Miner([2]uint64{})
	o.Window = []string{"newest"}
	pages := []evidence.Page{{URL: "/a", Evidence: evidence.Spans{{Min: 1000, Max: 1000}}}, {URL: "/a?sid=1", Evidence: evidence.Spans{{Min: 1000, Max: 1000}}}}
	found, ok := o.Learn("a.example", pages, table.Days{}, nil, func() bool { return false })
	if !ok || len(found) != 1 || found[0].Rule != (rule.Rule{Edit: rule.Drop{Param: "sid"}}) || found[0].Wire().Learner != "newest" {
		t.Errorf("found %+v, %v", found, ok)
	}
	names, about := compare.Learners()
	if at := slices.Index(names, "newest"); at < 0 || about[at] != "the parameter sid" {
		t.Errorf("compared are %q", names)
	}
	results, err := compare.Run([][]string{{"/a", "/a?sid=1"}, {"/b", "/b?sid=1"}, {"/c", "/c?sid=1"}}, compare.Options{Learners: []string{"newest"}, Share: 1, Seed: 1})
	if err != nil || len(results) != 1 || results[0].Deployed != 1 {
		t.Errorf("compared as %+v, %v", results, err)
	}
	if len(miner.Learners()) != len(miner.DefaultLearners())+2 {
		t.Errorf("learners %q", miner.Learners())
	}
}
