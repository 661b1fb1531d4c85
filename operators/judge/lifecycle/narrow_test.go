package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// tryAll lets a machine live with given candidates, and returns it.
func (w *town) tryAll(all ...rule.Rule) *lifecycle.Machine {
	o := madeup.Options()
	o.GivenOnly = true
	m := New("town", o)
	var candidates []rule.Candidate
	for _, r := range all {
		candidates = append(candidates, rule.Candidate{Rule: r, Support: 60})
	}
	m.Load(forms.NewWindow(slices.Clone(w.Pages)), candidates)
	w.live(m, 1, ignore)
	return m
}

// wrongOf returns the URLs of the log that rules merge with another page.
func (w *town) wrongOf(rules []rule.Rule) (wrong []string) {
	c := forms.Compile(rules)
	for u, text := range w.Text {
		form, _ := c.Canon(nil, []byte(u))
		if other := w.Text[string(form)]; other != text {
			wrong = append(wrong, u)
		}
	}
	return wrong
}

// Where the pages of a rule prove nothing, the rule is tried in the scopes whose pages proved something.
func TestUndecidedIsNarrowed(t *testing.T) {
	for _, c := range []struct {
		name   string
		others bool // some login pages show another page with a session
	}{
		{"one login page at many addresses", false},
		{"some are another page", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := noTown()
			for i := range 180 {
				for _, session := range []string{"", "&s=1"} {
					app, login := fmt.Sprintf("/app/%d?v=1%s", i, session), fmt.Sprintf("/login?to=%d%s", i, session)
					w.Add(app, "shell", 9000+int64(i)*60)
					w.Size[app] += 1000 // the server sends something else today
					text := "log in"
					if session != "" && i%3 == 0 && c.others {
						text = fmt.Sprint("welcome ", i)
					}
					if i < 60 {
						w.Add(login, text, 5000)
					}
				}
			}
			m := w.tryAll(rule.Rule{Edit: rule.Drop{Param: "s"}})
			wide := entry(m, rule.ID("town", &rule.Rule{Edit: rule.Drop{Param: "s"}}))
			if wide == nil || wide.State != rule.Undecided && !c.others {
				t.Fatalf("the wide rule: %+v", wide)
			}
			rules := rulesOf(m)
			if merged := formOf(m, "/login?to=7&s=1") == "/login?to=7"; merged == c.others {
				t.Errorf("merged %v by\n%s\n%s: %+v", merged, madeup.Words(rules), wide.State, wide.Verdict)
			}
			if wrong := w.wrongOf(rules); len(wrong) > 0 {
				t.Errorf("wrong: %v", wrong)
			}
		})
	}
}

// A folder in which the sizes say that a rule holds is tried, in whichever direction the rule is tried.
func TestNarrowedByLog(t *testing.T) {
	shrink := rule.Rule{Edit: rule.Substring{From: "/", AtEnd: true}}
	for _, c := range []struct {
		name   string
		r      rule.Rule
		differ bool // the pages of /doc/ differ in spite of their sizes
	}{
		{"shrinking", shrink, false},
		{"growing", shrink.Opposite(), false},
		{"sizes that mislead", shrink, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := noTown()
			for i := range 240 {
				u := fmt.Sprintf("/res/%d", i)
				w.Add(u, u, 3000+int64(i)*211)
				w.Add(u+"/", u+"/", 90_000+int64(i)*211)
			}
			for i := range 60 {
				u := fmt.Sprintf("/doc/%d", i)
				w.Add(u, u, 200_000+int64(i)*2111)
				text := u
				if c.differ {
					text += " other"
				}
				w.Add(u+"/", text, 200_000+int64(i)*2111)
			}
			m := w.tryAll(c.r)
			rules := rulesOf(m)
			if merged := formOf(m, "/doc/7/") == formOf(m, "/doc/7"); merged == c.differ {
				t.Errorf("merged %v by\n%s", merged, madeup.Words(rules))
			}
			if wrong := w.wrongOf(rules); len(wrong) > 0 {
				t.Errorf("wrong: %v", wrong)
			}
		})
	}
}

// What holds below one folder alone is found there, though the whole site tells nothing: a drop of many values, and forms of
// syntax.
func TestFolderScopes(t *testing.T) {
	page := func(folder string, i int) string { return fmt.Sprintf("/%s/Page%d?a=1&b=2", folder, i) }
	for _, c := range []struct {
		name   string
		form   func(u string, i int) string
		misled bool // the pages of /doc/ differ in spite of their sizes
	}{
		{"slashes", func(u string, _ int) string { return strings.Replace(u, "/Page", "//Page", 1) }, false},
		{"slashes, and sizes that mislead", func(u string, _ int) string { return strings.Replace(u, "/Page", "//Page", 1) }, true},
		{"case", func(u string, _ int) string { return strings.ToLower(u) }, false},
		{"escapes", func(u string, _ int) string { return strings.Replace(u, "Page", "P%61ge", 1) }, false},
		{"order", func(u string, _ int) string { return strings.Replace(u, "a=1&b=2", "b=2&a=1", 1) }, false},
		{"a drop", func(u string, i int) string { return u + fmt.Sprintf("&r=%d", 7*i) }, false},
		{"a drop, and sizes that mislead", func(u string, i int) string { return u + fmt.Sprintf("&r=%d", 7*i) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := noTown()
			for i := range 160 {
				for _, folder := range []string{"doc", "res", "res/more"} {
					u, size := page(folder, i), 3000+int64(i)*313
					w.Add(u, u, size)
					switch second := c.form(u, i); {
					case folder != "doc":
						w.Add(second, u+" other", size*2+int64(i)*17)
					case c.misled:
						w.Add(second, u+" other", size)
					default:
						w.Add(second, u, size)
					}
				}
			}
			m := w.machine(madeup.Options())
			w.live(m, 1, ignore)
			rules := rulesOf(m)
			u := page("doc", 7)
			if merged := formOf(m, u) == formOf(m, c.form(u, 7)); merged == c.misled {
				t.Errorf("merged %v by\n%s", merged, madeup.Words(rules))
			}
			if wrong := w.wrongOf(rules); len(wrong) > 0 {
				t.Errorf("wrong: %v", wrong)
			}
		})
	}
}
