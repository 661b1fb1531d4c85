package worlds

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Label is a label of the page of a URL.
type Label struct{ URL, Label string }

// Clusters returns the clusters of URLs with equal labels, by the plain definition: a URL
// without a label or with two labels is in none.
func Clusters(all []Label) [][]string {
	labels := map[string]map[string]bool{}
	for _, l := range all {
		if labels[l.URL] == nil {
			labels[l.URL] = map[string]bool{}
		}
		labels[l.URL][l.Label] = true
	}
	clusters := map[string][]string{}
	for _, url := range slices.Sorted(maps.Keys(labels)) {
		for label := range labels[url] {
			if len(labels[url]) == 1 && label != "" {
				clusters[label] = append(clusters[label], url)
			}
		}
	}
	return slices.SortedFunc(maps.Values(clusters), slices.Compare)
}

// Keyed returns the clusters of up to most URLs of a few keys, of which some do not matter.
// One label in some is wrong.
func Keyed(r *rand.Rand, most, some int) [][]string {
	values, urls := 2+r.IntN(4), 5+r.IntN(most-5)
	matters := r.IntN(1 << 5)
	var all []Label
	for range urls {
		label := fmt.Sprint(r.IntN(some) / (some - 1))
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
		all = append(all, Label{url, label})
	}
	return Clusters(all)
}

// Short returns the clusters of short URLs. Of some URLs, one has a random label. The label of
// the others is the letter of the path.
func Short(r *rand.Rand, some int) [][]string {
	var all []Label
	for range 1 + r.IntN(60) {
		url := "/" + strings.Repeat("a/", r.IntN(3)) + string("ab"[r.IntN(2)])
		for i, name := range []string{"?n=", "&m="} {
			if r.IntN(2) > 0 && (i == 0 || strings.Contains(url, "?")) {
				url += name + string("01"[r.IntN(2)])
			}
		}
		label := string("xyzw"[r.IntN(4)])
		if r.IntN(some) > 0 {
			path, _, _ := strings.Cut(url, "?")
			label = path[len(path)-1:]
		}
		all = append(all, Label{url, label})
	}
	return Clusters(all)
}

// ShortRules are rules that change URLs of Short.
var ShortRules = []rule.Rule{
	{Edit: rule.Drop{Param: "n"}},
	{Edit: rule.Drop{Param: "m"}, Scope: rule.Scope{Path: "/a", HasPath: true}},
	{Edit: rule.Set{Param: "n", Value: "1"}},
	{Edit: rule.Substring{From: "a/", To: ""}},
	{Edit: rule.Substring{From: "b", To: "a"}},
	{Edit: rule.Substring{From: "?n=0", To: ""}},
	{Edit: rule.Order{}},
}

// ParseClusters returns the clusters of a text whose lines are a label and a URL. Lines whose
// URL cannot be in a rule are left out.
func ParseClusters(text string) [][]string {
	var all []Label
	for line := range strings.Lines(text) {
		label, url, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if (&rule.Rule{Edit: rule.Substring{From: url + "x", AtStart: true}}).Validate() == nil {
			all = append(all, Label{url, label})
		}
	}
	return Clusters(all)
}

// Figures are what an edit does to a clustering: pairs of URLs that get one form, URLs that are
// changed, and pairs of two clusters.
type Figures struct{ Support, Applied, False int }

// Judge counts by the plain definition: all pairs of URLs of which the edit changes at least
// one.
func Judge(clusters [][]string, edit func(url string) (form string, changed bool)) (f Figures) {
	type end struct {
		form    string
		changed bool
		cluster int
	}
	var ends []end
	for cluster, urls := range clusters {
		for _, url := range urls {
			form, changed := edit(url)
			if changed {
				f.Applied++
			}
			ends = append(ends, end{form, changed, cluster})
		}
	}
	for i, a := range ends {
		for _, b := range ends[:i] {
			if a.form == b.form && (a.changed || b.changed) {
				f.Support++
				if a.cluster != b.cluster {
					f.False++
				}
			}
		}
	}
	return f
}

// JudgeRule counts for a rule.
func JudgeRule(clusters [][]string, r rule.Rule) Figures {
	return Judge(clusters, func(url string) (string, bool) {
		form, changed := r.Apply(nil, []byte(url))
		if !changed {
			return url, false
		}
		return string(form), true
	})
}

// Coverage returns the share of the duplicates that rules merge rightly, as package compare defines it.
// They are applied in turn, until a URL settles.
func Coverage(clusters [][]string, rules []rule.Rule) float64 {
	const rounds = 10
	members, owner := map[string][]string{}, map[string]int{} // by form; by URL
	for n, urls := range clusters {
		for _, url := range urls {
			owner[url] = n
			form := url
			for range rounds {
				before := form
				for _, r := range rules {
					if to, changed := r.Apply(nil, []byte(form)); changed {
						form = string(to)
					}
				}
				if form == before {
					break
				}
			}
			members[form] = append(members[form], url)
		}
	}
	merged := len(owner) - len(members)
	for form, urls := range members {
		page, listed := owner[form]
		if !listed {
			page = owner[slices.Min(urls)]
		}
		for _, url := range urls {
			if owner[url] != page {
				merged--
			}
		}
	}
	return float64(merged) / float64(max(len(owner)-len(clusters), 1))
}

// IsBare reports whether a key of Keys is that of a bare piece.
func IsBare(key string) bool { return key[0] == 0 }

// Keys returns the keys of a URL with their values: those of templates, but for bare pieces. The n-th
// of these has the key "\x00n", and its text is the value. ok is false if no template fits the URL.
func Keys(url string) (keys map[string]string, ok bool) {
	list, ok := rule.KeysOf(nil, url)
	keys = map[string]string{}
	for _, k := range list {
		if !k.Any {
			keys[k.Name] = k.Value
		}
	}
	_, query, _ := strings.Cut(url, "?")
	n := 0
	for _, piece := range strings.Split(strings.ReplaceAll(query, ";", "&"), "&") {
		if ok && piece != "" && !strings.Contains(piece, "=") {
			keys[fmt.Sprintf("\x00%d", n)] = piece
			n++
		}
	}
	return keys, ok
}

// SortedKeys returns the names of keys in their order: segments and bare pieces by number, then
// parameters by name.
func SortedKeys[V any](keys map[string]V) []string {
	rank := func(name string) string {
		if strings.HasPrefix(name, "/") {
			return fmt.Sprintf("0%04d%s", len(name), name)
		}
		if IsBare(name) {
			return fmt.Sprintf("1%04d%s", len(name), name)
		}
		return "2" + name
	}
	return slices.SortedFunc(maps.Keys(keys), func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
}
