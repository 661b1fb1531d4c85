package fanout

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// plainContext is the keys of a URL with their values; any is any value.
type plainContext map[string]string

const anyText = "\x00any"

func (c plainContext) text() string {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&text, "%s=%s\n", key, c[key])
	}
	return text.String()
}

// with returns the context with another value of a key.
func (c plainContext) with(key, value string) plainContext {
	other := maps.Clone(c)
	other[key] = value
	return other
}

type plainTransformation struct{ op, key, arg string }

// plainDifferences is the definition of the pairs.
func plainDifferences(u, v plainContext) []plainTransformation {
	var lost, added, changed []string
	for key := range u {
		if _, has := v[key]; !has {
			lost = append(lost, key)
		} else if u[key] != v[key] {
			changed = append(changed, key)
		}
	}
	for key := range v {
		if _, has := u[key]; !has {
			added = append(added, key)
		}
	}
	switch fmt.Sprint(len(lost), len(added), len(changed)) {
	case "0 0 1":
		k := changed[0]
		if !worlds.IsBare(k) {
			return []plainTransformation{{"set", k, v[k]}, {"drop", k, ""}}
		}
	case "1 0 0":
		return []plainTransformation{{"drop", lost[0], ""}}
	case "1 1 0":
		k, to := lost[0], added[0]
		if u[k] == v[to] && !worlds.IsBare(k) && !worlds.IsBare(to) && to[0] != '/' {
			return []plainTransformation{{"copy", k, to}}
		}
	}
	return nil
}

// plainGeneralize is the definition of the fan-out.
func plainGeneralize(contexts map[string]plainContext, kept string, fanout int) {
	for again := true; again; {
		again = false
		names := map[string]bool{}
		for _, c := range contexts {
			for key := range c {
				names[key] = true
			}
		}
		for _, key := range worlds.SortedKeys(names) {
			if key == kept || worlds.IsBare(key) {
				continue
			}
			for _, c := range maps.Clone(contexts) {
				if _, has := c[key]; !has {
					continue
				}
				wide := c.with(key, anyText)
				var alike []string
				for text, other := range contexts {
					if _, has := other[key]; has && other.with(key, anyText).text() == wide.text() {
						alike = append(alike, text)
					}
				}
				if len(alike) >= fanout {
					for _, text := range alike {
						delete(contexts, text)
					}
					contexts[wide.text()] = wide
					again = true
				}
			}
		}
	}
}

func plainTemplate(t plainTransformation, c plainContext) (rule.Rule, bool) {
	var keys []rule.Key
	for name, value := range c {
		k := rule.Key{Name: name, Value: value}
		if value == anyText {
			k.Value, k.Any = "", true
		} else if worlds.IsBare(name) {
			k = rule.Key{Name: value, Any: true}
		}
		if name == t.key {
			if k.Edit = rule.DropKey; t.op == "set" {
				k.Edit, k.To = rule.SetKey, t.arg
			}
		}
		keys = append(keys, k)
	}
	if t.op == "copy" {
		keys = append(keys, rule.Key{Name: t.arg, Absent: true, Edit: rule.CopyKey, To: t.key})
	}
	template, err := rule.NewTemplate(keys)
	return rule.Rule{Edit: rule.Rewrite{Template: template}}, err == nil
}

// plainCandidates is the definition of the package comment, for clusters of at most MaxURLs.
func plainCandidates(clusters [][]string, o Options) map[rule.Rule]cluster.Learned {
	groups := map[plainTransformation]map[string]plainContext{}
	for _, urls := range clusters {
		for _, a := range urls {
			for _, b := range urls {
				keys, ok := worlds.Keys(a)
				others, ok2 := worlds.Keys(b)
				u, v := plainContext(keys), plainContext(others)
				if !ok || !ok2 || len(a) < len(b) || len(a) == len(b) && a <= b {
					continue
				}
				for _, t := range plainDifferences(u, v) {
					c := u
					if t.op != "set" && !worlds.IsBare(t.key) {
						c = u.with(t.key, anyText)
					}
					if groups[t] == nil {
						groups[t] = map[string]plainContext{}
					}
					groups[t][c.text()] = c
				}
			}
		}
	}
	all := map[rule.Rule]cluster.Learned{}
	for t, contexts := range groups {
		wide := maps.Clone(contexts)
		plainGeneralize(contexts, t.key, o.Fanout)
		plainGeneralize(wide, "", o.Fanout)
		maps.Copy(contexts, wide)
		for _, c := range contexts {
			if r, ok := plainTemplate(t, c); ok {
				f := worlds.JudgeRule(clusters, r)
				all[r] = cluster.Learned{Rule: r, Support: f.Support, Applied: f.Applied, False: f.False}
			}
		}
	}
	return all
}

