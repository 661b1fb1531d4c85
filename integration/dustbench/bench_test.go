package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	of := truth{"/a": "one", "/a?s=1": "one", "/a?s=2": "one", "/b": "two", "/b?s=1": "two", "/c": "three"}
	for _, c := range []struct {
		name, forms string
		coverage    float64
		wrong       int
	}{
		{"nothing", "", 0, 0},
		{"all", "/a?s=1\t/a\n/a?s=2\t/a\n/b?s=1\t/b\n", 1, 0},
		{"one of three", "/a?s=1\t/a\n", 1. / 3, 0},
		{"forms that are no URLs of the log", "/a?s=1\tx\n/a?s=2\tx\n/a\tx\n", 2. / 3, 0},
		{"another page", "/c\t/a\n", 0, 1},
		{"most of a form count", "/a?s=1\tx\n/a?s=2\tx\n/c\tx\n", 1. / 3, 1},
		{"URLs that the log lacks", "/z\t/a\n", 0, 0},
		{"two lines of a URL", "/c\t/a\n/c\t/c\n", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			forms, err := readForms(strings.NewReader(c.forms), of)
			if err != nil {
				t.Fatal(err)
			}
			if got := of.judge(forms); got.Coverage != c.coverage || got.False != c.wrong {
				t.Errorf("%+v", got)
			}
		})
	}
	if _, err := readForms(strings.NewReader("/a"), of); err == nil {
		t.Error("a line without a tab is taken")
	}
}

