package forms_test

import (
	"fmt"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// A rule of L touches the URLs on whose way to a form it stands, also behind other rules. A rule outside L
// touches the URLs whose forms it would edit. Sizes are of the class that most URLs have.
func TestEffects(t *testing.T) {
	var pages []evidence.Page
	families := map[string]uint32{}
	add := func(url string, size int64, mask uint32) {
		p := evidence.Page{URL: url}
		p.Evidence = p.Evidence.Join(evidence.Span{Class: 1, Min: size, Max: size + 5})
		pages = append(pages, p)
		families[url] = mask
	}
	for i := range 10 {
		add(fmt.Sprintf("/a/%d?s=1", i), 100, 1)
		add(fmt.Sprintf("/b/%d", i), 50, 1|4)
	}
	add("/a/x", 7, 4)
	odd := evidence.Page{URL: "/a/odd"}
	odd.Evidence = odd.Evidence.Join(evidence.Span{Class: 2, Min: 1000, Max: 1000})
	pages = append(pages, odd)
	o := book.Defaults()
	o.GivenOnly = true
	b := book.New("", &o, &book.Hasher{})
	rules := []rule.Rule{{Edit: rule.Drop{Param: "s"}}, {Edit: rule.Substring{From: "/a/", To: "/b/", AtStart: true}}, {Edit: rule.Substring{From: "/none/", To: "/"}}}
	for n, r := range rules {
		b.Do(&book.Act{Rule: &book.Entry{ID: fmt.Sprint(n), Rule: r, State: rule.Valid, Rank: n + 1}})
	}
	window := forms.NewWindow(pages)
	window.Families = make([]uint32, len(window.Pages))
	for i := range window.Pages {
		window.Families[i] = families[window.Pages[i].URL]
	}
	w, rank := forms.NewView(b, window, forms.NewGuard(window, &o, nil), b.Valid())
	if w == nil {
		t.Fatal(rank)
	}
	want := []waste.Effect{{URLs: 10, Bytes: 1000, Families: [32]int{0: 10}}, {URLs: 12, Bytes: 1007, Families: [32]int{0: 10, 2: 1}}, {}}
	if got := w.Effects(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	outside := []*rule.Rule{{Edit: rule.Substring{From: "/b/", To: "/c/"}}, {Edit: rule.Drop{Param: "none"}}, {Edit: rule.Substring{From: "/a/", To: "/c/"}}}
	want = []waste.Effect{{URLs: 22, Bytes: 1507, Families: [32]int{0: 20, 2: 11}}, {}, {}}
	if got := w.EffectsOf(outside); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("outside: %v, want %v", got, want)
	}
	window.Families = nil
	if got := w.EffectsOf(outside[:1])[0]; got.URLs != 22 || got.Families != [32]int{} {
		t.Errorf("without families: %v", got)
	}
}
