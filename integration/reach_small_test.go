package integration

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// smallSite is a small site with pretty addresses, most of whose pages few have read.
type smallSite struct {
	pages []string                                      // their plain addresses
	forms []func(s *reached, page string, i int) string // other addresses of a page
	page  func(path string, query url.Values) string    // the page of an address
	also  func(s *reached, page string, i int) []string // addresses of other pages that the site has
}

// site returns the site and its log. Of ten pages one has several readers, and the others have one
// or two; of the other addresses of a page, each has one or two.
func (p *smallSite) site(seed uint64) *reached {
	s := newReached(seed)
	s.page = func(target string) string {
		path, query, _ := strings.Cut(target, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			return ""
		}
		return p.page(path, values)
	}
	s.answer = htmlPages(func(target string) string {
		page := s.page(target)
		if page == "" {
			return ""
		}
		return document("", "<p>"+prose(page, 100+int(number(page)%700)))
	})
	for i, page := range p.pages {
		readers := 1 + s.IntN(2)
		if i%10 == 0 {
			readers = 3 + s.IntN(9)
		}
		s.asked(page, s.some(readers)...)
		for _, form := range p.forms {
			if target := form(s, page, i); target != "" {
				s.asked(target, s.some(1+s.IntN(2))...)
			}
		}
		if p.also != nil {
			for _, target := range p.also(s, page, i) {
				s.asked(target, s.some(1)...)
			}
		}
	}
	return s
}

// in returns a form of some pages: those of which i has a remainder below some of ten.
func in(some int, form func(s *reached, page string, i int) string) func(*reached, string, int) string {
	return func(s *reached, page string, i int) string {
		if i*7%10 >= some {
			return ""
		}
		return form(s, page, i)
	}
}

// wiki is a wiki behind pretty addresses, with its old ones and its skins.
func wiki() *smallSite {
	words := newReached(3).words(300)
	known := map[string]bool{}
	p := &smallSite{}
	for i := range 140 {
		title := strings.ToUpper(words[i][:1]) + words[i][1:]
		if i%3 > 0 {
			title += "_" + words[140+i]
		}
		known[title] = true
		p.pages = append(p.pages, "/wiki/"+title)
	}
	title := func(page string) string { return strings.TrimPrefix(page, "/wiki/") }
	p.forms = append(p.forms,
		in(1, func(_ *reached, page string, _ int) string { return "/index.php?title=" + title(page) }),
		in(6, func(_ *reached, page string, _ int) string { return "/index.php/" + title(page) }),
		in(6, func(s *reached, page string, _ int) string {
			return page + "?useskin=" + oneOf("monobook", "vector", "timeless")(s)
		}),
		in(4, func(_ *reached, page string, _ int) string { return page + "?redirect=no" }))
	p.also = func(s *reached, page string, i int) []string {
		return []string{"/index.php?title=" + title(page) + "&action=history", "/index.php?title=" + title(page) + fmt.Sprint("&oldid=", 1000+i)}
	}
	p.page = func(path string, q url.Values) string {
		name := q.Get("title")
		for _, prefix := range []string{"/wiki/", "/index.php/"} {
			if rest, is := strings.CutPrefix(path, prefix); is && rest != "" {
				name = rest
			}
		}
		if !known[name] || !strings.HasPrefix(path, "/wiki/") && !strings.HasPrefix(path, "/index.php") {
			return ""
		}
		return name + " " + q.Get("action") + " " + q.Get("oldid")
	}
	return p
}

