package html

import (
	"regexp"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// A pair that shows what the rule alone does comes before pairs in which other rules have a part, and
// before pairs that lack the parameter. Of pairs of the log, the same.
func TestExamplesOfTheRuleAlone(t *testing.T) {
	drop := rule.Rule{Edit: rule.Drop{Param: "c"}}
	entry := book.Entry{Rule: drop, State: rule.Valid, Verdict: rule.Verdict{Positives: 30, Examples: []rule.Example{
		{U: "/one/index.html?o=1", V: "/one/", Outcome: "similar"},
		{U: "/two/index.html?c=1", V: "/two/", Outcome: "similar"},
		{U: "/three/?c=1", V: "/three/", Outcome: "similar"},
	}}}
	site := &Site{Machine: world("www.example.org", "c", 60), All: 1, Findings: []Finding{{Entry: &entry}}}
	text := reportOf(t, Options{Tried: true}, site)
	shown := regexp.MustCompile(`class="from">(?:<a [^>]*>)?<code class="foreign">(/[a-z]+)`).FindAllStringSubmatch(text, -1)
	if len(shown) != 2 || shown[0][1] != "/three" {
		t.Errorf("the examples are %q", shown)
	}
	if best := insert([]pair{{u: 1, hits: 9}, {u: 2, hits: 8}}, pair{u: 3, own: true, hits: 1}); best[0].u != 3 || best[1].u != 1 {
		t.Errorf("of the log, the pairs are %v", best)
	}
}

// The report explains how it masks secrets, if it does.
func TestLegendOfMasks(t *testing.T) {
	for _, c := range []struct{ lifted, want bool }{{false, true}, {true, false}} {
		text := reportOf(t, Options{Veil: secret.Veil{Lifted: c.lifted}}, withLikely(world("www.example.org", "a", 60)))
		if got := strings.Contains(text, "<dt>***</dt>"); got != c.want {
			t.Errorf("lifted %v: a legend %v", c.lifted, got)
		}
	}
}
