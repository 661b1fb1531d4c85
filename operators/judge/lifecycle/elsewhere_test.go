package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// folders is a site of folders with pages. The second form of a page is made by form.
type folders struct {
	*town
	form func(page string) string
	n    int // pages of a folder
}

func newFolders(form func(page string) string) *folders { return &folders{noTown(), form, 30} }

// page returns the i-th page of a folder, which is written with a number for it.
func (f *folders) page(folder string, i int) string { return fmt.Sprintf(folder, i) }

// twice adds a folder to the log whose pages have two forms.
func (f *folders) twice(folder string) {
	for i := range f.n {
		p := f.page(folder, i)
		f.Add(p, p, f.size(p))
		f.Add(f.form(p), p, f.size(p))
	}
}

// once adds a folder of which the log has the second form alone; same tells whether the first, which exists, is its page.
func (f *folders) once(folder string, same bool) {
	for i := range f.n {
		p := f.page(folder, i)
		text := p
		if !same {
			text = f.form(p)
		}
		f.Add(f.form(p), text, f.size(p)+500)
		f.Text[p], f.Size[p] = p, f.size(p)+500
	}
}

// secret is a folder whose URLs look like secrets: they are never fetched.
const secret = "/reset/9f3c2b7d81e04a6f%d"

// secret adds the folder to the log. The sizes of the two forms of a page differ.
func (f *folders) secret(more int64) {
	for i := range f.n {
		p, size := f.page(secret, i), int64(5000+97*i)
		f.Add(p, p, size)
		f.Add(f.form(p), f.form(p), size+more*int64(i+1))
	}
}

// other adds pages to the log that no rule changes.
func (f *folders) other(urls string) {
	for i := range f.n {
		f.Add(fmt.Sprintf(urls, i), urls+fmt.Sprint(i), 900_000+int64(97*i))
	}
}

func (f *folders) size(page string) int64 {
	n := int64(0)
	for _, c := range page {
		n = n*31 + int64(c)
	}
	return 2000 + n%100_000
}

// edits reports whether rules edit one of the two forms of a page of a folder that no log has.
func (f *folders) edits(rules []rule.Rule, folder string) bool {
	c, page := forms.Compile(rules), f.page(folder, 1000)
	return slices.ContainsFunc([]string{page, f.form(page)}, func(u string) bool {
		form, _ := c.Canon(nil, []byte(u))
		return string(form) != u
	})
}

// A rule whose pairs lie in several folders is proved in others too, or leaves them alone.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	query := func(text string) func(string) string {
		return func(page string) string {
			if strings.Contains(page, "?") {
				return page + "&" + text
			}
			return page + "?" + text
		}
	}
	p, s, third := "/product/%d", "/shop/%d", "/category/%d"
	drop := func(name, value string) rule.Rule {
		return rule.Rule{Edit: rule.Drop{Param: name, Value: value, HasValue: value != ""}}
	}
	more := func(f *folders, add func(folder string)) {
		for _, folder := range []string{"/c1/%d", "/c2/%d", "/c3/%d", "/c4/%d"} {
			add(folder)
		}
	}
	for _, c := range []struct {
		name   string
		form   func(page string) string
		r      rule.Rule
		world  func(f *folders)
		edited []string // folders in which pages are edited that no log has
		kept   []string // folders in which they are not
	}{
		{"a name of the two folders alone", query("page=4"), drop("page", ""), func(*folders) {}, []string{p, s, third}, nil},
		{"a value, and the name with others elsewhere", query("page=4"), drop("page", "4"), func(f *folders) { f.other(third + "?page=2") }, []string{p, s, "/new/%d"}, []string{third}},
		{"a value, and the name in many folders", query("page=4"), drop("page", "4"), func(f *folders) {
			f.n += 10
			f.twice("/large/%d")
			more(f, func(folder string) { f.other(folder + "?page=2") })
		}, []string{"/large/%d"}, []string{"/c1/%d", "/c4/%d", "/new/%d"}},
		{"the text of a value, and the name with others elsewhere", query("page=4"), rule.Rule{Edit: rule.Substring{From: "?page=4", AtEnd: true}}, func(f *folders) { f.other(third + "?page=2") }, []string{p, s}, []string{third}},
		{"a set, and the name with one value elsewhere", query("v=9"), rule.Rule{Edit: rule.Set{Param: "v", Value: "1"}}, func(f *folders) {
			for i := range f.n {
				for _, of := range []string{p, s} {
					page := f.page(of, i)
					f.Add(page+"?v=1", page, f.size(page))
				}
			}
			f.other(third + "?v=1")
		}, []string{p, s}, []string{third}},
		{"any value, of other pages elsewhere", query("page=4"), drop("page", ""), func(f *folders) { f.once(third, false) }, []string{p, s}, []string{third}},
		{"any value, of the same pages elsewhere", query("page=4"), drop("page", ""), func(f *folders) { f.once(third, true) }, []string{p, s, third, "/new/%d"}, nil},
		{"any value, refused elsewhere", query("page=4"), drop("page", ""), func(f *folders) {
			f.once(third, true)
			f.Refuses = func(u string) bool { return strings.HasPrefix(u, "/category/") }
		}, []string{p, s, "/new/%d"}, []string{third}},
		{"any value, refused in many folders", query("page=4"), drop("page", ""), func(f *folders) {
			f.n += 10
			f.twice("/large/%d")
			more(f, func(folder string) { f.once(folder, true) })
			f.Refuses = func(u string) bool { return strings.HasPrefix(u, "/c") }
		}, []string{"/large/%d"}, []string{"/c1/%d", "/c4/%d", "/new/%d"}},
		{"any value, of secret URLs that are unlike elsewhere", query("page=4"), drop("page", ""), func(f *folders) { f.secret(500) }, []string{p, s}, []string{secret}},
		{"any value, of secret URLs that are alike elsewhere", query("page=4"), drop("page", ""), func(f *folders) { f.secret(0) }, []string{p, s, secret}, nil},
		{"a parameter of the path, of other pages elsewhere", func(page string) string { return page + ";s=1" }, rule.Rule{Edit: rule.Drop{Param: "s", InPath: true}}, func(f *folders) { f.once(third, false) }, []string{p, s}, []string{third}},
		{"a substitution, of other pages elsewhere", func(page string) string { return page + "/" }, rule.Rule{Edit: rule.Substring{From: "/", AtEnd: true}}, func(f *folders) { f.once(third, false) }, []string{p, s}, []string{third}},
		{"a form of syntax, of other pages elsewhere", func(page string) string { return page[:1] + strings.Replace(page[1:], "/", "//", 1) }, rule.Rule{Edit: rule.Syntax{Form: rule.Slashes}}, func(f *folders) { f.once(third, false) }, []string{p, s}, []string{third}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFolders(c.form)
			f.twice(p)
			f.twice(s)
			c.world(f)
			o := madeup.Options()
			o.GivenOnly = true
			m := New("town", o)
			m.Load(forms.NewWindow(slices.Clone(f.Pages)), []rule.Candidate{{Rule: c.r, Support: 60}})
			f.live(m, 1, ignore)
			rules := rulesOf(m)
			for _, folder := range c.edited {
				if !f.edits(rules, folder) {
					t.Errorf("%s is not edited by\n%s", folder, madeup.Words(rules))
				}
			}
			for _, folder := range c.kept {
				if f.edits(rules, folder) {
					t.Errorf("%s is edited by\n%s", folder, madeup.Words(rules))
				}
			}
			checkSafe(t, m, urlsOf(forms.NewWindow(slices.Clone(f.Pages))))
		})
	}
}
