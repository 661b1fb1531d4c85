package trials_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
)

// A pair of the set counts as one more negative, unless it is one of the rule's own.
func TestNegativeOfSet(t *testing.T) {
	a := &trials.Trial{}
	a.Pairs[trial.Near] = []trials.Pair{{Pair: forms.Pair{U: "/a", V: "/b"}}}
	a.Tally.Strata[trial.Near].Pairs = 1
	a.Negative(rule.Example{U: "/a", V: "/b"})
	a.Negative(rule.Example{U: "/a", V: "/c"})
	if sum := a.Tally.Sum(); sum.Pairs != 2 || sum.Negatives != 1 {
		t.Errorf("%+v", sum)
	}
}

func TestNarrowed(t *testing.T) {
	a := &trials.Trial{}
	try := func(u string, o trial.Outcome, times int) {
		for range times {
			a.Pairs[0] = append(a.Pairs[0], trials.Pair{Pair: forms.Pair{Form: u, V: strings.Replace(u, "x", "", 1)}, Outcome: trial.Judgement{Outcome: o}})
		}
	}
	try("/good/page/x?1", trial.Positive, 10)
	try("/mixed/sx", trial.Positive, 12)
	try("/mixed/ax?k=1", trial.Positive, 4)
	try("/mixed/ax?k=1", trial.Negative, 1)
	try("/mixed/ax/b/x", trial.Positive, 4)
	try("/few/x", trial.Positive, 4)
	try("/skips/x", trial.Skip, 30)
	scopes := func(r rule.Rule) (all []rule.Scope) {
		a.Candidate.Rule = r
		for _, n := range trials.Narrowed(a) {
			all = append(all, n.Scope)
			n.Scope = r.Scope
			if n != r {
				t.Errorf("%+v is not %+v", n, r)
			}
		}
		return all
	}
	path := func(p string) rule.Scope { return rule.Scope{Path: p, HasPath: true} }
	got := scopes(rule.Rule{Edit: rule.Substring{From: "x"}})
	want := []rule.Scope{path("/mixed/sx"), {Prefix: "/good"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := scopes(rule.Rule{Edit: rule.Substring{From: "x"}, Scope: want[1]}); slices.Contains(got, want[1]) {
		t.Errorf("narrowed to itself: %+v", got)
	}
	if got := scopes(rule.Rule{Edit: rule.Substring{From: "x"}, Scope: path("/mixed/sx")}); len(got) > 0 {
		t.Errorf("a path narrowed to %+v", got)
	}
}

// A drop is narrowed to the pages with a parameter, or with one of its values, even if those pages are
// outside its own scope.
func TestNarrowedByParameter(t *testing.T) {
	r := rule.Rule{Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Where: rule.Where("a", "blob")}}
	a := &trials.Trial{Candidate: book.Candidate{Rule: r}}
	try := func(u string, o trial.Outcome, times int) {
		for i := range times {
			form := u + "&i=" + string(rune('a'+i))
			a.Pairs[0] = append(a.Pairs[0], trials.Pair{Pair: forms.Pair{Form: form, V: strings.Replace(form, "&n=1", "", 1)}, Outcome: trial.Judgement{Outcome: o}})
			a.Tally.Add(0, o, 1)
		}
	}
	try("/w?a=blob&n=1&b=2", trial.Positive, 20)
	try("/w?a=blob&n=1", trial.Negative, 1)
	got := trials.Narrowed(a)
	want := rule.Scope{Path: "/w", HasPath: true, Where: rule.With("b")}
	if !slices.ContainsFunc(got, func(n rule.Rule) bool { return n.Scope == want }) {
		t.Errorf("%+v lacks %+v", got, want)
	}
	for _, n := range got {
		if n.Scope.Where[0].Param == "a" || n.Scope == (rule.Scope{}) {
			t.Errorf("it did not hold in %+v", n.Scope)
		}
	}
	if !trials.Keeps(a) {
		t.Error("all positives are kept, and it is not narrowed")
	}
	try("/w?a=blob&n=1&c=2", trial.Positive, 4)
	if trials.Keeps(a) {
		t.Error("a sixth of the positives is lost by narrowing")
	}
	a.Candidate.Within = true
	if !trials.Keeps(a) {
		t.Error("a narrowed rule with a negative is not narrowed again")
	}
	a.Tally.Strata[0].Negatives = 0
	if trials.Keeps(a) {
		t.Error("a rule without a negative is narrowed")
	}
}

// Negatives found by the set are known when the rule is narrowed.
func TestSentIsNarrowed(t *testing.T) {
	r := rule.Rule{Edit: rule.Substring{From: "x", To: "y"}}
	a := &trials.Trial{Candidate: book.Candidate{Rule: r}}
	for range 10 {
		a.Pairs[0] = append(a.Pairs[0], trials.Pair{Pair: forms.Pair{Form: "/good/x", V: "/good/y"}, Outcome: trial.Judgement{Outcome: trial.Positive}},
			trials.Pair{Pair: forms.Pair{Form: "/bad/x", V: "/bad/y"}, Outcome: trial.Judgement{Outcome: trial.Positive}})
		a.Tally.Add(0, trial.Positive, 2)
	}
	a.Negative(rule.Example{U: "/bad/x?1", V: "/z?1"})
	for _, n := range trials.Narrowed(a) {
		if (strings.HasPrefix(n.Scope.Path, "/bad") || strings.HasPrefix(n.Scope.Prefix, "/bad")) && n.Scope.Path != "/bad/x" {
			t.Errorf("narrowed to %+v", n.Scope)
		}
	}
	if len(trials.Narrowed(a)) == 0 {
		t.Error("not narrowed")
	}
}

// tried is a trial of a rule with so many pairs in each folder that are alike, and that differ.
func tried(in map[string][2]int) *trials.Trial {
	a := &trials.Trial{Candidate: book.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "s"}}}}
	for folder, n := range in {
		for which, outcome := range []trial.Outcome{trial.Positive, trial.Negative} {
			for i := range n[which] {
				form := fmt.Sprint(folder, "p", which, i)
				a.Pairs[0] = append(a.Pairs[0], trials.Pair{Pair: forms.Pair{Form: form + "?s=1", V: form}, Outcome: trial.Judgement{Outcome: outcome}})
				a.Tally.Add(0, outcome, 1)
			}
		}
	}
	return a
}

