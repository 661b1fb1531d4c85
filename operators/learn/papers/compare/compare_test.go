package compare

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/learn/papers/duster"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// all are the names of all learners, and the union.
func all() []string {
	names, _ := Learners()
	return append(names, Union)
}

// candidates returns the rules of the worlds, and all expressions that alignments give.
func candidates(clusters [][]string) []Candidate {
	var all []Candidate
	for _, r := range worlds.ShortRules {
		all = append(all, Candidate{Learned: cluster.Learned{Rule: r}})
	}
	expressions := duster.Learn(clusters, duster.Options{MinClusters: 1})
	for i := range expressions {
		all = append(all, Candidate{Expression: &expressions[i]})
	}
	return all
}

func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	expressions, wrong := 0, 0
	for range 400 {
		clusters := worlds.Short(random, 1)
		all := candidates(clusters)
		if err := newSite(clusters).judge(all, worlds.Never); err != nil {
			t.Fatal(err)
		}
		for i := range all {
			c := &all[i]
			want := worlds.Judge(clusters, c.rewrite)
			if (worlds.Figures{Support: c.Support, Applied: c.Applied, False: c.False}) != want {
				t.Fatalf("%+v: want %+v in %q", c, want, clusters)
			}
			if c.Expression != nil {
				expressions += want.Support
				wrong += want.False
			}
		}
	}
	if expressions == 0 || wrong == 0 {
		t.Errorf("%d pairs, %d false: the worlds show little", expressions, wrong)
	}
}

// plainForm is the definition of a list's canonical form.
func plainForm(rules []Candidate, url string) string {
	at := url
	for range canon.MaxRounds {
		before := at
		for round := 0; ; round++ {
			was := at
			for i := range rules {
				if rules[i].Expression == nil {
					at, _ = rules[i].rewrite(at)
				}
			}
			if at == was {
				break
			}
			if round == canon.MaxRounds-1 {
				at = before
				break
			}
		}
		for i := range rules {
			if rules[i].Expression != nil {
				at, _ = rules[i].rewrite(at)
			}
		}
		if at == before {
			return at
		}
	}
	return url
}

// plainChoice is the greedy choice, without index and heap.
func plainChoice(clusters [][]string, all []Candidate) (list []Candidate) {
	owner := map[string]int{}
	var forms []string
	pages := map[string]int{}
	for number, urls := range clusters {
		for _, url := range urls {
			owner[url], pages[url] = number, number
			forms = append(forms, url)
		}
	}
	type entry struct {
		rule               Candidate
		place, gain, wrong int
		round              int
	}
	count := func(e *entry, round int) {
		slices.Sort(forms)
		to := map[string]string{}
		first := map[string]string{} // moved form by new form
		after := map[string]bool{}
		for _, f := range forms {
			to[f] = f
			if v, changed := e.rule.rewrite(f); changed {
				to[f] = plainForm(list, v)
			}
			after[to[f]] = true
			if _, ok := first[to[f]]; !ok {
				first[to[f]] = f
			}
		}
		e.gain, e.wrong, e.round = len(forms)-len(after), 0, round
		for _, f := range forms {
			if to[f] == f {
				continue
			}
			page, known := pages[to[f]]
			if !known {
				page, known = owner[to[f]]
			}
			if !known {
				page = pages[first[to[f]]]
			}
			if pages[f] != page {
				e.wrong++
			}
		}
	}
	var queue []entry
	for i := range all {
		e := entry{rule: all[i], place: i}
		count(&e, 0)
		queue = append(queue, e)
	}
	for {
		queue = slices.DeleteFunc(queue, func(e entry) bool { return e.gain < cluster.MinSupport })
		if len(queue) == 0 {
			return list
		}
		slices.SortStableFunc(queue, func(a, b entry) int {
			if a.gain != b.gain {
				return b.gain - a.gain
			}
			return a.place - b.place
		})
		e := &queue[0]
		switch other, ok := e.rule.reverse(); {
		case e.round != len(list):
			count(e, len(list))
		case e.wrong == 0:
			list = append(list, e.rule)
			moved, first := map[string]int{}, []string{}
			for _, f := range forms {
				to := f
				if v, changed := e.rule.rewrite(f); changed {
					to = plainForm(list, v)
				}
				if _, ok := moved[to]; !ok {
					moved[to] = pages[f]
					first = append(first, to)
				}
				if number, ok := owner[to]; ok {
					moved[to] = number
				}
			}
			forms, pages = first, moved
			queue = queue[1:]
		case ok:
			reversed := entry{rule: other, place: e.place}
			count(&reversed, len(list))
			queue[0] = reversed
		default:
			queue = queue[1:]
		}
	}
}

