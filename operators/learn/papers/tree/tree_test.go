package tree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// checkPlain compares the candidates of a clustering with those of the plain definition, and
// the tree's nodes with its nodes.
func checkPlain(t *testing.T, clusters [][]string) (candidates, supported int) {
	t.Helper()
	_, want := plainCandidates(clusters)
	got, _ := Learn(clusters, worlds.Never)
	for _, l := range got {
		if c := want[l.Rule]; c == nil || c.Learned != l {
			t.Fatalf("%v: %+v, want %+v, of\n%q", l.Rule.Rewrite().Template, l, c, clusters)
		}
		if l.Support >= cluster.MinSupport {
			supported++
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rules, want %d, of\n%q", len(got), len(want), clusters)
	}
	if !slices.IsSortedFunc(got, func(a, b cluster.Learned) int { return b.Support - a.Support }) {
		t.Fatal("not in the order of support")
	}
	return len(got), supported
}

func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	candidates, supported := 0, 0
	for range worlds.Rounds(150, 400) {
		c, s := checkPlain(t, worlds.Keyed(random, 65, 3))
		candidates, supported = candidates+c, supported+s
	}
	if supported < 300 {
		t.Errorf("%d candidates, %d of them supported: the worlds show little", candidates, supported)
	}
}

// On sites as applications lay them out, too: at 20, 50 and 100 % of the labels, the learner has the
// plain candidates, and its rules cover as much of the test as those that the plain graph selects.
func TestShapes(t *testing.T) {
	for _, s := range worlds.Shapes {
		clusters := s.Clusters(1, int(worlds.Rounds(300, 1000)))
		for i, c := range clusters {
			clusters[i] = c[:min(len(c), 40)]
		}
		supported := 0
		for _, share := range []float64{.2, .5, 1} {
			parts := cluster.Split(clusters, cluster.Shares{Learning: share}, 1)
			_, n := checkPlain(t, parts.Learning)
			supported += n
			_, deployed := Learn(parts.Learning, worlds.Never)
			var rules []rule.Rule
			for _, l := range deployed {
				rules = append(rules, l.Rule)
			}
			plain := plainDeployed(parts.Learning)
			got, want := worlds.Coverage(parts.Test, rules), worlds.Coverage(parts.Test, plain)
			t.Logf("%-16s %3.0f %%: %d rules cover %.3f, %d of the plain program %.3f", s.Name, 100*share, len(rules), got, len(plain), want)
			if math.Abs(got-want) > .05 {
				t.Errorf("%s, %.0f %%: the rules cover %.3f, want %.3f", s.Name, 100*share, got, want)
			}
		}
		if supported == 0 {
			t.Errorf("%s: no rule is supported", s.Name)
		}
	}
}

// FuzzCandidates compares the learner with the plain definition. A line is a label and a URL.
func FuzzCandidates(f *testing.F) {
	f.Add("1 /a?n=1\n1 /a?n=2\n1 /a?n=3\n2 /b?n=1\n2 /b?n=2\n2 /b?n=3")
	f.Add("1 /show/1\n1 /show?id=1\n2 /show/2\n2 /show?id=2\n3 /show/3\n3 /show?id=3")
	f.Add("1 /a?x&y=1\n1 /a/?x;y=1\n2 h/b//\n2 h/b/*")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return
		}
		clusters := worlds.ParseClusters(text)
		checkPlain(t, clusters)
	})
}

// words returns the templates of rules.
func words(rules []cluster.Learned) (all []string) {
	for _, l := range rules {
		all = append(all, l.Rule.Rewrite().Template.String())
	}
	return all
}

