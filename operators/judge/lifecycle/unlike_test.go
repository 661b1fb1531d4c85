package lifecycle

import (
	"fmt"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The forms for which a rule may be given an exception are few, and the log compares nearly all of its
// pairs. Where most sizes are equal, any other size is unlike.
func TestUnlikeForms(t *testing.T) {
	for _, c := range []struct {
		name        string
		pages, want int
		size        func(i int) int64 // of /p<i>?v=1, beside /p<i> with 100,000 bytes
	}{
		{"equal sizes", 200, 0, func(i int) int64 { return 100_000 }},
		{"some are larger", 200, 10, func(i int) int64 { return 100_000 + map[int]int64{3: 9000, 7: 5}[i%40] }},
		{"most are a bit larger", 400, 10, func(i int) int64 { return 100_003 + map[int]int64{3: 9000, 7: 5}[i%40] }},
		{"a twentieth", 401, 20, func(i int) int64 { return 100_000 + map[int]int64{1: 9000}[i%20] }},
		{"more than a twentieth", 380, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%19] }},
		{"too many for a rule", 440, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%20] }},
		{"one may not be fetched", 201, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%40] }},
		{"another may not be, too", 201, 5, func(i int) int64 { return 100_000 + map[int]int64{1: 9000}[i%40] }},
	} {
		for _, others := range []int{0, 9, 60} {
			var pages []evidence.Page
			for i := range c.pages {
				p := fmt.Sprintf("/p%d", i)
				if i == 200 {
					p = "/reset/9f3c8b7a6d5e4f3a2b1c0d9e8f7a6b5c" // looks like a secret
				}
				pages = append(pages, evidence.Page{URL: p, Evidence: evidence.Spans{{Min: 100_000, Max: 100_000}}})
				pages = append(pages, evidence.Page{URL: p + "?v=1", Evidence: evidence.Spans{{Min: c.size(i), Max: c.size(i)}}})
			}
			for i := range others {
				pages = append(pages, evidence.Page{URL: fmt.Sprintf("/alone%d?v=1", i), Evidence: evidence.Spans{{Min: 70_000, Max: 70_000}}})
			}
			m := New("", madeup.Options())
			m.Load(forms.NewWindow(pages), nil)
			m.derive(1)
			r := book.Candidate{Rule: rule.Rule{Edit: rule.Drop{Param: "v"}}}
			a := trials.New(m.judge(1), r, m.view.Forms, m.view.Moves(&r), 0, nil)
			got, want := len(forms.UnlikeForms(a.All)), c.want
			if c.want*others >= c.pages {
				want = 0
			}
			if got != want {
				t.Errorf("%s, and %d pages without v: %d unlike forms, want %d", c.name, others, got, want)
			}
		}
	}
}
