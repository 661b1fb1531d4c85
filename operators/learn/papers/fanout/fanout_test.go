package fanout

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/rule"
)

// plainContext is the keys of a URL with their values; any is any value.
type plainContext map[string]string

const (
	anyText  = "\x00any"
	bareText = "\x00bare"
)

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

// keysOf returns the keys of a URL.
func keysOf(url string) (plainContext, bool) {
	keys, ok := rule.KeysOf(nil, url)
	c := plainContext{}
	for _, k := range keys {
		if c[k.Name] = k.Value; k.Any {
			c[k.Name] = bareText
		}
	}
	return c, ok
}

// plainDifference is the definition of the pairs.
func plainDifference(u, v plainContext) (t plainTransformation, ok bool) {
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
		return plainTransformation{"set", k, v[k]}, u[k] != bareText && v[k] != bareText
	case "1 0 0":
		return plainTransformation{"drop", lost[0], ""}, true
	case "1 1 0":
		k, to := lost[0], added[0]
		return plainTransformation{"copy", k, to}, u[k] == v[to] && u[k] != bareText && to[0] != '/'
	}
	return t, false
}

// plainGeneralize is the definition of the fan-out.
func plainGeneralize(contexts map[string]plainContext, used string, fanout int) {
	for again := true; again; {
		again = false
		names := map[string]bool{}
		for _, c := range contexts {
			for key := range c {
				names[key] = true
			}
		}
		order := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
			if a[0] == '/' && b[0] == '/' && len(a) != len(b) {
				return len(a) - len(b)
			}
			if (a[0] == '/') != (b[0] == '/') {
				return map[bool]int{true: -1, false: 1}[a[0] == '/']
			}
			return strings.Compare(a, b)
		})
		for _, key := range order {
			if key == used {
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
		switch value {
		case anyText:
			k.Value, k.Any = "", true
		case bareText:
			return rule.Rule{}, false
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
	return rule.Rule{Kind: rule.Rewrite, Template: template}, err == nil
}

// plainCandidates is the definition of the package comment, for clusters of at most MaxURLs.
func plainCandidates(clusters [][]string, o Options) map[rule.Rule]cluster.Learned {
	groups := map[plainTransformation]map[string]plainContext{}
	for _, urls := range clusters {
		for _, a := range urls {
			for _, b := range urls {
				u, ok := keysOf(a)
				v, ok2 := keysOf(b)
				if !ok || !ok2 || len(a) < len(b) || len(a) == len(b) && a <= b {
					continue
				}
				t, ok := plainDifference(u, v)
				if !ok {
					continue
				}
				if t.op != "set" || o.Set == AnyValue {
					u = u.with(t.key, anyText)
				}
				if groups[t] == nil {
					groups[t] = map[string]plainContext{}
				}
				groups[t][u.text()] = u
			}
		}
	}
	all := map[rule.Rule]cluster.Learned{}
	for t, contexts := range groups {
		used := t.key
		if t.op == "set" && o.Set == VaryValue {
			used = ""
		}
		plainGeneralize(contexts, used, o.Fanout)
		for _, c := range contexts {
			if r, ok := plainTemplate(t, c); ok {
				all[r] = plainJudge(r, clusters)
			}
		}
	}
	return all
}

// plainJudge counts all pairs of URLs of which the rule changes at least one.
func plainJudge(r rule.Rule, clusters [][]string) cluster.Learned {
	l := cluster.Learned{Rule: r}
	type formed struct {
		form    string
		changed bool
		cluster int
	}
	var all []formed
	for c, urls := range clusters {
		for _, u := range urls {
			out, changed := r.Apply(nil, []byte(u))
			if !changed {
				out = []byte(u)
			} else {
				l.Applied++
			}
			all = append(all, formed{string(out), changed, c})
		}
	}
	for i, u := range all {
		for _, v := range all[:i] {
			if u.form == v.form && (u.changed || v.changed) {
				l.Support++
				if u.cluster != v.cluster {
					l.False++
				}
			}
		}
	}
	return l
}

// world returns a random clustering of URLs of a few keys, of which some do not matter.
func world(r *rand.Rand) [][]string {
	values, urls := 2+r.IntN(4), 5+r.IntN(MaxURLs-5)
	matters := r.IntN(1 << 5)
	var all []cluster.Labelled
	for range urls {
		label := fmt.Sprint(r.IntN(5) / 4)
		value := func(key int) string {
			v := string('a' + byte(r.IntN(values)))
			if matters&(1<<key) != 0 {
				label += v
			}
			return v
		}
		url := "/" + value(0)
		if r.IntN(4) > 0 {
			url += "/" + value(1)
		}
		separator := "?"
		for key, name := range []string{"k", "n", "m"} {
			if r.IntN(3) == 0 {
				continue
			}
			url += separator + name
			if r.IntN(12) > 0 {
				url += "=" + value(key+2)
			}
			separator = "&"
		}
		all = append(all, cluster.Labelled{URL: url, Label: label})
	}
	return cluster.Of(all, 1)
}

func checkPlain(t *testing.T, clusters [][]string, o Options) (candidates, learned int) {
	t.Helper()
	want := plainCandidates(clusters, o)
	got := Candidates(clusters, o)
	for _, l := range got {
		if want[l.Rule] != l {
			t.Fatalf("%v: %+v, want %+v, of\n%q", l.Rule.Template, l, want[l.Rule], clusters)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rules, want %d, of\n%q", len(got), len(want), clusters)
	}
	rules := Learn(clusters, o)
	for i := range rules {
		if l := want[rules[i]]; l.Support < 3 || l.False > 0 {
			t.Fatalf("learned %+v", l)
		}
	}
	return len(got), len(rules)
}

func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	candidates, learned := 0, 0
	for i := range 2000 {
		c, l := checkPlain(t, world(random), Options{Fanout: 2 + i%3, Set: Kept(i / 3 % 3)})
		candidates, learned = candidates+c, learned+l
	}
	if learned < 40 {
		t.Errorf("%d candidates, %d learned: the worlds show little", candidates, learned)
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
		var all []cluster.Labelled
		for line := range strings.Lines(text) {
			label, url, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if (&rule.Rule{From: url + "x", AtStart: true}).Validate() == nil {
				all = append(all, cluster.Labelled{URL: url, Label: label})
			}
		}
		clusters := cluster.Of(all, 1)
		for _, c := range clusters {
			if len(c) > MaxURLs {
				return
			}
		}
		for set := range AnyValue + 1 {
			checkPlain(t, clusters, Options{Fanout: fanout, Set: set})
		}
	})
}

func words(rules []rule.Rule) (all []string) {
	for i := range rules {
		all = append(all, rules[i].Template.String())
	}
	slices.Sort(all)
	return all
}

// figure3 returns pages whose values under k3 and k5 do not matter, as the example of Lei et
// al. (figure 3): rules generalize from k3 to k5, step by step.
func figure3() [][]string {
	var all []cluster.Labelled
	for _, k4 := range []string{"c", "d"} {
		for k3 := range 2 {
			for k5 := range 2 {
				all = append(all, cluster.Labelled{URL: fmt.Sprintf("/a/b?k3=%d&k4=%s&k5=%d", k3, k4, k5), Label: k4})
			}
			all = append(all, cluster.Labelled{URL: fmt.Sprintf("/a/b?k3=%d&k4=%s", k3, k4), Label: k4})
		}
		all = append(all, cluster.Labelled{URL: "/a/b?k4=" + k4, Label: k4})
	}
	return cluster.Of(all, 1)
}

func TestFigure3(t *testing.T) {
	clusters := figure3()
	checkPlain(t, clusters, Options{Fanout: 2})
	got := words(Learn(clusters, Options{Fanout: 2}))
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
	for _, r := range words(Learn(clusters, Options{Fanout: 2})) {
		if strings.HasPrefix(r, "/a/b?k3=*&k4=*&k5=*") {
			t.Errorf("rule %s without its URLs", r)
		}
	}
}

// A value moves from a parameter to another; a segment is dropped; a value is set.
func TestTransformations(t *testing.T) {
	var all []cluster.Labelled
	add := func(label int, urls ...string) {
		for _, url := range urls {
			all = append(all, cluster.Labelled{URL: url, Label: fmt.Sprint(url[1:2], label)})
		}
	}
	for n := range 6 {
		add(n, fmt.Sprintf("/a?identity=%d", n), fmt.Sprintf("/a?id=%d", n))
		add(n, fmt.Sprintf("/b/%d/index", n), fmt.Sprintf("/b/%d", n))
		add(n, fmt.Sprintf("/c?n=%d&v=print", n), fmt.Sprintf("/c?n=%d&v=full", n))
	}
	got := words(Learn(cluster.Of(all, 1), Options{}))
	want := []string{"/a?identity=* as /a?id=<identity>", "/b/*/* as /b/*", "/c?n=*&v=print as /c?n=*&v=full"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of a large cluster MaxURLs URLs are paired, always the same.
func TestLargeCluster(t *testing.T) {
	var all []cluster.Labelled
	for n := range 3 * MaxURLs {
		all = append(all, cluster.Labelled{URL: fmt.Sprintf("/a?n=%d", n), Label: "x"})
	}
	table := cluster.NewTable(cluster.Of(all, 1), 2)
	rows := paired(table, 0, len(table.Rows))
	if len(rows) != MaxURLs || !slices.Equal(rows, paired(table, 0, len(table.Rows))) {
		t.Errorf("%d rows", len(rows))
	}
}

func TestStop(t *testing.T) {
	clusters := world(rand.New(rand.NewPCG(1, 2)))
	for calls := range 100 {
		left := calls
		stop := func() bool { left--; return left < 0 }
		if got := Candidates(clusters, Options{Stop: stop}); left < 0 && len(got) > 0 {
			t.Fatalf("%d rules after a stop at call %d", len(got), calls)
		}
	}
}
