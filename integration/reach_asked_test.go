package integration

import (
	"fmt"
	"strings"
	"testing"
)

// halves is a site on which a parameter means nothing on the pages that the public asks for. On
// other pages, for which few ask, it shows another page of the same size, or nothing else either.
type halves struct {
	name   string
	story  string                                    // format of the pages that the public asks for
	on     string                                    // the parameter with its value
	pages  int                                       // of them with the parameter
	others func(s *reached, names []string) []string // pages of few
	means  bool                                      // the parameter means something on these
	valid  bool                                      // a rule is to be found
}

var askedHalves = []halves{
	{"rooms of one client each", "/story/%d", "view=full", 14, func(_ *reached, names []string) (urls []string) {
		for i, name := range names[:60] {
			urls = append(urls, "/"+name+"/"+names[(i+7)%60])
		}
		return urls
	}, true, false},
	{"commands of two", "/story?id=%d", "tab=2", 12, func(_ *reached, names []string) (urls []string) {
		for _, name := range names[:50] {
			urls = append(urls, "/panel?do="+name)
		}
		return urls
	}, true, false},
	{"links of one client each", "/story/%d", "full=1", 19, func(s *reached, _ []string) (urls []string) {
		for range 45 {
			urls = append(urls, "/join/"+s.text(lower, 2)+s.text(digits, 3)+s.text(lower, 3)+s.text(digits, 2))
		}
		return urls
	}, true, false},
	{"rooms, half as many asked for", "/story/%d", "view=full", 30, func(_ *reached, names []string) (urls []string) {
		for i, name := range names[:40] {
			urls = append(urls, "/"+name+"/"+names[(i+7)%40])
		}
		return urls
	}, false, true},
}

// site returns the site and its log.
func (h *halves) site(seed uint64) *reached {
	s := newReached(seed)
	less := func(url string) string {
		return strings.TrimSuffix(strings.TrimSuffix(url, "?"+h.on), "&"+h.on)
	}
	s.page = func(url string) string {
		if page := less(url); strings.HasPrefix(page, "/story") || !h.means {
			return page
		}
		return url
	}
	s.answer = htmlPages(func(url string) string {
		return document("", "<p>"+prose(s.page(url), 120+int(number(less(url))%900)))
	})
	with := func(url string) string {
		if strings.Contains(url, "?") {
			return url + "&" + h.on
		}
		return url + "?" + h.on
	}
	add := func(url string, clients func() []int) {
		s.asked(url, clients()...)
		s.asked(with(url), clients()...)
	}
	for i := range h.pages {
		add(fmt.Sprintf(h.story, i), func() []int { return s.some(5) })
	}
	for i := range 30 { // without the parameter
		s.asked(fmt.Sprintf(h.story, 100+i), s.some(5)...)
	}
	for i, url := range h.others(s, s.words(70)) {
		few := []int{i % 250}
		if strings.Contains(url, "?do=") {
			few = []int{7, 9}
		}
		add(url, func() []int { return few })
	}
	return s
}

// What holds for the pages that are asked for says little of others, if these are most: then the
// rule is not tried. If half as many are asked for as there are others, the rule is.
func TestReachMostPairsUnasked(t *testing.T) {
	t.Parallel()
	for i := range askedHalves {
		h := &askedHalves[i]
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			v := h.site(uint64(900 + i)).validate(t)
			if m := v.true(); m.merged > 0 != h.valid {
				t.Errorf("the rule is found: %v\n%s", !h.valid, v)
			}
		})
	}
}