func checkPlain(t *testing.T, clusters [][]string, o Options) (candidates, learned int) {
	t.Helper()
	want := plainCandidates(clusters, o)
	got, deployed := Learn(clusters, o)
	for _, l := range got {
		if want[l.Rule] != l {
			t.Fatalf("%v: %+v, want %+v, of\n%q", l.Rule.Rewrite().Template, l, want[l.Rule], clusters)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rules, want %d, of\n%q", len(got), len(want), clusters)
	}
	for _, l := range deployed {
		if l.Support < 3 || l.False > 0 {
			t.Fatalf("learned %+v", l)
		}
	}
	return len(got), len(deployed)
}

func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	candidates, learned := 0, 0
	for i := range 2000 {
		c, l := checkPlain(t, worlds.Keyed(random, MaxURLs, 5), Options{Fanout: 2 + i%3})
		candidates, learned = candidates+c, learned+l
	}
	if learned < 40 {
		t.Errorf("%d candidates, %d learned: the worlds show little", candidates, learned)
	}
}

// On sites as applications lay them out, too: at 20, 50 and 100 % of the labels, the learner has the
// plain candidates, and its rules cover as much of the test as those without a false pair.
func TestShapes(t *testing.T) {
	for _, s := range worlds.Shapes {
		clusters, all := s.Clusters(1, 200), 0
		for i, c := range clusters {
			clusters[i] = c[:min(len(c), MaxURLs)]
		}
		for _, share := range []float64{.2, .5, 1} {
			parts := cluster.Split(clusters, cluster.Shares{Learning: share}, 1)
			checkPlain(t, parts.Learning, Options{Fanout: DefaultFanout})
			plain := plainCandidates(parts.Learning, Options{Fanout: DefaultFanout})
			maps.DeleteFunc(plain, func(_ rule.Rule, l cluster.Learned) bool { return l.Support < 3 || l.False > 0 })
			_, deployed := Learn(parts.Learning, Options{})
			var rules, want []rule.Rule
			for _, l := range deployed {
				rules = append(rules, l.Rule)
			}
			for _, l := range slices.SortedFunc(maps.Values(plain), func(a, b cluster.Learned) int { return b.Support - a.Support }) {
				want = append(want, l.Rule)
			}
			all += len(rules)
			got, least := worlds.Coverage(parts.Test, rules), worlds.Coverage(parts.Test, want)
			t.Logf("%-16s %3.0f %%: %d rules cover %.3f, those of the plain program %.3f", s.Name, 100*share, len(rules), got, least)
			if len(rules) != len(want) || math.Abs(got-least) > .05 {
				t.Errorf("%s, %.0f %%: %d rules cover %.3f, want %d and %.3f", s.Name, 100*share, len(rules), got, len(want), least)
			}
		}
		if all == 0 {
			t.Errorf("%s: no rule is learned", s.Name)
		}
	}
}

// FuzzCandidates compares the learner with the plain definition. A line is a label and a URL.
func FuzzCandidates(f *testing.F) {
	f.Add("1 /a?n=1\n1 /a?n=2\n1 /a?n=3\n2 /b?n=1\n2 /b?n=2\n2 /b?n=3", 2)
	f.Add("1 /show/1\n1 /show?id=1\n2 /show/2\n2 /show?id=2\n3 /show/3\n3 /show?id=3", 3)
	f.Add("1 /a?x&y=1\n1 /a?y=1\n2 h/b//\n2 h/b/\n2 /b?*=*", 2)
	f.Fuzz(func(t *testing.T, text string, fanout int) {
		if len(text) > 400 || fanout < 2 {
			return
		}
		clusters := worlds.ParseClusters(text)
		for _, c := range clusters {
			if len(c) > MaxURLs {
				return
			}
		}
		checkPlain(t, clusters, Options{Fanout: fanout})
	})
}

// words returns the templates of the rules that are learned.
func words(clusters [][]string, o Options) (all []string) {
	_, deployed := Learn(clusters, o)
	for _, l := range deployed {
		all = append(all, l.Rule.Rewrite().Template.String())
	}
	slices.Sort(all)
	return all
}