// blog is a blog with addresses by date and title, and its old ones by number.
func blog() *smallSite {
	words := newReached(4).words(260)
	posts := map[string]int{}
	p := &smallSite{}
	for i := range 80 {
		address := fmt.Sprintf("/20%d/%02d/%s-%s-%s", 15+i/10, 1+i*5%12, words[3*i], words[3*i+1], words[3*i+2])
		posts[address] = i
		p.pages = append(p.pages, address+"/")
	}
	p.forms = append(p.forms,
		in(8, func(_ *reached, _ string, i int) string { return fmt.Sprint("/?p=", i+10) }),
		in(7, func(s *reached, page string, i int) string {
			return page + fmt.Sprint("?replytocom=", 2000+3*i+s.IntN(3))
		}),
		in(5, func(s *reached, page string, _ int) string {
			return page + "?share=" + oneOf("twitter", "facebook", "email")(s)
		}),
		in(5, func(_ *reached, page string, _ int) string { return strings.TrimSuffix(page, "/") }))
	p.also = func(_ *reached, page string, i int) []string {
		return []string{page + "feed/", fmt.Sprintf("/tag/%s/", words[i%40])}
	}
	p.page = func(path string, q url.Values) string {
		if path == "/" && q.Get("p") != "" {
			for address, i := range posts {
				if fmt.Sprint(i+10) == q.Get("p") {
					return address
				}
			}
			return ""
		}
		base := strings.TrimSuffix(path, "/")
		_, post := posts[base]
		_, feed := posts[strings.TrimSuffix(base, "/feed")]
		if post || feed || strings.HasPrefix(base, "/tag/") {
			return base
		}
		return ""
	}
	return p
}

// codeHost is a host of three repositories, each with files.
func codeHost() *smallSite {
	words := newReached(5).words(200)
	known := map[string]bool{}
	p := &smallSite{}
	for i := range 3 {
		repository := fmt.Sprintf("/%s/%s", words[0], words[1+i])
		known[repository] = true
		p.pages = append(p.pages, repository)
		for k := range 60 {
			file := fmt.Sprintf("%s/src/branch/main/%s.go", repository, words[10+60*i+k])
			known[file] = true
			p.pages = append(p.pages, file)
		}
	}
	isFile := func(page string) bool { return strings.Contains(page, "/src/") }
	p.forms = append(p.forms,
		in(7, func(s *reached, page string, _ int) string {
			return page + "?lang=" + oneOf("de-DE", "fr-FR", "pt-PT", "zh-CN")(s)
		}),
		in(6, func(_ *reached, page string, _ int) string {
			if isFile(page) {
				return strings.Replace(page, "/src/branch/main/", "/src/main/", 1)
			}
			return page + "/"
		}),
		in(5, func(_ *reached, page string, _ int) string {
			if isFile(page) {
				return page + "?display=source"
			}
			return page + "?tab=readme"
		}))
	p.also = func(s *reached, page string, i int) []string {
		if isFile(page) {
			return []string{strings.Replace(page, "/src/branch/", "/blame/branch/", 1)}
		}
		return []string{page + "/issues", page + "/commit/" + s.text(hexDigits, 40)}
	}
	p.page = func(path string, _ url.Values) string {
		page := strings.TrimSuffix(strings.Replace(path, "/src/main/", "/src/branch/main/", 1), "/")
		repository, rest := page, ""
		if f := strings.SplitN(page, "/", 4); len(f) == 4 {
			repository, rest = strings.Join(f[:3], "/"), f[3]
		}
		if known[page] || known[strings.Replace(page, "/blame/", "/src/", 1)] || known[repository] && (rest == "issues" || strings.HasPrefix(rest, "commit/")) {
			return page
		}
		return ""
	}
	return p
}

// On small sites that few read, the rules that are found by default merge nearly as much as those
// that are found when everything may be asked for.
func TestReachSmallSites(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name string
		site func() *smallSite
	}{{"wiki", wiki}, {"blog", blog}, {"code host", codeHost}} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			got := map[string]merges{}
			for _, kinds := range []string{"any", "public"} {
				s := kind.site().site(uint64(i))
				v := s.validate(t, "--fetch-total", "300", "--fetch-kinds", kinds)
				got[kinds] = v.true()
			}
			if any, public := got["any"].merged, got["public"].merged; any < 50 || float64(public) < .9*float64(any) {
				t.Errorf("%d duplicates are merged, %d where all may be asked for, of %d", public, any, got["any"].duplicates)
			}
		})
	}
}