func TestChoose(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	chosen := 0
	for n := range 300 {
		clusters := worlds.Short(random, 1+n%30)
		all := candidates(clusters)
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got, err := choose(newSite(clusters), all, worlds.Never)
		want := plainChoice(clusters, all)
		if err != nil || !slices.EqualFunc(got, want, func(a, b Candidate) bool { return a.Rule == b.Rule && a.Expression == b.Expression }) {
			t.Fatalf("%+v, %v, want %+v in %q", got, err, want, clusters)
		}
		l, err := newList(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, urls := range clusters {
			for _, url := range urls {
				if form, want := l.form(url), plainForm(got, url); form != want {
					t.Fatalf("form of %q: %q, want %q", url, form, want)
				}
			}
		}
		chosen += len(got)
	}
	if chosen < 100 {
		t.Errorf("%d rules chosen: the worlds show little", chosen)
	}
}

// manuals returns a site: pages in two places and two languages, whose session does not
// matter, and whose number does.
func manuals(n int) [][]string {
	var all []worlds.Label
	for i := range n {
		for _, place := range []string{"/docs/", "/help/"} {
			for _, end := range []string{"", "?sid=1", "?sid=2"} {
				all = append(all, worlds.Label{URL: fmt.Sprintf("%spage%d.html%s", place, i, end), Label: fmt.Sprint(i)})
			}
		}
	}
	return worlds.Clusters(all)
}

// Every learner that can say what holds on the site of manuals merges all duplicates.
func TestRun(t *testing.T) {
	clusters := manuals(40)
	o := Options{Learners: append(all(), "dustbuster+duster"), Share: .5, Seed: 1,
		Measure: func(run func()) Cost { run(); return Cost{Seconds: 1, Bytes: 2} }}
	got, err := Run(clusters, o)
	if err != nil || len(got) != len(o.Learners) {
		t.Fatalf("%d results, %v", len(got), err)
	}
	for i := range got {
		r := &got[i]
		t.Logf("%+v", *r)
		if r.Learner != o.Learners[i] || r.Labelled != 120 || r.URLs != 120 || r.Clusters != 20 || r.Cost != (Cost{1, 2}) {
			t.Errorf("%+v", *r)
		}
		if r.False != 0 || r.Supported < r.Loose || r.Loose < r.Strict || r.Raw < r.Supported {
			t.Errorf("%s: %+v", r.Learner, *r)
		}
		want := map[string]float64{DustBuster: 1, "equal": 1, "fanout": 1, "tree": 1, duster.Name: 1, Union: 1, "dustbuster+duster": 1, "drops": .8, "kinds": 0}
		if c, known := want[r.Learner]; known && r.Coverage() != c {
			t.Errorf("%s: coverage %v, want %v", r.Learner, r.Coverage(), c)
		}
		if r.Deployed > 0 && math.Abs(r.PerRule()*float64(r.Deployed)-r.Compression()) > 1e-9 || r.Deployed == 0 && r.PerRule() != 0 {
			t.Errorf("%s: %v by rule", r.Learner, r.PerRule())
		}
	}
	again, err := Run(clusters, o)
	if err != nil || !slices.Equal(got, again) {
		t.Errorf("another result, %v", err)
	}
}

// To the learners of templates, URLs that differ in the order of their keys are one.
func TestOrder(t *testing.T) {
	var labels []worlds.Label
	for n := range 40 {
		for _, form := range []string{"/show?id=%d&view=1", "/show?view=1&id=%d", "/show?id=%d&view=1&print=1", "/show?print=1&view=1&id=%d"} {
			labels = append(labels, worlds.Label{URL: fmt.Sprintf(form, n), Label: fmt.Sprint(n)})
		}
	}
	o := Options{Learners: []string{"fanout", "fanout-10", "tree", "fanout+tree"}, Share: .5, Seed: 1}
	got, err := Run(worlds.Clusters(labels), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got {
		if r.Coverage() != 1 || r.False != 0 {
			t.Errorf("%s: coverage %v, %d false", r.Learner, r.Coverage(), r.False)
		}
	}
	// Where the order makes another page, it is left.
	for i := range labels {
		labels[i].Label += fmt.Sprint(strings.Index(labels[i].URL, "id=") < strings.Index(labels[i].URL, "view="))
	}
	if got, err = Run(worlds.Clusters(labels), o); err != nil {
		t.Fatal(err)
	}
	for _, r := range got {
		if r.Coverage() != 1 || r.False != 0 {
			t.Errorf("%s, where the order matters: coverage %v, %d false", r.Learner, r.Coverage(), r.False)
		}
	}
}

// Weak labels are for learning alone: the test knows the pages.
func TestLabels(t *testing.T) {
	clusters := manuals(40)
	o := Options{Learners: []string{"drops"}, Share: 1, Label: func(url string) string {
		if strings.Contains(url, "sid") {
			return strings.TrimRight(url, "12")
		}
		return "" // not known
	}}
	got, err := Run(clusters, o)
	if err != nil || got[0].Labelled != 160 || got[0].URLs != 240 || got[0].Clusters != 40 || got[0].Coverage() != .8 {
		t.Errorf("%+v, %v", got, err)
	}
	o.Label = func(url string) string { return "one size" }
	if got, err = Run(clusters, o); err != nil || got[0].Labelled != 0 || got[0].Raw != 0 || got[0].Coverage() != 0 {
		t.Errorf("one size: %+v, %v", got, err)
	}
}

// The parts of the labelled clusters for learning and for choosing are apart.
func TestChoosing(t *testing.T) {
	s := newSplit(manuals(40), Options{Share: .5, Choosing: .5, Seed: 3})
	if len(s.learning) != 10 || len(s.choosing.clusters) != 10 || len(s.test.clusters) != 20 || s.labelled != 120 {
		t.Errorf("%d, %d, %d clusters", len(s.learning), len(s.choosing.clusters), len(s.test.clusters))
	}
	for _, urls := range s.learning {
		if _, seen := s.choosing.Owner(urls[0]); seen {
			t.Errorf("%q is in both parts", urls[0])
		}
	}
}

// A candidate that holds where it was learned, and not elsewhere, costs precision.
func TestPrecision(t *testing.T) {
	s := &split{test: newSite([][]string{{"/a", "/a?n=1"}, {"/b"}, {"/b?m=1"}, {"/c?m=1"}, {"/c?m=2"}})}
	var all []Candidate
	for _, name := range []string{"n", "m", "x"} { // x merges nothing in the test
		all = append(all, Candidate{Learned: cluster.Learned{Rule: rule.Rule{Edit: rule.Drop{Param: name}}, Support: 3}})
	}
	all = append(all, Candidate{Learned: cluster.Learned{Rule: rule.Rule{Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Path: "/a", HasPath: true}}, Support: 2}})
	var r Result
	if err := s.precision(&r, all, worlds.Never); err != nil || r.Precision[0] != .5 || r.Judged[0] != 2 || r.Judged[2] != 2 {
		t.Errorf("%v of %v, %v", r.Precision, r.Judged, err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Run(nil, Options{Learners: []string{"duster+magic"}}); err == nil || !strings.Contains(err.Error(), `"magic" is none of`) {
		t.Errorf("%v", err)
	}
	for after := range 40 {
		calls := 0
		_, err := Run(manuals(40), Options{Learners: append(all(), "dustbuster+duster"), Share: .5, Stop: func() bool { calls++; return calls > after }})
		if !errors.Is(err, ErrStopped) {
			t.Fatalf("stopped after %d calls: %v", after, err)
		}
	}
	got, err := Run(nil, Options{Learners: all(), Share: 1})
	if err != nil || got[0].Raw != 0 || got[0].Coverage() != 0 || got[0].PerRule() != 0 {
		t.Errorf("of nothing: %+v, %v", got, err)
	}
}