// The example of Lei et al., figure 4: pages of an archive stand under two formations A and
// B, on several mirrors. The mirror and the session do not matter ("ignore"), the page is a
// parameter of A and a segment of B ("replace"), and the word display is kept.
func TestFigure4(t *testing.T) {
	var labels []worlds.Label
	for page := range 12 {
		for copy := range 2 {
			label, mirror := fmt.Sprint(page), 2*page+copy
			labels = append(labels,
				worlds.Label{URL: fmt.Sprintf("/archive%d/show/display?pageid=%d", mirror, 10+page), Label: label},
				worlds.Label{URL: fmt.Sprintf("/archive%d/%d/display?sid=%d", mirror, 10+page, 100*page+mirror), Label: label})
		}
	}
	clusters := worlds.Clusters(labels)
	checkPlain(t, clusters)
	const figure = "/*/show/display?pageid=<pageid> as /<pageid>/display"
	found := false
	all, deployed := Learn(clusters, worlds.Never)
	for _, l := range all {
		if l.Rule.Rewrite().Template.String() == figure {
			found = true
			if l.Support != 12 || l.False != 0 || l.Applied != 24 {
				t.Errorf("%+v", l)
			}
		}
	}
	if !found {
		t.Errorf("no rule %s", figure)
	}
	// What is deployed brings each page to one form.
	forms := map[string]bool{}
	for _, l := range labels {
		forms[apply(deployed, l.URL)] = true
	}
	if len(forms) != 12 {
		t.Errorf("%d forms of 12 pages by %q", len(forms), words(deployed))
	}
}

// apply applies rules until the URL settles.
func apply(rules []cluster.Learned, url string) string {
	for range 10 {
		before := url
		for i := range rules {
			if out, changed := rules[i].Rule.Apply(nil, []byte(url)); changed {
				url = string(out)
			}
		}
		if url == before {
			break
		}
	}
	return url
}

// The example of section 2: the values under K3 and K5 do not matter. The tree finds the rule
// from all URLs, though no two URLs of a page differ in one key alone.
func TestFigure3(t *testing.T) {
	var all []worlds.Label
	for page := range 6 {
		for copy := range 2 {
			all = append(all, worlds.Label{URL: fmt.Sprintf("/a/b?k3=%d%d&k4=p%d&k5=%d%d", page, copy, page, copy, page), Label: fmt.Sprint(page)})
		}
	}
	_, rules := Learn(worlds.Clusters(all), worlds.Never)
	if got, want := words(rules), []string{"/a/b?k3=*&k4=*&k5=* as /a/b?k4=*"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Figure 6: the values before the greatest decline are salient.
func TestSalient(t *testing.T) {
	for _, c := range []struct {
		frequencies []int32
		salient     int
	}{
		{[]int32{100, 90, 80, 5, 4, 3}, 3},
		{[]int32{100, 90, 80}, 3},
		{[]int32{100, 20, 4, 1}, 1}, // equal declines: the first
		{[]int32{2, 2, 2}, 0},       // too seldom
		{[]int32{1, 1, 1, 1}, 0},    // no decline
		{[]int32{3}, 1},             // the decline to the end
		{[]int32{50, 2, 2, 2, 2, 2, 2}, 1},
	} {
		var values []frequency
		for i, n := range c.frequencies {
			values = append(values, frequency{int32(i), n})
		}
		rand.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
		if got := salientOf(values, 0); len(got) != c.salient {
			t.Errorf("%d: %d salient values, want %d", c.frequencies, len(got), c.salient)
		}
	}
}

// Of figure 7's cases: no two selected rules apply to the same URLs, and no rules make a
// circle, so that every URL settles.
func TestSelected(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	deployed := 0
	for range 1000 {
		clusters := worlds.Keyed(random, 65, 3)
		_, rules := Learn(clusters, worlds.Never)
		deployed += len(rules)
		where := map[string]bool{}
		for i := range rules {
			if w := whereOf(&rules[i].Rule); where[w] {
				t.Fatalf("two rules for %q", w)
			} else {
				where[w] = true
			}
		}
		if _, again := Learn(clusters, worlds.Never); !slices.Equal(rules, again) {
			t.Fatal("two results")
		}
	}
	if deployed < 200 {
		t.Errorf("%d rules deployed: the worlds show little", deployed)
	}
}

// The energy is what a plain walk gives, and none is lost.
func TestWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		b, candidates, _ := learn(worlds.Keyed(random, 65, 3), worlds.Never)
		g := newGraph(b, candidates)
		n := len(g.vertices)
		energy := make([]float64, n)
		sum := 0.0
		for i, v := range g.vertices {
			energy[i] = float64(len(b.nodes[v].rows))
			sum += energy[i]
		}
		p := make([][]float64, n)
		for i := range p {
			p[i] = make([]float64, n)
			if p[i][i] = .5; len(g.edges[i]) == 0 {
				p[i][i] = 1
			}
			for _, e := range g.edges[i] {
				p[i][i] = .5
				_ = e
			}
			for _, e := range g.edges[i] {
				p[i][e.to] += e.p / 2
			}
		}
		for range rounds {
			next := make([]float64, n)
			for i := range p {
				for k := range p {
					next[k] += energy[i] * p[i][k]
				}
			}
			energy = next
		}
		g.walk()
		got := 0.0
		for i := range energy {
			got += g.energy[i]
			if d := g.energy[i] - energy[i]; d > 1e-6 || d < -1e-6 {
				t.Fatalf("energy %v, want %v", g.energy, energy)
			}
		}
		if got < sum-1e-6 || got > sum+1e-6 {
			t.Fatalf("energy %v of %v", got, sum)
		}
	}
}

