package integration

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Sites with links that look private. Where such a link shows what everybody sees, the rule is
// found by stand-ins: URLs of the same form with invented texts. Where the link counts, no rule is.

// invented complains unless URLs with a text were asked for, of which the log has none.
func (v *trialOf) invented(texts ...string) {
	v.t.Helper()
	if len(v.with(texts...)) < 10 {
		v.t.Errorf("%d stand-ins with %q were asked for\n%s", len(v.with(texts...)), texts, v)
	}
}

// keeps complains if the rules change URLs.
func (v *trialOf) keeps(urls ...string) {
	v.t.Helper()
	for _, url := range urls {
		if form, _ := v.canon.Canon(nil, []byte(url)); string(form) != url {
			v.t.Errorf("%s is merged into %s\n%s", url, form, v)
			return
		}
	}
}

// showing is a site that has a page for each URL; "" is none.
func showing(seed uint64, page func(url string) string) *reached {
	s := newReached(seed)
	s.page = page
	s.answer = htmlPages(func(url string) string {
		if p := page(url); p != "" {
			return goods(p)
		}
		return ""
	})
	return s
}

// cutQuery returns the path and the parameters of a URL.
func cutQuery(target string) (path string, q url.Values) {
	path, query, _ := strings.Cut(target, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		q = url.Values{}
	}
	return path, q
}

// Sessions that stand in the query, behind a semicolon, and in a segment of the path, are left out,
// and no visitor's session is met.
func TestReachSessions(t *testing.T) {
	t.Parallel()
	pages := shopPages("word", 80)
	for i, kind := range []struct {
		name string
		on   func(s *reached, page string) string
		less func(url string) string
		mark string
	}{
		{"query", func(s *reached, page string) string { return page + "?PHPSESSID=" + s.text(lowerMix, 26) },
			func(url string) string { path, _ := cutQuery(url); return path }, "PHPSESSID="},
		{"path parameter", func(s *reached, page string) string { return page + ";jsessionid=" + s.text(hexUpper, 32) },
			func(url string) string { path, _, _ := strings.Cut(url, ";"); return path }, ";jsessionid="},
		{"segment", func(s *reached, page string) string { return "/" + s.text(hexDigits, 32) + page },
			func(url string) string {
				if f := strings.SplitN(url, "/", 3); len(f) == 3 && len(f[1]) == 32 {
					return "/" + f[2]
				}
				return url
			}, ""},
		{"segment with a name", func(s *reached, page string) string { return "/s/" + s.text(hexDigits, 32) + page },
			func(url string) string {
				if f := strings.SplitN(url, "/", 4); len(f) == 4 && f[1] == "s" && len(f[2]) == 32 {
					return "/" + f[3]
				}
				return url
			}, "/s/"},
		{"two at once", func(s *reached, page string) string {
			return page + "?PHPSESSID=" + s.text(lowerMix, 26) + "&gclid=Cj0KCQjw" + s.text(urlLetters, 50)
		}, func(url string) string { path, _ := cutQuery(url); return path }, "gclid="},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := showing(uint64(400+i), func(url string) string {
				if page := kind.less(url); slices.Contains(pages, page) {
					return page
				}
				return ""
			})
			for _, page := range pages {
				s.asked(page, s.some(5)...)
				for range 2 {
					s.kept(kind.on(s, page), s.some(1)...)
				}
			}
			v := s.validate(t)
			v.merged(.95)
			v.invented(kind.mark)
		})
	}
}

// sign returns the signature of a path that ends at a time.
func sign(path, expires string) string {
	h := hmac.New(sha256.New, []byte("of the site"))
	fmt.Fprint(h, path, expires)
	return hex.EncodeToString(h.Sum(nil)[:20])
}

