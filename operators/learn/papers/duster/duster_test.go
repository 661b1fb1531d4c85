package duster

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// show writes the columns of a consensus as in the paper: {ex,un}, λ for a gap.
func show(a *alphabet, row []column) string {
	var b strings.Builder
	for i := range row {
		var tokens []string
		for _, n := range row[i].set {
			tokens = append(tokens, a.tokens[n])
		}
		slices.Sort(tokens)
		if row[i].gap {
			tokens = append(tokens, "λ")
		}
		fmt.Fprintf(&b, "{%s}", strings.Join(tokens, ","))
	}
	return b.String()
}

// The examples of section 3: the tokens of a URL, the score of two sets, and the alignment
// of http://www.ex/ and http://www.un/home.
func TestPaper(t *testing.T) {
	names := newAlphabet()
	row := names.sequence("http://ex.com/1.htm")
	if got, want := show(names, row), "{http}{:}{/}{/}{ex}{.}{com}{/}{1}{.}{htm}"; got != want || len(row) != 11 {
		t.Errorf("tokens %s, want %s", got, want)
	}
	x, y := column{kind: letters, set: []int32{0, 1, 2}}, column{kind: letters, set: []int32{0, 1}}
	if got := likeness(&x, &y); 3*got != 2*whole {
		t.Errorf("sf = %d/%d, want 2/3", got, whole)
	}
	var a aligner
	names, row = a.align([]string{"http://www.ex/", "http://www.un/home"}, Options{}.completed())
	if got, want := show(names, row), "{http}{:}{/}{/}{www}{.}{ex,un}{/}{home,λ}"; got != want {
		t.Errorf("consensus %s, want %s", got, want)
	}
	context, to := express(names, row, 5)
	if context != "^([a-zA-Z0-9]*)://([a-zA-Z0-9]*)\\.(?:ex|un)/(?:home)?$" || to != "${1}://${2}.ex/" {
		t.Errorf("rule %s -> %s", context, to)
	}
}

// The example of the package comment, learned from three clusters.
func TestExample(t *testing.T) {
	var clusters [][]string
	for _, page := range []string{"ls", "cat", "cp2"} {
		clusters = append(clusters, []string{"/man/" + page, "/man/" + page + "?lang=en", "/man/" + page + "?lang=de"})
	}
	rules := Learn(clusters, Options{})
	if len(rules) != 1 || rules[0].Clusters != 3 {
		t.Fatalf("%d rules: %+v", len(rules), rules)
	}
	r := &rules[0]
	if r.Context != `^/([a-zA-Z0-9]*)/([a-zA-Z0-9]*)\??(?:lang)?=?(?:de|en)?$` || r.Transformation != "/${1}/${2}" {
		t.Errorf("%s -> %s", r.Context, r.Transformation)
	}
	for _, c := range []struct{ url, want string }{
		{"/man/mv?lang=de", "/man/mv"},
		{"/other/mv?lang=en", "/other/mv"},
		{"/man/mv", "/man/mv"},
		{"/man/mv?lang=fr", "/man/mv?lang=fr"},
		{"/man/mv?lang=de&x=1", "/man/mv?lang=de&x=1"},
		{"/man/m\xff?lang=de", "/man/m\xff?lang=de"},
		{"", ""},
	} {
		if got, changed := r.Rewrite(c.url); got != c.want || changed != (got != c.url) {
			t.Errorf("%q: %q, %v, want %q", c.url, got, changed, c.want)
		}
	}
	if got, changed := r.Rewrite("/man/" + strings.Repeat("a", MaxBytes) + "?lang=de"); changed {
		t.Errorf("a URL of %d bytes was changed", len(got))
	}
}

// An edit that takes the slash at the start of the path is not made.
func TestSlash(t *testing.T) {
	var clusters [][]string
	for _, page := range []string{"a", "b", "c"} {
		clusters = append(clusters, []string{"h" + page + "/" + page, page})
	}
	for _, r := range Learn(clusters, Options{}) {
		if got, _ := r.Rewrite("/x"); got != "/x" {
			t.Errorf("%s changes /x to %q", r.Context, got)
		}
	}
	r := Rule{Context: "^/?([a-z]*)$", Transformation: "${1}", context: regexp.MustCompile("^/?([a-z]*)$"), marks: marks{all: "/"}}
	if got, changed := r.Rewrite("/x"); changed {
		t.Errorf("/x became %q", got)
	}
}

// Learn samples long clusters, and its result does not depend on the order of clusters and
// URLs.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var clusters [][]string
	for range 40 {
		var urls []string
		for u := range 1 + random.IntN(30) {
			urls = append(urls, fmt.Sprintf("/p%d/%c.html?s=%d", u%2, 'a'+random.IntN(3), u))
		}
		clusters = append(clusters, slices.Compact(slices.Sorted(slices.Values(urls))))
	}
	want := Learn(clusters, Options{})
	if len(want) == 0 {
		t.Fatal("no rules")
	}
	for range 5 {
		random.Shuffle(len(clusters), func(i, j int) { clusters[i], clusters[j] = clusters[j], clusters[i] })
		for _, urls := range clusters {
			random.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		}
		if got := Learn(clusters, Options{}); !slices.EqualFunc(got, want, func(a, b Rule) bool { return same(&a, &b) }) {
			t.Fatalf("%d rules, want %d", len(got), len(want))
		}
	}
}