func TestStop(t *testing.T) {
	clusters := worlds.Keyed(rand.New(rand.NewPCG(1, 2)), 65, 3)
	worlds.StopsSilently(t, 20, func(stop func() bool) int {
		all, _ := Learn(clusters, stop)
		return len(all)
	})
}

func TestLearnWindow(t *testing.T) { worlds.LearnsFromLabels(t, Name, LearnWindow) }

// Of more candidates than there is room for, those of greatest gain stay, wherever they stood.
func TestBest(t *testing.T) {
	var all []candidate
	place := map[rule.Rule]int{}
	for i, gain := range []int{1, 5, 2, 2, 9, 1, 2, 7} {
		r := rule.Rule{Edit: rule.Drop{Param: fmt.Sprint(i)}}
		place[r] = i
		all = append(all, candidate{Learned: cluster.Learned{Rule: r}, gain: gain})
	}
	kept := best(all, place, 4)
	var names []string
	for i, c := range kept {
		names = append(names, c.Rule.Params().Param)
		if place[c.Rule] != i {
			t.Errorf("candidate %d stands at %d", i, place[c.Rule])
		}
	}
	if want := []string{"1", "2", "4", "7"}; !slices.Equal(names, want) || len(place) != 4 {
		t.Errorf("%q stay, want %q", names, want)
	}
}

// Most pages of a wiki name a language, and a few none: a rule for the latter leaves it alone.
func TestAbsentKey(t *testing.T) {
	var labels []worlds.Label
	for page := range 47 {
		lang := "&lang=en"
		if page < 7 {
			lang = []string{"", "", "", "&lang=de", "&lang=de", "&lang=fr", "&lang=fr"}[page]
		}
		for _, view := range []string{"", "&print=1"} {
			labels = append(labels, worlds.Label{URL: fmt.Sprintf("/show?id=%d%s%s", page, lang, view), Label: fmt.Sprint(page)})
		}
	}
	clusters := worlds.Clusters(labels)
	checkPlain(t, clusters)
	all, _ := Learn(clusters, worlds.Never)
	if want := "/show?id=*&print=1 as /show?id=*"; !slices.Contains(words(all), want) {
		t.Errorf("no rule %s among %q", want, words(all))
	}
}

// The views of a list are one page, and the versions of another page are one, too. A pair of all
// URLs with some of the list says nothing of the versions, which would get the address of the list.
func TestOtherKeys(t *testing.T) {
	var labels []worlds.Label
	for n := range 6 {
		for _, more := range []string{"", "&limit=50", "&limit=100", "&from=", "&limit=100&from="} {
			labels = append(labels, worlds.Label{URL: fmt.Sprintf("/index.php?title=Changes&days=%d%s", n, more), Label: "list"})
		}
	}
	for n := range 4 {
		labels = append(labels, worlds.Label{URL: fmt.Sprintf("/index.php?title=Main&diff=%d&oldid=%d", n, n+1), Label: "versions"})
	}
	clusters := worlds.Clusters(labels)
	checkPlain(t, clusters)
	_, deployed := Learn(clusters, worlds.Never)
	for _, l := range deployed {
		if to, changed := l.Rule.Apply(nil, []byte("/index.php?title=Main&diff=1&oldid=2")); changed && strings.Contains(string(to), "Changes") {
			t.Errorf("%s gives another page's address: %q", l.Rule.Rewrite().Template, to)
		}
	}
	forms := map[string]bool{}
	for _, l := range labels {
		forms[apply(deployed, l.URL)] = true
	}
	if len(forms) != 2 {
		t.Errorf("%d forms of 2 pages by %q: %v", len(forms), words(deployed), forms)
	}
}
