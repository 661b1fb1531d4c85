package trials

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/window/evidence"
)

// Forms of one page are in no mixed pair: another rule may join them. A token that many pairs
// of a rule share names no page.
func TestMixedPairsAreOfTwoPages(t *testing.T) {
	var pages []evidence.Page
	endings := []string{"", "?", "?utm_source=x"}
	for i := range 40 {
		for _, form := range endings {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/old/n%d.html%s", i, form)}, evidence.Page{URL: fmt.Sprintf("/new/n%d.html%s", i, form)})
		}
	}
	w, keys := forms.NewWindow(pages), &book.Hasher{}
	strata := make([][]forms.Pair, 1)
	for i := range 40 {
		for _, form := range endings {
			u, v := fmt.Sprintf("/old/n%d.html%s", i, form), fmt.Sprintf("/new/n%d.html%s", i, form)
			strata[0] = append(strata[0], forms.Pair{U: u, V: v, Turn: forms.TurnOf(keys, w.Held, u, v)})
		}
	}
	forms.Arrange(strata)
	var all []Tested
	for _, p := range strata[0] {
		all = append(all, Tested{U: p.U, V: p.V, page: p.Page})
	}
	for i := range all {
		mixed := MixedWith(keys, all, i, 2)
		if len(mixed) != 2 {
			t.Errorf("%s: %d mixed pairs", all[i].U, len(mixed))
		}
		for _, p := range mixed {
			if name(p.U) == name(p.V) {
				t.Errorf("mixed: %s and %s", p.U, p.V)
			}
		}
	}
	few := [][]forms.Pair{strata[0][:9]} // of three pages: each page has a third of all pairs
	forms.Arrange(few)
	for _, p := range few[0] {
		if p.Page != 0 && p.Page == few[0][0].Turn.Places[0] {
			t.Errorf("%s: a third of the pairs is one page", p.U)
		}
	}
}

// name returns the page's own name of /old/NAME.html.
func name(url string) string {
	url, _, _ = strings.Cut(url, ".")
	return url[len("/old/"):]
}