func TestJudgeRules(t *testing.T) {
	of := truth{"/a": "one", "/a?s=1": "one", "/b": "two", "/c": "three"}
	shows := func(u, text string) bool { return u == "/x" && text == "one" }
	for _, c := range []struct {
		name, rules  string
		count        int
		at10, atMany float64
	}{
		{"nothing", "", 0, 0, 0},
		{"a right one", "1\t/a?s=1\t/a\n", 1, 1, 1},
		{"a form that the site has", "1\t/a\t/x\n", 1, 1, 1},
		{"a form that the site lacks", "1\t/a\t/y\n", 1, 0, 0},
		{"a wrong one", "1\t/a?s=1\t/a\n2\t/b\t/c\n", 2, .5, .5},
		{"one that changes nothing", "1\t/a\t/a\n2\t/a?s=1\t/a\n", 1, 1, 1},
		{"half of its URLs", "1\t/a?s=1\t/a\n1\t/b\t/c\n", 1, 0, 0},
		{"URLs that the log lacks", "1\t/z\t/a\n", 0, 0, 0},
		{"the eleventh counts at 20", strings.Repeat("1\t/b\t/c\n2\t/b\t/c\n", 5) + "3\t/a?s=1\t/a\n", 11, 0, 1. / 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			right, err := judgeRules(strings.NewReader(c.rules), of, shows)
			if err != nil || len(right) != c.count || share(right, 10) != c.at10 || share(right, 20) != c.atMany {
				t.Errorf("%v %v", right, err)
			}
		})
	}
	if _, err := judgeRules(strings.NewReader("1\t/a\n"), of, shows); err == nil {
		t.Error("a line of two words is taken")
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"words", "<title>A</title><p>B  c\n<b>D</b>", "a b c d"},
		{"no scripts", "<p>a<script>b</script><style>c</style>d", "a d"},
		{"entities", "&amp;&eacute;", "&é"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&answer{200, "text/html", []byte(c.page)}).text(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestShown(t *testing.T) {
	page := func(body string) *answer { return &answer{200, "text/html", []byte(body)} }
	for _, c := range []struct{ name, url, page, want string }{
		{"the address", "/A?b=1", `Retrieved from "<a>http://h.example/a?b=1</a>" a`, `retrieved from " " a`},
		{"its path", "/doc/a/?C=N", "Index of /doc/a", "index of"},
		{"in quotes", "/a?b=1", `"/a?b=1"`, ""},
		{"with an escape", "/d%C3%A9j%C3%A0", "of /déjà here", "of here"},
		{"another address", "/a?b=1", "http://h.example/a?b=12 /a?b=2", "http://h.example/a?b=12 /a?b=2"},
		{"a word in a path", "/a", "and/or/a a", "and/or/a a"},
		{"the root", "/", "a / b", "a / b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := page(c.page).shown(c.url); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSteady(t *testing.T) {
	for _, c := range []struct{ name, first, second, shown string }{
		{"the same", "a b", "a b", "a b"},
		{"a clock", "it is 10:01 now", "it is 10:02 now", "it is 10:09 now"},
		{"another page", "it is 10:01 now", "it is 10:02 now", "it was 10:09 then"},
		{"more words", "a b", "a b c", ""},
		{"mostly random", "a b c d", "x y z d", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := steady(c.first, c.second)
			if (text == "") != (c.shown == "") {
				t.Errorf("%q", text)
			}
			if want := c.name != "another page"; text != "" && matches(text, c.shown) != want {
				t.Errorf("%q matches %q: %t", text, c.shown, !want)
			}
		})
	}
	if steady("it is 10:01", "it is 10:02") != steady("it is 10:03", "it is 10:04") {
		t.Error("two URLs of a page with a clock have different texts")
	}
}

// Visitors who come by shared links ask for pages with click ids.
func TestShared(t *testing.T) {
	urls := []string{"/a", "/b?c=1", "/d"}
	more := shared(urls)
	if len(more) == 0 || !slices.Equal(more, shared(urls)) {
		t.Fatalf("%q", more)
	}
	for _, u := range more {
		if bare := without(u, listed.MatchString); !slices.Contains(urls, bare) {
			t.Errorf("%s without click ids is %s", u, bare)
		}
	}
}

func TestLinks(t *testing.T) {
	page := answer{200, "text/html", []byte(`<a href="b?x=1&amp;y=2#z">B</a><a href="/c"></a><a name=n></a><a href="http://elsewhere.example/d"></a><link href="/e">`)}
	if got := page.links("http://h.example/a/"); !slices.Equal(got, []string{"/a/b?x=1&y=2", "/c"}) {
		t.Errorf("%q", got)
	}
	page.kind = "text/plain"
	if got := page.links("http://h.example/a/"); got != nil {
		t.Errorf("%q", got)
	}
}

// A site for crawlers counts what they ask for, and has links to all URLs that it is to have, from its first page.
func TestCrawled(t *testing.T) {
	s := newShop()
	of, list := truthOf(s)
	urls := strings.Fields(string(list))[:500]
	c := newCrawled(s, of, urls)
	queue, seen := urls[:1:1], map[string]bool{urls[0]: true}
	for i := 0; i < len(queue); i++ {
		got := get(c, queue[i])
		if got.text() != of[queue[i]] {
			t.Fatalf("%s has another text than the site", queue[i])
		}
		for _, link := range got.links("http://h" + queue[i]) {
			if !seen[link] && !strings.HasPrefix(link, "/cart/") {
				seen[link] = true
				queue = append(queue, link)
			}
		}
	}
	missing := slices.DeleteFunc(slices.Clone(urls), func(u string) bool { return seen[u] })
	var told bytes.Buffer
	c.told(&told)
	if len(missing) > 0 || !strings.HasPrefix(told.String(), fmt.Sprintf(`{"Requests":%d,`, len(queue))) {
		t.Errorf("%d URLs have no link, such as %q; %.60s after %d requests", len(missing), missing[:min(1, len(missing))], told.String(), len(queue))
	}
}

// The log of the shop is the same each time, and has what rules are to find and what they are not.
func TestShop(t *testing.T) {
	s := newShop()
	log := s.log(s)
	if !bytes.Equal(log, newShop().log(newShop())) {
		t.Error("the log differs from run to run")
	}
	of, urls := truthOf(s)
	if s.acted == 0 || s.private == 0 || bytes.Contains(urls, []byte("/cart/")) || bytes.Contains(urls, []byte("/reset/")) {
		t.Errorf("%d actions, %d private links", s.acted, s.private)
	}
	for _, c := range []struct {
		name, u, v string
		same       bool
	}{
		{"two names", "/product/7-" + s.articles[7].Name, "/product.php?id=7", true},
		{"a session", "/p/7?sid=0123456789abcdef", "/p/7", true},
		{"a colour", "/p/7?v=red", "/p/7?v=blue", false},
		{"a store", "/stores?sid=1", "/stores?sid=2", false},
		{"an order", "/category/rivers?sort=price", "/category/rivers?sort=name", false},
		{"a view", "/category/rivers?view=grid", "/category/rivers", true},
		{"a month without events", "/events/2031/01", "/events/2030/02", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, v := get(s, c.u), get(s, c.v)
			if u.status != 200 || v.status != 200 || (u.text() == v.text()) != c.same {
				t.Errorf("%d %.60s\n%d %.60s", u.status, u.text(), v.status, v.text())
			}
		})
	}
	if got := of.judge(maps.Collect(maps.All(of))); got.Pages*3 > got.URLs || got.Coverage != 1 {
		t.Errorf("the form of each URL is its text: %+v", got)
	}
}

func TestWithout(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"/a?b=1&c=2", "/a?c=2"},
		{"/a?b=1;c=2", "/a?c=2"},
		{"/a?b=1", "/a"},
		{"/a?c=2;b", "/a?c=2"},
		{"/a", "/a"},
	} {
		if got := without(c.url, func(name string) bool { return name == "b" }); got != c.want {
			t.Errorf("%s without b is %s, want %s", c.url, got, c.want)
		}
	}
}

