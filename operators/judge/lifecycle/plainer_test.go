package lifecycle_test

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Of equal evidence, the direction is that into the form that more clients ask for; then into
// fewer capitals, if the forms differ in case only; then into fewer bytes, and the first in byte order.
func TestDirectionOfEqualEvidence(t *testing.T) {
	for _, c := range []struct {
		name       string
		one, other string // of the page %d
		asks       [2]int // clients that ask for each form of a page
		want       string
	}{
		{"capitals", "/docs/x%d.html", "/Docs/x%d.HTML", [2]int{1, 1}, "/docs/x7.html"},
		{"languages", "/de/%d", "/en/%d", [2]int{2, 3}, "/en/7"},
		{"languages alike", "/de/%d", "/en/%d", [2]int{3, 3}, "/de/7"},
		{"longer, asked for", "/story/%d/", "/s/%d/", [2]int{3, 1}, "/story/7/"},
		{"longer", "/story/%d/", "/s/%d/", [2]int{1, 1}, "/s/7/"},
		{"capitals, shorter", "/section/%d/", "/SEC/%d/", [2]int{1, 1}, "/SEC/7/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := noTown()
			mined := miner.New("", madeup.MinerOptions())
			for page := range 40 {
				for i, form := range [...]string{c.one, c.other} {
					url, size := fmt.Sprintf(form, page), int64(1000+37*page)
					w.Add(url, fmt.Sprint("page ", page), size)
					mask := uint16(1)<<c.asks[i] - 1
					mined.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: mask<<(page%8) | mask>>(page%8)})
				}
			}
			o := madeup.Options()
			o.Kinds = book.AnyKind
			m := New("town", o)
			m.Load(forms.WindowOf(mined), forms.Candidates(mined.Rules()))
			w.live(m, 1, nil)
			for _, form := range [...]string{c.one, c.other} {
				if got := formOf(m, fmt.Sprintf(form, 7)); got != c.want {
					t.Errorf("%s becomes %s, want %s", fmt.Sprintf(form, 7), got, c.want)
				}
			}
			for _, e := range saved(m) {
				if e.Verdict.Reason == book.ByClients && (e.State != rule.Retired || len(e.Followers) != 1) {
					t.Errorf("%+v", e)
				}
			}
		})
	}
}

// The reason for which a likely rule is not tried is found for a rule that the miner lists in the
// direction that is not tried first, too.
func TestUntriedOfPlainer(t *testing.T) {
	w := noTown()
	for page := range 12 {
		w.Add(fmt.Sprintf("/section/%d/", page), fmt.Sprint("page ", page), int64(1000+37*page))
		w.Add(fmt.Sprintf("/SECTION/%d/", page), fmt.Sprint("page ", page), int64(1000+37*page))
	}
	m := w.machine(madeup.Options())
	m.Next(1)
	r := rule.Rule{Edit: rule.Substring{From: "/section/", To: "/SECTION/", AtStart: true}}
	if got := m.Answers.Detail(lifecycle.Query{Likely: []rule.Rule{r}}, 1).Likely[0]; got.Untried != forms.Waits {
		t.Errorf("%s is not tried: %v", r.Words(), got.Untried)
	}
}
