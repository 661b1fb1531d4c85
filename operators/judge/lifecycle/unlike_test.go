package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/attempt"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// The forms for which a rule may be given an exception are few, and the log compares nearly all of its
// pairs. Where most sizes are equal, any other size is unlike.
func TestUnlikeForms(t *testing.T) {
	for name, c := range map[string]struct {
		pages, want int
		size        func(i int) int64 // of /p<i>?v=1, beside /p<i> with 100,000 bytes
	}{
		"equal sizes":             {200, 0, func(i int) int64 { return 100_000 }},
		"some are larger":         {200, 10, func(i int) int64 { return 100_000 + map[int]int64{3: 9000, 7: 5}[i%40] }},
		"most are a bit larger":   {400, 10, func(i int) int64 { return 100_003 + map[int]int64{3: 9000, 7: 5}[i%40] }},
		"a twentieth":             {401, 20, func(i int) int64 { return 100_000 + map[int]int64{1: 9000}[i%20] }},
		"more than a twentieth":   {380, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%19] }},
		"too many for a rule":     {440, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%20] }},
		"one may not be fetched":  {201, 0, func(i int) int64 { return 100_000 + map[int]int64{0: 9000}[i%40] }},
		"another may not be, too": {201, 5, func(i int) int64 { return 100_000 + map[int]int64{1: 9000}[i%40] }},
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
			r := book.Candidate{Rule: rule.Rule{Kind: rule.Drop, Param: "v"}}
			a := attempt.New(m.judge(1), r, m.view.Forms, m.view.Moves(&r), 0, nil)
			got, want := len(forms.UnlikeForms(a.All)), c.want
			if c.want*others >= c.pages {
				want = 0
			}
			if got != want {
				t.Errorf("%s, and %d pages without v: %d unlike forms, want %d", name, others, got, want)
			}
		}
	}
}

// twoTrees is a site of 240 pages under two names. unlike gives the text of a page under the new name
// and its size there, given that under the old; "": the page is the same.
func twoTrees(path func(i int) string, unlike func(i int, size int64) (text string, larger int64)) *town {
	w := noTown()
	for i := range 240 {
		text, size := fmt.Sprint("file ", i), int64(1000+37*i)
		w.Add("/old"+path(i), text, size)
		if other, larger := unlike(i, size); other != "" {
			text, size = other, larger
		}
		w.Add("/new"+path(i), text, size)
	}
	return w
}

func flat(i int) string { return fmt.Sprintf("/p%d.html", i) }

// firstValid runs a machine until a rule is valid, and returns its entry and the URLs requested.
func firstValid(w *town, m *Machine) (e *book.Entry, tried map[string]bool) {
	tried = map[string]bool{}
	for now := int64(1); len(m.book.Valid()) == 0; now++ {
		test, ok := m.Next(now)
		if !ok {
			return nil, tried
		}
		tried[test.U] = true
		m.Outcome(test, w.see(m, test), 1, now)
	}
	return m.book.Valid()[0], tried
}

// Of 240 pages under two names, ten are other pages under the second name, and of other sizes. The
// rule is found with the outcomes that one without a negative needs. The ten are excepted, those too
// that no request was made for.
func TestUnlikePagesAreExcepted(t *testing.T) {
	var others []string
	isOther := func(i int) bool { return i%24 == 7 }
	for i := range 240 {
		if isOther(i) {
			others = append(others, "/old"+flat(i))
		}
	}
	slices.Sort(others)
	w := twoTrees(flat, func(i int, size int64) (string, int64) {
		if isOther(i) {
			return fmt.Sprint("other ", i), size * 6 / 5
		}
		return "", 0
	})
	for key := range 8 {
		o := madeup.Options()
		o.Key[0] = uint64(key)
		e, tried := firstValid(w, w.machine(o))
		if e == nil {
			t.Fatalf("key %d: no rule is valid", key)
		}
		if got := e.Rule.Except.URLs(); !slices.Equal(got, others) || e.Rule.Except.Scopes() != nil {
			t.Errorf("key %d: %s; want exceptions at %s", key, e.Rule.Words(), strings.Join(others, " "))
		}
		if e.Verdict.Negatives > 0 || e.Verdict.Samples > o.Trial.Enough(230)+1 || e.Exceptions > 0 {
			t.Errorf("key %d: the verdict is %+v", key, e.Verdict)
		}
		if !slices.ContainsFunc(others, func(u string) bool { return !tried[u] }) {
			t.Errorf("key %d: all of the ten pages were requested", key)
		}
	}
}