// A folder in which all pairs are alike is doubtful if the pairs that differ may be elsewhere by chance.
func TestHeldByChance(t *testing.T) {
	for _, c := range []struct {
		name     string
		in       map[string][2]int
		returned int
		doubtful bool
	}{
		{"nearly all pairs that are alike", map[string][2]int{"/a/": {10, 0}, "/b/": {1, 3}}, 0, false},
		{"some of many", map[string][2]int{"/a/": {5, 0}, "/b/": {9, 3}}, 0, true},
		{"half, and as many differ", map[string][2]int{"/a/": {5, 0}, "/b/": {0, 5}}, 0, false},
		{"one pair differs", map[string][2]int{"/a/": {10, 0}, "/b/": {0, 1}}, 0, true},
		{"a page leads back", map[string][2]int{"/a/": {10, 0}, "/b/": {0, 1}}, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := tried(c.in)
			a.Tally.Returned = c.returned
			told, doubtful := trials.Held(a)
			want := rule.Scope{Prefix: "/a/"}
			if slices.Contains(doubtful, want) != c.doubtful || slices.Contains(told, want) == c.doubtful {
				t.Errorf("told %v, doubtful %v", told, doubtful)
			}
		})
	}
}

// A folder that the log suggests is not tried where folders of its depth do not tell pages apart.
func TestPromising(t *testing.T) {
	for _, c := range []struct {
		name string
		in   map[string][2]int
		of   string
		want bool
	}{
		{"one failed", map[string][2]int{"/x/": {0, 2}}, "/y/", true},
		{"two failed", map[string][2]int{"/x/": {0, 2}, "/z/": {0, 1}}, "/y/", false},
		{"two failed, not written to its end", map[string][2]int{"/x/": {0, 2}, "/z/": {0, 1}}, "/y", false},
		{"two failed, one held", map[string][2]int{"/x/": {0, 2}, "/z/": {0, 1}, "/a/": {1, 0}}, "/y/", true},
		{"two are mixed, one held", map[string][2]int{"/x/": {1, 2}, "/z/": {3, 1}, "/a/": {1, 0}}, "/y/", false},
		{"another depth", map[string][2]int{"/x/1/": {0, 2}, "/x/2/": {0, 1}}, "/y/", true},
		{"the same depth", map[string][2]int{"/x/1/": {0, 2}, "/x/2/": {0, 1}}, "/x/3/", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := trials.Promising(tried(c.in), []rule.Scope{{Prefix: c.of}}); (len(got) == 1) != c.want {
				t.Errorf("%v", got)
			}
		})
	}
	inside := []rule.Scope{{Prefix: "/y"}, {Prefix: "/y/item"}, {Prefix: "/y/item-"}}
	if got := trials.Promising(tried(map[string][2]int{"/x/": {0, 2}, "/z/": {0, 1}}), inside); len(got) != 0 {
		t.Errorf("parts of a folder that is left out stay: %v", got)
	}
	where := []rule.Scope{{Where: rule.With("b")}}
	if got := trials.Promising(tried(map[string][2]int{"/x/": {0, 2}, "/z/": {0, 1}}), where); len(got) != 1 {
		t.Error("a scope without a folder is left out")
	}
}
