package lifecycle_test

import (
	"fmt"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// lists is a site of lists with and without a limit. Those whose URLs look like secrets are never fetched.
type lists struct{ *town }

// parts adds a list to the log with two limits, and never without.
func (l lists) parts(url string, i int) {
	size := int64(5000 + 97*i)
	l.Add(url+"&limit=20", url, size)
	l.Add(url+"&limit=40", url+" to its end", 2*size)
}

// add adds a list to the log with and without a limit, which changes its size by a factor.
func (l lists) add(url string, i int, by float64, same bool) {
	text, size := url, int64(5000+97*i)
	l.Add(url, url, size)
	if !same {
		text += " to its end"
	}
	l.Add(url+"&limit=40", text, int64(float64(size)*by))
}

// The URLs of a list for everyone, of one with a view, and of one for a single visitor.
const (
	openList = "/list?topic=%d"
	viewList = "/list?topic=%d&view=plain"
	keyList  = "/list?key=9f3c2b7d81e04a6f%d"
	keyView  = "/list?view=plain&key=9f3c2b7d81e04a6f%d"
)

// A rule that holds leaves lists alone that it may not fetch, if the log shows that they are apart.
func TestApartAreLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		by     float64 // size of an open list with a limit, by that of the list without
		world  func(l lists, i int)
		edited []string // lists that lose their limit
		kept   []string // lists that keep it
	}{
		{"secret lists of twice the size", 1, func(l lists, i int) { l.add(fmt.Sprintf(keyList, i), i, 2, false) }, []string{openList, viewList}, []string{keyList, keyView}},
		{"secret lists of the same size", 1, func(l lists, i int) { l.add(fmt.Sprintf(keyList, i), i, 1, true) }, []string{openList, viewList, keyList}, nil},
		{"secret lists not much further apart than the others", 1, func(l lists, i int) { l.add(fmt.Sprintf(keyList, i), i, 1.5, true) }, []string{openList, viewList, keyList}, nil},
		{"lists of twice the size that nothing tells from the others, but for a view", 1, func(l lists, i int) {
			l.add(fmt.Sprintf("/list?topic=9f3c2b7d81e04a6f%d", i), i, 2, false)
		}, []string{viewList}, []string{openList, keyList}},
		{"few of them that nothing tells from the others", 1, func(l lists, i int) {
			if i < 2 {
				l.add(fmt.Sprintf("/list?topic=9f3c2b7d81e04a6f%d", i), i, 2, false)
			}
		}, []string{openList, viewList}, nil},
		{"secret lists of which the log has two parts", 1, func(l lists, i int) { l.parts(fmt.Sprintf(keyList, i), i) }, []string{openList, viewList}, []string{keyList}},
		{"secret lists apart from all others but the furthest", 1.2, func(l lists, i int) {
			for _, more := range []int{100, 200, 300, 400} {
				l.add(fmt.Sprintf(openList, more+i), i, 1.2, true)
			}
			l.add(fmt.Sprintf(keyList, i), i, 1.6, true)
		}, []string{openList, viewList, keyList}, nil},
		{"few of them", 1, func(l lists, i int) {
			if i < 2 {
				l.add(fmt.Sprintf(keyList, i), i, 2, false)
			}
		}, []string{openList, viewList}, []string{keyList}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := lists{noTown()}
			for i := range 40 {
				by := c.by
				if i == 17 { // a page of which the log has an old size
					by *= 1.3
				}
				l.add(fmt.Sprintf(openList, i), i, by, true)
				l.add(fmt.Sprintf(viewList, i), i, c.by, true)
				c.world(l, i)
			}
			o := madeup.Options()
			o.GivenOnly, o.Off.OddPairs = true, true
			m := New("town", o)
			m.Load(forms.NewWindow(slices.Clone(l.Pages)), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Drop{Param: "limit"}}, Support: 60}})
			l.live(m, 1, ignore)
			rules := rulesOf(m)
			compiled := forms.Compile(rules)
			edits := func(list string) bool {
				u := fmt.Sprintf(list, 1000) + "&limit=40"
				form, _ := compiled.Canon(nil, []byte(u))
				return string(form) != u
			}
			for _, list := range c.edited {
				if !edits(list) {
					t.Errorf("%s keeps its limit by\n%s", list, madeup.Words(rules))
				}
			}
			for _, list := range c.kept {
				if edits(list) {
					t.Errorf("%s loses its limit by\n%s", list, madeup.Words(rules))
				}
			}
			checkSafe(t, m, urlsOf(forms.NewWindow(slices.Clone(l.Pages))))
		})
	}
}

// What is never fetched, since it may be the link of one client, is named in no exception.
func TestApartTellsNoLink(t *testing.T) {
	for _, link := range []string{"/page/kjhg%04d", "/kjhg%04d"} {
		s := &privateSite{t: t, private: []string{"kjhg"}}
		c := newCrowd()
		c.Many()
		s.mined = c.Mined
		for i := range 70 {
			page := fmt.Sprintf("/page/%d", i)
			s.log(page, pageSize(i), 1<<1|1<<2|1<<3)
			s.log(page+"?limit=40", pageSize(i), 1<<1|1<<2|1<<3)
		}
		for i := range 2 {
			u := fmt.Sprintf(link, i)
			s.log(u, 5000, 1<<9)
			s.log(u+"?limit=40", 10_000, 1<<9)
		}
		s.answer = s.plain
		o := madeup.Options()
		o.GivenOnly, o.Off.OddPairs = true, true
		m := New("site", o)
		m.Load(forms.WindowOf(s.mined), []rule.Candidate{{Rule: rule.Rule{Edit: rule.Drop{Param: "limit"}}, Support: 60}})
		s.live(m, 1)
	}
}
