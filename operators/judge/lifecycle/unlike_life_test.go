package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/rule"
)

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
func firstValid(w *town, m *lifecycle.Machine) (e *book.Entry, tried map[string]bool) {
	tried = map[string]bool{}
	for now := int64(1); len(validOf(m)) == 0; now++ {
		test, ok := m.Next(now)
		if !ok {
			return nil, tried
		}
		tried[test.U] = true
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
	}
	return &validOf(m)[0], tried
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
		if got := e.Rule.Except.URLs(); !slices.Equal(got, others) || len(e.Rule.Except.Scopes()) > 0 {
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
	for _, c := range []struct {
		name   string
		most   int // valid rules with such exceptions, of eight keys
		path   func(i int) string
		unlike func(i int, size int64) (string, int64)
	}{
		{"a folder", 0, folder, func(i int, size int64) (string, int64) {
			if i%24 == 7 {
				return fmt.Sprint("other ", i), size * 6 / 5
			}
			return "", 0
		}},
		{"a size tells nothing", 0, flat, func(i int, size int64) (string, int64) {
			switch {
			case i%24 == 7:
				return fmt.Sprint("other ", i), size * 6 / 5
			case i%3 == 2:
				return fmt.Sprint("other ", i), size
			}
			return "", 0
		}},
		{"a larger page is the same", 3, flat, func(i int, size int64) (string, int64) {
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
			w.live(m, 1, func(lifecycle.Look) {})
			for _, e := range validOf(m) {
				if len(e.Rule.Except.URLs()) > trials.MostSingle {
					found = append(found, e.Rule.Words())
				}
			}
		}
		if len(found) > c.most {
			t.Errorf("%s: %d of 8 keys find such rules: %q", c.name, len(found), found)
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
	for now := int64(1); len(validOf(m)) == 0; now++ {
		test, ok := m.Next(now)
		if !ok {
			break // the trial ended, or does not go on
		}
		m.Rest(lifecycle.LastRule)
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
	}
	if all := validOf(m); len(all) != 1 || len(all[0].Rule.Except.URLs()) != 10 {
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
	w.live(m, 1, func(lifecycle.Look) {})
	if all := validOf(m); len(all) == 0 || all[0].Rule.Except != (rule.Except{}) || all[0].Verdict.Negatives > 0 {
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
	whole := rule.Rule{Edit: rule.Substring{From: "/new/", To: "/old/", AtStart: true}}
	some := rule.Rule{Edit: rule.Substring{From: "new/", To: "old/"}}
	wrong, merged := w.falseMerges(t, o, []rule.Candidate{{Rule: whole, Support: 150}, {Rule: some, Support: 100}}, 1)
	if wrong > 0 || merged < 0.4 {
		t.Errorf("%.0f false merges for each 10,000 URLs, %.3f merged, of %d changed", wrong, merged, truth)
	}
}