// Links whose text counts: each shows a page that strangers do not see, of about the size of what
// they see. No rule of them is found.
func TestReachLinksThatCount(t *testing.T) {
	t.Parallel()
	const others = 90 // pages of each kind
	for i, kind := range []struct {
		name string
		link func(s *reached, n int) string // of a page; the log has the page without it as well
		bare func(n int) string
		// own and strange are what the owner of the link and a stranger see; "" for no page
		own, strange func(url string, n int) string
		never        bool // not even a stand-in is asked for
	}{
		{name: "signed, refused", link: func(s *reached, n int) string {
			path, expires := fmt.Sprintf("/file/%d", n), fmt.Sprint(s.second()+8_000_000)
			return path + "?expires=" + expires + "&sig=" + sign(path, expires)
		}, bare: func(n int) string { return fmt.Sprintf("/file/%d", n) },
			own: func(_ string, n int) string { return goods(fmt.Sprint("file ", n)) }},
		{name: "signed, preview for strangers", link: func(s *reached, n int) string {
			path, expires := fmt.Sprintf("/photo/%d", n), fmt.Sprint(s.second()+8_000_000)
			return path + "?expires=" + expires + "&sig=" + sign(path, expires)
		}, bare: func(n int) string { return fmt.Sprintf("/photo/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, "Download the photo in its full size here.") },
			strange: func(_ string, n int) string { return withMore(n, "") }},
		{name: "draft, one sentence more", link: func(s *reached, n int) string { return fmt.Sprintf("/post/%d?preview=", n) + s.text(hexDigits, 32) },
			bare: func(n int) string { return fmt.Sprintf("/post/%d", n) },
			own: func(_ string, n int) string {
				return withMore(n, "This draft is not published: the price falls by a third on Monday.")
			},
			strange: func(_ string, n int) string { return withMore(n, "") }},
		{name: "draft, one word more", link: func(s *reached, n int) string { return fmt.Sprintf("/essay/%d?preview=", n) + s.text(hexDigits, 32) },
			bare:    func(n int) string { return fmt.Sprintf("/essay/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, "unpublished") },
			strange: func(_ string, n int) string { return withMore(n, "") }},
		{name: "share key, teaser for strangers", link: func(s *reached, n int) string { return fmt.Sprintf("/album/%d?k=", n) + s.text(base62, 22) },
			bare:    func(n int) string { return fmt.Sprintf("/album/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, prose(fmt.Sprint("own", n), 12)) },
			strange: func(_ string, n int) string { return withMore(n, "") }},
		{name: "share key, refused", link: func(s *reached, n int) string { return fmt.Sprintf("/doc/%d?key=", n) + s.text(urlLetters, 24) },
			bare: func(n int) string { return fmt.Sprintf("/doc/%d", n) },
			own:  func(_ string, n int) string { return withMore(n, "") }},
		{name: "video", link: func(s *reached, n int) string { return "/watch?v=" + videoOf(n) },
			bare:    func(int) string { return "/watch" },
			own:     func(_ string, n int) string { return withMore(0, prose(fmt.Sprint("video ", n), 1+n%5)) },
			strange: func(string, int) string { return withMore(0, prose("no video", 3)) }},
		{name: "video at a page of one size", link: func(s *reached, n int) string { return "/embed?v=" + videoOf(n) },
			bare:    func(int) string { return "/embed" },
			own:     func(_ string, n int) string { return withMore(0, prose(fmt.Sprint("video ", n), 3)) },
			strange: func(string, int) string { return withMore(0, "") }},
		{name: "reset by token", link: func(s *reached, n int) string { return "/reset?token=" + s.text(hexDigits, 40) },
			bare: func(int) string { return "/reset" }, own: func(string, int) string { return withMore(0, "") },
			strange: func(string, int) string { return withMore(0, "") }, never: true},
		{name: "reset in the path", link: func(s *reached, n int) string { return "/account/reset/" + s.text(hexDigits, 40) },
			bare: func(int) string { return "/account/reset" }, own: func(string, int) string { return withMore(0, "") },
			strange: func(string, int) string { return withMore(0, "") }, never: true},
		{name: "order number", link: func(s *reached, n int) string { return "/track?number=4" + s.text(digits, 9) },
			bare: func(int) string { return "/track" }, own: func(string, int) string { return withMore(0, "") },
			strange: func(string, int) string { return withMore(0, "") }, never: true},
		{name: "order number like a time", link: func(s *reached, n int) string { return fmt.Sprint("/track?number=", 1_650_000_000+s.IntN(200_000_000)) },
			bare: func(int) string { return "/track" }, own: func(string, int) string { return withMore(0, "") },
			strange: func(string, int) string { return withMore(0, "") }, never: true},
		{name: "password", link: func(s *reached, n int) string { return fmt.Sprintf("/room/%d?pwd=", n) + s.text(base62, 22) },
			bare:    func(n int) string { return fmt.Sprintf("/room/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, "") },
			strange: func(_ string, n int) string { return withMore(n, "") }, never: true},
		{name: "e-mail address", link: func(s *reached, n int) string {
			return fmt.Sprintf("/news/%d?for=", n) + s.text(lower, 9) + "%40example.org"
		}, bare: func(n int) string { return fmt.Sprintf("/news/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, "") },
			strange: func(_ string, n int) string { return withMore(n, "") }, never: true},
		{name: "invitation in a segment", link: func(s *reached, n int) string { return fmt.Sprintf("/invite/%s/team/%d", s.text(hexDigits, 32), n) },
			bare:    func(n int) string { return fmt.Sprintf("/team/%d", n) },
			own:     func(_ string, n int) string { return withMore(n, "") },
			strange: func(_ string, n int) string { return withMore(n, "") }, never: true},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			s := newReached(uint64(500 + i))
			links, bares := map[string]int{}, map[string]int{}
			for n := range others {
				link := kind.link(s, n)
				links[link] = n
				if _, twice := bares[kind.bare(n)]; !twice {
					bares[kind.bare(n)] = n
					s.asked(kind.bare(n), s.some(6)...)
				}
				if kind.name == "video" {
					s.asked(link, s.some(1+n%2)...)
				} else {
					s.kept(link, s.some(1)...)
				}
			}
			s.readers(60)
			s.page = lessRef
			s.answer = func(w http.ResponseWriter, r *http.Request) {
				target := r.URL.RequestURI()
				body := ""
				switch n, owned := links[target]; {
				case owned:
					body = kind.own(target, n)
				case strings.HasPrefix(target, "/story/"):
					body = goods(lessRef(target))
				case kind.strange != nil:
					n, bare := bares[target]
					if !bare {
						n = numberOf(target)
					}
					body = kind.strange(target, n)
				default:
					n, bare := bares[target]
					if !bare {
						w.WriteHeader(http.StatusForbidden)
						return
					}
					body = kind.own(target, n)
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, body)
			}
			v := s.validate(t)
			v.tries()
			for link := range links {
				v.keeps(link)
			}
			if kind.never {
				v.never("a link that is not invented either", func(target string) bool {
					_, bare := bares[target]
					return !bare && !strings.HasPrefix(target, "/story/") && !strings.HasPrefix(target, "/team/")
				})
			}
		})
	}
}

// withMore is the page of a number, with a sentence more.
func withMore(n int, more string) string {
	return document("", "<p>"+prose(fmt.Sprint("page ", n), 200+n%13*20)+more+prose("the end", 40))
}

// numberOf returns the first number of a path; 0 if it has none.
func numberOf(target string) (n int) {
	at := strings.IndexAny(target, digits)
	if at < 0 {
		return 0
	}
	_, _ = fmt.Sscan(strings.FieldsFunc(target[at:], func(r rune) bool { return r < '0' || r > '9' })[0], &n)
	return n
}

// videoOf returns the name of a video: eleven characters.
func videoOf(n int) string {
	return newReached(uint64(9000+n)).text(urlLetters, 11)
}

// What is no secret needs no stand-in: the time of a request, and the version of a file, which keep
// caches from answering.
func TestReachCacheBusters(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name string
		page func(n int) string
		on   func(s *reached, page string, n int) string
	}{
		{"milliseconds", func(n int) string { return fmt.Sprintf("/api/list/%d", n) },
			func(s *reached, page string, _ int) string {
				return page + fmt.Sprintf("?_=%d%s", s.second(), s.text(digits, 3))
			}},
		{"seconds", func(n int) string { return fmt.Sprintf("/feed/%d", n) },
			func(s *reached, page string, _ int) string { return page + fmt.Sprint("?t=", s.second()) }},
		{"version of a style", func(n int) string { return fmt.Sprintf("/css/part%c%c.css", 'a'+n%26, 'a'+n/26) },
			func(s *reached, page string, n int) string {
				return page + oneOf("?q9x2k", "?qa81b", "?qb07z", "?qcn4m")(s)
			}},
		{"hash of a script", func(n int) string { return fmt.Sprintf("/js/part%c%c.js", 'a'+n%26, 'a'+n/26) },
			func(s *reached, page string, n int) string { return page + "?" + s.text(hexDigits, 20) }},
		{"number of an image", func(n int) string { return fmt.Sprintf("/img/p%c%c.png", 'a'+n%26, 'a'+n/26) },
			func(s *reached, page string, n int) string { return page + "?v=" + s.text("123456789", 14) }},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			pages := map[string]bool{}
			for n := range 80 {
				pages[kind.page(n)] = true
			}
			s := showing(uint64(600+i), func(target string) string {
				if path, _ := cutQuery(target); pages[path] {
					return path
				}
				return ""
			})
			for n := range 80 {
				page := kind.page(n)
				s.asked(page, s.some(3)...)
				for range 2 {
					s.asked(kind.on(s, page, n), s.some(1)...)
				}
			}
			s.validate(t).merged(.95)
		})
	}
}

// A site that does not know a session may send its visitor on with a new one, or may refuse
// whoever tries too often. Then there are few stand-ins.
func TestReachUnknownSessions(t *testing.T) {
	t.Parallel()
	for i, kind := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request, failed int)
		most   int // stand-ins asked for
	}{
		{"a new session", func(w http.ResponseWriter, r *http.Request, failed int) {
			http.Redirect(w, r, r.URL.Path+"?sid="+newReached(uint64(failed)).text(hexDigits, 32), http.StatusFound)
		}, 3},
		{"plain", func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, 3},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusForbidden) }, 2},
		{"not allowed", func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusUnauthorized) }, 2},
		{"locked", func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusLocked) }, 2},
		{"counted", func(w http.ResponseWriter, r *http.Request, failed int) {
			if failed > 1 {
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			w.WriteHeader(http.StatusForbidden)
		}, 2},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			pages := shopPages("word", 60)
			s := newReached(uint64(700 + i))
			s.page = func(target string) string { path, _ := cutQuery(target); return lessRef(path) }
			for _, page := range pages {
				s.asked(page, s.some(5)...)
				for range 2 {
					s.kept(page+"?sid="+s.text(hexDigits, 32), s.some(1)...)
				}
			}
			s.readers(60)
			s.logged = htmlPages(func(target string) string { return goods(s.page(target)) })
			failed := 0
			s.answer = func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Has("sid") {
					failed++
					kind.answer(w, r, failed)
					return
				}
				s.logged(w, r)
			}
			v := s.validate(t)
			v.true()
			asked := v.with("sid=")
			t.Logf("%d stand-ins: %q", len(asked), asked)
			if len(asked) == 0 || len(asked) > 2*kind.most {
				t.Errorf("%d stand-ins were asked for, at most %d of a rule\n%s", len(asked), kind.most, v)
			}
		})
	}
}

// Without stand-ins a session is not tried.
func TestReachWithoutStandIns(t *testing.T) {
	t.Parallel()
	v := shopOf(800, shopPages("word", 60), usualTen[5:6], "PHPSESSID").validate(t, "--stand-ins=false")
	v.never("a stand-in", func(target string) bool { return strings.Contains(target, "PHPSESSID") })
}