// The peers merge what they are known to merge.
func TestPeers(t *testing.T) {
	s := newShop()
	of, list := truthOf(s)
	origin, asked, stop, err := serve(s)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, c := range []struct {
		name  string
		least float64 // coverage
		wrong bool
	}{
		{"nothing", 0, false},
		{"names", 0.6, true}, // the stores
		{"canonical", 0.01, true},
		{"miqps", 0.2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked.Store(0)
			var out bytes.Buffer
			if err := enter(c.name, &client{origin, 200}, bytes.NewReader(list), &out); err != nil {
				t.Fatal(err)
			}
			forms, err := readForms(&out, of)
			if err != nil {
				t.Fatal(err)
			}
			if got := of.judge(forms); got.Coverage < c.least || (got.False > 0) != c.wrong || asked.Load() > 200 {
				t.Errorf("%+v with %d requests", got, asked.Load())
			}
		})
	}
}

// A site behind the bench keeps its own host, sends visitors back to the bench, and has its actions counted.
func TestProxied(t *testing.T) {
	var origin string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if "http://"+r.Host != origin {
			t.Errorf("the host is %s", r.Host)
		}
		http.Redirect(w, r, origin+"/to?"+r.URL.RawQuery, http.StatusMovedPermanently)
	}))
	defer site.Close()
	origin = site.URL
	of := realSite{action: regexp.MustCompile("do=edit")}
	seen, actions, err := of.proxied(origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"C=N;O=D", "a=%zz", "do=edit"} {
		out := httptest.NewRecorder()
		seen.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/a?"+query, nil))
		if out.Code != http.StatusMovedPermanently || out.Header().Get("Location") != "/to?"+query {
			t.Errorf("%d %q", out.Code, out.Header())
		}
	}
	if actions.Load() != 1 {
		t.Errorf("%d actions", actions.Load())
	}
}

// A crawl follows links, asks for shared links, and leaves actions for the log.
func TestCrawl(t *testing.T) {
	asked := map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.RequestURI()]++
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<a href="/">a</a><a href="/b">b</a><a href="/b?do=edit">c</a><a href="/b?do=login">d</a> page %s`, r.URL.Path)
	}))
	defer site.Close()
	of := realSite{"/", regexp.MustCompile("do=edit"), regexp.MustCompile("do=login"), "", 100, true}
	all, actions, err := of.follow(site.URL)
	if err != nil || !slices.Equal(actions, []string{"/b?do=edit", "/b?do=login"}) || asked["/b?do=edit"]+asked["/b?do=login"] > 0 || asked["/"] != 1 || asked["/b"] != 1 || len(all) <= 2 {
		t.Errorf("%v %q %v %+v", err, actions, asked, all)
	}
}