// The unlike pages become no exceptions one by one where a folder holds all of them, or where pages of
// equal size are wrong as well. Where two of ten show another text, a trial seldom begins with these.
func TestNoUnlikeExceptions(t *testing.T) {
	folder := func(i int) string {
		if i%24 == 7 {
			return fmt.Sprintf("/list/p%d.html", i)
		}
		return flat(i)
	}
	for name, c := range map[string]struct {
		most   int // valid rules with such exceptions, of eight keys
		path   func(i int) string
		unlike func(i int, size int64) (string, int64)
	}{
		"a folder": {0, folder, func(i int, size int64) (string, int64) {
			if i%24 == 7 {
				return fmt.Sprint("other ", i), size * 6 / 5
			}
			return "", 0
		}},
		"a size tells nothing": {0, flat, func(i int, size int64) (string, int64) {
			switch {
			case i%24 == 7:
				return fmt.Sprint("other ", i), size * 6 / 5
			case i%3 == 2:
				return fmt.Sprint("other ", i), size
			}
			return "", 0
		}},
		"a larger page is the same": {3, flat, func(i int, size int64) (string, int64) {
			switch {
			case i == 7 || i == 103:
				return fmt.Sprint("other ", i), size * 6 / 5
			case i%24 == 7:
				return fmt.Sprint("file ", i), size * 6 / 5
			}
			return "", 0
		}},
	} {
		var found []string
		for key := range 8 {
			o := madeup.Options()
			o.Key[0] = uint64(key)
			w := twoTrees(c.path, c.unlike)
			m := w.machine(o)
			w.live(m, 1, func(Look) {})
			for _, e := range m.book.Valid() {
				if len(e.Rule.Except.URLs()) > attempt.MostSingle {
					found = append(found, e.Rule.Words())
				}
			}
		}
		if len(found) > c.most {
			t.Errorf("%s: %d of 8 keys find such rules: %q", name, len(found), found)
		}
	}
}

// A trial that is given an exception goes on where only one under way may.
func TestExceptionAtRest(t *testing.T) {
	w := twoTrees(flat, func(i int, size int64) (string, int64) {
		if i%24 == 7 {
			return fmt.Sprint("other ", i), size * 6 / 5
		}
		return "", 0
	})
	m := w.machine(madeup.Options())
	for now := int64(1); len(m.book.Valid()) == 0; now++ {
		test, ok := m.Next(now)
		if !ok {
			break // the trial ended, or does not go on
		}
		m.Rest(LastRule)
		m.Outcome(test, w.see(m, test), 1, now)
	}
	if all := m.book.Valid(); len(all) != 1 || len(all[0].Rule.Except.URLs()) != 10 {
		t.Errorf("the valid rules are %v", all)
	}
}

// If the unlike pages of a rule show the same texts, it is given no exception.
func TestLikeTextsOfOtherSizes(t *testing.T) {
	w := noTown()
	for i := range 120 {
		text, size := fmt.Sprint("file ", i), int64(1000+37*i)
		w.Add(fmt.Sprintf("/old/p%d.html", i), text, size)
		if i%13 == 7 {
			size = size * 6 / 5
		}
		w.Add(fmt.Sprintf("/new/p%d.html", i), text, size)
	}
	m := w.machine(madeup.Options())
	w.live(m, 1, func(Look) {})
	if all := m.book.Valid(); len(all) == 0 || all[0].Rule.Except != (rule.Except{}) || all[0].Verdict.Negatives > 0 {
		t.Errorf("the valid rules are %v", all)
	}
}

// The pages that a rule excepts are not joined by the next rule, which sees only them, if they
// differ in many words.
func TestExceptedPagesStayApart(t *testing.T) {
	w := newNearTown()
	w.words = true
	truth := 0
	for i := range 250 {
		text := prose(fmt.Sprint("file", i), 900+2*i)
		w.put(fmt.Sprintf("/old/f%d", i), fmt.Sprint(i), text...)
		of := fmt.Sprint(i)
		if i%25 == 7 {
			text, of = amid(text, prose(fmt.Sprint("new", i), 20)...), of+" changed"
			truth++
		}
		w.put(fmt.Sprintf("/new/f%d", i), of, text...)
	}
	o := madeup.Options()
	o.GivenOnly = true
	whole := rule.Rule{Kind: rule.Substring, From: "/new/", To: "/old/", AtStart: true}
	some := rule.Rule{Kind: rule.Substring, From: "new/", To: "old/"}
	wrong, merged := w.falseMerges(t, o, []rule.Candidate{{Rule: whole, Support: 150}, {Rule: some, Support: 100}}, 1)
	if wrong > 0 || merged < 0.4 {
		t.Errorf("%.0f false merges for each 10,000 URLs, %.3f merged, of %d changed", wrong, merged, truth)
	}
}