// figure3 returns pages whose values under k3 and k5 do not matter, as the example of Lei et
// al. (figure 3): rules generalize from k3 to k5, step by step.
func figure3() [][]string {
	var all []worlds.Label
	for _, k4 := range []string{"c", "d"} {
		for k3 := range 2 {
			for k5 := range 2 {
				all = append(all, worlds.Label{URL: fmt.Sprintf("/a/b?k3=%d&k4=%s&k5=%d", k3, k4, k5), Label: k4})
			}
			all = append(all, worlds.Label{URL: fmt.Sprintf("/a/b?k3=%d&k4=%s", k3, k4), Label: k4})
		}
		all = append(all, worlds.Label{URL: "/a/b?k4=" + k4, Label: k4})
	}
	return worlds.Clusters(all)
}

func TestFigure3(t *testing.T) {
	clusters := figure3()
	checkPlain(t, clusters, Options{Fanout: 2})
	got := words(clusters, Options{Fanout: 2})
	for _, want := range []string{"/a/b?k3=*&k4=*&k5=* as /a/b?k3=*&k4=*", "/a/b?k3=*&k4=* as /a/b?k4=*"} {
		if !slices.Contains(got, want) {
			t.Errorf("no rule %s in %q", want, got)
		}
	}
	// Without some critical URLs no contexts are left that differ in one value alone, and the
	// rules stay narrow.
	for i, c := range clusters {
		clusters[i] = slices.DeleteFunc(c, func(url string) bool { return strings.Contains(url, "k3=1&k4=") || strings.HasSuffix(url, "k4=d") })
	}
	for _, r := range words(clusters, Options{Fanout: 2}) {
		if strings.HasPrefix(r, "/a/b?k3=*&k4=*&k5=*") {
			t.Errorf("rule %s without its URLs", r)
		}
	}
}

// A value moves from a parameter to another; a segment is dropped; a value is set.
func TestTransformations(t *testing.T) {
	var all []worlds.Label
	add := func(label int, urls ...string) {
		for _, url := range urls {
			all = append(all, worlds.Label{URL: url, Label: fmt.Sprint(url[1:2], label)})
		}
	}
	for n := range 6 {
		add(n, fmt.Sprintf("/a?identity=%d", n), fmt.Sprintf("/a?id=%d", n))
		add(n, fmt.Sprintf("/b/%d/index", n), fmt.Sprintf("/b/%d", n))
		add(n, fmt.Sprintf("/c?n=%d&v=print", n), fmt.Sprintf("/c?n=%d&v=full", n))
	}
	got := words(worlds.Clusters(all), Options{})
	want := []string{"/a?identity=<identity> as /a?id=<identity>", "/b/<2>/* as /b/<2>", "/c?n=*&v=* as /c?n=*", "/c?n=*&v=print as /c?n=*&v=full"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of a large cluster MaxURLs URLs are paired, always the same.
func TestLargeCluster(t *testing.T) {
	var all []worlds.Label
	for n := range 3 * MaxURLs {
		all = append(all, worlds.Label{URL: fmt.Sprintf("/a?n=%d", n), Label: "x"})
	}
	table := cluster.NewTable(worlds.Clusters(all), 2)
	rows := paired(table, 0, len(table.Rows))
	if len(rows) != MaxURLs || !slices.Equal(rows, paired(table, 0, len(table.Rows))) {
		t.Errorf("%d rows", len(rows))
	}
}

// Sites of more contexts than there is room for keep those that most pairs show.
func TestBound(t *testing.T) {
	var all []worlds.Label
	for c := range 60 {
		for n := range MaxURLs {
			all = append(all, worlds.Label{URL: fmt.Sprintf("/a?n=%d&c=%d", 100*c+n, c), Label: fmt.Sprint("a", c)})
		}
	}
	for n := range 6 {
		for s := range 20 {
			all = append(all, worlds.Label{URL: fmt.Sprintf("/z/%d?s=%d", n, s), Label: fmt.Sprint("z", n)})
		}
	}
	if got := words(worlds.Clusters(all), Options{}); !slices.Contains(got, "/z/*?s=* as /z/*") {
		t.Errorf("%d rules, none of the last pages: %q", len(got), got[:min(len(got), 5)])
	}
}

func TestStop(t *testing.T) {
	clusters := worlds.Keyed(rand.New(rand.NewPCG(1, 2)), MaxURLs, 5)
	worlds.StopsSilently(t, 3, func(stop func() bool) int {
		all, _ := Learn(clusters, Options{Stop: stop})
		return len(all)
	})
}

func TestLearnWindow(t *testing.T) { worlds.LearnsFromLabels(t, Name, LearnWindow) }