// verify compares a run with the definition.
func verify(t *testing.T, clusters [][]string, o Options) int {
	t.Helper()
	got, want := Learn(clusters, o), plainLearn(clusters, o)
	if !slices.EqualFunc(got, want, func(a, b Rule) bool { return same(&a, &b) }) {
		t.Fatalf("%q:\ngot  %+v\nwant %+v", clusters, got, want)
	}
	for i := range got {
		for _, urls := range clusters {
			for _, url := range urls {
				to, changed := got[i].Rewrite(url)
				if changed && !got[i].Fits(Marks(url)) {
					t.Fatalf("%s changes %q, and does not fit %q", got[i].Context, url, Marks(url))
				}
				if want := plainRewrite(&got[i], url); to != want || changed != (want != url) {
					t.Fatalf("%s: %q became %q, want %q", got[i].Context, url, to, want)
				}
			}
		}
	}
	return len(got)
}

// world returns clusters of short URLs with much in common.
func world(random *rand.Rand) (clusters [][]string) {
	parts := []string{"a", "b", "cc", "1", "22", "/", ".", "?", "=", "$", "-", "a", "/"}
	for range 1 + random.IntN(4) {
		var urls []string
		for range 1 + random.IntN(6) {
			url := "/"
			for range random.IntN(7) {
				url += parts[random.IntN(len(parts))]
			}
			urls = append(urls, url)
		}
		clusters = append(clusters, slices.Compact(slices.Sorted(slices.Values(urls))))
	}
	return clusters
}

func TestRandom(t *testing.T) {
	rules := 0
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 2))
		rules += verify(t, world(random), Options{MinClusters: 1, MaxSet: 1 + random.IntN(3)})
	}
	if rules < 500 {
		t.Errorf("%d rules in all: the worlds show little", rules)
	}
}

// The score of all pairs of sequences of at most four tokens is the greatest sum of sf over
// all monotone ways of sharing places.
func TestSmallWorlds(t *testing.T) {
	tokens := []string{"a", "b", "1", "/", "."}
	var urls []string
	for n, level := 0, []string{""}; n < 4; n++ {
		var next []string
		for _, url := range level {
			for _, token := range tokens {
				if url == "" || plainKind(url[len(url)-1:]) == 'p' || plainKind(url[len(url)-1:]) != plainKind(token) {
					next = append(next, url+token)
				}
			}
		}
		urls = append(urls, next...)
		level = next
	}
	names := newAlphabet()
	var rows [][]column
	for _, url := range urls {
		rows = append(rows, names.sequence(url))
	}
	var a aligner
	for i, x := range rows {
		for j, y := range rows[:i+1] {
			if got, want := a.score(x, y), bestSum(x, y); got != want {
				t.Fatalf("%q, %q: score %d, want %d", urls[i], urls[j], got, want)
			}
		}
	}
}

// bestSum tries all ways.
func bestSum(x, y []column) int32 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	best := max(bestSum(x[1:], y), bestSum(x, y[1:]))
	if sf := likeness(&x[0], &y[0]); sf >= 0 {
		best = max(best, sf+bestSum(x[1:], y[1:]))
	}
	return best
}

// Long and hostile URLs give no rule, or a rule of bounded size.
func TestBounds(t *testing.T) {
	long := strings.Repeat("/a", maxTokens/2)
	for _, urls := range [][]string{
		{long + "/", long + "/b"}, // beyond maxTokens: no rule
		{"/a b", "/a\x00"},        // not printable
		{strings.Repeat("a1", 150), strings.Repeat("/.", 200)},             // nothing in common
		{"/" + strings.Repeat("x", 5000), "/" + strings.Repeat("y", 5000)}, // long tokens
	} {
		for _, r := range Learn([][]string{urls}, Options{MinClusters: 1}) {
			if len(r.Context) > maxContext {
				t.Errorf("a context of %d bytes", len(r.Context))
			}
		}
	}
	var a aligner
	names := newAlphabet()
	var rows [][]column
	for i := range 10 {
		rows = append(rows, names.sequence(strings.Repeat(string("!#%&()*+,-"[i]), maxTokens)))
	}
	if row := a.merge(rows); row != nil {
		t.Errorf("a consensus of %d columns", len(row))
	}
}

// A candidate of too few clusters is listed, and changes nothing.
func TestMinApplied(t *testing.T) {
	clusters := [][]string{{"/a/x", "/a/x?lang=en"}, {"/b/y", "/b/y?lang=en"}, {"/c.z", "/c.z?n=1"}}
	all := Learn(clusters, Options{MinClusters: 1})
	some := Learn(clusters, Options{MinClusters: 1, MinApplied: 2})
	if len(all) != 2 || len(some) != 2 || !same(&all[0], &some[0]) || !same(&all[1], &some[1]) {
		t.Fatalf("%+v, then %+v", all, some)
	}
	for i, url := range []string{"/d/e?lang=en", "/c.z?n=1"} {
		_, changes := all[i].Rewrite(url)
		if _, applied := some[i].Rewrite(url); !changes || applied != (i == 0) {
			t.Errorf("%s: changed %v, then %v", url, changes, applied)
		}
	}
}
