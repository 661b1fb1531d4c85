package listed_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/listed"
	"dustbuster/operators/read/lists"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
)

func read(t *testing.T, text string) *lists.Names {
	t.Helper()
	l := &lists.List{}
	if err := l.Read([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return l.On("www.example.org")
}

func learn(t *testing.T, names []string, pages []evidence.Page) []rule.Likely {
	t.Helper()
	rules, done := listed.Learn(listed.Options{Numbers: search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })}, names, pages, worlds.Never)
	if !done {
		t.Fatal("stopped")
	}
	return rules
}

func TestNames(t *testing.T) {
	pages := worlds.Pages(map[string]evidence.Spans{
		"/a?fbclid=1&id=2": nil, "/a?UTM_x": nil, "/b?hsa_a=1;hsa_b": nil, "/b?k=abc": nil, "/c?k=7": nil, "/d?v=1&v=2": nil,
		"/e?" + strings.Repeat("a&", 32) + "late=1": nil,
	})
	names := read(t, "fbclid\nutm_*\nlate\nunseen\n$removeparam=/^hsa_[a-z]/\n$removeparam=/^k=[a-z]/\n$removeparam=/^v=[0-9]/")
	got, _ := listed.Names(names, pages, worlds.Never)
	if want := []string{"UTM_x", "fbclid", "hsa_a", "hsa_b", "v"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLearn(t *testing.T) {
	size := worlds.Size
	pages := worlds.Pages(map[string]evidence.Spans{
		"/a": size(100), "/a?s=1": size(100), "/a?s=2": size(300), "/a?s=3": nil, // the rest is a page
		"/b?x=1&s=1": size(50), "/b?x=1&s=2": size(50), // it is none
		"/c?s=1": size(7), // no pair
		"/d?n=1": size(1), "/e?n=1": size(1),
	})
	want := []rule.Likely{{Rule: rule.Rule{Edit: rule.Drop{Param: "s"}}, Learner: "lists", Support: 2, Comparable: 3}}
	if got := learn(t, []string{"n", "s"}, pages); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// plain is the definition, pair by pair.
func plain(names []string, pages []evidence.Page) (rules []rule.Likely) {
	for _, name := range names {
		r := rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: name}}, Learner: listed.Name}
		pairs, base := 0, map[string]int{}
		for i := range pages {
			base[pages[i].URL] = i
		}
		for i := range pages {
			rest, changed := r.Rule.Apply(nil, []byte(pages[i].URL))
			if !changed {
				continue
			}
			b, has := base[string(rest)]
			if !has {
				base[string(rest)] = i
				continue
			}
			pairs++
			s := evidence.Similarity{}
			if s.Comparable(pages[i].Evidence, pages[b].Evidence) {
				r.Comparable++
			}
			if s.Similar(pages[i].Evidence, pages[b].Evidence) {
				r.Support++
			}
		}
		if pairs > 0 {
			rules = append(rules, r)
		}
	}
	return rules
}

func TestLearnIsPlain(t *testing.T) {
	for seed := range worlds.Rounds(200, 5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		all := map[string]evidence.Spans{}
		for range 1 + r.IntN(600) { // more than are looked up together
			all["/"+string(rune('a'+r.IntN(2)))+worlds.Query(r, 4)] = worlds.Evidence(r)
		}
		pages := worlds.Pages(all)
		var names []string
		for c := 'a'; c < 'f'; c++ {
			names = append(names, string(c))
		}
		if got, want := learn(t, names, pages), plain(names, pages); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
}

func TestStops(t *testing.T) {
	pages := []evidence.Page{{URL: "/a?s=1"}}
	stop := func() bool { return true }
	if _, done := listed.Names(read(t, "s"), pages, stop); done {
		t.Error("the names do not stop")
	}
	if _, done := listed.Learn(listed.Options{Numbers: search.NewNumbers(1, func(int) string { return "/a?s=1" })}, []string{"s"}, pages, stop); done {
		t.Error("the learner does not stop")
	}
}
